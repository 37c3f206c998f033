"""Connection events: when the next is, and how much fits into one."""

import pytest
from hypothesis import given, strategies as st

from firmware.desk.radio_air import INTERVALS_MS, PACKETS_PER_EVENT, next_event, packets_fitting

intervals = st.sampled_from([interval / 1000 for interval in INTERVALS_MS])
times = st.floats(min_value=0, max_value=1e6, allow_nan=False)


@given(times, intervals, times)
def test_the_next_event_is_ahead_and_at_most_an_interval_away(anchor: float, interval: float, later: float) -> None:
    now = anchor + later
    at = next_event(anchor, interval, now)
    assert now - 1e-6 < at <= now + interval + 1e-6
    events = (at - anchor) / interval
    assert abs(events - round(events)) < 1e-3


@pytest.mark.parametrize(("interval", "packets"), [(7.5, 3), (15.0, PACKETS_PER_EVENT), (50.0, PACKETS_PER_EVENT)])
def test_short_intervals_carry_fewer_packets(interval: float, packets: int) -> None:
    assert packets_fitting(interval) == packets
