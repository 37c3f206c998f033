"""A new firmware that is not reached within three boots, or does not start at all, gives way to the old one."""

from pathlib import Path
from typing import IO, Any

import pytest

from firmware.flash.slots import STARTER
from firmware.update.trial import BOOTS, RUNNING, TRIAL
from protocol.messages import NO_SPACE
from tests.firmware.update.model import World, boot, image_of, install, make_program, powered

OLD, NEW = make_program("0.1.0"), make_program("0.2.0")


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """Right after the switch."""
    monkeypatch.chdir(tmp_path)
    world = powered(OLD, image_of(NEW))
    assert world.update_all() == 0
    return world


def test_reached_once_it_stays(world: World) -> None:
    assert world.power_on() == ("b", NEW.version)
    assert world.trial.is_open()
    world.trial.passed()
    assert not world.trial.is_open()
    assert not Path(TRIAL).exists()
    for _ in range(2 * BOOTS):
        assert world.power_on() == ("b", NEW.version)


def test_reached_at_the_last_boot_it_stays(world: World) -> None:
    for _ in range(BOOTS):
        assert world.power_on() == ("b", NEW.version)
    world.trial.passed()
    assert world.power_on() == ("b", NEW.version)


def test_never_reached_the_old_one_runs_again_and_says_so(world: World) -> None:
    assert BOOTS == 3, "as people are told"
    for _ in range(BOOTS):
        assert world.power_on() == ("b", NEW.version)
        assert not world.trial.has_failed
    assert world.power_on() == ("a", OLD.version)
    assert world.trial.has_failed
    world.power_on()
    assert not world.trial.has_failed
    assert world.power_on() == ("a", OLD.version)
    assert world.update_all() == 0
    assert world.power_on() == ("b", NEW.version)


def test_reached_on_a_full_disk_it_stays_all_the_same(world: World) -> None:
    assert world.power_on() == ("b", NEW.version)
    for _ in range(BOOTS + 1):
        world.disk.full = True
        world.trial.passed()
        world.trial.passed()
        assert world.trial.is_open(), "to be said again"
        assert world.power_on() == ("b", NEW.version)
    world.trial.passed()
    assert not world.trial.is_open()
    assert world.power_on() == ("b", NEW.version)


def test_a_flash_that_does_not_take_a_trial_s_end_stops_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    assert world.power_on() == ("b", NEW.version)

    def fail(name: str, data: bytes) -> None:
        raise OSError(5, "input/output error")

    with monkeypatch.context() as broken:
        broken.setattr(world.disk, "replace", fail)
        world.trial.passed()
        assert world.trial.is_open()
    world.trial.passed()
    assert not world.trial.is_open()
    assert world.power_on() == ("b", NEW.version)


def test_files_that_hold_garbage_stop_no_boot(world: World) -> None:
    world.power_on()
    world.trial.passed()
    Path(TRIAL).write_bytes(b"\xff\xfe b a")
    assert world.power_on() == ("b", NEW.version)
    assert not world.trial.is_open()
    Path(RUNNING).write_bytes(b"\xff\xfe")
    assert world.power_on()[0] in ("a", "b")
    assert not world.trial.is_open()


def test_a_trial_that_a_full_disk_does_not_let_end_is_not_begun(world: World) -> None:
    assert Path(RUNNING).read_text() == "b a"

    def open_full(name: str, mode: str = "r") -> IO[str]:
        if mode != "r":
            raise OSError(28, "no space left")
        return Path(name).open(mode)

    starter: dict[str, Any] = {"machine": None, "open": open_full}
    exec(STARTER.read_text().replace("import machine\n", "").removesuffix("start()\n"), starter)
    assert starter["order"]() == ["a", "b"], "no prompt where nobody is, and not the new one for ever"


def test_a_switch_on_a_full_disk_leaves_nothing_of_the_new_one(world: World) -> None:
    world.power_on()
    world.trial.passed()
    world.image = image_of(make_program("0.3.0"))
    assert world.send() == 0
    keep = world.disk.replace

    def fill(name: str, data: bytes) -> None:
        if name == RUNNING:
            raise OSError(28, "no space left")
        keep(name, data)

    world.disk.replace = fill  # type: ignore[method-assign]
    assert world.update.commit() == NO_SPACE
    assert not Path(TRIAL).exists()
    assert not [path for path in Path("a").rglob("*") if path.is_file()]
    assert world.power_on() == ("b", NEW.version)
    assert not world.trial.has_failed


def test_one_that_never_comes_to_advertising_has_one_boot_only(world: World) -> None:
    assert boot() == ("b", NEW.version)
    assert boot() == ("a", OLD.version)


def test_a_flash_over_the_cable_ends_the_trial(world: World) -> None:
    world.power_on()
    third = make_program("0.3.0")
    install(third, "b")
    for _ in range(2 * BOOTS):
        assert world.power_on() == ("b", third.version)


@pytest.mark.parametrize("text", ["", "b", "b a", "b a x", "b a 3 4", "a b 99"])
def test_a_trial_nobody_began_changes_nothing(world: World, text: str) -> None:
    world.power_on()
    world.trial.passed()
    Path(TRIAL).write_text(text)
    for _ in range(2):
        assert world.power_on() == ("b", NEW.version)
    assert Path(RUNNING).read_text() == "b"
