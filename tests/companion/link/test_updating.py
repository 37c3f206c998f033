"""An update from the app's side, against the ARC's own half: whole, cut off and gone on with, and answers that mean nothing."""

from pathlib import Path

import pytest

from companion.link.updating import Progress, read_image, update_arc
from protocol.message import ProtocolError
from protocol.messages import Message, UpdateBegin, UpdateChunk, UpdateCommit
from protocol.update import BOARD_MODULE
from protocol.update_sending import CHUNK
from tests.firmware.update.model import TOKEN, World, fresh, image_of, make_program

OLD, NEW = make_program("0.1.0"), make_program("0.2.0", sizes=(300, 26, 900))
IMAGE = image_of(NEW)


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.chdir(tmp_path)
    fresh(OLD)
    world = World(IMAGE)
    world.power_on()
    return world


def carry_out(world: World, command: Message) -> bytes:
    """As `firmware.arc.commands` does; every command here is one that is taken."""
    command = type(command).decode(command.encode())
    if isinstance(command, UpdateBegin):
        answer = world.update.begin(command.manifest, command.size, command.digest, command.mac)
    elif isinstance(command, UpdateChunk):
        answer = world.update.add(command.offset, command.data) or b""
    else:
        assert isinstance(command, UpdateCommit)
        answer = world.update.commit()
    assert isinstance(answer, bytes), answer
    return answer


def run(world: World, told: list[Progress], commands: int = 1_000) -> tuple[int, int, int] | None:
    """The talk to its end, or so many commands of it."""
    talk = update_arc(IMAGE, TOKEN, told.append)
    command = next(talk)
    for _ in range(commands):
        try:
            command = talk.send(carry_out(world, command))
        except StopIteration as over:
            version: tuple[int, int, int] = over.value
            return version
    talk.close()
    return None


def test_the_arc_switches_and_progress_was_told(world: World) -> None:
    told: list[Progress] = []
    assert run(world, told) == (0, 2, 0)
    assert [progress.sent for progress in told if not progress.is_checking] == list(range(0, len(IMAGE.data), CHUNK))
    assert told[-1] == Progress(len(IMAGE.data), len(IMAGE.data), is_checking=True)
    assert world.power_on() == ("b", NEW.version)


def test_begun_again_it_goes_on_where_the_arc_stopped(world: World) -> None:
    assert run(world, [], commands=1 + 5) is None
    told: list[Progress] = []
    assert run(world, told) == (0, 2, 0)
    manifest, first = len(IMAGE.manifest), IMAGE.rows[0][1]
    assert told[0].sent >= manifest + first
    assert world.power_on() == ("b", NEW.version)


@pytest.mark.parametrize("answer", [b"", b"\0" * 3, b"\xff\xff\xff\xff"])
def test_an_impossible_offset_is_nonsense(answer: bytes) -> None:
    talk = update_arc(IMAGE, TOKEN, lambda _: None)
    next(talk)
    with pytest.raises(ProtocolError):
        talk.send(answer)


@pytest.mark.parametrize("answers", [[b""], [b"\0"], [b"\x40\0"], [b"\x03\0", b"\x03\0"]])
def test_a_commit_that_does_not_go_on_is_nonsense(answers: list[bytes]) -> None:
    talk = update_arc(IMAGE, TOKEN, lambda _: None)
    next(talk)
    assert isinstance(talk.send(len(IMAGE.data).to_bytes(4, "little")), UpdateCommit)
    for answer in answers[:-1]:
        talk.send(answer)
    with pytest.raises(ProtocolError):
        talk.send(answers[-1])


def test_an_image_file_is_checked_before_it_is_sent() -> None:
    assert read_image(IMAGE.data).rows == IMAGE.rows
    with pytest.raises(ValueError, match="for a module"):
        read_image(image_of(NEW, board=BOARD_MODULE).data)
    for bad in (b"", IMAGE.data[:-1], IMAGE.data + b"x", b"X" + IMAGE.data[1:], IMAGE.manifest):
        with pytest.raises(ProtocolError):
            read_image(bad)
    damaged = bytearray(IMAGE.data)
    damaged[len(IMAGE.manifest) + 5] ^= 1
    with pytest.raises(ProtocolError, match=r"firmware/part0/file\.mpy in the image is damaged"):
        read_image(bytes(damaged))
