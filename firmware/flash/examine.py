"""Looks at boards: their log, their self-test, what runs on them and how much room is left."""

import re

from firmware.flash.arc_session import ArcSession
from firmware.flash.board import Board, Facts
from firmware.flash.identity import label_line, read_identity
from firmware.flash.kinds import ARC, KINDS, MODULE, BoardKind
from firmware.flash.partitions import LIST_PARTITIONS, is_laid_out
from firmware.flash.ports import Port
from firmware.flash.program import MANIFEST
from firmware.flash.show import Show
from firmware.flash.slots import FAILED, FOLDERS, read_slots
from protocol import messages as m
from protocol.fault_texts import fault_text

SELF_TEST_S = 10.0
MAX_LOG = 64 * 1024

_PARTS = {
    m.TEST_FLASH: ("flash", "the chip's flash takes no writes: another board"),
    m.TEST_READER: (
        "reader",
        "check the reader's seven wires and its 3.3 V; `log` names VersionReg (0x00, 0xff: wiring) and what is broken",
    ),
    m.TEST_BUS: ("LED bus", "unplug all modules, test again, then plug one after the other"),
    m.TEST_LIGHT: ("light", "did it flash white?"),
    m.TEST_BUZZER: ("buzzer", "did it sound low, then high?"),
    m.TEST_RADIO: ("radio", "press RESET; is it still bad, flash MicroPython anew"),
    m.TEST_BATTERY: ("battery", "put four fresh cells in; on USB alone this may say absent"),
}
_FAULT = re.compile(r"fault (\d+), detail (\d+)$", re.MULTILINE)
_VERDICTS = {m.TEST_GOOD: "good", m.TEST_BAD: "bad", m.TEST_LOOK: "look", m.TEST_ABSENT: "absent"}


def read_log(session: ArcSession) -> str:
    """The board's whole log: its last crash, then the lines since it booted."""
    text = b""
    while len(text) < MAX_LOG:
        piece = session.ask(m.LogRead(0, len(text)))
        if not piece:
            break
        text += piece
    return text.decode(errors="replace")


def explain(log: str) -> str:
    """The log with a word behind each fault's numbers."""

    def with_words(found: re.Match[str]) -> str:
        return f"{found[0]}: {fault_text(int(found[1]), int(found[2]))}"

    return _FAULT.sub(with_words, log)


def self_test(session: ArcSession, show: Show) -> bool:
    """Have every part tested, say what each verdict means. False when one is bad."""
    answer = session.ask(m.SelfTest(0), SELF_TEST_S)
    is_good = True
    for part, verdict in zip(answer[::2], answer[1::2], strict=False):
        name, advice = _PARTS.get(part, (f"part {part}", "this tool is older than the firmware"))
        word = _VERDICTS.get(verdict, f"verdict {verdict}")
        if verdict == m.TEST_GOOD:
            show.say(f"{name:8} {word}")
        else:
            show.warn(f"{name:8} {word}: {advice}")
        is_good = is_good and verdict != m.TEST_BAD
    return is_good


def tell_ports(ports: list[Port], show: Show) -> None:
    """All ports and what they seem to be."""
    if not ports:
        show.warn("no board is plugged in: use a cable that carries data")
    for port in ports:
        kind = port.kind
        show.say(f"{port.name}  {f'looks like the {kind.noun}' if kind else 'not ours'}  {port.description}")


def check_board(board: Board, show: Show) -> None:
    """Everything the prompt tells. Stops what runs and lets the board start again."""
    board.enter()
    facts = board.facts()
    kind = next((kind for kind in KINDS if kind.platform == facts.platform), None)
    show.say(f"board        {facts.machine}{'' if kind else ', not one of ours'}")
    show.say(f"MicroPython  {facts.version_text}, .mpy version {facts.mpy_version}")
    show.say(f"free         {facts.free // 1024} KiB of the file system")
    _tell_programs(board, facts, show)
    if kind is not None:
        _tell_kind(board, facts, kind, show)
    board.reset()


def _tell_programs(board: Board, facts: Facts, show: Show) -> None:
    slots = read_slots(board, facts)
    if not slots.has_starter:
        show.say("firmware     none of ours: flash it")
    for folder in FOLDERS:
        whole = folder in facts.names and board.read(f"{folder}/{MANIFEST}") is not None
        if whole:
            mark = "runs" if folder == slots.running else "kept"
            show.say(f"firmware     {folder}/ {mark}, {len(board.hashes(folder)) - 1} files")
    if FAILED in facts.names:
        reason = (board.read(FAILED) or b"").decode(errors="replace").strip().splitlines()
        show.warn(f"failed once  {reason[-1] if reason else ''}")


def _tell_kind(board: Board, facts: Facts, kind: BoardKind, show: Show) -> None:
    if kind is MODULE:
        identity = read_identity(board, facts)
        show.say(f"module       {label_line(identity, None) if identity else 'no type yet'}")
    elif kind is ARC:
        is_whole = is_laid_out(list_partitions(board))
        show.say(f"partitions   {'as they should be' if is_whole else 'not laid out: `flash arc` says how'}")


def list_partitions(board: Board) -> list[tuple[int, int, int, int, str]]:
    """What the ARC's MicroPython knows of its flash: type, subtype, offset, size, label."""
    return [tuple(info) for info in board.ask(LIST_PARTITIONS)]
