"""The exam of readers: what `poll`, `on_roof`, `write_tag` and the rest promise the ARC, asked of any of them."""

from collections.abc import Callable
from typing import Protocol

from protocol import events
from protocol.events import Body, CardsTogether, CardUnreadable
from protocol.messages import STATISTICS_READER
from protocol.reasons import NO_TAG
from protocol.statistics import COUNTERS
from tests.firmware.reader.told import presented, removed

ONE, OTHER, PHONE = bytes.fromhex("04A3C6CAE26180"), bytes.fromhex("88123456"), bytes.fromhex("08AABBCC")


class Reader(Protocol):
    """The face."""

    is_saving_power: bool

    def poll(self) -> list[Body]: ...
    def period_ms(self) -> int: ...
    def write_tag(self, code: int) -> int: ...
    def on_roof(self) -> list[tuple[int, bytes]]: ...
    def statistics(self) -> dict[str, int]: ...
    def is_dead(self) -> bool: ...


class Roof(Protocol):
    """A reader and the hands over it, in driven time. `lay_there`: the cards that by the log lay on it before its start."""

    lay_there: set[bytes]

    @property
    def reader(self) -> Reader: ...
    def lay_tag(self, uid: bytes, code: int) -> None: ...
    def take_tag(self, uid: bytes) -> None: ...
    def run(self, duration_ms: int) -> list[Body]: ...


def check_a_card_comes_once_and_goes_once(roof: Roof) -> None:
    assert roof.run(1_000) == []
    roof.lay_tag(ONE, 5)
    assert roof.run(10_000) == [presented(ONE, 5)]
    assert roof.reader.on_roof() == [(5, ONE)]
    roof.take_tag(ONE)
    assert roof.run(700) == []
    roof.lay_tag(ONE, 5)
    assert roof.run(700) == [], "back within a second"
    roof.take_tag(ONE)
    assert roof.run(2_000) == [removed(ONE, 5)]
    assert roof.reader.on_roof() == []


def check_what_lay_there_before_the_start_is_no_news_and_anything_else_is(roof: Roof) -> None:
    roof.lay_there.add(ONE)
    roof.lay_tag(ONE, 5)
    roof.lay_tag(OTHER, 6)
    assert roof.run(5_000) == [presented(OTHER, 6)]
    assert roof.reader.on_roof() == [(6, OTHER)]
    roof.take_tag(ONE)
    assert roof.run(2_000) == [removed(ONE, 5)]
    roof.lay_tag(ONE, 5)
    assert roof.run(1_000) == [presented(ONE, 5)]


def check_several_at_once_are_not_taken(roof: Roof) -> None:
    roof.run(1_000)
    roof.lay_tag(ONE, 5)
    roof.lay_tag(OTHER, 6)
    assert roof.run(3_000) == [CardsTogether(2)]
    assert roof.reader.on_roof() == []
    assert roof.reader.write_tag(7) == NO_TAG
    roof.take_tag(ONE)
    assert roof.run(2_000) == [presented(OTHER, 6)]


def check_a_random_uid_is_nobody(roof: Roof) -> None:
    roof.run(1_000)
    roof.lay_tag(PHONE, 0)
    assert roof.run(3_000) == [CardUnreadable(events.UNREADABLE_RANDOM_UID)]
    assert roof.reader.on_roof() == []
    assert roof.reader.write_tag(7) == NO_TAG


def check_a_tag_is_written(roof: Roof) -> None:
    roof.run(1_000)
    assert roof.reader.write_tag(7) == NO_TAG
    roof.lay_tag(ONE, 0)
    roof.run(1_000)
    assert roof.reader.write_tag(7) == 0
    assert roof.reader.on_roof() == [(7, ONE)]
    roof.take_tag(ONE)
    assert roof.run(2_000) == [removed(ONE, 7)]


def check_it_counts_and_keeps_time(roof: Roof) -> None:
    roof.run(1_000)
    assert tuple(roof.reader.statistics()) == COUNTERS[STATISTICS_READER]
    polls = roof.reader.statistics()["polls"]
    roof.reader.poll()
    assert roof.reader.statistics()["polls"] == polls + 1
    assert 50 <= roof.reader.period_ms() <= 200
    assert not roof.reader.is_saving_power
    assert not roof.reader.is_dead()


EXAM: tuple[Callable[[Roof], None], ...] = (
    check_a_card_comes_once_and_goes_once,
    check_what_lay_there_before_the_start_is_no_news_and_anything_else_is,
    check_several_at_once_are_not_taken,
    check_a_random_uid_is_nobody,
    check_a_tag_is_written,
    check_it_counts_and_keeps_time,
)
