"""Game copy, log and counters by command, and what people hear and see of each kind of event."""

from binascii import crc32

import pytest

from firmware.arc.game_store import GameStore
from firmware.arc.lights import BEEP_CARD, BEEP_PAIRING, BEEP_REFUSED, COLOURS
from firmware.arc.log import Log
from firmware.desk.chips.flash import Flash
from firmware.drivers.settings_store import SettingsStore
from protocol import events
from protocol.lights import BLUE, GREEN, RED, WHITE
from protocol.messages import (
    BUSY,
    LOW_BATTERY,
    MALFORMED,
    STATISTICS_BUS,
    STATISTICS_READER,
    UNKNOWN_MODULE,
    CheckReader,
    GameBegin,
    GameChunk,
    GameCommit,
    GameRead,
    Info,
    LogRead,
    ReaderCheck,
    ReadModule,
    ReadStatistics,
    ResaltModule,
    WriteTag,
)
from protocol.tag import CODE_COUNT
from tests.firmware.arc.bench import INSTANCE, MODULE, UID, Bench

GAME = bytes(range(200))


@pytest.fixture
def bench() -> Bench:
    bench = Bench()
    bench.controller.game = GameStore(Flash(2 * 17 * 4096, 4096))
    bench.link.connect(0)
    bench.seat.take(bench.link, 7)
    return bench


def begin(bench: Bench) -> object:
    return bench.do(GameBegin(1, len(GAME), crc32(GAME), 9, 5))


def test_a_game_is_left_and_read_in_units_that_fit(bench: Bench) -> None:
    assert begin(bench) == b""
    assert bench.do(GameChunk(1, 0, GAME[:150])) == b""
    assert bench.do(GameCommit(1)) == MALFORMED
    assert bench.do(GameChunk(1, 150, GAME[150:])) == b""
    assert bench.do(GameCommit(1)) == b""
    first = bench.do(GameRead(1, 18), max_size=60)
    assert first == GAME[:58]
    assert bench.do(GameRead(1, 18 + len(GAME)), max_size=60) == b""


def test_an_empty_battery_takes_no_game_and_a_low_one_does(bench: Bench) -> None:
    bench.controller.battery_state = events.BATTERY_EMPTY
    assert begin(bench) == LOW_BATTERY
    bench.controller.battery_state = events.BATTERY_VERY_LOW
    assert begin(bench) == b""


def test_what_one_session_began_no_other_goes_on_with(bench: Bench) -> None:
    begin(bench)
    bench.link.resumes += 1
    assert bench.do(GameChunk(1, 0, GAME)) == MALFORMED
    assert bench.do(GameCommit(1)) == MALFORMED
    begin(bench)
    assert bench.do(GameChunk(1, 0, GAME)) == b""
    bench.link.resumes += 1
    assert bench.do(GameCommit(1)) == MALFORMED


def test_a_board_without_its_parts_is_busy_or_counts_nothing(bench: Bench) -> None:
    bench.controller.game = None
    assert begin(bench) == BUSY
    assert bench.do(GameRead(1, 0)) == BUSY
    assert bench.do(GameChunk(1, 0, b"x")) == MALFORMED
    assert bench.do(GameCommit(1)) == MALFORMED
    assert bench.do(LogRead(1, 0)) == b""
    assert bench.do(ReadStatistics(1, STATISTICS_READER)) == (7).to_bytes(4, "little") + bytes(20)
    bench.controller.reader = bench.controller.modules = None
    assert bench.do(ReadStatistics(1, STATISTICS_READER)) == bytes(24)
    assert bench.do(ReadStatistics(1, STATISTICS_BUS)) == bytes(36)


def test_one_module_is_asked_about_and_given_another_instance(bench: Bench) -> None:
    assert bench.do(ReadModule(1, INSTANCE)) == bytes(range(14))
    assert bench.do(ReadModule(1, INSTANCE + 1)) == UNKNOWN_MODULE
    assert bench.do(ResaltModule(1, INSTANCE, 7, 2)) == BUSY
    assert bench.do(ResaltModule(1, INSTANCE, 2, 7)) == UNKNOWN_MODULE
    bench.controller.modules = None
    assert bench.do(ReadModule(1, INSTANCE)) == UNKNOWN_MODULE
    assert bench.do(ResaltModule(1, INSTANCE, 7, 2)) == UNKNOWN_MODULE


def test_the_log_is_read_in_units_that_fit(bench: Bench) -> None:
    bench.controller.log = Log(SettingsStore(Flash(8192, 4096), 0), lambda data: None, b"", "")
    bench.controller.log.line("x" * 100)
    assert bench.do(LogRead(1, 0), max_size=20) == b"x" * 18
    assert bench.do(LogRead(1, 90), max_size=20) == b"x" * 10 + b"\n"


def test_the_greatest_code_can_be_written(bench: Bench) -> None:
    assert bench.do(WriteTag(1, CODE_COUNT)) == b""
    assert bench.do(WriteTag(1, 1)) == b""


@pytest.mark.parametrize(
    ("body", "colour", "tone"),
    [
        (events.CardPresented(5, UID), WHITE, BEEP_CARD),
        (events.CardsTogether(2), RED, BEEP_REFUSED),
        (events.CardUnreadable(1), RED, BEEP_REFUSED),
        (MODULE, GREEN, None),
        (events.ButtonPressed(1), BLUE, None),
        (events.CardRemoved(5, UID), None, None),
    ],
)
def test_each_event_is_seen_and_heard(
    bench: Bench, body: events.Body, colour: int | None, tone: tuple[int, int] | None
) -> None:
    bench.controller.emit(body)
    shown = bench.light.colour(bench.clock.now)
    assert shown == (COLOURS[colour] if colour is not None else (0, 0, 0))
    assert bench.beeper.frequency(0) == (tone[0] if tone else 0)


def test_hands_on_the_board_are_heard(bench: Bench) -> None:
    bench.controller.open_pairing()
    assert bench.beeper.frequency(0) == BEEP_PAIRING[0]
    bench.beeper = bench.controller._beeper = type(bench.beeper)()
    bench.controller.forget_tablets()
    assert bench.beeper.frequency(0) == BEEP_REFUSED[0]


def test_cards_wait_until_an_app_has_them(bench: Bench) -> None:
    assert not bench.controller.has_waiting_cards()
    bench.lay()
    assert bench.controller.has_waiting_cards()
    bench.outbox.acknowledge(1)
    assert not bench.controller.has_waiting_cards()


def test_cards_that_no_app_has_wait_through_a_boot(bench: Bench) -> None:
    bench.lay()
    bench.controller.emit(events.ButtonPressed(1))
    for cause in (events.POWER_ON, events.DEEP_SLEEP):
        bench.boot(cause)
        assert not bench.controller.has_waiting_cards()
        bench.controller.find_waiting_card()
        assert bench.controller.has_waiting_cards()
    bench.outbox.acknowledge(1)
    assert not bench.controller.has_waiting_cards()
    bench.controller.note_taken_cards()
    bench.boot()
    bench.controller.find_waiting_card()
    assert not bench.controller.has_waiting_cards()


def test_what_apps_have_taken_is_noted_once_for_each_card_and_not_for_less(bench: Bench) -> None:
    written: list[bytes] = []
    write = bench.life_store.write

    def watched(value: bytes) -> None:
        written.append(value)
        write(value)

    bench.life_store.write = watched  # type: ignore[method-assign]
    bench.controller.emit(events.ButtonPressed(1))
    bench.outbox.acknowledge(1)
    bench.controller.note_taken_cards()
    assert not written, "no card is among it"
    bench.lay()
    bench.controller.note_taken_cards()
    assert not written, "it still waits"
    bench.outbox.acknowledge(2)
    for _ in range(3):
        bench.controller.note_taken_cards()
    assert len(written) == 1


def test_a_log_formatted_anew_has_no_card_that_was_taken_before(bench: Bench) -> None:
    bench.life.note_acknowledged(8, 500)
    bench.boot()
    bench.lay()
    bench.boot()
    bench.controller.find_waiting_card()
    assert bench.controller.has_waiting_cards()


@pytest.mark.parametrize("uid", [UID, bytes((4, 1, 2, 3, 4, 5, 6))])
def test_a_card_is_found_in_the_log_whatever_the_length_of_its_uid(bench: Bench, uid: bytes) -> None:
    bench.controller.emit(events.CardPresented(0, uid, len(uid) == 7))
    bench.controller.emit(events.CardRemoved(0, uid))
    bench.boot()
    bench.controller.find_waiting_card()
    assert bench.controller.last_card == 1


def kept_log(bench: Bench) -> Log:
    bench.controller.log = Log(SettingsStore(Flash(8192, 4096), 0), lambda data: None, b"", "")
    return bench.controller.log


def test_every_fault_is_in_the_log_with_its_detail(bench: Bench) -> None:
    log = kept_log(bench)
    for code in (events.FAULT_READER_UNSURE, events.FAULT_BUS_OPEN, 99):
        bench.controller.emit(events.FaultFound(code, 0x1204))
    assert log.read(0, 500) == b"".join(b"1000 ms: fault %d, detail 4612\n" % code for code in (3, 19, 99))


def test_an_event_that_the_flash_does_not_take_is_in_the_log(bench: Bench) -> None:
    log = kept_log(bench)
    bench.flash._program = lambda at, data: None  # type: ignore[method-assign]
    bench.lay()
    assert log.read(0, 500) == b"1000 ms: the flash did not take an event\n"
    assert bench.light.has_fault


def test_a_module_of_another_major_is_in_the_log_with_its_version(bench: Bench) -> None:
    log = kept_log(bench)
    bench.controller.emit(events.ModuleNoticed(0xCAFE, events.MODULE_FOREIGN_VERSION))
    assert log.read(0, 500) == b"module 0000cafe speaks bus version 2.1\n"


def test_red_is_shown_while_the_reader_is_dead_and_no_longer(bench: Bench) -> None:
    bench.controller.emit(events.FaultFound(events.FAULT_BUS_NOISY, 0))
    assert not bench.light.has_fault
    bench.reader.dead = True
    bench.controller.emit(events.FaultFound(events.FAULT_READER_DEAD, 0))
    assert bench.light.has_fault
    bench.reader.dead = False
    bench.controller.watch_faults()
    assert not bench.light.has_fault


def test_a_damaged_log_stays_red(bench: Bench) -> None:
    bench.controller.emit(events.FaultFound(events.FAULT_LOG_DAMAGED, 0))
    bench.controller.watch_faults()
    assert bench.light.has_fault


def test_a_maker_has_the_reader_checked(bench: Bench) -> None:
    found = ReaderCheck(0x12, 4, 4_000_000, bytes((18, 0, 23, 0, 33, 9, 38, 20, 43, 20, 48, 3)))
    bench.reader.found = found
    answer = bench.do(CheckReader(1, 20))
    assert bench.reader.polls == 20
    assert answer == found.pack()
    assert len(found.pack()) + 2 <= 20, "at MTU 23"
    assert bench.do(CheckReader(1, 51)) == MALFORMED
    bench.controller.reader = None
    assert bench.do(CheckReader(1, 0)) == BUSY


def test_the_battery_is_written_down(bench: Bench) -> None:
    bench.controller.take_battery(events.BatteryMeasured(5_000, 60, events.BATTERY_GOOD))
    assert bench.kinds() == [events.BatteryMeasured]


def test_info_is_brought_up_to_date_with_the_nonce_it_had(bench: Bench) -> None:
    shown: list[bytes] = []
    bench.controller.show_info = shown.append
    bench.controller.info(b"12345678", 0)
    bench.lay()
    bench.controller.refresh_info()
    info = Info.decode(shown[-1])
    assert (info.nonce, info.newest) == (b"12345678", 1)
