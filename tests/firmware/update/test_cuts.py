"""The power fails at every operation of the file system, from the first chunk to the confirmed new firmware: one of them always runs."""

from pathlib import Path

import pytest

from tests.firmware.update.model import PowerCut, World, fresh, image_of, make_program

OLD, NEW = make_program("0.1.0"), make_program("0.2.0", sizes=(300, 26))
VERSIONS = {OLD.version, NEW.version}


def play(world: World, cut_at: int) -> str:
    """One life of the board from power on to the end of what the tablet wants; the version that ran in it."""
    _, version = world.power_on(cut_at)
    if version == OLD.version:
        assert world.update_all() == 0
    else:
        world.trial.passed()
    return version


def lives(world: World, cuts: tuple[int, ...]) -> list[str]:
    """Each life cut at its operation, then lives without a cut until the new firmware is confirmed."""
    ran = []
    for cut_at in (*cuts, 0, 0, 0, 0):
        try:
            ran.append(play(world, cut_at))
        except PowerCut:
            ran.append("cut")
    return ran


def operations_of_an_update() -> int:
    fresh(OLD)
    world = World(image_of(NEW), chunk=150)
    play(world, 0)
    return world.disk.operations


def test_every_operation_is_cut_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    count = operations_of_an_update()
    assert count > 25
    for cut_at in range(1, count + 1):
        fresh(OLD)
        ran = lives(World(image_of(NEW), chunk=150), (cut_at,))
        assert ran[0] == "cut", cut_at
        assert set(ran[1:]) <= VERSIONS
        assert ran[-1] == NEW.version, cut_at


def test_every_operation_is_cut_and_so_is_every_one_of_the_life_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    count = operations_of_an_update()
    for first in range(1, count + 1):
        for second in range(1, count + 1, 5):
            fresh(OLD)
            ran = lives(World(image_of(NEW), chunk=150), (first, second))
            assert set(ran) <= VERSIONS | {"cut"}, (first, second)
            assert ran[-1] == NEW.version, (first, second)


def test_every_operation_of_the_first_life_of_the_new_firmware_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for cut_at in range(1, 8):
        fresh(OLD)
        world = World(image_of(NEW), chunk=150)
        assert play(world, 0) == OLD.version
        ran = lives(world, (cut_at,))
        assert set(ran) <= VERSIONS | {"cut"}
        assert ran[-1] == NEW.version, cut_at
