"""When a card has come and when it has gone: the rules of card_watch, poll by poll, without a chip."""

from hypothesis import given, strategies as st

from firmware.arc.card_watch import FORGET_MS, MEMORY_TRIES, UNREAD, UNREADABLE_POLLS, CardWatch
from firmware.boards import timings
from protocol import events
from protocol.events import CardPresented, CardRemoved, CardsTogether, CardUnreadable
from tests.firmware.reader.told import presented, removed

A, B, C = bytes.fromhex("04A3C6CAE26180"), bytes.fromhex("88123456"), bytes.fromhex("0102030405060708090A")
PHONES = [bytes((8, 1, 2, n)) for n in range(30)]
POLL = timings.POLL_BUSY_MS
REMOVED = timings.CARD_REMOVED_MS


class Roof:
    """Feeds polls; `events` are (ms, body). A sighting is a UID, (UID, code), or None for something unread."""

    def __init__(self, start_ms: int = 1_000) -> None:
        self.watch = CardWatch()
        self.now_ms = start_ms
        self.events: list[tuple[int, events.Body]] = []

    def poll(self, *things: bytes | tuple[bytes, int | None] | None, times: int = 1) -> list[events.Body]:
        came = []
        for _ in range(times):
            self.now_ms += POLL
            bodies = self.watch.seen(self.now_ms & 0x3FFFFFFF, [as_sighting(thing) for thing in things])
            came += bodies
            self.events += [(self.now_ms, body) for body in bodies]
        return came


def as_sighting(thing: bytes | tuple[bytes, int | None] | None) -> tuple[bytes | None, int | None]:
    if thing is None:
        return UNREAD
    return (thing, 7) if isinstance(thing, bytes) else thing


TELL_REMOVAL = REMOVED // POLL + 1
"""Empty polls after which a card is gone."""


def test_two_equal_reads_are_an_arrival_and_one_is_nothing() -> None:
    roof = Roof()
    assert roof.poll(A) == []
    assert roof.poll(A) == [presented(A)]
    assert roof.watch.on_roof() == [(7, A)]


def test_a_card_is_removed_a_second_after_its_last_good_read() -> None:
    roof = Roof()
    roof.poll(A, times=5)
    last_ms = roof.now_ms
    roof.poll(times=40)
    ((when_ms, body),) = roof.events[1:]
    assert body == removed(A)
    assert REMOVED <= when_ms - last_ms < REMOVED + POLL
    assert roof.watch.on_roof() == []


def test_back_within_the_second_is_the_same_presence() -> None:
    roof = Roof()
    roof.poll(A, times=3)
    for _ in range(20):
        roof.poll(times=REMOVED // POLL - 1)
        roof.poll(A)
    assert [body for _, body in roof.events] == [presented(A)]


def test_a_card_resting_for_a_minute_is_told_once() -> None:
    roof = Roof()
    roof.poll(A, times=60_000 // POLL)
    assert [body for _, body in roof.events] == [presented(A)]


def test_a_pause_of_the_whole_board_removes_nothing() -> None:
    roof = Roof()
    roof.poll(A, times=3)
    roof.now_ms += 30_000
    assert roof.poll() == [], "one miss, however late, is one miss"
    assert roof.poll(A, times=20) == []


def test_a_card_last_seen_before_the_wrap_is_removed_after_it() -> None:
    roof = Roof(start_ms=(1 << 30) - 300)
    assert roof.poll(A, times=3) == [presented(A)]
    assert roof.poll(times=TELL_REMOVAL - 2) == []
    assert roof.poll(times=2) == [removed(A)]


def test_removal_and_arrival_across_the_wrap_of_the_clock() -> None:
    roof = Roof(start_ms=(1 << 30) - 500)
    assert roof.poll(A, times=4) == [presented(A)]
    assert roof.poll(A, times=60) == []
    assert roof.poll(times=TELL_REMOVAL) == [removed(A)]


def test_two_arriving_within_one_poll_are_not_taken() -> None:
    roof = Roof()
    assert roof.poll(A, B, times=2) == [CardsTogether(2)]
    assert roof.poll(A, B, times=100) == []
    assert roof.watch.on_roof() == []


def test_the_second_of_two_may_be_a_poll_late() -> None:
    roof = Roof()
    roof.poll(A)
    assert roof.poll(A, B) == []
    assert roof.poll(A, B) == [CardsTogether(2)]


def test_the_one_that_is_left_is_presented_once_the_other_has_gone() -> None:
    roof = Roof()
    roof.poll(A, B, times=3)
    assert roof.poll(A, times=TELL_REMOVAL) == [presented(A)]
    assert roof.poll(times=TELL_REMOVAL) == [removed(A)]


def test_three_together_and_one_more_on_top_are_told_once() -> None:
    roof = Roof()
    assert roof.poll(A, B, C, times=2) == [CardsTogether(3)]
    roof = Roof()
    roof.poll(A, B, times=2)
    assert roof.poll(A, B, C, times=50) == []
    assert roof.poll(C, times=TELL_REMOVAL) == [presented(C)]


def test_all_of_them_taken_away_is_no_event() -> None:
    roof = Roof()
    roof.poll(A, B, times=2)
    assert roof.poll(times=60) == []
    assert roof.poll(A, times=2) == [presented(A)]


def test_a_token_on_top_of_a_resting_card_is_an_ordinary_arrival() -> None:
    roof = Roof()
    roof.poll(A, times=50)
    assert roof.poll(A, B, times=2) == [presented(B)]
    assert roof.poll(A, times=TELL_REMOVAL) == [removed(B)]
    assert roof.poll(A, times=50) == []


def test_what_lay_there_before_the_start_is_no_news_until_it_was_away() -> None:
    roof = Roof()
    roof.watch.lies_since_before(roof.now_ms, A)
    assert roof.poll(A, times=50) == []
    assert roof.watch.on_roof() == []
    assert roof.poll(A, B, times=2) == [presented(B)]
    assert roof.poll(times=TELL_REMOVAL) == [removed(A), removed(B)]
    assert roof.poll(A, times=2) == [presented(A)]


def test_an_unreadable_thing_is_told_once_per_presence() -> None:
    roof = Roof()
    assert roof.poll(None, times=UNREADABLE_POLLS) == [CardUnreadable(events.UNREADABLE_DAMAGED)]
    for _ in range(10):
        assert roof.poll(None, times=7) == []
        assert roof.poll(times=REMOVED // POLL - 1) == []
    roof.poll(times=TELL_REMOVAL)
    assert roof.poll(None, times=UNREADABLE_POLLS) == [CardUnreadable(events.UNREADABLE_DAMAGED)]


def test_a_damaged_swipe_is_told_and_a_single_glitch_is_not() -> None:
    roof = Roof()
    roof.poll(None, times=2)
    assert roof.poll(times=FORGET_MS // POLL + 1) == [CardUnreadable(events.UNREADABLE_DAMAGED)]
    roof = Roof()
    roof.poll(None)
    assert roof.poll(times=60) == []


def test_a_swipe_too_fast_to_be_sure_is_told_as_unreadable() -> None:
    roof = Roof()
    roof.poll(A)
    assert roof.poll(times=60) == [CardUnreadable(events.UNREADABLE_DAMAGED)]
    assert roof.watch.on_roof() == []


def test_bad_reads_while_a_card_comes_or_goes_are_that_cards() -> None:
    roof = Roof()
    roof.poll(None, times=3)
    roof.poll(A, times=5)
    roof.poll(None, times=3)
    roof.poll(times=60)
    assert [body for _, body in roof.events] == [presented(A), removed(A)]


def test_an_unreadable_thing_on_a_resting_card_is_told() -> None:
    roof = Roof()
    roof.poll(A, times=20)
    assert roof.poll(A, None, times=UNREADABLE_POLLS) == [CardUnreadable(events.UNREADABLE_DAMAGED)]
    assert roof.poll(A, None, times=50) == []


def test_something_held_above_a_resting_card_for_a_moment_is_not_told() -> None:
    roof = Roof()
    roof.poll(A, times=20)
    roof.poll(A, None, times=UNREADABLE_POLLS - 1)
    assert roof.poll(A, times=50) == []


def test_failures_before_an_arrival_do_not_count_after_it() -> None:
    roof = Roof()
    roof.poll(None, times=UNREADABLE_POLLS - 1)
    assert roof.poll(A, times=2) == [presented(A)]
    assert roof.poll(A, None, times=UNREADABLE_POLLS - 1) == []


def test_a_card_whose_memory_is_hidden_by_another_is_one_of_two() -> None:
    roof = Roof()
    assert roof.poll((A, None), None, times=MEMORY_TRIES - 1) == []
    assert roof.poll((A, None), None) == [CardsTogether(2)]


def test_an_unreadable_thing_that_hides_a_card_is_told_after_the_removal() -> None:
    roof = Roof()
    roof.poll(A, times=20)
    assert roof.poll(None, times=40) == [removed(A), CardUnreadable(events.UNREADABLE_DAMAGED)]


def test_a_card_that_came_with_something_unread_waits_and_then_counts_as_two() -> None:
    roof = Roof()
    assert roof.poll(A, None, times=3) == []
    assert roof.poll(A) == [presented(A)], "the other was a glitch"
    roof = Roof()
    assert roof.poll(A, None, times=UNREADABLE_POLLS) == [CardsTogether(2)]
    assert roof.poll(A, None, times=50) == []
    assert roof.poll(A, times=TELL_REMOVAL) == [presented(A)]


def test_a_random_uid_is_told_once_however_often_it_changes() -> None:
    roof = Roof()
    came = []
    for uid in PHONES:
        came += roof.poll(uid)
    assert came == [CardUnreadable(events.UNREADABLE_RANDOM_UID)]
    assert roof.watch.on_roof() == []
    assert roof.poll(times=60) == []


def test_a_7_byte_uid_may_begin_with_08() -> None:
    uid = b"\x08" + A[1:]
    assert Roof().poll(uid, times=2) == [presented(uid)]


def test_a_card_waits_for_its_memory_and_is_presented_without_it_in_the_end() -> None:
    roof = Roof()
    assert roof.poll((A, None), times=3) == []
    assert roof.poll((A, 9)) == [presented(A, 9)]
    roof = Roof()
    assert roof.poll((A, None), times=MEMORY_TRIES - 1) == []
    assert roof.poll((A, None)) == [presented(A, 0)]


def test_a_card_whose_memory_was_never_read_is_told_as_unreadable_when_it_leaves() -> None:
    roof = Roof()
    roof.poll((A, None), times=3)
    assert roof.poll(times=60) == [CardUnreadable(events.UNREADABLE_DAMAGED)]


def test_the_code_is_known_while_the_card_is_there_and_can_be_rewritten() -> None:
    roof = Roof()
    assert roof.watch.code_of(A) is None
    roof.poll((A, 3), times=2)
    assert roof.watch.code_of(A) == 3
    roof.watch.rewrite(A, 5)
    assert roof.watch.on_roof() == [(5, A)]
    assert roof.poll(times=TELL_REMOVAL) == [removed(A, 5)]
    assert roof.watch.code_of(A) is None


def test_it_wants_the_next_poll_soon_only_while_something_is_open() -> None:
    roof = Roof()
    assert not roof.watch.is_waiting()
    roof.poll(A)
    assert roof.watch.is_waiting()
    roof.poll(A)
    assert not roof.watch.is_waiting()
    roof.poll(A, None)
    assert roof.watch.is_waiting()


SIGHTINGS = st.lists(
    st.lists(st.sampled_from((A, B, C, PHONES[0], PHONES[1], None, (A, None), (B, None))), max_size=3, unique_by=repr),
    max_size=120,
)


@given(SIGHTINGS)
def test_every_presence_is_presented_once_and_removed_once_in_turn(polls: list[list[bytes | None]]) -> None:
    roof = Roof()
    there: set[bytes] = set()
    for things in polls:
        for body in roof.poll(*things):
            if isinstance(body, CardPresented):
                assert body.uid not in there
                there.add(body.uid)
            elif isinstance(body, CardRemoved):
                there.remove(body.uid)
        assert {events.short_uid(uid) for _, uid in roof.watch.on_roof()} == there
    for body in roof.poll(times=60):
        if isinstance(body, CardRemoved):
            there.remove(body.uid)
    assert not there
    assert not roof.watch.is_waiting(), "quiet again"
