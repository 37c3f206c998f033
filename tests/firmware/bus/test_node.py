"""The module's end of the bus, row by row of its state table."""

from random import Random

import pytest
from hypothesis import given, strategies as st

from firmware.bus import payloads, words
from firmware.bus.frame import ALL, MAX_PAYLOAD, OPCODE, REPLY, TOGGLE, UNADDRESSED, encode, is_whole
from firmware.bus.node import (
    ADDRESSED,
    ANSWER,
    CLAIMED,
    FREE,
    JOIN_AFTER_MS,
    KEEP_ALIVE_MS,
    PASS,
    REFUSED,
    SELECT,
    WATCH,
    Identity,
    Node,
    Reaction,
    Vitals,
)
from firmware.module.light import Light
from protocol.lights import FLASH, GREEN, RED, SLOW_FLASH, STEADY, WHITE, YELLOW, light

EPOCH, CHIP = 0x21, b"chip 001"


class Bench:
    """One node and what was said to it last."""

    def __init__(self, salt: int = 7, address: int = 0) -> None:
        self.now_ms = 0
        self.salts: list[int] = []
        self.light = Light(120, 10)
        self.vitals = Vitals(reset_cause=1, lowest_mv=3290)
        identity = Identity(CHIP, salt, 5, hardware=2, firmware=(1, 2, 3), boots=51_000)
        self.node = Node(identity, self.light, self.vitals, Random(1).randrange, self._resalt)
        self._toggle = 0
        if address:
            self.join(address)

    def _resalt(self, salt: int) -> bool:
        self.salts.append(salt)
        return True

    def say(
        self, address: int, opcode: int, fields: bytes = b"", *, epoch: int = EPOCH, again: bool = False
    ) -> Reaction:
        if not again:
            self._toggle ^= TOGGLE
        return self.node.hear(self.now_ms, encode(address, self._toggle | opcode, bytes((epoch,)) + fields), 0b0101)

    def probe(self, port: int | None) -> Reaction:
        """A PROBE of some other board; our select line of `port` falls, or none does."""
        reaction = self.say(0, words.PROBE, b"\x01")
        assert reaction.kind == WATCH
        if port is None:
            self.node.not_selected(self.now_ms)
            return Reaction(PASS)
        return self.node.selected(self.now_ms, port)

    def assign(self, address: int, seat: int, instance: int | None = None, **options: bool) -> Reaction:
        who = self.node.identity.instance if instance is None else instance
        return self.say(UNADDRESSED, words.ASSIGN, payloads.encode_assign(who, address, seat), **options)

    def join(self, address: int) -> None:
        self.probe(2)
        self.assign(address, 2)


def reply_of(reaction: Reaction) -> tuple[int, int, bytes]:
    """Address, opcode, payload."""
    assert reaction.kind == ANSWER
    assert is_whole(reaction.frame)
    assert reaction.frame[3] & REPLY
    return reaction.frame[2], reaction.frame[3] & OPCODE, reaction.frame[4:-2]


def test_selected_without_address_it_says_hello_and_takes_the_address_it_is_given() -> None:
    bench = Bench()
    address, opcode, payload = reply_of(bench.probe(2))
    hello = payloads.decode_hello(payload)
    assert (address, opcode) == (UNADDRESSED, words.HELLO)
    assert hello is not None
    assert (hello.instance, hello.type_id, hello.protocol, hello.boots, hello.seat) == (
        words.instance_of(CHIP, 7), 5, words.PROTOCOL, 51_000, 2,
    )  # fmt: skip
    assert bench.node.state == CLAIMED
    assert reply_of(bench.assign(9, 2)) == (9, words.ACK, b"\x05")
    assert (bench.node.state, bench.node.address) == (ADDRESSED, 9)


def test_assign_without_a_hello_before_it_is_not_accepted() -> None:
    bench = Bench()
    assert bench.assign(9, 2).kind == PASS
    assert bench.node.state == FREE


@pytest.mark.parametrize(("seat", "instance"), [(3, None), (2, 12345)])
def test_assign_for_another_seat_or_instance_is_not_accepted(seat: int, instance: int | None) -> None:
    bench = Bench()
    bench.probe(2)
    assert bench.assign(9, seat, instance).kind == PASS
    assert bench.node.state == CLAIMED


def test_a_probe_for_somebody_else_ends_the_claim() -> None:
    bench = Bench()
    bench.probe(2)
    bench.probe(None)
    assert bench.assign(9, 2).kind == PASS, "ASSIGN counts only for who has just answered"


def test_a_lost_acknowledgement_of_assign_is_said_again() -> None:
    bench = Bench()
    bench.probe(2)
    first = bench.assign(9, 2)
    assert bench.assign(9, 2, again=True) is first


def test_selected_with_an_address_it_says_seen() -> None:
    bench = Bench(address=9)
    assert reply_of(bench.probe(3)) == (9, words.SEEN, b"\x03")


def test_replies_carry_the_toggle_bit_of_the_request() -> None:
    bench = Bench(address=9)
    for _ in range(3):
        frame = bench.say(9, words.POLL).frame
        assert frame[3] & TOGGLE == bench._toggle


def test_a_probe_to_it_pulls_the_select_line_of_that_port() -> None:
    bench = Bench(address=9)
    reaction = bench.say(9, words.PROBE, b"\x03")
    assert (reaction.kind, reaction.port) == (SELECT, 3)


def test_poll_tells_the_state() -> None:
    bench = Bench(address=9)
    bench.vitals.crc_errors = 300
    bench.say(9, words.SET, bytes((4, light(FLASH, RED))))
    status = payloads.decode_status(reply_of(bench.say(9, words.POLL))[2])
    assert status is not None
    assert (status.state, status.light, status.generation, status.links) == (ADDRESSED, light(FLASH, RED), 4, 0b0101)
    assert (status.lowest_mv, status.reset_cause, status.errors) == (3290, 1, 300 & 0xFF)


def test_identify_tells_what_hello_leaves_out() -> None:
    payload = reply_of(Bench(address=9).say(9, words.IDENTIFY))[2]
    assert payloads.decode_identity(payload) == (CHIP, 7, bytes((2, 1, 2, 3)))


def test_the_same_frame_again_is_answered_again_and_done_once() -> None:
    bench = Bench(address=9)
    salt = payloads.encode_resalt(bench.node.identity.instance, 99)
    first = bench.say(9, words.RESALT, salt)
    assert bench.say(9, words.RESALT, salt, again=True) is first
    assert bench.salts == [99]
    assert reply_of(bench.say(9, words.RESALT, salt))[1] == words.NAK, "another toggle bit is another request"
    assert bench.salts == [99]


def test_a_new_salt_is_told_by_the_next_hello() -> None:
    bench = Bench(address=9)
    answer = reply_of(bench.say(9, words.RESALT, payloads.encode_resalt(bench.node.identity.instance, 99)))
    assert answer[:2] == (9, words.ACK)
    identity = payloads.decode_identity(reply_of(bench.say(9, words.IDENTIFY))[2])
    assert identity is not None
    assert identity[1] == 99
    bench.say(9, words.RESET)
    hello = payloads.decode_hello(reply_of(bench.probe(2))[2])
    assert hello is not None
    assert hello.instance == words.instance_of(CHIP, 99)


def test_a_salt_that_cannot_be_kept_changes_nothing() -> None:
    bench = Bench(address=9)
    instance = bench.node.identity.instance
    bench.node._resalt = lambda salt: False
    answer = reply_of(bench.say(9, words.RESALT, payloads.encode_resalt(instance, 99)))
    assert answer == (9, words.NAK, bytes((words.UNSUPPORTED, words.RESALT)))
    assert bench.node.identity.instance == instance


def test_resalt_for_another_instance_is_refused() -> None:
    bench = Bench(address=9)
    answer = reply_of(bench.say(9, words.RESALT, payloads.encode_resalt(1, 99)))
    assert answer == (9, words.NAK, bytes((words.OTHER_MODULE, words.RESALT)))
    assert bench.salts == []


def test_an_unknown_opcode_is_refused_and_never_met_with_silence() -> None:
    bench = Bench(address=9)
    assert reply_of(bench.say(9, 0x1F)) == (9, words.NAK, bytes((words.UNSUPPORTED, 0x1F)))


@pytest.mark.parametrize("opcode", [words.SET, words.PROBE, words.RESALT])
def test_a_request_that_ends_too_early_is_refused(opcode: int) -> None:
    bench = Bench(address=9)
    assert reply_of(bench.say(9, opcode)) == (9, words.NAK, bytes((words.MALFORMED, opcode)))


def test_a_light_that_does_not_exist_is_refused_and_changes_nothing() -> None:
    bench = Bench(address=9)
    bench.say(9, words.SET, bytes((1, light(STEADY, GREEN))))
    assert reply_of(bench.say(9, words.SET, b"\x02\xff"))[1] == words.NAK
    assert bench.light.byte == light(STEADY, GREEN)


def test_a_frame_of_another_epoch_makes_it_forget_its_address() -> None:
    bench = Bench(address=9)
    assert bench.say(9, words.POLL, epoch=EPOCH + 1).kind == PASS
    assert (bench.node.state, bench.node.address) == (FREE, UNADDRESSED)


def test_reset_makes_it_forget_its_address() -> None:
    for address in (9, ALL):
        bench = Bench(address=9)
        bench.say(address, words.RESET)
        assert bench.node.state == FREE
    bench = Bench(address=9)
    bench.say(8, words.RESET)
    assert bench.node.state == ADDRESSED


def test_not_asked_for_three_seconds_it_takes_itself_for_given_up() -> None:
    bench = Bench(address=9)
    bench.node.beat(KEEP_ALIVE_MS - 1)
    assert bench.node.state == ADDRESSED
    bench.now_ms = 2000
    bench.say(9, words.POLL)
    bench.node.beat(2000 + KEEP_ALIVE_MS - 1)
    assert bench.node.state == ADDRESSED
    bench.node.beat(2000 + KEEP_ALIVE_MS)
    assert bench.node.state == FREE
    assert bench.node.beacon_period_ms() == 50


@pytest.mark.parametrize(
    ("reason", "shown"),
    [(words.BUS_FULL, light(SLOW_FLASH, WHITE)), (words.FOREIGN_VERSION, light(SLOW_FLASH, YELLOW))],
)
def test_refused_it_acknowledges_and_shows_why(reason: int, shown: int) -> None:
    bench = Bench()
    bench.probe(1)
    refusal = payloads.encode_assign(bench.node.identity.instance, reason, 1)
    assert reply_of(bench.say(UNADDRESSED, words.REFUSE, refusal))[:2] == (UNADDRESSED, words.ACK)
    assert bench.node.state == REFUSED
    assert bench.light.byte == shown
    assert reply_of(bench.probe(1))[1] == words.HELLO, "a later probe may find room"


def test_refused_it_takes_no_address_before_the_next_hello() -> None:
    bench = Bench()
    bench.probe(1)
    bench.say(UNADDRESSED, words.REFUSE, payloads.encode_assign(bench.node.identity.instance, words.BUS_FULL, 1))
    assert bench.assign(9, 1).kind == PASS
    assert bench.node.state == REFUSED


def test_join_is_answered_in_a_slot_of_its_own_after_a_second_without_address() -> None:
    bench = Bench()
    bench.now_ms = JOIN_AFTER_MS - 1
    assert bench.say(UNADDRESSED, words.JOIN, b"\x08").kind == PASS
    bench.now_ms = JOIN_AFTER_MS
    slots = set()
    for _ in range(100):
        reaction = bench.say(UNADDRESSED, words.JOIN, b"\x08")
        hello = payloads.decode_hello(reply_of(reaction)[2])
        assert hello is not None
        assert hello.seat & words.SEAT_JOINED
        slot = hello.seat & 0x3F
        assert reaction.delay_us == slot * words.SLOT_US + 300
        slots.add(slot)
    assert slots == set(range(8))


def test_join_is_nothing_for_a_module_with_an_address() -> None:
    bench = Bench(address=9)
    bench.now_ms = 5000
    bench.node.hear(4999, encode(9, 0, bytes((EPOCH,))), 0)
    assert bench.say(UNADDRESSED, words.JOIN, b"\x08").kind == PASS


def test_bulk_gives_each_address_its_own_light() -> None:
    bench = Bench(address=9)
    lights = bytearray(31)
    lights[8] = light(FLASH, RED)
    bench.say(ALL, words.BULK, b"\x01" + lights)
    assert bench.light.byte == light(FLASH, RED)


def test_a_tick_sets_cap_and_phase_for_everybody() -> None:
    bench = Bench()
    bench.now_ms = 100
    bench.say(ALL, words.TICK, payloads.encode_tick(5100, 32, 4))
    assert bench.light.cap_tenths_ma == 32


@pytest.mark.parametrize(
    ("address", "control", "accepted"),
    [
        (9, words.POLL, True),
        (8, words.POLL, False),
        (8, words.PROBE, True),
        (UNADDRESSED, words.ASSIGN, True),
        (ALL, words.TICK, True),
        (9, REPLY | words.STATUS, False),
    ],
)
def test_which_frames_it_wants(address: int, control: int, accepted: bool) -> None:
    assert Bench(address=9).node.accepts(address, control) is accepted


@given(
    st.sampled_from([0, 9]),
    st.lists(
        st.tuples(
            st.sampled_from([0, 8, 9, UNADDRESSED, ALL]),
            st.integers(0, 63),
            st.binary(max_size=MAX_PAYLOAD),
            st.sampled_from([None, None, 0, 3]),
        ),
        max_size=30,
    ),
)
def test_no_frame_brings_it_down_and_only_its_own_are_answered(
    address: int, frames: list[tuple[int, int, bytes, int | None]]
) -> None:
    bench = Bench(address=address)
    for to, opcode, payload, port in frames:
        bench.now_ms += 20
        before = bench.node.address
        reaction = bench.node.hear(bench.now_ms, encode(to, opcode, payload), 0)
        if reaction.kind == WATCH:
            if port is None:
                bench.node.not_selected(bench.now_ms)
            else:
                reply_of(bench.node.selected(bench.now_ms, port))
        elif reaction.kind == ANSWER:
            reply_of(reaction)
            assert to in (before, UNADDRESSED)
        assert (1 <= bench.node.address <= 31) == (bench.node.state == ADDRESSED)
        assert bench.node.address in range(1, 32) or bench.node.address == UNADDRESSED


def test_report_69_same_chip_and_another_salt_is_another_instance() -> None:
    assert Bench(salt=1).node.identity.instance != Bench(salt=2).node.identity.instance
