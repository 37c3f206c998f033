"""When to try again: the table whole, the back-off, what resets it."""

import pytest

from companion.link.reasons import LinkError, Reason
from companion.link.reconnect import DELAYS_MS, TABLE, Happened, Reconnect, Step

LOST = LinkError(Reason.DROPPED)


def fail(reconnect: Reconnect, now_ms: int, error: LinkError = LOST) -> int:
    """One attempt that fails; how long to wait then."""
    reconnect.happened(Happened.DUE)
    reconnect.failed(error, now_ms)
    wait_ms = reconnect.wait_ms(now_ms)
    assert wait_ms is not None
    return wait_ms


def test_the_first_attempt_is_now_and_the_waits_grow_to_eight_seconds() -> None:
    reconnect = Reconnect()
    assert reconnect.wait_ms(0) == 0
    assert [fail(reconnect, 1_000) for _ in range(8)] == [*DELAYS_MS, 8_000, 8_000]


def test_only_a_resumed_session_sets_the_waits_back() -> None:
    reconnect = Reconnect()
    for _ in range(4):
        fail(reconnect, 0)
    reconnect.happened(Happened.DUE)
    reconnect.happened(Happened.OPENED)
    reconnect.failed(LOST, 0)
    assert reconnect.wait_ms(0) == DELAYS_MS[4]
    reconnect.happened(Happened.DUE)
    reconnect.happened(Happened.OPENED)
    reconnect.happened(Happened.RESUMED)
    reconnect.failed(LOST, 0)
    assert reconnect.wait_ms(0) == 0


def test_a_wait_that_the_arc_asked_for_is_kept() -> None:
    assert fail(Reconnect(), 5, LinkError(Reason.LOCKED, retry_ms=17_000)) == 17_000


def test_a_wait_ends() -> None:
    reconnect = Reconnect()
    fail(reconnect, 0)
    fail(reconnect, 0)
    assert [reconnect.wait_ms(now) for now in (0, 499, 500, 900)] == [500, 1, 0, 0]


@pytest.mark.parametrize("step", list(Step))
@pytest.mark.parametrize("what", [h for h in Happened if h is not Happened.FAILED])
def test_what_is_not_in_the_table_changes_nothing(step: Step, what: Happened) -> None:
    reconnect = Reconnect()
    reconnect.step = step
    if (step, what) in TABLE:
        reconnect.happened(what)
        assert reconnect.step is TABLE[step, what]
    else:
        with pytest.raises(KeyError):
            reconnect.happened(what)
        assert reconnect.step is step


def test_every_reason_is_a_sentence() -> None:
    for reason in Reason:
        assert reason.value.endswith(".")
        assert str(LinkError(reason, "(detail)")).endswith("(detail)")
