"""What the ARC says of itself, for the menu: firmware, battery, counters, last crash, self-test; as finished rows of text."""

from collections.abc import Callable
from functools import partial

from attrs import evolve, frozen

from companion.link.conversations import Conversations, Talk
from companion.link.talks import forget_tablet, part_twins, read_counters, read_log, test_itself
from companion.screens.controller import BoardDeed, BoardRow
from companion.session.table import ArcState, ArcView
from protocol import messages as m

PARTS = {
    m.TEST_FLASH: "Memory",
    m.TEST_READER: "Card reader",
    m.TEST_BUS: "Connections to modules",
    m.TEST_LIGHT: "Lights",
    m.TEST_BUZZER: "Beeper",
    m.TEST_RADIO: "Bluetooth",
    m.TEST_BATTERY: "Battery",
}
VERDICTS = {
    m.TEST_GOOD: ("good", "good"),
    m.TEST_BAD: ("does not work", "critical"),
    m.TEST_LOOK: ("look and listen: did you notice it?", "poor"),
    m.TEST_ABSENT: ("is not there", "muted"),
}
_NEWER = ("a newer firmware says something this app does not know", "muted")
_TROUBLES = {
    "watchdog_resets": "restarts by the watchdog",
    "task_restarts": "tasks restarted",
    "unreadable": "cards not readable",
    "resets": "reader resets",
    "timeouts": "modules that did not answer",
    "crc_errors": "damaged bytes",
    "resends": "events sent again",
    "bad_frames": "damaged frames",
    "unsent": "messages the radio refused",
    "overruns": "commands thrown away",
    "turned_away": "connections without a place",
    "late": "answers that came too late",
    "lost_writes": "writes that failed",
    "torn_slots": "spoilt places in the log",
}
"""Counters that say that something goes wrong; all of them are in a bug report."""
_CRASH = "crash: "
_CRASH_END = "\nsince then:\n"
_TWINS = BoardRow(
    "Two modules have one number",
    "One of them is not counted. Tap here to give it a number of its own, for good.",
    "alert-circle-outline",
    "critical",
    BoardDeed.PART,
)
NO_TWINS = "No two modules have this number any more."
_WAITING = BoardRow("One moment", "The ARC is asked.", "clock-outline")


@frozen
class Board:
    """What is known so far; None: not asked."""

    counters: dict[str, dict[str, int]] | None = None
    log: str | None = None
    tests: tuple[tuple[int, int], ...] | None = None
    asked: int = 0
    """How many questions wait for an answer that people are to see."""


class BoardPage:
    """Asks through `talk`; `changed` after each answer, `tell` for what goes wrong."""

    def __init__(self, talk: Conversations, changed: Callable[[], None], tell: Callable[[str], None]) -> None:
        self._talk, self._changed, self._tell = talk, changed, tell
        self.board = Board()

    def read(self) -> None:
        self._ask(read_counters(), "counters")
        self._ask(read_log(), "log")

    def test(self) -> None:
        self._ask(test_itself(), "tests")

    def forget(self, tablet: int, forgotten: Callable[[], None]) -> None:
        """`forgotten`: the ARC knows this tablet no more."""
        self._talk.begin(forget_tablet(tablet), lambda _: forgotten(), self._failed)

    def part(self, places: tuple[tuple[int, int, int], ...], parted: Callable[[], None]) -> None:
        """One of the two modules at `places` gets a number of its own; `parted` when it has."""

        def done(new: int | None) -> None:
            if new is None:
                self._tell(NO_TWINS)
            else:
                parted()

        self._talk.begin(part_twins(places), done, self._failed)

    def read_all(self, then: Callable[[Board], None]) -> None:
        """For a bug report: whatever can be had, `then` is called in any case."""
        last = partial(self._then, then)
        self._talk.begin(read_counters(), lambda counters: self._know(counters=counters), lambda _: None)
        self._talk.begin(read_log(), last, lambda _: last(None))

    def _then(self, then: Callable[[Board], None], text: str | None) -> None:
        if text is not None:
            self._know(log=text)
        then(self.board)

    def _ask(self, talk: Talk[object], name: str) -> None:
        """What comes of it is known under this name."""

        def done(found: object) -> None:
            self._know(asked=self.board.asked - 1, **{name: found})

        def failed(why: str) -> None:
            self._know(asked=self.board.asked - 1)
            self._failed(why)

        self._know(asked=self.board.asked + 1)
        self._talk.begin(talk, done, failed)

    def _failed(self, why: str) -> None:
        self._tell(why)
        self._changed()

    def _know(self, **known: object) -> None:
        self.board = evolve(self.board, **known)  # type: ignore[arg-type]  # names are Board's own
        self._changed()


def rows(
    board: Board, info: m.Info | None, arc: ArcView, twins: tuple[tuple[int, int, int], ...] = ()
) -> tuple[BoardRow, ...]:
    """`twins` as in `Connection.twins`."""
    found = [_firmware(info), _battery(arc)]
    if twins:
        found.append(_TWINS)
    if board.counters is not None:
        found += _counted(board.counters)
    if board.log is not None:
        found.append(_crash(board.log))
    found += [_verdict(part, verdict) for part, verdict in board.tests or ()]
    return (*found, _WAITING) if board.asked else tuple(found)


def first_twins(twins: tuple[tuple[int, int, int], ...]) -> tuple[tuple[int, int, int], ...]:
    """The places of the first modules that share a number."""
    return tuple(place for place in twins if place[0] == twins[0][0])


def _firmware(info: m.Info | None) -> BoardRow:
    if info is None:
        return BoardRow("Firmware", "not known: the ARC was not reached yet", "chip")
    version = f"{info.firmware_major}.{info.firmware_minor}.{info.firmware_patch}"
    text = f"{version}, protocol {info.major}.{info.minor}, board {info.device.hex()}"
    if info.flags & m.INFO_SAFE_MODE:
        return BoardRow("Firmware", f"{text}: in safe mode after crashes", "chip", "critical")
    return BoardRow("Firmware", text, "chip", "good")


def _battery(arc: ArcView) -> BoardRow:
    if arc.battery_percent is None:
        state = "not told yet" if arc.state is ArcState.READY else "not known"
        return BoardRow("Battery", state, "battery-outline")
    return BoardRow("Battery", f"{arc.battery_percent} %", "battery", "poor" if arc.battery_low else "good")


def _counted(counters: dict[str, dict[str, int]]) -> list[BoardRow]:
    life, reader = counters.get("life", {}), counters.get("reader", {})
    events = counters.get("link", {})
    text = f"{life.get('boots', 0)} starts, {reader.get('reads', 0)} cards read, {events.get('resumes', 0)} sessions"
    free = f"{life.get('heap_free', 0) // 1024} KiB of memory free, at least {life.get('heap_min_free', 0) // 1024}"
    troubles = [
        f"{count} {_TROUBLES[name]} ({group})"
        for group, counts in counters.items()
        for name, count in counts.items()
        if count and name in _TROUBLES
    ]
    return [
        BoardRow("Since it was switched on", f"{text}, {free}", "chart-timeline-variant"),
        BoardRow(
            "Troubles counted", "; ".join(troubles) or "none", "alert-circle-outline", "poor" if troubles else "good"
        ),
    ]


def _crash(log: str) -> BoardRow:
    if not log.startswith(_CRASH):
        return BoardRow("Last crash", "none kept", "check", "good")
    cause, _, rest = log[len(_CRASH) :].partition(_CRASH_END)[0].partition("\n")
    last = rest.strip().splitlines()
    return BoardRow("Last crash", f"{cause}. {last[-1] if last else ''}".strip(), "alert-octagon", "critical")


def _verdict(part: int, verdict: int) -> BoardRow:
    text, tone = VERDICTS.get(verdict, _NEWER)
    return BoardRow(PARTS.get(part, f"Part {part}"), text, "clipboard-check-outline", tone)
