"""A new firmware for the ARC and its modules, from the app: the image is checked, then sent, and how far it is comes out as
values. Pure."""

from collections.abc import Callable, Iterable

from attrs import frozen

from companion.link.conversations import NONSENSE, Later, Refused, Talk
from companion.link.talks import read_module
from protocol import messages as m
from protocol.messages import Message, ProtocolError, UpdateChunk, UpdateCommit
from protocol.update import BOARD_ARC, BOARD_MODULE
from protocol.update_image import Image, unpack_image
from protocol.update_sending import update_steps

Version = tuple[int, int, int]

BUSY_MS, SLOW_MS = 50, 250
"""Between two tries of a command that a module could not do yet: at first, and once it takes long."""
SLOW_AFTER_MS = 1_000
PATIENCE_MS = 30_000
"""Of pauses without progress: then it is given up."""
AWAY_MS, AWAY_AT_MOST_MS = 1_000, 10_000
"""A module that is not on the bus may be starting again; it is looked for so often, so long."""
BACK_MS, BACK_AT_MOST_MS = 1_000, 30_000
"""Between two looks at modules that start into their new firmware, and until it is given up."""

WHY = {
    m.LOW_BATTERY: "The ARC's battery is too low for an update: put in fresh cells, or power it over USB.",
    m.WRONG_MAC: "The ARC does not take this tablet's signature: forget this tablet in the menu and pair it again.",
    m.NO_SPACE: "There is no room for a second firmware beside the one that runs: remove your own files from the board.",
    m.UNSUPPORTED: (
        "This firmware is not for this board, or the board cannot change its own yet: flash it once over its cable."
        " On a desk, start it with --flashed: its boards run the sources themselves otherwise."
    ),
    m.WRITE_FAILED: "What was written reads back differently, twice: the board's memory may be worn out.",
    m.UNKNOWN_MODULE: "It is not connected any more, or lost its power on the way: push it in again, then go on.",
    m.BUSY: "It does not get any further: nothing moved for half a minute. Push it in again, then go on.",
    m.MALFORMED: "It does not understand this update: it may need a newer firmware over the cable first.",
}
"""What players are told; whatever it is, the old firmware still runs."""
WENT_BACK = "The new firmware did not start, or was not reached: {version} runs again."
NOT_BACK = "It has everything, and has not come back on the bus: push it in again."
FOR_ALL = (m.LOW_BATTERY, m.WRONG_MAC)
"""Reasons that lie with the ARC: no other module would fare better."""


@frozen
class Progress:
    """`sent` of `size` bytes are with the board; `is_checking`: it reads them back. `instance` is a module, None the ARC."""

    sent: int
    size: int
    is_checking: bool = False
    instance: int | None = None


@frozen
class Outcome:
    """How it went with one module; `why` is empty when it restarts into the new firmware."""

    instance: int
    why: str = ""


def read_image(data: bytes, board: int = BOARD_ARC) -> Image:
    """The image in a file's bytes; `ProtocolError` (a `ValueError`) says what is wrong with it, before any of it is sent."""
    image = unpack_image(data)
    if image.head.board != board:
        meant = {BOARD_ARC: "an ARC", BOARD_MODULE: "a module"}
        what = meant.get(image.head.board, f"a board of kind {image.head.board}")
        raise ValueError(f"this firmware is for {what}, not for {meant[board]}")
    return image


def update_arc(image: Image, token: bytes, tell: Callable[[Progress], None]) -> Talk[Version]:
    """Sends the image; `token` is the one of this tablet's pairing. The version comes back once the ARC has switched.

    The ARC then restarts, and runs the new firmware on trial until this or another tablet has resumed. The same talk begun
    again after a lost link goes on where the ARC stopped.
    """
    return _update(image, token, None, tell)


def update_module(image: Image, token: bytes, instance: int, tell: Callable[[Progress], None]) -> Talk[Version]:
    """The same for one module on the bus. `Refused` with a text of `WHY` when it cannot be, or does not get any further."""
    return _update(image, token, instance, tell)


def _update(image: Image, token: bytes, instance: int | None, tell: Callable[[Progress], None]) -> Talk[Version]:
    furthest, away_ms, may_rewrite = -1, 0, True

    def note(progress: Progress) -> None:
        nonlocal furthest, away_ms
        if progress.sent > furthest:
            furthest, away_ms = progress.sent, 0
        tell(progress)

    while True:
        try:
            yield from _send_all(image, token, instance, note)
        except Refused as refused:
            if refused.reason == m.WRITE_FAILED and may_rewrite:
                may_rewrite = False
            elif refused.reason == m.UNKNOWN_MODULE and instance is not None and away_ms < AWAY_AT_MOST_MS:
                away_ms += AWAY_MS
                yield Later(AWAY_MS)
            else:
                raise Refused(refused.reason, WHY.get(refused.reason, f"{refused}.")) from refused
        else:
            return image.head.version


def update_modules(
    image: Image,
    token: bytes,
    instances: Iterable[int],
    tell: Callable[[Progress], None],
    ended: Callable[[Outcome], None],
) -> Talk[tuple[Outcome, ...]]:
    """One module after another; when one fails the next has its turn. `ended` is called with each outcome as it comes."""
    outcomes: list[Outcome] = []
    hopeless = ""
    for instance in instances:
        why = hopeless
        if not hopeless:
            try:
                yield from update_module(image, token, instance, tell)
            except Refused as refused:
                why = str(refused)
                hopeless = why if refused.reason in FOR_ALL else ""
            except ProtocolError:
                why = NONSENSE
        outcomes.append(Outcome(instance, why))
        ended(outcomes[-1])
    return tuple(outcomes)


def see_restart(
    instances: Iterable[int],
    boots: dict[int, int],
    version: Version,
    tell: Callable[[int, m.ModuleStatus], None],
    ended: Callable[[Outcome], None],
) -> Talk[None]:
    """What became of modules that were sent `version`; `boots` are those of their statuses before, as far as they are known.
    `tell` gets each status read.

    An ARC that cannot tell what a module runs leaves it at that: all have ended well.
    """
    left, waited_ms = list(instances), 0
    while left:
        for instance in tuple(left):
            try:
                status = yield from read_module(instance)
            except Refused as refused:
                if refused.reason not in (m.BUSY, m.UNKNOWN_MODULE):
                    left.remove(instance)
                    ended(Outcome(instance))
                continue
            except ProtocolError:
                left.remove(instance)
                ended(Outcome(instance, NONSENSE))
                continue
            tell(instance, status)
            runs = version_in(status)
            is_over = waited_ms >= BACK_AT_MOST_MS
            has_started = status.boots != boots.get(instance)
            if is_over or (has_started and (runs == version or instance in boots)):
                left.remove(instance)
                ended(Outcome(instance, "" if runs == version else WENT_BACK.format(version=".".join(map(str, runs)))))
        if left and waited_ms >= BACK_AT_MOST_MS:
            break
        if left:
            waited_ms += BACK_MS
            yield Later(BACK_MS)
    for instance in left:
        ended(Outcome(instance, NOT_BACK))


def version_in(status: m.ModuleStatus) -> Version:
    return status.firmware_major, status.firmware_minor, status.firmware_patch


def _send_all(image: Image, token: bytes, instance: int | None, tell: Callable[[Progress], None]) -> Talk[None]:
    steps, size = update_steps(image, token, instance), len(image.data)
    command = next(steps)
    while True:
        answer = yield from _until_done(command)
        try:
            command = steps.send(answer)
        except StopIteration:
            return
        if isinstance(command, UpdateChunk):
            tell(Progress(command.offset, size, instance=instance))
        elif isinstance(command, UpdateCommit):
            tell(Progress(size, size, is_checking=True, instance=instance))


def _until_done(command: Message) -> Talk[bytes]:
    """The answer. BUSY changed nothing: the same command again, a little later."""
    waited_ms = 0
    while True:
        try:
            return (yield command)
        except Refused as refused:
            if refused.reason != m.BUSY or waited_ms >= PATIENCE_MS:
                raise
        pause_ms = BUSY_MS if waited_ms < SLOW_AFTER_MS else SLOW_MS
        waited_ms += pause_ms
        yield Later(pause_ms)
