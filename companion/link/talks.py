"""The talks an app has with a board: leave the game there, read it back, ask the board and its modules how they are. Pure."""

from binascii import crc32
from collections.abc import Callable, Iterable

from attrs import frozen

from companion.link.conversations import Later, Refused, Talk
from protocol import messages as m, reason_texts
from protocol.gatt import MAX_COMMAND
from protocol.messages import ProtocolError
from protocol.reading import unpack_counters
from protocol.statistics import COUNTERS

CHUNK = MAX_COMMAND - 6
HEAD_SIZE = len(m.GameHead(0, 0, 0, 0, 0).pack())
MOST_LOG = 16 * 1024
"""A log that goes on for longer is no log."""

MODULE_AGAIN_MS = 1_000
MODULE_TRIES = 8
"""A module that has just come cannot be read for a few seconds."""


@frozen
class KeptGame:
    """The game that an ARC keeps."""

    head: m.GameHead
    data: bytes


def leave_game(data: bytes, epoch: int, sequence: int) -> Talk[int]:
    """Leaves a game with the ARC; (epoch, sequence) is the cursor up to which it holds that ARC's events. Its CRC comes back."""
    crc = crc32(data)
    yield m.GameBegin(0, len(data), crc, epoch, sequence)
    for offset in range(0, len(data), CHUNK):
        yield m.GameChunk(0, offset, data[offset : offset + CHUNK])
    yield m.GameCommit(0)
    return crc


def read_game_head() -> Talk[m.GameHead | None]:
    """The head of the kept game; None: it keeps none."""
    start = yield m.GameRead(0, 0)
    return _head(start)


def read_game() -> Talk[KeptGame | None]:
    """The kept game, whole and checked. Another one left half-way gives `ProtocolError`, as its CRC does not fit."""
    start = yield m.GameRead(0, 0)
    head = _head(start)
    if head is None:
        return None
    data = bytearray(start)
    while len(data) < HEAD_SIZE + head.length:
        more = yield m.GameRead(0, len(data))
        if not more:
            raise ProtocolError("the kept game ends too soon")
        data += more
    game = bytes(data[HEAD_SIZE:])
    if len(game) != head.length or crc32(game) != head.crc:
        raise ProtocolError("the kept game is damaged")
    return KeptGame(head, game)


def _head(start: bytes) -> m.GameHead | None:
    if not start:
        return None
    head = m.GameHead.unpack(start[:HEAD_SIZE], 0)
    if not 1 <= head.length <= m.MAX_GAME:
        raise ProtocolError("the kept game has an impossible length")
    return head


def read_log() -> Talk[str]:
    """The board's own log, the last crash first. Bytes that are no text are shown as such."""
    log = bytearray()
    while len(log) < MOST_LOG:
        more = yield m.LogRead(0, len(log))
        if not more:
            break
        log += more
    return log.decode("utf-8", errors="replace")


def read_counters() -> Talk[dict[str, dict[str, int]]]:
    """All counters by group and name."""
    counters = {}
    for group, name in GROUPS.items():
        counters[name] = unpack_counters(group, (yield m.ReadStatistics(0, group)))
    return counters


GROUPS = dict(zip(sorted(COUNTERS), ("reader", "bus", "link", "life"), strict=True))


def test_itself() -> Talk[tuple[tuple[int, int], ...]]:
    """(part, verdict) of each part, as `protocol.messages` numbers them."""
    found = yield m.SelfTest(0)
    if len(found) % 2:
        raise ProtocolError("the self-test ends within a pair")
    return tuple(zip(found[::2], found[1::2], strict=True))


def forget_tablet(tablet: int) -> Talk[None]:
    """The ARC forgets this tablet, whose session ends with it."""
    yield m.ForgetTablet(0, tablet)


def read_modules(instances: Iterable[int], tell: Callable[[int, m.ModuleStatus], None]) -> Talk[None]:
    """Tells of each module what it says of itself. Of one that is gone, or says nonsense, nothing; nothing of all by an ARC that
    cannot tell."""
    left = tuple(instances)
    for _ in range(MODULE_TRIES):
        busy = []
        for instance in left:
            try:
                tell(instance, (yield from read_module(instance)))
            except Refused as refused:
                if refused.reason == m.BUSY:
                    busy.append(instance)
                elif refused.reason != m.UNKNOWN_MODULE:
                    return
            except ProtocolError:
                pass
        if not busy:
            return
        left = tuple(busy)
        yield Later(MODULE_AGAIN_MS)


def read_module(instance: int) -> Talk[m.ModuleStatus]:
    """What one module says of itself; `Refused` with BUSY by one that has just come, with UNKNOWN_MODULE when it is gone."""
    return m.ModuleStatus.unpack((yield m.ReadModule(0, instance)), 0)


def part_twins(places: tuple[tuple[int, int, int], ...]) -> Talk[int | None]:
    """Gives one of two modules that share an instance another, which comes back; `places` are (instance, neighbour, port).
    None: no two share it any more.

    Tried from the last place on, until one holds such a module. If that was the one that counts, the other takes its part.
    """
    for place in reversed(places):
        try:
            return (yield from resalt_module(*place))
        except Refused as refused:
            if refused.reason != m.UNKNOWN_MODULE:
                raise
    return None


def resalt_module(instance: int, neighbour: int, port: int) -> Talk[int]:
    """Of two modules that share an instance (notice 2), the one at `port` of `neighbour` (0: the ARC) gets another, for ever; it
    comes back. The ARC announces it as a module that was just attached."""
    for _ in range(MODULE_TRIES):
        try:
            answer = yield m.ResaltModule(0, instance, neighbour, port)
        except Refused as refused:
            if refused.reason != m.BUSY:
                raise
            yield Later(MODULE_AGAIN_MS)
            continue
        if len(answer) < 4:
            raise ProtocolError("the new number of a module is missing")
        return int.from_bytes(answer[:4], "little")
    raise Refused(m.BUSY, reason_texts.REASON_TEXT[m.BUSY])
