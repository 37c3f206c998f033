"""Puts a program on a board so that at any instant the old firmware runs or the new one.

The order is the promise: look, hold, send into the folder that does not run, read back and compare, import on trial,
manifest, switch, restart, see it run, confirm. Whatever ends it before the switch changes nothing that runs; after the
switch the board itself goes back unless the program was confirmed.
"""

from collections.abc import Callable

from attrs import frozen

from firmware.flash import snippets
from firmware.flash.board import Board, Facts
from firmware.flash.errors import DiskFullError, FlashError, NeedsMicroPythonError, NotStartedError, PortGoneError
from firmware.flash.kinds import BoardKind
from firmware.flash.program import MANIFEST, Program
from firmware.flash.show import Show
from firmware.flash.slots import FAILED, Slots, confirm, hold, put_starter, read_slots, switch

OLDEST_MICROPYTHON = (1, 29)
ROOM_TO_SPARE = 16 * 1024
"""For settings, `running`, directories, and the file system's own copies while it writes."""

TRIES_TO_SEND = 3
TRIES_TO_START = 3


@frozen
class Installed:
    """What became of it: the folder that runs now, files and bytes that had to be sent, files that were there already."""

    folder: str
    version: str
    sent: int
    sent_bytes: int
    kept: int


def install(
    board: Board,
    kind: BoardKind,
    program: Program,
    show: Show,
    before_switch: Callable[[Board, Facts], None] | None = None,
) -> Installed:
    """Flash `program`. `before_switch` may write the board's settings. Every `FlashError` says what to do."""
    board.enter()
    facts = board.facts()
    check(facts, kind, program)
    slots = read_slots(board, facts)
    hold(board, slots)
    folder = slots.target
    sent, sent_bytes, kept = _stage(board, program, folder, show)
    _try_import(board, program, folder)
    board.write(f"{folder}/{MANIFEST}", program.manifest())
    board.remove([FAILED])
    if before_switch:
        before_switch(board, facts)
    switch(board, slots, folder)
    if put_starter(board, slots) and slots.has_foreign_main:
        show.warn("the board had a main.py of somebody else; it is kept as main.kept.py")
    _see_it_run(board, slots, folder, show)
    return Installed(folder, program.version, sent, sent_bytes, kept)


def check(facts: Facts, kind: BoardKind, program: Program) -> None:
    """Whether this board can run this program at all."""
    if facts.platform != kind.platform:
        raise FlashError(
            f"this board is {facts.machine or facts.platform}, not the {kind.noun}'s {kind.mcu}",
            f"plug the {kind.noun}, or name its port with --port (`python -m firmware.flash check` lists ports)",
        )
    if facts.version[:2] < OLDEST_MICROPYTHON:
        raise NeedsMicroPythonError(
            f"the board has MicroPython {facts.version_text}; the firmware needs 1.29 or newer",
            f"{kind.bootloader}, then run this again with `--micropython fetch`",
        )
    if facts.mpy_version != program.mpy_version:
        raise NeedsMicroPythonError(
            f"the board reads .mpy version {facts.mpy_version}, our compiler writes {program.mpy_version}",
            f"run `make setup` for the locked compiler, or put MicroPython 1.29 on the board: {kind.bootloader},"
            " then run this again with `--micropython fetch`",
        )


def plan(board: Board, kind: BoardKind, program: Program, show: Show) -> None:
    """The dry run: look, say what would be done, change nothing, let the board go on."""
    board.enter()
    facts = board.facts()
    check(facts, kind, program)
    slots = read_slots(board, facts)
    there = board.hashes(slots.target)
    todo = _missing(program, there)
    show.say(f"{facts.machine}, MicroPython {facts.version_text}, {facts.free // 1024} KiB free")
    show.say(
        f"running now: {slots.running or 'none of our firmware'}; would write {program.version} into {slots.target}/"
    )
    show.say(
        f"would send {len(todo)} of {len(program.files)} files, {sum(len(program.files[name]) for name in todo)} bytes"
    )
    if slots.has_foreign_main:
        show.say("would keep the board's own main.py as main.kept.py")
    board.reset()


def _stage(board: Board, program: Program, folder: str, show: Show) -> tuple[int, int, int]:
    """The program's files in `folder`, each read back and compared. Goes on where an earlier attempt stopped."""
    board.remove([f"{folder}/{MANIFEST}"])
    there = board.hashes(folder)
    board.remove([f"{folder}/{name}" for name in there if name not in program.files])
    board.make_folders(_folders(folder, program))
    first = todo = _missing(program, there)
    _check_room(board, program, todo, show, folder)
    for _ in range(TRIES_TO_SEND):
        _send(board, program, folder, todo, show)
        todo = _missing(program, board.hashes(folder))
        if not todo:
            sent_bytes = sum(len(program.files[name]) for name in first)
            return len(first), sent_bytes, len(program.files) - len(first)
        show.warn(f"{len(todo)} files differ from what was sent, {todo[0]} for one: sending them again")
    raise FlashError(
        f"{todo[0]} keeps arriving damaged",
        "take another cable or another USB port, without a hub; the old firmware still runs",
    )


def _send(board: Board, program: Program, folder: str, names: list[str], show: Show) -> None:
    if not names:
        return
    with show.bar(f"{len(names)} files", sum(len(program.files[name]) for name in names)) as advance:
        for name in names:
            board.write(f"{folder}/{name}", program.files[name], advance)


def _missing(program: Program, there: dict[str, str]) -> list[str]:
    return [name for name, digest in program.hashes().items() if there.get(name) != digest]


def _folders(folder: str, program: Program) -> list[str]:
    """Every folder that the files need, parents first."""
    found = {folder}
    for name in program.files:
        parts = name.split("/")[:-1]
        found |= {"/".join([folder, *parts[: count + 1]]) for count in range(len(parts))}
    return sorted(found)


def _check_room(board: Board, program: Program, todo: list[str], show: Show, folder: str) -> None:
    """`DiskFullError` before anything is sent. Old files of the folder are given up only where room lacks."""
    facts = board.facts()
    blocks = sum(-(-len(program.files[name]) // facts.block) for name in todo)
    need = blocks * facts.block + ROOM_TO_SPARE
    if need <= facts.free:
        return
    raise DiskFullError(
        f"the board has {facts.free // 1024} KiB free, the firmware needs {need // 1024} KiB more",
        f"remove your own files from the board with `mpremote rm`, or all of the unused folder with `mpremote rm -r :{folder}`;"
        " the old firmware still runs",
    )


def _try_import(board: Board, program: Program, folder: str) -> None:
    """The board's own interpreter loads every file once. Nothing of the hardware is touched by an import."""
    try:
        answer = board.run(snippets.TRIAL_IMPORT.format(folder=folder, entry=program.entry))
    except PortGoneError:
        raise
    except FlashError as error:
        raise NotStartedError(
            f"the board cannot load the new firmware: {error.what}",
            "report this with the line above; the old firmware still runs",
        ) from error
    if "True" not in answer:
        raise NotStartedError(f"{program.entry} has no run()", "report this; the old firmware still runs")


def _see_it_run(board: Board, slots: Slots, folder: str, show: Show) -> None:
    """Restart, let it run for a moment, interrupt it, and only then confirm. Each try gives it more time to start."""
    for attempt in range(1, TRIES_TO_START + 1):
        board.reset()
        board.rest(attempt)
        board.enter()
        facts = board.facts()
        if facts.started == folder:
            confirm(board, folder)
            board.reset()
            return
        if facts.started or facts.loaded_from not in ("", folder):
            break
        if FAILED in facts.names:
            break
        show.say("the board is still starting")
        switch(board, slots, folder)
    _tell_failure(board, slots)


def _tell_failure(board: Board, slots: Slots) -> None:
    if slots.running:
        confirm(board, slots.running)
    reason = (board.read(FAILED) or b"").decode(errors="replace").strip().splitlines()
    board.reset()
    raise NotStartedError(
        f"the new firmware does not start: {reason[-1] if reason else 'its program never began; has the board a boot.py of its own?'}",
        "report this with the line above; "
        + ("the old firmware runs again" if slots.running else "the board waits at its prompt"),
    )
