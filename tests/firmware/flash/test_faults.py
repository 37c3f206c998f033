"""Boards that are busy, slow, gone, full or wrong: each gives a sentence with something to do, and the old firmware stays."""

import contextlib
import termios
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from attrs import evolve

from firmware.flash.arc_session import open_port
from firmware.flash.board import LINE_TIMEOUT_S, Board, Facts
from firmware.flash.errors import DiskFullError, FlashError, NeedsMicroPythonError, PortGoneError
from firmware.flash.install import install
from firmware.flash.kinds import ARC, MODULE
from firmware.flash.slots import MAIN, STARTER
from tests.firmware.flash.conftest import QUICK, MakeProgram, Watch, tool, what_runs
from tests.firmware.flash.simulated_board import SimulatedBoard, wait_until

STUBBORN = """
import time
def run():
    print("program stubborn")
    for _ in range(3):
        try:
            while True:
                time.sleep_ms(5)
        except KeyboardInterrupt:
            print("not yet")
    raise KeyboardInterrupt
"""

WATCHED = """
import machine, os, time
from firmware.module.name import NAME
def run():
    watchdog = machine.WDT(timeout=1500)
    print("program", NAME)
    while True:
        watchdog.feed()
        time.sleep_ms(20)
"""


def test_a_busy_board_is_interrupted_as_often_as_it_takes(
    tmp_path: Path, make_program: MakeProgram, watch: Watch
) -> None:
    with SimulatedBoard(tmp_path / "board") as sim:
        with tool(sim) as board:
            install(board, MODULE, make_program("S", main=STUBBORN), watch)
        assert wait_until(lambda: b"program " in sim.output)
        with Board(lambda: sim.port, MODULE, evolve(QUICK, try_s=0.2)) as board:
            board.enter()
            assert board.run("print('here')") == "here\r\n"


def test_the_prompt_is_polled_while_the_board_boots(tmp_path: Path, watch: Watch) -> None:
    """Field report 73: ten seconds and more on real boards; here the same in small."""
    with SimulatedBoard(tmp_path / "board", boots_for_s=1.5) as sim, tool(sim, evolve(QUICK, try_s=0.2)) as board:
        board.enter()
        assert board.facts().version == (1, 29, 0)
    assert type(QUICK)().prompt_s >= 10


def test_a_port_that_is_not_there_yet_is_waited_for(tmp_path: Path) -> None:
    with SimulatedBoard(tmp_path / "board") as sim:
        sim.cut_power()
        threading.Timer(0.5, sim.give_power).start()
        with tool(sim) as board:
            board.enter()
            assert board.run("print(1)") == "1\r\n"


def test_without_any_board_the_tool_says_what_to_plug(tmp_path: Path) -> None:
    with SimulatedBoard(tmp_path / "board") as sim:
        sim.cut_power()
        with (
            tool(sim, evolve(QUICK, prompt_s=0.2)) as board,
            pytest.raises(PortGoneError, match="is not there") as caught,
        ):
            board.enter()
    assert "plug the module's cable" in caught.value.do


def test_a_board_that_never_answers_is_told_how_to_be_revived(tmp_path: Path) -> None:
    sim = SimulatedBoard(tmp_path / "board", boots_for_s=60)
    with sim, tool(sim, evolve(QUICK, prompt_s=0.4, try_s=0.2)) as board:
        with pytest.raises(NeedsMicroPythonError, match="no MicroPython prompt") as caught:
            board.enter()
        assert "RESET" in caught.value.do
        assert "--micropython fetch" in caught.value.do


def test_a_port_that_vanishes_in_the_middle_leaves_the_old_firmware(
    tmp_path: Path, make_program: MakeProgram, watch: Watch
) -> None:
    """Field report 75. The port dies for good after some bytes; plugged again, the flash completes."""
    with SimulatedBoard(tmp_path / "board") as sim:
        with tool(sim) as board:
            install(board, MODULE, make_program("A"), watch)
        assert wait_until(lambda: b"program " in sim.output)
        sim.dies_after = sim.heard + 5_000
        with tool(sim, evolve(QUICK, prompt_s=0.5)) as board, pytest.raises(PortGoneError) as caught:
            install(board, MODULE, make_program("B", padding=8_000), watch)
        assert "plug the cable" in caught.value.do
        sim.dies_after = 0
        sim.give_power()
        assert what_runs(sim) == ("a", "A")
        with tool(sim) as board:
            install(board, MODULE, make_program("B", padding=8_000), watch)
        assert what_runs(sim) == ("b", "B")


def test_a_board_that_resets_in_the_middle_is_a_vanished_port(
    tmp_path: Path, make_program: MakeProgram, watch: Watch
) -> None:
    with SimulatedBoard(tmp_path / "board") as sim:
        with tool(sim) as board:
            install(board, MODULE, make_program("A"), watch)
        assert wait_until(lambda: b"program " in sim.output)
        resets_at = sim.operations + 25

        def reset_there() -> None:
            wait_until(lambda: sim.operations >= resets_at)
            sim.reset(2)

        resetter = threading.Thread(target=reset_there)
        resetter.start()
        with tool(sim) as board, pytest.raises(FlashError):
            install(board, MODULE, make_program("B", padding=20_000), watch)
        resetter.join(10)
        assert what_runs(sim) == ("a", "A")


def test_a_full_disk_is_told_before_anything_is_sent(tmp_path: Path, make_program: MakeProgram, watch: Watch) -> None:
    with SimulatedBoard(tmp_path / "board", blocks=28) as sim:
        with tool(sim) as board:
            install(board, MODULE, make_program("A"), watch)
            board.enter()
            board.write("mine.bin", bytes(30_000))
            board.reset()
        with pytest.raises(DiskFullError, match="KiB free") as caught, tool(sim) as board:
            install(board, MODULE, make_program("B", padding=14_000), watch)
        assert "mpremote rm" in caught.value.do
        assert what_runs(sim) == ("a", "A")


class Impatient(Watch):
    """Presses Control-C once some bytes went."""

    @contextlib.contextmanager
    def bar(self, title: str, total: int) -> Iterator[Callable[[int], None]]:
        def advance(count: int) -> None:
            raise KeyboardInterrupt

        yield advance


@pytest.mark.parametrize("show", [Impatient(), Watch()])
def test_stopped_by_control_c_the_board_goes_on_with_what_it_has(
    tmp_path: Path, make_program: MakeProgram, show: Watch
) -> None:
    """Nobody has to switch it off and on: an ARC at its prompt would look dead."""

    def before_switch(board: Board, facts: Facts) -> None:
        raise KeyboardInterrupt

    with SimulatedBoard(tmp_path / "board") as sim:
        with tool(sim) as board:
            install(board, MODULE, make_program("A"), Watch())
        with pytest.raises(KeyboardInterrupt), tool(sim) as board:
            install(board, MODULE, make_program("B", padding=20_000), show, before_switch)
        assert what_runs(sim) == ("a", "A")


def test_an_answer_that_something_else_spoils_is_told(tmp_path: Path) -> None:
    """The chip's own log comes through the same port."""
    with SimulatedBoard(tmp_path / "board") as sim, tool(sim) as board:
        board.enter()
        assert board.ask("print((1, 'two'))") == (1, "two")
        with pytest.raises(FlashError, match=r"cannot be read: .*W .5432. spi_flash") as caught:
            board.ask("print('(1, '); print('W (5432) spi_flash: slow'); print('2)')")
        assert "run this again" in caught.value.do


def test_a_disk_that_fills_up_while_writing_says_so(tmp_path: Path) -> None:
    with SimulatedBoard(tmp_path / "board", blocks=10) as sim, tool(sim) as board:
        board.enter()
        with pytest.raises(DiskFullError, match="writing big: the board's file system is full"):
            board.write("big", bytes(80_000))


@pytest.mark.parametrize(
    ("version", "mpy", "words"),
    [
        ("1.22.2", 0, r"MicroPython 1\.22\.2; the firmware needs 1\.29"),
        ("1.29.0", 5, r"\.mpy version 5, our compiler writes 6"),
    ],
)
def test_a_wrong_interpreter_is_refused_by_name(
    tmp_path: Path, make_program: MakeProgram, watch: Watch, version: str, mpy: int, words: str
) -> None:
    with SimulatedBoard(tmp_path / "board", version=version, mpy=mpy) as sim, tool(sim) as board:
        with pytest.raises(NeedsMicroPythonError, match=words) as caught:
            install(board, MODULE, make_program("A"), watch)
        assert "BOOT" in caught.value.do
        assert board.facts().names == ()


def test_a_board_of_the_other_kind_is_not_touched(tmp_path: Path, make_program: MakeProgram, watch: Watch) -> None:
    with SimulatedBoard(tmp_path / "board", "arc") as sim, tool(sim) as board:
        with pytest.raises(FlashError, match="ESP32S3 module with ESP32S3, not the module's RP2040"):
            install(board, MODULE, make_program("A"), watch)
        with pytest.raises(FlashError, match="no module named"):
            install(board, ARC, make_program("A", main="import nothing\n"), watch)
        board.enter()
        assert "main.py" not in board.facts().names


class Corruption:
    """Flips a letter of the program's name in everything the host sends, so many times."""

    def __init__(self, times: int) -> None:
        self.left = times

    def __call__(self, data: bytes) -> bytes:
        if self.left and b"ZEBRA" in data:
            self.left -= 1
            return data.replace(b"ZEBRA", b"ZEBRO", 1)
        return data


def test_a_file_damaged_on_the_way_is_sent_again(tmp_path: Path, make_program: MakeProgram, watch: Watch) -> None:
    with SimulatedBoard(tmp_path / "board", chews=Corruption(1)) as sim:
        with tool(sim) as board:
            install(board, MODULE, make_program("ZEBRA"), watch)
        assert "1 files differ from what was sent" in watch.text
        assert what_runs(sim) == ("a", "ZEBRA")


def test_a_cable_that_damages_everything_changes_nothing(
    tmp_path: Path, make_program: MakeProgram, watch: Watch
) -> None:
    with SimulatedBoard(tmp_path / "board") as sim:
        with tool(sim) as board:
            install(board, MODULE, make_program("A"), watch)
        sim.chews = Corruption(1_000)
        with tool(sim) as board, pytest.raises(FlashError, match="keeps arriving damaged") as caught:
            install(board, MODULE, make_program("ZEBRA"), watch)
        assert "another cable" in caught.value.do
        sim.cut_power()
        sim.give_power()
        assert what_runs(sim) == ("a", "A")


def test_the_watchdog_of_the_running_firmware_bites_nobody(
    tmp_path: Path, make_program: MakeProgram, watch: Watch
) -> None:
    """The board is restarted into a quiet prompt first: a flash that takes longer than the watchdog goes through."""
    with SimulatedBoard(tmp_path / "board") as sim:
        with tool(sim) as board:
            install(board, MODULE, make_program("A", main=WATCHED), watch)
        assert wait_until(lambda: b"program " in sim.output)
        resets = sim.resets

        def slow(data: bytes) -> bytes:
            threading.Event().wait(0.004)  # a slow cable: the flash has to outlast the real watchdog of 1.5 s
            return data

        sim.chews = slow
        with tool(sim) as board:
            install(board, MODULE, make_program("B", main=WATCHED, padding=40_000), watch)
        sim.chews = lambda data: data
        assert sim.resets == resets + 3, "held, tried, confirmed: no reset by the watchdog"
        assert what_runs(sim) == ("b", "B")


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    import fcntl
    import os

    with SimulatedBoard(tmp_path / "board") as sim:
        holder = os.open(sim.port, os.O_RDWR | os.O_NOCTTY)
        fcntl.flock(holder, fcntl.LOCK_EX)
        with (
            tool(sim, evolve(QUICK, prompt_s=0.2)) as board,
            pytest.raises(FlashError, match="another program uses") as caught,
        ):
            board.enter()
        os.close(holder)
    assert "close the app" in caught.value.do
    assert LINE_TIMEOUT_S < 10


def test_a_terminal_that_goes_in_the_moment_of_opening_is_a_port_that_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the terminal says then is no OSError: nobody sees a traceback, and the board is tried again."""
    flush, times = termios.tcflush, [0]

    def gone(descriptor: int, queue: int) -> None:
        times[0] += 1
        if times[0] <= 2:
            raise termios.error(5, "Input/output error")
        flush(descriptor, queue)

    with SimulatedBoard(tmp_path / "board") as sim:
        monkeypatch.setattr(termios, "tcflush", gone)
        with pytest.raises(PortGoneError, match="cannot be opened"):
            open_port(sim.port)
        with tool(sim) as board:
            board.enter()
            assert times[0] > 2
            assert board.run("print(1)") == "1\r\n"


def test_a_starter_damaged_on_the_way_does_not_take_the_place_of_a_good_one(
    tmp_path: Path, make_program: MakeProgram, watch: Watch
) -> None:
    """Everything else is compared or tried before it counts; a main.py that is none would start neither folder."""
    with SimulatedBoard(tmp_path / "board") as sim:
        sim.chews = Once(b"no firmware here", b"no firmware hare")
        with tool(sim) as board:
            install(board, MODULE, make_program("A"), watch)
            board.enter()
            assert board.read(MAIN) == STARTER.read_bytes()
        sim.chews = lambda data: data.replace(b"b x", b"b y")
        with tool(sim) as board:
            board.enter()
            with pytest.raises(FlashError, match="running keeps arriving damaged"):
                board.replace("running", b"b x")
            assert board.read("running") == b"a"


class Once:
    """Damages the first that comes of it."""

    def __init__(self, good: bytes, bad: bytes) -> None:
        self._good, self._bad = good, bad
        self._is_done = False

    def __call__(self, data: bytes) -> bytes:
        if self._is_done or self._good not in data:
            return data
        self._is_done = True
        return data.replace(self._good, self._bad)
