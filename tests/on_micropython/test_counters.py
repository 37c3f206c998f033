"""The board's counters: each number comes from the part that counts it, under the protocol's name."""

from firmware.arc.counters import Counters
from protocol.statistics import COUNTERS, STATISTICS_LIFE, STATISTICS_LINK


class Part:
    def __init__(self, **counts):
        for name in counts:
            setattr(self, name, counts[name])

    def total(self, name):
        return self.totals[name]


def counters():
    links = Part(turned_away=11, totals={"resumes": 3, "refusals": 4, "resends": 5, "bad_commands": 8})
    return Counters(
        Part(connects=1, no_memory=6, unsent=9, overruns=10),
        Part(connects=100, overruns=1000, bad_frames=7),
        links,
        Part(boots=21, watchdog_resets=22),
        Part(restarts=23),
        Part(lost_writes=24),
        Part(torn_slots=25),
        lambda: 26,
    )


def test_the_link_group():
    counts = counters().of_link()
    assert [counts[name] for name in COUNTERS[STATISTICS_LINK]] == [101, 3, 4, 5, 6, 7, 8, 9, 1010, 11]


def test_the_life_group():
    counts = counters().of_life()
    names = COUNTERS[STATISTICS_LIFE]
    assert [counts[name] for name in names if not name.startswith("heap")] == [21, 22, 23, 24, 25, 26]
    assert 0 < counts["heap_min_free"] <= counts["heap_free"]
    assert sorted(counts) == sorted(names)
