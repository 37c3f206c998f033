"""Commands that the ARC carries out or refuses with their reason: pages, mark, lights, tags, what anyone may know."""

import pytest

from firmware.arc.pairing import PAIRING_TOKEN_CODE
from protocol import events
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
    ForgetTablet,
    HashAnswer,
    LightAll,
    LightArc,
    LightModule,
    LightTable,
    Mark,
    Page,
    ReadHash,
    ReadPage,
    ReadStatistics,
    WriteTag,
)
from protocol.pages import encode_modules, state_hash
from protocol.reading import decode_tags, unpack_counters
from tests.firmware.arc.bench import INSTANCE, MODULE, UID, Bench


@pytest.fixture
def bench() -> Bench:
    return Bench()


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


def test_the_page_of_modules_is_canonical(bench: Bench) -> None:
    bench.controller.take_modules([MODULE])
    page = bench.do(ReadPage(1, PAGE_MODULES, 0))
    assert isinstance(page, Page)
    assert page.chunk == encode_modules([(INSTANCE, 3, 0)])
