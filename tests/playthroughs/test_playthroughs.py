"""Plays every transcript of this folder again and compares it line by line. BLESS=1 writes them anew."""

import os
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve

from companion import catalog, simulation
from companion.simulation.commands import Settle
from tests.playthroughs.script import read_command, read_setup
from tests.playthroughs.transcript import report_lines, view_lines

GAMES = sorted(Path(__file__).parent.glob("*.txt"))


def played_again(lines: list[str], shipped: catalog.Catalog) -> Iterator[str]:
    """The transcript of the «>» lines; everything else in `lines` but comments at the top is written anew."""
    yield from (line for line in lines if line.startswith("#"))
    first, *rest = [line[2:] for line in lines if line.startswith("> ")]
    setup, seed = read_setup(first)
    colony = simulation.new_game(setup, seed, shipped)
    yield f"> {first}"
    yield from view_lines(simulation.view(colony, shipped))
    for line in rest:
        yield f"> {line}"
        command = read_command(line, shipped)
        answer = simulation.step(colony, command, shipped)
        if isinstance(answer, simulation.Refusal):
            yield f"  refused: {answer.reason}"
            continue
        colony = answer.colony
        assert simulation.problems(colony, shipped) == ()
        if isinstance(command, Settle):
            report = simulation.report(colony, shipped)
            assert report is not None
            yield from report_lines(report)
            yield from view_lines(simulation.view(colony, shipped))
            yield f"  hidden state {hidden_state(colony):08x}"
    view = simulation.view(colony, shipped)
    if view.ending and rest[-1] != "settle":
        yield from view_lines(view)


def hidden_state(colony: simulation.Colony) -> int:
    """Changes with every number that players do not see."""
    return zlib.crc32(simulation.to_text(evolve(colony, catalog_version="")).encode())


@pytest.mark.parametrize("path", GAMES, ids=[path.stem for path in GAMES])
def test_playthrough(path: Path) -> None:
    recorded = path.read_text()
    again = "\n".join(played_again(recorded.splitlines(), catalog.load())) + "\n"
    if os.environ.get("BLESS"):
        path.write_text(again)
    assert again.splitlines() == path.read_text().splitlines()


def test_there_are_games() -> None:
    assert GAMES
