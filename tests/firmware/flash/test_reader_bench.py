"""The maker's look at the reader: what it says of each finding, and which gain it would set."""

from typing import cast

import pytest

from firmware.flash.arc_session import ArcSession
from firmware.flash.examine import explain
from firmware.flash.reader_bench import WAITS, best_gain, check_reader, set_gain
from protocol import messages as m
from tests.firmware.flash.conftest import Watch

GOOD = {18: 0, 23: 4, 33: 20, 38: 20, 43: 20, 48: 11}


class Arc:
    """An ARC whose card is laid down after `empty` looks."""

    def __init__(self, gains: dict[int, int], version: int = 0x92, broken: int = 0, spi_hz: int = 4_000_000) -> None:
        self.gains, self.head = gains, (version, broken, spi_hz)
        self.empty = 0
        self.looks = 0
        self.settings = bytearray((1, 38, 1, 100))

    def ask(self, command: m.Message, within_s: float = 0) -> bytes:
        if isinstance(command, m.SettingsRead):
            return bytes(self.settings)
        if isinstance(command, m.SettingsWrite):
            self.settings[1 : 1 + len(command.values)] = command.values
            return b""
        assert isinstance(command, m.CheckReader)
        self.looks += 1
        is_there = self.looks > self.empty
        pairs = [(db, good * command.polls // 20 if is_there else 0) for db, good in self.gains.items()]
        return m.ReaderCheck(*self.head, b"".join(bytes(pair) for pair in pairs)).pack()

    def next_event(self, within_s: float) -> None:
        return None

    @property
    def session(self) -> ArcSession:
        return cast("ArcSession", self)


def test_each_step_is_told_and_the_one_that_is_set(watch: Watch) -> None:
    arc = Arc(GOOD)
    arc.empty = 3
    assert check_reader(arc.session, watch)
    assert arc.looks == 3 + 1 + 1
    for words in (
        "version 0x92, broken: nothing",
        "SPI at 4.0 MHz",
        "23 dB    4 of 20",
        "38 dB   20 of 20 reads   (set now)",
    ):
        assert words in watch.text
    assert "38 dB is right" in watch.text


def test_another_step_is_named_with_the_command_that_sets_it(watch: Watch) -> None:
    arc = Arc({**GOOD, 38: 12, 33: 18})
    arc.gains[43] = 17
    assert check_reader(arc.session, watch)
    assert "selftest --set-gain 33" in watch.text
    assert set_gain(arc.session, 33, watch)
    assert arc.settings == bytes((1, 33, 1, 100))


def test_an_empty_roof_and_a_reader_that_is_not_there_are_told(watch: Watch) -> None:
    arc = Arc(dict.fromkeys(GOOD, 0))
    assert not check_reader(arc.session, watch)
    assert arc.looks == WAITS + 1
    assert "is a card on the roof?" in watch.text
    assert not check_reader(Arc({}, version=0xFF).session, watch)
    assert "0xff: no chip answers" in watch.text


@pytest.mark.parametrize(("broken", "is_good"), [(4, True), (1, False), (8, False), (12, False)])
def test_what_is_broken_is_named_and_the_crc_unit_is_not_missed(watch: Watch, broken: int, is_good: bool) -> None:
    assert check_reader(Arc(GOOD, broken=broken).session, watch) is is_good
    assert "broken: nothing" not in watch.text


@pytest.mark.parametrize("spi_hz", [100_000, 20_000_000])
def test_a_clock_that_is_not_what_was_asked_for_is_told(watch: Watch, spi_hz: int) -> None:
    check_reader(Arc(GOOD, spi_hz=spi_hz).session, watch)
    assert "RFID_BAUD" in watch.text


def test_the_highest_gain_is_never_proposed() -> None:
    assert best_gain({33: 0, 38: 0, 43: 0, 48: 20}) is None
    assert best_gain({33: 3, 38: 5, 43: 9, 48: 20}) == 43
    assert best_gain({33: 20, 38: 20, 43: 20}) == 38


def test_faults_in_the_log_are_explained() -> None:
    log = "boot 1, cause 1, version 0.1\n900 ms: fault 3, detail 4612\n950 ms: fault 77, detail 1\n"
    assert explain(log).splitlines() == [
        "boot 1, cause 1, version 0.1",
        "900 ms: fault 3, detail 4612: the reader's version 0x12 is none we know; what is broken: 4 (0: nothing)",
        "950 ms: fault 77, detail 1: fault 77",
    ]
