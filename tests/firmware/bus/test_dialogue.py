"""Question and answer: which replies count, what is tried again, and addresses that must never be shared."""

from collections.abc import Generator
from typing import Any

import pytest

from firmware.bus import words
from firmware.bus.dialogue import ANYBODY, Dialogue, Heard, Reply, Request, find_frames
from firmware.bus.frame import ALL, OPCODE, REPLY, TOGGLE, UNADDRESSED, encode
from firmware.bus.node import ADDRESSED
from firmware.desk.wire import Heard as OnWire
from tests.firmware.bus.play import Play

EPOCH = 0x4D


def ask(
    script: "Generator[Request, Heard, Any]", answers: list[bytes | None], echo: int = 0
) -> tuple[Any, list[bytes]]:
    """Run a question against these answers (None: what a proper module would say); the result, and what was sent."""
    sent: list[bytes] = []
    try:
        request = next(script)
        while True:
            sent.append(request.frame)
            answer = answers[len(sent) - 1]
            proper = encode(request.frame[2], REPLY | request.frame[3] & TOGGLE | words.ACK, b"\x00")
            request = script.send(Heard(proper if answer is None else answer, echo, 0, 10 * len(sent)))
    except StopIteration as done:
        return done.value, sent


def test_requests_carry_the_epoch_and_another_toggle_bit_each_time() -> None:
    dialogue = Dialogue(EPOCH)
    sent = [ask(dialogue.ask(5, words.POLL, b"\x01\x02", 5), [None])[1][0] for _ in range(3)]
    assert [frame[4:-2] for frame in sent] == [bytes((EPOCH, 1, 2))] * 3
    assert [frame[3] & TOGGLE for frame in sent] == [TOGGLE, 0, TOGGLE]


def test_a_question_is_tried_four_times_with_the_same_frame() -> None:
    dialogue = Dialogue(EPOCH)
    reply, sent = ask(dialogue.ask(5, words.POLL, b"", 5), [b"", b"\x00\x01", b"", b""])
    assert reply is None
    assert len(sent) == 4
    assert len(set(sent)) == 1
    assert dialogue.health.counters() == (4, 1, 3, 3, 0, 0)


@pytest.mark.parametrize(
    ("address", "control"),
    [(6, REPLY | TOGGLE | words.ACK), (5, REPLY | words.ACK), (5, TOGGLE | words.ACK)],
    ids=["another sender", "another toggle bit", "no reply"],
)
def test_what_is_no_answer_to_this_question_is_passed_over_and_counted(address: int, control: int) -> None:
    dialogue = Dialogue(EPOCH)
    reply, sent = ask(dialogue.ask(5, words.POLL, b"", 5), [encode(address, control, b"\x00"), None])
    assert len(sent) == 2
    assert isinstance(reply, Reply)
    assert (reply.address, reply.opcode) == (5, words.ACK)
    assert dialogue.health.late == 1


def test_a_late_reply_in_front_of_the_right_one_does_not_hide_it() -> None:
    dialogue = Dialogue(EPOCH)
    late = encode(7, REPLY | words.STATUS, bytes(9))
    right = encode(5, REPLY | TOGGLE | words.ACK, b"\x03")
    reply, sent = ask(dialogue.ask(5, words.POLL, b"", 5), [late + b"\x99" + right])
    assert len(sent) == 1
    assert reply.payload == b"\x03"


def test_a_probe_takes_an_answer_from_anybody() -> None:
    hello = encode(UNADDRESSED, REPLY | TOGGLE | words.HELLO, bytes(8))
    reply, _ = ask(Dialogue(EPOCH).ask(0, words.PROBE, b"\x00", ANYBODY, 0), [hello])
    assert reply.opcode == words.HELLO


@pytest.mark.parametrize("opcode", [words.STATUS, words.ACK, words.PROGRESS, words.IDENTITY])
def test_a_late_reply_to_something_else_is_no_answer_to_a_probe(opcode: int) -> None:
    """Each address has a toggle bit of its own: every other late reply has that of the PROBE."""
    dialogue = Dialogue(EPOCH)
    late, seen = encode(7, REPLY | TOGGLE | opcode, bytes(9)), encode(9, REPLY | TOGGLE | words.SEEN, b"\x01")
    reply, sent = ask(dialogue.ask(3, words.PROBE, b"\x00", ANYBODY), [late, seen])
    assert (len(sent), reply.address, reply.opcode) == (2, 9, words.SEEN)
    assert dialogue.health.late == 1


def test_what_nobody_answers_is_sent_again_until_its_echo_is_right() -> None:
    dialogue = Dialogue(EPOCH)
    assert len(ask(dialogue.tell(ALL, words.TICK, bytes(6)), [b""] * 4, echo=1)[1]) == 4
    assert len(ask(dialogue.tell(ALL, words.TICK, bytes(6)), [b""] * 4, echo=0)[1]) == 1


def test_frames_are_found_amid_garbage() -> None:
    one, other = encode(1, 2, b"a"), encode(3, 4)
    assert find_frames(one + other) == ([one, other], False)
    assert find_frames(b"\xa5\x07" + one + b"\x00" + other + b"\xa5") == ([one, other], True)
    assert find_frames(b"") == ([], False)


class Deaf:
    """A table whose wire loses what `loses(frame)` says: on the way there, or only the answer."""

    def __init__(self, play: Play, loses: Any) -> None:
        self._exchange = play.table.exchange
        self._loses = loses
        play.table.exchange = self  # type: ignore[method-assign]
        self.play = play

    def __call__(self, frame: bytes, timeout_us: int, select: int = -1, collect: bool = False) -> OnWire:
        loss = self._loses(frame)
        if loss == "frame":
            self.play.table.wire.now_us += timeout_us + 1000
            return OnWire(b"", 0, self.play.table.wire.links("arc"))
        heard = self._exchange(frame, timeout_us, select, collect)
        held = [m.node.address for m in self.play.table.modules.values() if m.node.state == ADDRESSED]
        assert len(set(held)) == len(held), "two modules hold one address"
        return OnWire(b"", heard.echo, heard.links) if loss == "answer" else heard


def _assign_to(play: Play, name: str, frame: bytes) -> bool:
    fields = words.decode_assign(frame[4:-2])
    return frame[3] & OPCODE == words.ASSIGN and fields is not None and fields[0] == play.instance(name)


def test_an_address_that_may_be_held_is_given_to_nobody_else() -> None:
    """The answer to ASSIGN is lost each time, and so is every RESET: the module holds an address the ARC knows nothing of."""
    play = Play()
    play.box(3)
    play.plug_tree(3)

    def loses(frame: bytes) -> str:
        if play.table.now_ms() > 1500:
            return ""
        if frame[3] & OPCODE == words.RESET:
            return "frame"
        return "answer" if _assign_to(play, "m0", frame) else ""

    Deaf(play, loses)
    play.run_ms(8000)
    assert len(play.found()) == 3


def test_who_did_not_acknowledge_its_address_is_told_to_forget_it() -> None:
    play = Play()
    play.box(2)
    play.plug_tree(2)
    Deaf(play, lambda frame: "answer" if _assign_to(play, "m0", frame) else "")
    play.cycle()
    assert play.table.modules["m0"].node.state != ADDRESSED
    assert play.table.modules["m1"].node.state == ADDRESSED


def test_an_edge_on_which_two_probes_differ_is_never_reported() -> None:
    play = Play()
    play.box(1)
    for port in range(3):
        play.table.plug("arc", port, "m0", port)
    script_has_lied = False

    def exchange(frame: bytes, timeout_us: int, select: int = -1, collect: bool = False) -> OnWire:
        nonlocal script_has_lied
        heard = honest(frame, timeout_us, select, collect)
        if len(heard.data) > 4 and heard.data[3] & OPCODE == words.SEEN and heard.data[4] == 2 and not script_has_lied:
            script_has_lied = True
            return OnWire(encode(heard.data[2], heard.data[3], b"\x03"), heard.echo, heard.links)
        return heard

    honest = play.table.exchange
    play.table.exchange = exchange  # type: ignore[method-assign]
    for _ in range(12):
        play.cycle()
        assert set(play.bus.edges()) <= play.wired_edges()
    assert script_has_lied
    assert set(play.bus.edges()) == play.wired_edges()
