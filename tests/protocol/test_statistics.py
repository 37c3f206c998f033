"""Counters in bytes: where they stop, and what an older or a newer ARC sends."""

import pytest
from hypothesis import given, strategies as st

from protocol.messages import STATISTICS_LIFE
from protocol.reading import unpack_counters
from protocol.statistics import COUNTERS, pack_counters


def test_a_counter_stops_at_its_greatest_value_and_one_that_was_not_counted_is_0() -> None:
    data = pack_counters(STATISTICS_LIFE, {"boots": 1 << 32, "heap_free": 0xFFFFFFFF, "unheard_of": 5})
    assert data == bytes.fromhex("ffffffff 00000000 00000000 ffffffff 00000000 00000000 00000000 00000000")


def test_a_group_that_is_not_there_is_an_error() -> None:
    with pytest.raises(KeyError):
        pack_counters(5, {})


@given(st.sampled_from(sorted(COUNTERS)), st.data())
def test_counters_come_back_and_stop_at_their_greatest(group: int, data: st.DataObject) -> None:
    names = COUNTERS[group]
    counts = {name: data.draw(st.integers(0, 1 << 40)) for name in names}
    packed = pack_counters(group, counts)
    assert unpack_counters(group, packed) == {name: min(counts[name], 0xFFFFFFFF) for name in names}
    assert unpack_counters(group, packed[:-4]).keys() == set(names[:-1])


def test_a_counter_cut_in_two_is_none() -> None:
    assert unpack_counters(STATISTICS_LIFE, bytes(7)) == {"boots": 0}
