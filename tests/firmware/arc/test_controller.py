"""The acts of the ARC: written down before anybody hears of it; commands carried out or refused with their reason."""

import random
import struct

import pytest

from firmware.arc.controller import Controller
from firmware.arc.life import Life
from firmware.arc.lights import OFF, ArcLight, Beeper
from firmware.arc.outbox import Outbox
from firmware.arc.pairing import PAIRING_TOKEN_CODE, Pairing
from firmware.arc.session_link import OPEN, Seat, SessionLink
from firmware.arc.settings import Settings
from firmware.arc.table import Table
from firmware.desk.chips.flash import Flash
from firmware.drivers.flash_ring import FlashRing
from firmware.drivers.settings_store import SettingsStore
from protocol import events, reading
from protocol.lights import BLUE, STEADY, light
from protocol.message import Message
from protocol.messages import (
    BUSY,
    INFO_LOCKED,
    INFO_PAIRING,
    INFO_SAFE_MODE,
    MALFORMED,
    NO_TAG,
    NOT_AUTHORISED,
    PAGE_EDGES,
    PAGE_MODULES,
    PAGE_TAGS,
    STATISTICS_LIFE,
    UNKNOWN_MODULE,
    UNSUPPORTED,
    WRITE_FAILED,
    ForgetTablet,
    HashAnswer,
    Hello,
    LightAll,
    LightArc,
    LightModule,
    LightTable,
    Mark,
    Page,
    Pair,
    ReaderCheck,
    ReadHash,
    ReadPage,
    ReadStatistics,
    Refused,
    SettingsRead,
    SettingsWrite,
    WriteTag,
)
from protocol.pages import encode_modules, state_hash
from protocol.reading import decode_tags, unpack_counters

UID = b"\x04\x01\x02\x03"
INSTANCE = 0xCAFE
MODULE = events.ModuleAttached(3, INSTANCE, bytes(3), 0x21)


class TestClock:
    __test__ = False
    now = 1_000

    def now_ms(self) -> int:
        return self.now


class Reader:
    """A roof with what a test puts on it."""

    def __init__(self) -> None:
        self.tags: list[tuple[int, bytes]] = []
        self.is_saving_power = False
        self.answer = 0
        self.version = 0x92
        self.dead = False
        self.found = ReaderCheck(0x92, 0, 4_000_000, b"")
        self.polls = -1

    def is_dead(self) -> bool:
        return self.dead

    def check(self, polls: int) -> ReaderCheck:
        self.polls = polls
        return self.found

    def on_roof(self) -> list[tuple[int, bytes]]:
        return self.tags

    def write_tag(self, code: int) -> int:
        return self.answer

    def statistics(self) -> dict[str, int]:
        return {"polls": 7}


class Modules:
    """Modules that remember their lights."""

    def __init__(self) -> None:
        self.lights: dict[int, int] = {}
        self.all = -1
        self.percent = 100

    def modules(self) -> list[tuple[int, int, int]]:
        return [(INSTANCE, 3, 0)]

    def edges(self) -> list[tuple[int, int, int, int]]:
        return [(0, 2, INSTANCE, 1)]

    def set_light(self, instance: int, light: int) -> None:
        self.lights[instance] = light

    def set_all(self, light: int) -> None:
        self.all = light

    def set_light_percent(self, percent: int) -> None:
        self.percent = percent

    def statistics(self) -> dict[str, int]:
        return {}

    def foreign_version(self, instance: int) -> int:
        return 0x21

    def read(self, instance: int) -> bytes | int:
        return bytes(range(14)) if instance == INSTANCE else UNKNOWN_MODULE

    @property
    def salt(self) -> "Modules":
        return self

    def rewrite(self, instance: int, neighbour: int, port: int) -> bytes | int:
        return BUSY if (instance, neighbour, port) == (INSTANCE, 7, 2) else UNKNOWN_MODULE


class Bench:
    """A controller with everything around it. `boot` again: what lies in flash is all that is left."""

    def __init__(self) -> None:
        self.flash = Flash(16 * 256, 256)
        self.life_store = SettingsStore(Flash(512, 256), 0)
        self.boot()

    def boot(self, cause: int = events.POWER_ON) -> None:
        rng = random.Random(3)
        self.clock = TestClock()
        self.outbox = Outbox(FlashRing(self.flash), lambda: 9)
        self.pairing = Pairing(SettingsStore(Flash(512, 256), 0), rng.randbytes)
        self.seat = Seat()
        self.light, self.beeper = ArcLight(), Beeper()
        self.life = Life(self.life_store, cause)
        if self.life.epoch == self.outbox.epoch:
            self.outbox.acknowledge(self.life.acknowledged)
        self.settings_store = SettingsStore(Flash(512, 256), 0)
        self.settings = Settings(self.settings_store)
        self.controller = Controller(
            b"device", self.clock, self.outbox, self.pairing, self.seat, Table(), self.light, self.beeper, self.life, self.settings  # type: ignore[arg-type]
        )  # fmt: skip
        self.reader = self.controller.reader = Reader()
        self.modules = self.controller.modules = Modules()
        self.link = SessionLink(self.outbox, self.pairing, self.seat, self.controller, rng.randbytes)

    def do(self, command: Message, max_size: int = 244) -> bytes | int | Message:
        return self.controller.carry_out(command, self.clock.now, max_size)

    def kinds(self) -> list[type[events.Body]]:
        return [type(reading.decode_event(record).body) for record in self.outbox.after(0)]

    def lay(self, code: int = 5) -> None:
        self.reader.tags.append((code, UID))
        self.controller.take_roof([events.CardPresented(code, UID)])


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_a_card_is_in_the_log_when_it_beeps(bench: Bench) -> None:
    bench.lay()
    assert bench.kinds() == [events.CardPresented]
    assert bench.beeper.frequency(0) > 0
    assert bench.light.colour(bench.clock.now) != OFF


def test_a_card_that_the_flash_does_not_take_does_not_beep(bench: Bench) -> None:
    bench.flash._program = lambda at, data: None  # type: ignore[method-assign]
    bench.lay()
    assert bench.kinds() == []
    assert bench.beeper.frequency(0) == 0
    assert bench.controller.lost_writes == 1


def test_news_are_announced_only_once_they_are_written(bench: Bench) -> None:
    heard: list[int] = []
    bench.controller.on_news = lambda: heard.append(bench.outbox.newest)
    bench.lay()
    assert heard == [1]


def test_the_pairing_token_on_the_roof_opens_the_window(bench: Bench) -> None:
    bench.lay(PAIRING_TOKEN_CODE)
    assert bench.pairing.is_open(bench.clock.now)
    assert bench.light.is_pairing
    assert bench.kinds() == [events.CardPresented, events.PairingWindow]
    bench.clock.now += 60_000
    bench.controller.watch_pairing()
    bench.controller.watch_pairing()
    assert bench.kinds()[2:] == [events.PairingWindow]
    assert not bench.light.is_pairing


def test_pages_and_hash_follow_the_events(bench: Bench) -> None:
    empty = bench.do(ReadHash(1))
    assert isinstance(empty, bytes)
    assert HashAnswer.unpack(empty, 0) == HashAnswer(0, 0xB1C2A1A3)
    bench.lay()
    bench.controller.take_modules([MODULE])
    pages = []
    for number in (PAGE_MODULES, PAGE_EDGES, PAGE_TAGS):
        page = bench.do(ReadPage(2, number, 0))
        assert isinstance(page, Page)
        pages.append(page.chunk)
    answer = bench.do(ReadHash(1))
    assert isinstance(answer, bytes)
    assert HashAnswer.unpack(answer, 0) == HashAnswer(2, state_hash(pages[0], pages[1], pages[2]))


def test_a_page_comes_in_chunks_that_fit_and_names_its_generation(bench: Bench) -> None:
    bench.reader.tags = [(number, bytes((number, 1, 2, 3, 4, 5, 6))) for number in range(1, 6)]
    bench.controller.take_roof([events.CardPresented(5, UID)])
    first = bench.do(ReadPage(1, PAGE_TAGS, 0), max_size=20)
    assert isinstance(first, Page)
    chunks = [first.chunk]
    for index in range(1, first.count):
        page = bench.do(ReadPage(1, PAGE_TAGS, index), max_size=20)
        assert isinstance(page, Page)
        assert len(page.encode()) <= 20
        assert page.generation == first.generation
        chunks.append(page.chunk)
    assert len(decode_tags(b"".join(chunks))) == 5
    assert bench.do(ReadPage(1, PAGE_TAGS, first.count), max_size=20) == UNSUPPORTED
    bench.reader.tags.pop()
    bench.controller.take_roof([events.CardRemoved(5, UID)])
    later = bench.do(ReadPage(1, PAGE_TAGS, 0))
    assert isinstance(later, Page)
    assert later.generation != first.generation


def test_an_empty_page_is_one_empty_chunk(bench: Bench) -> None:
    assert bench.do(ReadPage(1, PAGE_EDGES, 0)) == Page(1, PAGE_EDGES, 0, 0, 1, b"")
    assert bench.do(ReadPage(1, 77, 0)) == UNSUPPORTED


def test_mark_answers_the_newest_sequence(bench: Bench) -> None:
    bench.lay()
    assert bench.do(Mark(1)) == b"\x01\0\0\0"


def test_lights_reach_what_they_are_for(bench: Bench) -> None:
    bench.controller.take_modules([MODULE])
    blue = light(STEADY, BLUE)
    assert bench.do(LightModule(1, INSTANCE, blue)) == b""
    assert bench.do(LightAll(1, blue)) == b""
    assert bench.do(LightArc(1, blue)) == b""
    assert (bench.modules.lights, bench.modules.all) == ({INSTANCE: blue}, blue)
    bench.clock.now += 1_000
    assert bench.light.colour(bench.clock.now) == (0, 0, 255)
    entries = INSTANCE.to_bytes(4, "little") + b"\x11" + b"\x01\0\0\0\x12"
    assert bench.do(LightTable(1, entries)) == b""
    assert bench.modules.lights == {INSTANCE: 0x11}


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (LightModule(1, INSTANCE, 0x66), MALFORMED),
        (LightModule(1, 5, 0x11), UNKNOWN_MODULE),
        (LightAll(1, 0xF0), MALFORMED),
        (LightArc(1, 0x16), MALFORMED),
        (LightTable(1, b"1234"), MALFORMED),
        (LightTable(1, b"\0\0\0\0\xff"), MALFORMED),
        (WriteTag(1, 0), MALFORMED),
        (WriteTag(1, 12_168), MALFORMED),
        (ReadStatistics(1, 9), UNSUPPORTED),
        (ForgetTablet(1, 77), NOT_AUTHORISED),
    ],
)
def test_what_cannot_be_done_is_refused_and_changes_nothing(bench: Bench, command: Message, reason: int) -> None:
    assert bench.do(command) == reason
    assert bench.modules.lights == {}
    assert bench.modules.all == -1


def test_a_tag_is_written_or_refused_with_the_readers_reason(bench: Bench) -> None:
    assert bench.do(WriteTag(1, 99)) == b""
    bench.reader.answer = NO_TAG
    assert bench.do(WriteTag(1, 99)) == NO_TAG
    bench.controller.reader = None
    assert bench.do(WriteTag(1, 99)) == BUSY


def test_statistics_come_by_group(bench: Bench) -> None:
    bench.controller.life_counts = lambda: {"boots": 3}
    answer = bench.do(ReadStatistics(1, STATISTICS_LIFE))
    assert isinstance(answer, bytes)
    assert unpack_counters(STATISTICS_LIFE, answer)["boots"] == 3


def test_a_forgotten_tablet_loses_its_session(bench: Bench) -> None:
    bench.pairing.open_window(0)
    bench.pairing.pair(7, 0)
    bench.link.connect(0)
    bench.seat.take(bench.link, 7)
    assert bench.do(ForgetTablet(1, 7)) == b""
    assert bench.seat.holder is None
    assert bench.link.state == OPEN
    assert bench.pairing.tablets() == []


def test_ten_seconds_on_the_button_forget_all(bench: Bench) -> None:
    bench.pairing.open_window(0)
    bench.pairing.pair(7, 0)
    bench.link.connect(0)
    bench.seat.take(bench.link, 7)
    bench.controller.forget_tablets()
    assert bench.pairing.tablets() == []
    assert bench.seat.holder is None
    assert bench.link.must_close, "its tablet is to ask for the button, and not to wait for events"


def test_at_rest_all_is_dark_whatever_the_battery_reports(bench: Bench) -> None:
    bench.light.set_app(light(STEADY, BLUE), 0)
    bench.controller.rest(True)
    assert (bench.modules.percent, bench.light.colour(0)) == (0, OFF)
    bench.controller.take_battery(events.BatteryMeasured(5_000, 60, events.BATTERY_GOOD))
    bench.controller.take_battery(events.BatteryMeasured(5_000, 60, events.BATTERY_USB))
    assert (bench.modules.percent, bench.light.colour(0)) == (0, OFF), "it is told each five minutes"
    bench.controller.rest(False)
    assert bench.modules.percent == 100
    assert bench.light.colour(0) != OFF


@pytest.mark.parametrize(
    ("body", "is_somebody"),
    [
        (events.BatteryMeasured(5_000, 60, events.BATTERY_GOOD), False),
        (events.FaultFound(events.FAULT_BUS_STUCK, 0), False),
        (events.CardRemoved(5, UID), True),
        (MODULE, True),
        (events.ButtonPressed(1), True),
    ],
)
def test_what_the_board_tells_of_itself_keeps_nobody_awake(bench: Bench, body: events.Body, is_somebody: bool) -> None:
    bench.clock.now = 5_000
    bench.controller.emit(body)
    assert bench.controller.stirred_ms == (5_000 if is_somebody else 0)


def test_a_low_battery_dims_lights_and_slows_the_reader(bench: Bench) -> None:
    bench.controller.take_battery(events.BatteryMeasured(3_900, 5, events.BATTERY_VERY_LOW))
    assert bench.modules.percent == bench.light.cap_percent == 25
    assert bench.reader.is_saving_power
    bench.controller.take_battery(events.BatteryMeasured(5_000, 60, events.BATTERY_USB))
    assert bench.modules.percent == bench.light.cap_percent == 100
    assert not bench.reader.is_saving_power


def test_parts_that_are_built_after_the_first_look_at_the_battery_keep_to_it(bench: Bench) -> None:
    bench.controller.reader = bench.controller.modules = None
    bench.controller.take_battery(events.BatteryMeasured(3_900, 5, events.BATTERY_VERY_LOW))
    bench.controller.reader, bench.controller.modules = bench.reader, bench.modules
    bench.controller.apply_settings()
    assert bench.reader.is_saving_power
    assert bench.modules.percent == 25


def test_info_tells_what_anyone_may_know(bench: Bench) -> None:
    shown: list[bytes] = []
    bench.controller.show_info = shown.append
    bench.lay(PAIRING_TOKEN_CODE)
    info = bench.controller.info(b"12345678", bench.clock.now)
    assert (info.device, info.epoch, info.oldest, info.newest) == (b"device", 9, 1, 2)
    assert info.flags == INFO_PAIRING
    assert shown == [info.encode()]


def test_info_flags_tell_the_lock_and_safe_mode(bench: Bench) -> None:
    bench.pairing._locked_until_ms = bench.clock.now + 5
    bench.life.is_safe_mode = True
    assert bench.controller.info(bytes(8), bench.clock.now).flags == INFO_LOCKED | INFO_SAFE_MODE


@pytest.mark.parametrize("cause", [events.WATCHDOG, events.RESET_PIN])
def test_five_bad_boots_lead_to_safe_mode(cause: int) -> None:
    store = SettingsStore(Flash(512, 256), 0)
    assert [Life(store, cause).is_safe_mode for _ in range(6)] == [False] * 5 + [True]


@pytest.mark.parametrize("cause", [events.POWER_ON, events.DEEP_SLEEP, events.BROWN_OUT, events.SOFT_RESET])
def test_no_number_of_flat_cells_or_of_restarts_that_were_wanted_leads_to_safe_mode(cause: int) -> None:
    store = SettingsStore(Flash(512, 256), 0)
    assert not any(Life(store, cause).is_safe_mode for _ in range(20))
    assert not Life(store, events.POWER_ON).is_safe_mode


def test_a_flash_that_keeps_no_counters_stops_nothing() -> None:
    store = SettingsStore(Flash(512, 256), 0)
    store.write = lambda value: (_ for _ in ()).throw(OSError(5))  # type: ignore[method-assign]
    life = Life(store, events.WATCHDOG)
    life.has_lasted()
    life.note_acknowledged(9, 5)
    assert life.boots == 1


def test_what_an_older_firmware_kept_still_counts() -> None:
    store = SettingsStore(Flash(512, 256), 0)
    store.write(struct.pack("<III", 9, 4, 5))
    life = Life(store, events.POWER_ON)
    assert (life.boots, life.watchdog_resets, life.is_safe_mode, life.acknowledged) == (10, 4, True, 0)


def test_a_good_boot_leads_out_of_safe_mode() -> None:
    store = SettingsStore(Flash(512, 256), 0)
    boots = [Life(store, events.WATCHDOG).is_safe_mode for _ in range(6)]
    assert boots == [False] * 5 + [True]
    life = Life(store, events.POWER_ON)
    assert (life.boots, life.watchdog_resets) == (7, 6)
    life.has_lasted()
    assert not Life(store, events.POWER_ON).is_safe_mode


def test_the_page_of_modules_is_canonical(bench: Bench) -> None:
    bench.controller.take_modules([MODULE])
    page = bench.do(ReadPage(1, PAGE_MODULES, 0))
    assert isinstance(page, Page)
    assert page.chunk == encode_modules([(INSTANCE, 3, 0)])


def test_settings_are_kept_and_take_effect_at_once(bench: Bench) -> None:
    assert bench.do(SettingsRead(1)) == bytes((1, 38, 1, 100))
    assert bench.do(SettingsWrite(1, 1, bytes((43, 0, 50)))) == b""
    assert Settings(bench.settings_store).packed() == bytes((1, 43, 0, 50))
    assert bench.modules.percent == bench.light.cap_percent == 50
    bench.lay()
    assert bench.beeper.frequency(0) == 0
    bench.controller.take_battery(events.BatteryMeasured(3_900, 5, events.BATTERY_VERY_LOW))
    assert bench.modules.percent == 12


@pytest.mark.parametrize(
    ("version", "values", "reason"),
    [(2, (38,), UNSUPPORTED), (1, (40,), MALFORMED), (1, (38, 2), MALFORMED), (1, (38, 1, 101), MALFORMED),
     (1, (38, 1, 100, 0), MALFORMED)],
)  # fmt: skip
def test_settings_that_make_no_sense_change_nothing(
    bench: Bench, version: int, values: tuple[int, ...], reason: int
) -> None:
    assert bench.do(SettingsWrite(1, version, bytes(values))) == reason
    assert Settings(bench.settings_store).packed() == bytes((1, 38, 1, 100))


def fail(value: bytes) -> None:
    raise OSError(5)


def test_a_flash_that_takes_no_settings_is_a_refusal_and_they_stay_as_they_were(bench: Bench) -> None:
    bench.settings_store.write = fail  # type: ignore[method-assign]
    assert bench.do(SettingsWrite(1, 1, bytes((43, 0, 50)))) == WRITE_FAILED
    assert bench.do(SettingsRead(1)) == bytes((1, 38, 1, 100))
    assert bench.controller.lost_writes == 1


def test_a_flash_that_takes_no_token_is_a_refusal(bench: Bench) -> None:
    bench.pairing.open_window(0)
    bench.pairing._store.write = fail  # type: ignore[method-assign]
    bench.link.connect(0)
    bench.link.receive(Hello(1, 1, 0).encode(), 0)
    bench.link.sent(0)
    bench.link.receive(Pair(2, 7).encode(), 0)
    assert bench.link.outgoing(0) == Refused(2, WRITE_FAILED, b"").encode()
    assert bench.pairing.tablets() == []


def test_a_flash_that_forgets_no_token_makes_no_sound_and_stops_nothing(bench: Bench) -> None:
    bench.pairing.open_window(0)
    bench.pairing.pair(7, 0)
    bench.pairing._store.write = fail  # type: ignore[method-assign]
    bench.controller.forget_tablets()
    assert bench.pairing.tablets() == [7]
    assert bench.beeper.frequency(0) == 0
    assert bench.controller.lost_writes == 1


def test_settings_of_an_older_and_a_newer_firmware_are_read() -> None:
    store = SettingsStore(Flash(512, 256), 0)
    store.write(bytes((1, 43)))
    assert Settings(store).packed() == bytes((1, 43, 1, 100))
    store.write(bytes((2, 33, 0, 70, 9, 9)))
    assert Settings(store).packed() == bytes((1, 33, 0, 70))
    store.write(bytes((1, 255, 1, 100)))
    assert Settings(store).packed() == bytes((1, 38, 1, 100))
