"""The scripted demo, which is what `make play` plays without a screen: its whole script by taps, and in `make soak` on a desk."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from kivy.core.window import Window
from PIL import Image

from companion import catalog, command_line, demo
from companion.desk_process import ROOT
from companion.session.colonies import Colonies
from companion.storage.memory import MemoryStore
from companion.tablet import Tablet
from tests.screens.stage import clear_window

WITHIN_S = 240
PICTURES = (
    *("start", "setup-arc", "setup-mode", "setup-managers", "setup-assistants", "setup-planet", "setup-fleet"),
    *("setup-table", "round-1", "module-connected", "module-confirmed", "decree-swiped", "decree-confirmed"),
    *("two-decrees", "next-asked", "summary-colonystatus", "summary-occurrence", "summary-economy", "summary-decree"),
    *("summary-upkeep", "round-2"),
)
COMMANDS = [
    "ConnectModule",
    "SubmitModule",
    "ConnectModule",
    "SubmitModule",
    "RegisterDecree",
    "RegisterDecree",
    "Settle",
]
"""What the game makes of the script, whoever lays the cards down; connections apart."""


def is_blank(file: Path) -> bool:
    colours = Image.open(file).convert("RGB").reduce(8).getcolors()  # None: more than 256
    return colours is not None and len(colours) < 4


def taken(folder: Path) -> list[str]:
    """The names of the pictures in their order; each has something on it."""
    files = sorted(folder.glob("*.png"))
    assert [file.name for file in files if is_blank(file)] == []
    return [file.stem.partition("-")[2] for file in files]


def commands(journal: str) -> list[str]:
    told = [json.loads(line.partition("  → ")[2]) for line in journal.splitlines() if "  → " in line]
    return [one["command"] for row in told for one in row if one["command"] != "SetConnections"]


@pytest.mark.screens
async def test_the_whole_script_by_taps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "REST_S", 0)
    monkeypatch.setattr(demo, "SETTLE_FRAMES", 2)  # nobody looks at these pictures for long
    clear_window()
    Window.size = (800, 500)
    shipped, store = catalog.load(), MemoryStore()
    tablet = Tablet(store, Colonies(shipped), shipped.version, None, random.Random(1).getrandbits, reports=tmp_path)
    try:
        assert await demo.run(tablet, shipped, store, None, tmp_path) == 0
    finally:
        clear_window()
    assert taken(tmp_path) == list(PICTURES)
    assert commands((tmp_path / "journal.txt").read_text(encoding="utf-8")) == COMMANDS
    assert tablet.table is not None
    assert tablet.table.colony is not None
    assert tablet.table.colony.round == 2


def test_without_a_screen_play_is_the_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    play, headless, tapping = (
        command_line.parser().parse_args(words.split())
        for words in ("--arc desk", "--arc desk --headless", "--arc none")
    )
    assert [command_line.lacks_a_screen(options) for options in (play, headless, tapping)] == [True, False, False]
    monkeypatch.setenv("DISPLAY", ":0")
    assert not command_line.lacks_a_screen(play)


@pytest.mark.soak
@pytest.mark.desk
@pytest.mark.screens
def test_the_whole_demo_on_a_desk(tmp_path: Path) -> None:
    """As `make demo` runs it: firmware, reader, radio, drawn table."""
    command = (sys.executable, "-m", "companion", "--arc", "desk", "--demo", str(tmp_path))
    without_screen = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    played = subprocess.run(
        command, cwd=ROOT, env=without_screen, capture_output=True, text=True, timeout=WITHIN_S, check=False
    )
    assert played.returncode == 0, played.stderr
    at = PICTURES.index("next-asked")
    assert taken(tmp_path) == [*PICTURES[:at], "drawn-table", *PICTURES[at:]]
    journal = (tmp_path / "journal.txt").read_text(encoding="utf-8")
    assert commands(journal) == COMMANDS
    assert journal.count('"act":"Swiped"') == 9
    assert journal.count('"act":"Plugged"') == 2
