"""An update from the app's side, against the ARC's and the modules' own halves: whole, cut off and gone on with, refused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.link.conversations import NONSENSE, Later, Refused, Talk
from companion.link.updating import (
    AWAY_AT_MOST_MS,
    BACK_AT_MOST_MS,
    NOT_BACK,
    PATIENCE_MS,
    WENT_BACK,
    WHY,
    Outcome,
    Progress,
    read_image,
    see_restart,
    update_arc,
    update_module,
    update_modules,
)
from protocol import messages as m
from protocol.message import ProtocolError
from protocol.messages import Message, ModuleUpdateBegin, UpdateBegin, UpdateChunk, UpdateCommit
from protocol.update import BOARD_MODULE
from protocol.update_sending import CHUNK
from tests.firmware.module import update_table
from tests.firmware.update.model import TOKEN, World, fresh, image_of, make_program, powered

OLD, NEW = make_program("0.1.0"), make_program("0.2.0", sizes=(300, 26, 900))
IMAGE = image_of(NEW)


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.chdir(tmp_path)
    return powered(OLD, IMAGE)


def run(world: World, told: list[Progress], commands: int = 1_000) -> tuple[int, int, int] | None:
    """The talk to its end, or so many commands of it."""
    talk = update_arc(IMAGE, TOKEN, told.append)
    command = next(talk)
    for _ in range(commands):
        assert isinstance(command, Message), "the ARC itself is never busy"
        try:
            command = talk.send(world.carry_out(command))
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
    module = image_of(NEW, board=BOARD_MODULE).data
    with pytest.raises(ValueError, match="for a module"):
        read_image(module)
    assert read_image(module, BOARD_MODULE).head.board == BOARD_MODULE
    with pytest.raises(ValueError, match="for an ARC, not for a module"):
        read_image(IMAGE.data, BOARD_MODULE)
    with pytest.raises(ValueError, match="a board of kind 9"):
        read_image(image_of(NEW, board=9).data)
    for bad in (b"", IMAGE.data[:-1], IMAGE.data + b"x", b"X" + IMAGE.data[1:], IMAGE.manifest):
        with pytest.raises(ProtocolError):
            read_image(bad)
    damaged = bytearray(IMAGE.data)
    damaged[len(IMAGE.manifest) + 5] ^= 1
    with pytest.raises(ProtocolError, match=r"firmware/part0/file\.mpy in it is damaged"):
        read_image(bytes(damaged))


def told(talk: Talk[Any], answer: "Callable[[Message], bytes | int]", at_most: int = 20_000) -> tuple[Any, int]:
    """What comes of a talk with a board that answers so, and the ms it paused. A refusal of the whole comes back as its text."""
    paused_ms = 0
    try:
        wanted = next(talk)
        for _ in range(at_most):
            if isinstance(wanted, Later):
                paused_ms += wanted.ms
                wanted = talk.send(b"")
            elif isinstance(said := answer(wanted), int):
                wanted = talk.throw(Refused(said, f"reason {said}"))
            else:
                wanted = talk.send(said)
    except StopIteration as over:
        return over.value, paused_ms
    except Refused as refused:
        return str(refused), paused_ms
    raise AssertionError("it does not end")


class ScriptedModules:
    """Takes everything at once, but for what `says` says of a command."""

    def __init__(
        self, says: Callable[["ScriptedModules", Message], bytes | int | None] = lambda _self, _command: None
    ) -> None:
        self.says = says
        self.seen: list[Message] = []
        self.instance = 0
        self.left = 0

    def __call__(self, command: Message) -> bytes | int:
        self.seen.append(command)
        if isinstance(command, ModuleUpdateBegin):
            self.instance, self.left = command.instance, len(IMAGE.rows)
        said = self.says(self, command)
        if said is not None:
            return said
        if isinstance(command, ModuleUpdateBegin | UpdateBegin):
            return bytes(4)
        if isinstance(command, UpdateCommit):
            self.left -= 1
            return self.left.to_bytes(2, "little")
        return b""

    def begun(self) -> list[int]:
        return [command.instance for command in self.seen if isinstance(command, ModuleUpdateBegin)]


def test_a_module_takes_it_as_fast_as_it_can(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real relay of the ARC and a real module in virtual time; a pause of the talk is time on their bus."""
    monkeypatch.chdir(tmp_path)
    fresh(update_table.OLD)
    table = update_table.UpdateTable()
    progress: list[Progress] = []

    def answer(command: Message) -> bytes | int:
        said = table.do(command)
        if said == m.BUSY:
            table.cycle()
        return said

    version, paused_ms = told(update_module(update_table.IMAGE, TOKEN, table.instance, progress.append), answer)
    assert version == (0, 2, 0)
    assert paused_ms > 0
    assert {one.instance for one in progress} == {table.instance}
    assert progress[-1].is_checking
    table.settle()
    assert table.ran == [update_table.OLD.version, update_table.NEW.version]


def test_a_busy_module_is_asked_again_with_the_same_command_and_given_up_after_half_a_minute() -> None:
    tries = 0

    def busy_twice(modules: ScriptedModules, command: Message) -> int | None:
        nonlocal tries
        tries += 1
        return m.BUSY if tries % 3 else None

    modules = ScriptedModules(busy_twice)
    version, paused_ms = told(update_module(IMAGE, TOKEN, 5, lambda _: None), modules)
    assert version == (0, 2, 0)
    assert all(
        modules.seen[at] is modules.seen[at + 1] is modules.seen[at + 2] for at in range(0, len(modules.seen), 3)
    )
    assert paused_ms == len(modules.seen) // 3 * 2 * 50

    stuck = ScriptedModules(lambda _modules, command: m.BUSY if isinstance(command, UpdateCommit) else None)
    why, paused_ms = told(update_module(IMAGE, TOKEN, 5, lambda _: None), stuck)
    assert why == WHY[m.BUSY]
    assert PATIENCE_MS <= paused_ms < PATIENCE_MS + 500


def test_a_module_that_restarts_on_the_way_is_begun_again_and_one_that_is_gone_is_not_waited_for_long() -> None:
    def restarts_once(modules: ScriptedModules, command: Message) -> int | None:
        is_late = isinstance(command, UpdateChunk) and command.offset >= 2 * CHUNK
        return m.UNKNOWN_MODULE if is_late and len(modules.begun()) == 1 else None

    modules = ScriptedModules(restarts_once)
    assert told(update_module(IMAGE, TOKEN, 5, lambda _: None), modules) == ((0, 2, 0), 1_000)
    assert modules.begun() == [5, 5]

    gone = ScriptedModules(lambda _modules, command: m.UNKNOWN_MODULE)
    assert told(update_module(IMAGE, TOKEN, 5, lambda _: None), gone) == (WHY[m.UNKNOWN_MODULE], AWAY_AT_MOST_MS)
    again_and_again = ScriptedModules(
        lambda _modules, command: m.UNKNOWN_MODULE if isinstance(command, UpdateCommit) else None
    )
    why, paused_ms = told(update_module(IMAGE, TOKEN, 5, lambda _: None), again_and_again)
    assert (why, paused_ms) == (WHY[m.UNKNOWN_MODULE], AWAY_AT_MOST_MS)


def test_what_reads_back_differently_is_written_once_more_and_not_for_ever() -> None:
    def differs(modules: ScriptedModules, command: Message, times: int) -> int | None:
        return m.WRITE_FAILED if isinstance(command, UpdateCommit) and len(modules.begun()) <= times else None

    once = ScriptedModules(lambda modules, command: differs(modules, command, 1))
    assert told(update_module(IMAGE, TOKEN, 5, lambda _: None), once)[0] == (0, 2, 0)
    always = ScriptedModules(lambda modules, command: differs(modules, command, 99))
    assert told(update_module(IMAGE, TOKEN, 5, lambda _: None), always)[0] == WHY[m.WRITE_FAILED]
    assert always.begun() == [5, 5]


@pytest.mark.parametrize("reason", [m.LOW_BATTERY, m.WRONG_MAC, m.NO_SPACE, m.UNSUPPORTED, m.MALFORMED, 200])
def test_a_refused_update_says_why_in_words(reason: int) -> None:
    why, paused_ms = told(update_arc(IMAGE, TOKEN, lambda _: None), lambda _command: reason)
    assert why == WHY.get(reason, f"reason {reason}.")
    assert paused_ms == 0


def test_one_module_after_another_and_one_that_fails_keeps_nobody_waiting() -> None:
    def second_is_bad(modules: ScriptedModules, command: Message) -> bytes | int | None:
        if modules.instance == 3 and isinstance(command, ModuleUpdateBegin):
            return b"nonsense"
        return m.NO_SPACE if modules.instance == 2 else None

    modules = ScriptedModules(second_is_bad)
    ended: list[Outcome] = []
    outcomes, _ = told(update_modules(IMAGE, TOKEN, (1, 2, 3, 4), lambda _: None, ended.append), modules)
    assert outcomes == (Outcome(1), Outcome(2, WHY[m.NO_SPACE]), Outcome(3, NONSENSE), Outcome(4))
    assert ended == list(outcomes)
    assert modules.begun() == [1, 2, 3, 4]


@pytest.mark.parametrize("reason", [m.LOW_BATTERY, m.WRONG_MAC])
def test_what_is_the_matter_with_the_arc_is_not_asked_for_each_module(reason: int) -> None:
    modules = ScriptedModules(lambda modules, _command: reason if modules.instance == 2 else None)
    outcomes, _ = told(update_modules(IMAGE, TOKEN, (1, 2, 3), lambda _: None, lambda _: None), modules)
    assert outcomes == (Outcome(1), Outcome(2, WHY[reason]), Outcome(3, WHY[reason]))
    assert modules.begun() == [1, 2]


def status(minor: int, boots: int) -> bytes:
    return m.ModuleStatus(0, minor, 0, 1, 0x10, 1, boots, 3300, 0, 1, 0, 0x11, 1).pack()


@pytest.mark.parametrize(
    ("says", "why", "paused_ms"),
    [
        ([status(2, 8)], "", 0),
        ([status(2, 7), status(2, 8)], "", 1_000),
        ([status(1, 7), m.UNKNOWN_MODULE, m.BUSY, status(2, 8)], "", 3_000),
        ([status(1, 7), status(1, 8)], WENT_BACK.format(version="0.1.0"), 1_000),
        ([status(1, 7)] * 99, WENT_BACK.format(version="0.1.0"), BACK_AT_MOST_MS),
        ([m.UNKNOWN_MODULE] * 99, NOT_BACK, BACK_AT_MOST_MS),
        ([m.UNSUPPORTED], "", 0),
        ([b"nonsense"], NONSENSE, 0),
    ],
)
def test_what_became_of_a_module_is_what_it_runs_after_its_restart(
    says: list[bytes | int], why: str, paused_ms: int
) -> None:
    ended: list[Outcome] = []
    seen: list[int] = []
    answers = iter(says)
    talk = see_restart((5,), {5: 7}, (0, 2, 0), lambda instance, _: seen.append(instance), ended.append)
    assert told(talk, lambda _: next(answers))[1] == paused_ms
    assert ended == [Outcome(5, why)]
    assert all(instance == 5 for instance in seen)


def test_a_module_that_says_nonsense_after_its_restart_keeps_nobody_waiting() -> None:
    ended: list[Outcome] = []
    answers = iter([b"nonsense", status(2, 8)])
    told(see_restart((5, 6), {5: 7, 6: 7}, (0, 2, 0), lambda *_: None, ended.append), lambda _: next(answers))
    assert ended == [Outcome(5, NONSENSE), Outcome(6)]
