"""`python -m firmware.flash` as people call it."""

import re
from pathlib import Path

import pytest

from companion.command_line import parser as app_parser
from firmware.flash import acts, board, examine, ports
from firmware.flash.__main__ import _parser, main
from firmware.flash.install import install
from firmware.flash.kinds import MODULE
from protocol.message import ProtocolError
from tests.firmware.flash.conftest import QUICK, MakeProgram, Watch, tool
from tests.firmware.flash.simulated_board import SimulatedBoard


@pytest.fixture(autouse=True)
def no_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    """This computer may have boards of its own."""
    for module in (acts, ports):
        monkeypatch.setattr(module, "list_usb_ports", list)
    monkeypatch.setattr(ports.find_port, "__defaults__", (list,))


def test_a_deck_is_listed_for_phones(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tags", "tokens", "--list"]) == 0
    assert "arc:33TH  “Governor” (governor, #F2C14E)" in capsys.readouterr().out


def test_without_a_board_it_says_what_to_plug(capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["arc"], ["module", "solar"], ["log"], ["selftest"], ["tags"]):
        assert main(command) == 1
        assert "→ plug the" in capsys.readouterr().out
    assert main(["check"]) == 1
    assert "no board is plugged in" in capsys.readouterr().out


def test_a_mistyped_module_is_answered_with_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["module", "sloar"]) == 1
    assert "choose from: solar, nuclear" in capsys.readouterr().out


@pytest.mark.parametrize("command", [["update", "--modules"], ["module", "solar"], ["modules"]])
def test_what_is_done_although_it_need_not_be_has_the_apps_word(command: list[str]) -> None:
    assert _parser().parse_args([*command, "--anyway"]).anyway
    assert app_parser().parse_args(["--update", "--anyway"]).anyway


def test_a_row_can_be_looked_at_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["modules", "solar", "lss", "--dry-run", "--ledger", str(tmp_path / "row")]) == 0
    said = capsys.readouterr().out
    assert "would flash Life Support System, type 3" in said
    assert not (tmp_path / "row").exists()


def test_check_tells_what_is_on_the_board(tmp_path: Path, make_program: MakeProgram, watch: Watch) -> None:
    with SimulatedBoard(tmp_path / "board") as sim:
        with tool(sim) as at:
            install(at, MODULE, make_program("A"), watch)
        with tool(sim) as at:
            examine.check_board(at, watch)
    for words in (
        "RP2040",
        "MicroPython  1.29.0, .mpy version 6",
        "KiB of the file system",
        "a/ runs, 4 files",
        "no type yet",
    ):
        assert words in watch.text


def test_a_dry_run_of_the_real_firmware(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(board.Board.__init__, "__defaults__", (QUICK,))
    with SimulatedBoard(tmp_path / "board") as sim:
        assert main(["module", "solar", "--dry-run", "--port", sim.port]) == 0
    said = capsys.readouterr().out
    assert "running now: none of our firmware" in said
    assert re.search(r"would send (\d+) of \1 files", said)


def test_an_answer_that_means_nothing_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stumble(*_: object) -> bool:
        raise ProtocolError("an Info has 31 bytes")

    monkeypatch.setattr(acts, "show_log", stumble)
    assert main(["log"]) == 1
    assert "cannot be read (an Info has 31 bytes)" in capsys.readouterr().out
