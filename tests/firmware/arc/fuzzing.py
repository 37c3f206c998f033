"""Mutated commands among good ones: what a tablet, or a stranger, may throw at a board. Runs on both interpreters.

Good commands begin updates and games in earnest, so that mutants meet them in every state; an update is damaged in its last byte,
and a game is never whole.
"""

from firmware.arc.session_link import RESUMED
from protocol.messages import BUSY, COMMANDS, WRITE_FAILED, GameChunk, Hello, Ok, Refused, UpdateChunk, UpdateCommit
from protocol.reading import decode_notification
from protocol.update_sending import update_steps
from tests.firmware.arc.fuzz_target import GAME, MAX_SIZE, TABLET, Chance, Target, game_steps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import Any

    from protocol.message import Message

LOCK_IS_OVER_MS = 60_000
GOOD, MUTANTS = 1, 2
"""So many good commands to so many mutants."""
POLL_EVERY = 100
PIECE = 60


def sample(cls: "type[Message]") -> bytes:
    """One command of a class with small values in its fields."""
    values: list[object] = []
    for _, code in cls.LAYOUT:
        values.append(b"abcde" if code == "*" else bytes(int(code[:-1])) if code[-1] == "s" else 1)
    return cls(*values).encode()


SAMPLES = [sample(cls) for cls in COMMANDS.values()]


def mutate(chance: Chance, last: bytes) -> bytes:
    """A command with something wrong with it; sometimes the last good one, so that offsets and signatures nearly fit."""
    data = bytearray(last if last and chance.below(4) == 0 else SAMPLES[chance.below(len(SAMPLES))])
    for _ in range(1 + chance.below(3)):
        way = chance.below(5)
        if way < 2 and data:
            data[chance.below(len(data))] = chance.below(256)
        elif way == 2:
            data = data[: chance.below(len(data) + 1)]
        elif way == 3:
            data += chance.bytes((1, 3, 260)[chance.below(3)])
        else:
            data = bytearray(chance.bytes(chance.below(24)))
    return bytes(data)


class Good:
    """Good commands without end: the ARC's update, the module's, a game; none of them succeeds."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._which = 0
        self._steps = self._begin()
        self._command: Message | None = next(self._steps)

    def next(self) -> bytes:
        """The bytes of the command that is due."""
        if self._command is None:
            self._start_next()
        assert self._command is not None
        return self._command.encode()

    def answered(self, units: "list[bytes]") -> None:
        """What came of it: go on, say it again when the board is busy, else begin something else."""
        answer = decode_notification(units[0])[0] if units else None
        if isinstance(answer, Refused) and answer.reason == BUSY:
            self._target.modules.turn()
            return
        try:
            self._command = self._steps.send(answer.data) if isinstance(answer, Ok) else None
        except (StopIteration, ValueError):
            self._command = None

    def _start_next(self) -> None:
        self._which = (self._which + 1) % 3
        self._steps = self._begin()
        self._command = next(self._steps)

    def _begin(self) -> "Generator[Message, bytes, object]":
        target = self._target
        if self._which == 0:
            return _damaged(update_steps(target.arc_image, target.token))
        if self._which == 1:
            return _damaged(update_steps(target.module_image, target.token, target.modules.instance))
        return _unfinished(GAME[:-1] + b"!")


def _damaged(steps: "Generator[Message, bytes, int]") -> "Generator[Message, bytes, None]":
    """The chunks in small pieces, the last byte of all turned round, and a commit that is refused for it."""
    answer = yield next(steps)
    chunk: Any = steps.send(answer)
    while isinstance(chunk, UpdateChunk):
        data = chunk.data
        following = steps.send(b"")
        if not isinstance(following, UpdateChunk):
            data = data[:-1] + bytes((data[-1] ^ 0xFF,))
        for at in range(0, len(data), PIECE):
            yield UpdateChunk(0, chunk.offset + at, data[at : at + PIECE])
        chunk = following
    while True:
        yield UpdateCommit(0)


def _unfinished(data: bytes) -> "Generator[Message, bytes, None]":
    for command in game_steps(data):
        if isinstance(command, GameChunk) and command.offset + len(command.data) == len(data):
            return
        yield command


def fuzz_session(seed: int, rounds: int, look: "Callable[[int], None]") -> "dict[int, set[int]]":
    """Mutants and good commands from the tablet that holds the session. Answers the reasons seen for each kind of command, 0: OK.

    `look(round)` is called every thousand rounds.
    """
    chance, target = Chance(seed), Target()
    before, good = target.kept(), Good(target)
    seen: dict[int, set[int]] = {}
    last = b""
    for number in range(rounds):
        is_good = chance.below(GOOD + MUTANTS) < GOOD
        data = last = good.next() if is_good else mutate(chance, last)
        units = target.say(data)
        _note(seen, data, units)
        if is_good:
            good.answered(units)
        if target.link.state != RESUMED:
            # a mutant HELLO ended the session, as it should
            target.wait_ms(LOCK_IS_OVER_MS)
            target.resume()
        if number % POLL_EVERY == 0:
            target.poll(1)
        if number % 1000 == 0:
            look(number)
    assert target.kept() == before
    finish(target)
    return seen


def fuzz_stranger(
    seed: int, rounds: int, look: "Callable[[int], None]", greets: bool, seat_is_taken: bool
) -> "dict[int, set[int]]":
    """Mutants from a connection that is not authorised, before its HELLO or after it, beside a tablet's session or without one."""
    chance, target = Chance(seed), Target()
    if not seat_is_taken:
        target.link.disconnect()
    before = target.all_state()
    seen: dict[int, set[int]] = {}
    for number in range(rounds):
        if greets and chance.below(4) == 0:
            target.say(Hello(1, 1, 0).encode(), target.other)
        data = mutate(chance, b"")
        units = target.say(data, target.other)
        _note(seen, data, units)
        assert target.other.state != RESUMED
        if number % 1000 == 0:
            assert target.all_state() == before
            target.wait_ms(LOCK_IS_OVER_MS)
            look(number)
    assert target.all_state() == before
    finish(target)
    return seen


def finish(target: Target) -> None:
    """After all that, what is meant in earnest works: a game, both updates, to their ends."""
    target.wait_ms(LOCK_IS_OVER_MS)
    target.link.connect(target.now_ms())
    target.resume()
    for command in game_steps(b"another game"):
        assert isinstance(target.ask(command), Ok), command
    game = target.game.head()
    assert game is not None
    assert game.length == 12
    for image, instance in ((target.module_image, target.modules.instance), (target.arc_image, None)):
        # a mutant may have left a damaged piece of this very image behind: reading back finds it, and all begins anew
        assert _update(target, image, instance) or _update(target, image, instance)
    assert target.modules.receiver.is_switched
    assert target.update.is_switched
    assert target.pairing.tablets() == [TABLET]


def _update(target: Target, image: "Any", instance: "int | None") -> bool:
    """To its end; False when what lies in the flash was found damaged there."""
    steps = update_steps(image, target.token, instance)
    command = next(steps)
    for _ in range(200):
        answer = target.ask(command)
        if isinstance(answer, Refused):
            if isinstance(command, UpdateCommit) and answer.reason == WRITE_FAILED:
                return False
            assert answer.reason == BUSY, (command, answer)
            target.modules.turn()
            continue
        try:
            command = steps.send(answer.data)
        except StopIteration:
            return True
    return False


def _note(seen: "dict[int, set[int]]", data: bytes, units: "list[bytes]") -> None:
    """Every unit can be read and fits; the reason of the first is noted."""
    for unit in units:
        assert len(unit) <= MAX_SIZE
        decode_notification(unit)
    if data and data[0] in COMMANDS and units:
        answer = decode_notification(units[0])[0]
        seen.setdefault(data[0], set()).add(answer.reason if isinstance(answer, Refused) else 0)
