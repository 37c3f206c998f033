"""When the board rests, and what it remembers of a crash."""

import pytest

from firmware.arc.idle import ASLEEP, AWAKE, DIM, Idle
from firmware.arc.log import KEPT_BYTES, LEFT, Log
from firmware.desk.chips.flash import Flash
from firmware.drivers.settings_store import SettingsStore

MINUTE = 60_000


@pytest.mark.parametrize(
    ("minutes", "level"), [(0, AWAKE), (9.9, AWAKE), (10, DIM), (59.9, DIM), (60, ASLEEP), (600, ASLEEP)]
)
def test_it_rests_by_the_time_since_anybody_played(minutes: float, level: int) -> None:
    assert Idle().seen(round(minutes * MINUTE), 0, False, False) == level


def test_a_card_wakes_it_from_dim() -> None:
    idle = Idle()
    assert idle.seen(20 * MINUTE, 0, False, False) == DIM
    assert idle.seen(20 * MINUTE + 1, 20 * MINUTE, False, False) == AWAKE
    assert idle.seen(30 * MINUTE + 1, 20 * MINUTE, False, False) == DIM


def test_it_never_rests_while_a_tablet_is_connected_and_counts_from_its_leaving() -> None:
    idle = Idle()
    for minute in range(300):
        assert idle.seen(minute * MINUTE, 0, True, False) == AWAKE
    assert idle.seen(308 * MINUTE, 0, False, False) == AWAKE
    assert idle.seen(310 * MINUTE, 0, False, False) == DIM


def test_an_empty_battery_sleeps_after_seconds_even_with_a_tablet() -> None:
    idle = Idle()
    assert idle.seen(1_000, 0, True, True) == AWAKE
    assert idle.seen(5_000, 0, True, True) == AWAKE
    assert idle.seen(6_000, 0, True, True) == ASLEEP


def test_a_battery_that_recovers_in_between_does_not_sleep() -> None:
    idle = Idle()
    idle.seen(1_000, 0, True, True)
    idle.seen(2_000, 0, True, False)
    assert idle.seen(6_500, 0, True, True) == AWAKE


class Memory:
    """RTC memory and the crash's place in flash."""

    def __init__(self) -> None:
        self.kept = b""
        self.store = SettingsStore(Flash(8192, 4096), 0)

    def boot(self, cause: str = "") -> Log:
        return Log(self.store, self._keep, self.kept, cause)

    def _keep(self, data: bytes) -> None:
        self.kept = data


def whole(log: Log) -> str:
    data = b""
    while part := log.read(len(data), 100):
        data += part
    return data.decode()


def test_lines_are_read_in_order_and_the_oldest_go() -> None:
    log = Memory().boot()
    for number in range(200):
        log.line(f"line {number} with some words")
    text = whole(log)
    assert text.endswith("line 199 with some words\n")
    assert text.startswith("line ")
    assert len(text) <= KEPT_BYTES


def test_a_watchdog_reset_leaves_the_lines_before_it_as_the_last_crash() -> None:
    memory = Memory()
    memory.boot().line("the last thing I did")
    log = memory.boot("watchdog")
    log.line("boot 2")
    assert log.has_new_crash
    assert whole(log) == "crash: watchdog\nthe last thing I did\nsince then:\nboot 2\n"


def test_an_ordinary_boot_is_no_crash_and_an_older_crash_is_still_there() -> None:
    memory = Memory()
    memory.boot().line("before")
    memory.boot("watchdog")
    memory.kept = b""
    log = memory.boot()
    assert not log.has_new_crash
    assert whole(log) == "crash: watchdog\nbefore\nsince then:\n"


def test_a_reset_that_somebody_wanted_leaves_no_crash() -> None:
    memory = Memory()
    log = memory.boot()
    log.line("restart into a new firmware")
    log.leave()
    assert memory.kept == LEFT
    assert not memory.boot("unplanned reset").has_new_crash


def test_the_last_resort_is_told_at_the_next_boot_with_its_traceback() -> None:
    memory = Memory()
    memory.boot().failed("main", ValueError("planned"), 1234)
    log = memory.boot("unplanned reset")
    assert log.has_new_crash
    assert whole(log).startswith("crash: unplanned reset\n1234 ms: main failed: ")


def test_a_line_after_the_crash_was_kept_belongs_to_the_new_boot() -> None:
    memory = Memory()
    memory.boot().line("the last thing I did")
    memory.boot("unplanned reset").line("boot 2")
    assert whole(memory.boot("")) == "crash: unplanned reset\nthe last thing I did\nsince then:\n"


def test_rubbish_in_memory_at_power_on_is_not_taken_for_lines() -> None:
    memory = Memory()
    memory.kept = b"\x13\x37" * 40
    assert not memory.boot("watchdog").has_new_crash


def test_a_failed_task_is_kept_with_its_traceback_once_a_boot() -> None:
    log = Memory().boot()
    log.line("before")
    assert log.failed("reader", ValueError("planned"), 1234)
    assert not log.failed("modules", ValueError("again"), 5678)
    text = whole(log)
    assert text.startswith("crash: task reader\nbefore\n1234 ms: reader failed: ")
    assert "planned" in text
    assert text.count("crash:") == 1
    assert "again" in text


def test_a_task_that_fails_after_a_crash_of_the_boot_before_is_a_new_crash_too() -> None:
    memory = Memory()
    memory.boot().line("the last thing I did")
    log = memory.boot("watchdog")
    assert log.failed("reader", ValueError("planned"), 1234), "the app has read the other one by now"
    assert whole(log).startswith("crash: task reader\n")


def test_a_flash_that_fails_does_not_make_it_worse() -> None:
    memory = Memory()
    memory.store.write = lambda value: (_ for _ in ()).throw(OSError(5))  # type: ignore[method-assign]
    log = memory.boot()
    assert not log.failed("reader", ValueError("planned"), 1)
    assert "planned" in whole(log)
