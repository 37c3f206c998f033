"""`python -m companion` with input of every kind: a sentence for what is wrong, never a traceback."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from companion.desk_process import ROOT
from companion.headless import ScriptError, parse
from companion.session.actions import TapCard
from companion.session.journal_text import act_text

WITHIN_S = 60
CTRL_C_WHILE_IT_LOADS = """
import runpy, sys

class CtrlC:
    def find_spec(self, name, path=None, target=None):
        if name == "companion.catalog":
            raise KeyboardInterrupt

sys.meta_path.insert(0, CtrlC())
runpy.run_module("companion", run_name="__main__")
"""


def run(tmp_path: Path, *options: str, stdin: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, "-m", "companion", "--arc", "none", "--store", str(tmp_path / "games.db"), *options)
    with (stdin or Path("/dev/null")).open("rb") as file:
        return subprocess.run(
            command, stdin=file, capture_output=True, text=True, cwd=ROOT, timeout=WITHIN_S, check=False
        )


def test_actions_come_from_a_file_as_from_a_pipe(tmp_path: Path) -> None:
    actions = tmp_path / "actions.jsonl"
    actions.write_text(f"nonsense\n{act_text(TapCard('bloch'))}\n")
    played = run(tmp_path, "--game", "new", "--headless", "-", stdin=actions)
    assert (played.returncode, played.stderr) == (0, "")
    states = [json.loads(line) for line in played.stdout.splitlines()]
    assert "error" in states[1]
    assert states[-1]["notices"] == ["Paul Bloch sits down."]


def test_a_script_of_other_bytes_is_said(tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_bytes(b"\xff\xfe\n")
    played = run(tmp_path, "--headless", str(script))
    assert played.returncode == 1
    assert played.stderr.startswith(f"companion: cannot read the script {script}: ")


def test_a_quote_that_does_not_close_names_its_line() -> None:
    with pytest.raises(ScriptError, match="line 2: No closing quotation"):
        parse('next\ncard "open')


def test_ctrl_c_while_it_loads_is_no_fault() -> None:
    command = (sys.executable, "-c", CTRL_C_WHILE_IT_LOADS)
    ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=WITHIN_S, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


def test_a_store_that_is_open_in_another_app_is_said_and_free_again_once_that_one_was_killed(tmp_path: Path) -> None:
    store = tmp_path / "games.db"
    first = (sys.executable, "-m", "companion", "--arc", "none", "--store", str(store), "--headless", "-")
    with subprocess.Popen(first, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as running:
        assert running.stdout is not None
        assert running.stdout.readline()
        second = run(tmp_path, "--headless", "-")
        assert (second.returncode, second.stdout) == (1, "")
        assert second.stderr.startswith(f"companion: {store} is open in the app already. Close it there")
        running.kill()
    assert run(tmp_path, "--headless", "-").returncode == 0
