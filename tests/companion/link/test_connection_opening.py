"""How a connection opens, or why not: pairing, refusals, another ARC, the smallest MTU."""

import pytest

from companion.link import news
from companion.link.connection import Connection
from companion.link.delivery import Delivery
from companion.link.opening import Stage
from companion.link.reasons import Reason
from protocol import messages as m
from tests.companion.link.board import DEVICE, TABLET, Board
from tests.companion.link.pair import App, Pair


def test_an_unpaired_tablet_asks_until_the_button_is_pressed() -> None:
    pair = Pair()
    pair.board.pairing.forget(TABLET)
    pair.app.tokens.clear()
    pair.connect()
    assert pair.app.states() == [news.LinkState.PAIRING]
    pair.wait(1_000)
    pair.wait(1_000)
    assert pair.kinds() == ["Hello", "Pair", "Pair", "Pair"]
    pair.board.pairing.open_window(pair.now_ms)
    pair.wait(1_000)
    assert pair.connection.is_settled
    assert pair.app.states()[-1] is news.LinkState.READY


def test_a_forgotten_tablet_pairs_again_after_trying_twice() -> None:
    pair = Pair()
    pair.board.pairing.forget(TABLET)
    pair.connect()
    assert pair.kinds() == ["Hello", "Resume", "Hello", "Resume", "Hello", "Pair"]
    assert DEVICE in pair.app.tokens
    pair.board.pairing.open_window(pair.now_ms)
    pair.wait(1_000)
    assert pair.connection.is_settled


@pytest.mark.parametrize(
    ("answer", "reason", "text", "retry_ms"),
    [
        (m.Refused(1, m.VERSION_MISMATCH, b"\x02\x05"), Reason.VERSION, "(ARC: 2.5, app: 1.0)", 30_000),
        (m.Refused(1, m.LOCKED, b"\x11"), Reason.LOCKED, "", 17_000),
        (m.Refused(1, m.IN_USE, b""), Reason.IN_USE, "", 2_000),
        (m.Refused(1, m.TOO_MANY_TABLETS, b"\x04"), Reason.TOO_MANY_TABLETS, "", 2_000),
        (m.Ok(1, b"what is this?"), Reason.NOT_AN_ARC, "these bytes are no Info", 0),
    ],
)
def test_refusals_say_why(answer: m.Message, reason: Reason, text: str, retry_ms: int) -> None:
    connection = Connection(Delivery(App(Board())), TABLET)
    connection.opened(0)
    connection.outgoing()
    connection.received(answer.encode(), 0)
    failure = connection.failure
    assert failure is not None
    assert (failure.reason, failure.detail, failure.retry_ms) == (reason, text, retry_ms)


def test_another_arc_is_left_alone() -> None:
    pair = Pair()
    pair.app.point = None
    pair.connect()
    assert pair.kinds() == ["Hello"]
    assert pair.connection.failure is not None
    assert pair.connection.failure.reason is Reason.OTHER_ARC


def test_at_the_smallest_mtu_info_is_read() -> None:
    pair = Pair()
    pair.board.max_size = 20
    pair.connect()
    assert pair.connection.is_settled


def test_a_forgotten_tablet_does_not_lock_the_arc_for_all_others() -> None:
    """Left in the room it is hung up each minute and comes back: what was refused is not tried again."""
    pair = Pair()
    pair.board.pairing.forget(TABLET)
    for _ in range(4):
        pair.connect()
        assert pair.connection.stage is Stage.PAIRING
        pair.drop()
    assert pair.kinds().count("Resume") == 2
    assert not pair.board.pairing.seconds_locked(pair.now_ms)
    pair.board.pairing.open_window(pair.now_ms)
    pair.connect()
    assert pair.connection.is_settled
