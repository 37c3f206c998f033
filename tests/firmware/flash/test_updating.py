"""An update over a session: the whole, one that goes on, and what people are told when the ARC refuses."""

import tomllib
from pathlib import Path

import pytest

from firmware.flash.__main__ import main
from firmware.flash.errors import FlashError, RefusedError
from firmware.flash.kinds import ARC, MODULE, BoardKind
from firmware.flash.sources import ROOT
from firmware.flash.updating import BUSY_TRIES, image_of, instance_of, read_image, send_update
from firmware.version import FIRMWARE_VERSION
from protocol.messages import BUSY, LOW_BATTERY, Message
from protocol.update import BOARD_ARC, BOARD_MODULE
from protocol.update_image import unpack_image
from tests.firmware.flash.conftest import Watch
from tests.firmware.module import update_table
from tests.firmware.module.update_table import UpdateTable
from tests.firmware.update.model import TOKEN, World, make_program, powered

OLD, NEW = make_program("0.1.0"), make_program("0.2.0", sizes=(300, 26, 900))
IMAGE = image_of(NEW, ARC)


class Session:
    """An ARC that runs, at the other end of a cable that may be pulled."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.commands_left = 1_000
        self.reason = 0

    def ask(self, command: Message, within_s: float) -> bytes:
        assert within_s > 3
        if self.reason:
            raise RefusedError(self.reason, "what", "do")
        if not self.commands_left:
            raise FlashError("the port vanished", "plug it")
        self.commands_left -= 1
        return self._world.carry_out(command)


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.chdir(tmp_path)
    return powered(OLD, IMAGE)


def test_the_arc_switches_and_the_bar_is_full(world: World, watch: Watch) -> None:
    send_update(Session(world), IMAGE, TOKEN, watch)
    assert watch.shown == len(IMAGE.data)
    assert world.power_on() == ("b", NEW.version)


def test_begun_again_it_goes_on_and_the_bar_is_full_all_the_same(world: World, watch: Watch) -> None:
    session = Session(world)
    session.commands_left = 6
    with pytest.raises(FlashError, match="vanished"):
        send_update(session, IMAGE, TOKEN, watch)
    session.commands_left, watch.shown = 1_000, 0
    send_update(session, IMAGE, TOKEN, watch)
    assert watch.shown == len(IMAGE.data)
    assert world.power_on() == ("b", NEW.version)


def test_a_refusal_says_what_to_do(world: World, watch: Watch) -> None:
    session = Session(world)
    session.reason = LOW_BATTERY
    with pytest.raises(FlashError, match="fresh cells"):
        send_update(session, IMAGE, TOKEN, watch)
    session.reason = BUSY
    with pytest.raises(RefusedError):
        send_update(session, IMAGE, TOKEN, watch)


class ModuleSession:
    """An ARC with a bus; virtual time goes on while the computer pauses."""

    def __init__(self) -> None:
        self.table = UpdateTable()
        self.reason = 0

    def ask(self, command: Message, within_s: float) -> bytes:
        answer = self.reason or self.table.do(command)
        if isinstance(answer, int):
            raise RefusedError(answer, "what", "do")
        return answer

    def pause(self, _: float) -> None:
        self.table.cycle()


def test_a_module_is_updated_over_the_arc_s_session(world: World, watch: Watch) -> None:
    session = ModuleSession()
    image = image_of(update_table.NEW, MODULE)
    send_update(session, image, TOKEN, watch, session.table.instance, session.pause)
    assert watch.shown == len(image.data)
    session.table.settle()
    assert session.table.ran == [OLD.version, update_table.NEW.version]


def test_a_module_that_is_gone_or_busy_for_ever_is_told(world: World, watch: Watch) -> None:
    session = ModuleSession()
    with pytest.raises(FlashError, match="not on the bus"):
        send_update(session, image_of(NEW, MODULE), TOKEN, watch, 12345, session.pause)
    session.reason = BUSY
    pauses: list[float] = []
    with pytest.raises(RefusedError):
        send_update(session, image_of(NEW, MODULE), TOKEN, watch, 12345, pauses.append)
    assert len(pauses) == BUSY_TRIES


def test_serials_are_those_of_the_labels() -> None:
    assert instance_of("3F2A-91C0") == instance_of("3f2a91c0") == 0x3F2A91C0
    for text in ("", "solar", "0000-0000", "3F2A-91C0-1"):
        with pytest.raises(FlashError, match="serial"):
            instance_of(text)


@pytest.mark.parametrize(("made_for", "kind"), [(ARC, MODULE), (MODULE, ARC)])
def test_an_image_for_the_other_kind_of_board_is_not_sent(tmp_path: Path, made_for: BoardKind, kind: BoardKind) -> None:
    place = tmp_path / "some.image"
    place.write_bytes(image_of(NEW, made_for).data)
    with pytest.raises(FlashError, match="no firmware for this"):
        read_image(place, kind)


def test_images_are_for_a_kind_of_board() -> None:
    assert IMAGE.head.board == BOARD_ARC
    assert IMAGE.head.version == (0, 2, 0)
    assert image_of(NEW, MODULE).head.board == BOARD_MODULE


def test_the_firmware_has_the_version_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert project == ".".join(map(str, FIRMWARE_VERSION))


def test_an_image_is_saved_for_an_app_and_a_file_that_is_none_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "arc.image"
    assert main(["update", "--save", str(place)]) == 0
    image = unpack_image(place.read_bytes())
    assert image.head.board == BOARD_ARC
    assert "firmware/arc/main.mpy" in [name for name, _, _ in image.rows]
    place.write_bytes(b"no image")
    assert main(["update", str(place)]) == 1
    assert "it ends too early" in capsys.readouterr().out
    assert main(["update", str(tmp_path / "missing")]) == 1
    assert "missing" in capsys.readouterr().out


@pytest.mark.parametrize("wrong", ["missing/arc.image", "folder", "file/arc.image"])
def test_an_image_that_cannot_be_saved_is_told_and_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], wrong: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    image = tmp_path / "some.image"
    image.write_bytes(IMAGE.data)
    before = sorted(tmp_path.rglob("*"))
    assert main(["update", str(image), "--save", str(tmp_path / wrong)]) == 1
    assert f"{tmp_path / wrong} cannot be written: " in capsys.readouterr().out
    assert sorted(tmp_path.rglob("*")) == before


def test_an_image_whose_names_are_no_text_is_told(tmp_path: Path) -> None:
    place = tmp_path / "some.image"
    place.write_bytes(IMAGE.data.replace(b"manifest.json", b"manifest\xffjson", 1))
    with pytest.raises(FlashError, match="no text"):
        read_image(place, ARC)


@pytest.mark.parametrize(
    ("which", "told"),
    [
        (("--modules", "sloar"), "no module is called sloar"),
        (("--module", "sloar"), "sloar is no module's serial"),
        (("--module", ""), "is no module's serial"),
    ],
)
def test_a_module_that_there_is_not_is_told_before_any_port_is_opened(
    capsys: pytest.CaptureFixture[str], which: tuple[str, str], told: str
) -> None:
    assert main(["update", *which, "--port", "/nowhere"]) == 1
    assert told in capsys.readouterr().out
