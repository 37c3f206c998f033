"""What the firmware page shows: what runs, what is at hand, what stands in the way, in finished texts."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol

from companion.link.updating import Outcome, Version
from companion.screens.controller import FirmwareDeed, FirmwareView, ModuleFirmware, UpdateView
from companion.session.table import ArcState, ArcView
from companion.updates.course import Updates
from companion.updates.folder import AtHand, look_into
from companion.updates.run import Status, text_of, version_of
from protocol.messages import Info

NO_LINK = "The ARC is not connected."
LOW_BATTERY = "The ARC's battery is low: put in fresh cells, or power it over USB."
ONE_AT_A_TIME = "One update at a time."
SAME = "The ARC runs {version} already."
NEWER = "The ARC runs {runs}, which is newer than {at_hand} here."
NO_MODULES = "No module is connected."
ALL_SAME = "All modules run {version} already."
UNKNOWN_TYPE = "Module of type {type_id}"
STATES = ("now", "failed", "restarts", "next", "due", "", "done")
"""In this order on the page."""


class Line(Protocol):
    """What of the link is shown."""

    @property
    def info(self) -> Info | None: ...

    @property
    def modules(self) -> tuple[tuple[int, int], ...]: ...


class FirmwarePage:
    """Of one link with its `updates`; `folder` has the images, `name_of` the names of module types."""

    def __init__(self, folder: Path, line: Line, updates: Updates, name_of: Callable[[int], str | None]) -> None:
        self._folder, self._line, self._updates, self._name_of = folder, line, updates, name_of
        self._at_hand = AtHand()

    def view(self, arc: ArcView) -> FirmwareView:
        line, updates = self._line, self._updates
        runs = version_of(line.info)
        return firmware_view(self._at_hand, runs, arc, line.modules, updates.versions, updates.status, self._name_of)

    def ask(self, deed: FirmwareDeed, arc: ArcView) -> None:
        """What cannot be done now is not done: the view says why."""
        if deed is FirmwareDeed.LOOK:
            self._at_hand = look_into(self._folder)
            self._updates.look()
        elif deed is FirmwareDeed.STOP:
            self._updates.stop()
        elif deed is FirmwareDeed.UPDATE_ARC:
            image = self._at_hand.arc.image
            if image and not self.view(arc).arc_blocked:
                self._updates.update_arc(image)
        else:
            image = self._at_hand.modules.image
            if image and not self.view(arc).modules_blocked:
                on_bus = [instance for instance, _ in self._line.modules]
                self._updates.update_modules(image, due_modules(on_bus, self._updates.versions, image.head.version))


def firmware_view(
    at_hand: AtHand,
    runs: Version | None,
    arc: ArcView,
    modules: Iterable[tuple[int, int]],
    versions: dict[int, Version],
    status: Status | None,
    name_of: Callable[[int], str | None],
) -> FirmwareView:
    """`modules` are (instance, type) on the bus, `versions` those that are known, `status` the update of this link."""
    found = {instance: name_of(type_id) or UNKNOWN_TYPE.format(type_id=type_id) for instance, type_id in modules}
    due = due_modules(found, versions, at_hand.modules.version)
    in_the_way = _in_the_way(arc, status)
    return FirmwareView(
        arc_version=text_of(runs),
        arc_at_hand=text_of(at_hand.arc.version),
        arc_blocked=at_hand.arc.trouble or in_the_way or arc_needs_none(runs, at_hand.arc.version),
        modules_at_hand=text_of(at_hand.modules.version),
        modules_blocked=at_hand.modules.trouble or in_the_way or modules_need_none(found, due, at_hand.modules.version),
        modules=_rows(found, versions, set(due), status),
        due=len(due),
        update=_update(status, found) if status else None,
    )


def due_modules(modules: Iterable[int], versions: dict[int, Version], at_hand: Version | None) -> tuple[int, ...]:
    """The instances that an update is for: whose version is older than the one at hand, or not known."""
    if at_hand is None:
        return ()
    return tuple(instance for instance in modules if instance not in versions or versions[instance] < at_hand)


def _in_the_way(arc: ArcView, status: Status | None) -> str:
    if status and status.is_running:
        return ONE_AT_A_TIME
    if arc.state is not ArcState.READY:
        return NO_LINK
    return LOW_BATTERY if arc.battery_low else ""


def arc_needs_none(runs: Version | None, at_hand: Version | None) -> str:
    """Why what is at hand would be no update for the ARC; empty: it would."""
    if runs is None or at_hand is None or runs < at_hand:
        return ""
    if runs == at_hand:
        return SAME.format(version=text_of(runs))
    return NEWER.format(runs=text_of(runs), at_hand=text_of(at_hand))


def modules_need_none(modules: Iterable[int], due: tuple[int, ...], at_hand: Version | None) -> str:
    """The same for the modules on the bus, of which these are due."""
    if not tuple(modules):
        return NO_MODULES
    return "" if due else ALL_SAME.format(version=text_of(at_hand))


def _rows(
    modules: dict[int, str], versions: dict[int, Version], due: set[int], status: Status | None
) -> tuple[ModuleFirmware, ...]:
    """Modules that stand alike share a row."""
    counts: dict[tuple[str, str, str, str], int] = {}
    outcomes = {outcome.instance: outcome for outcome in status.outcomes} if status else {}
    for instance, name in modules.items():
        state, why = _state(instance, outcomes.get(instance), instance in due, status)
        key = (name, text_of(versions.get(instance)), state, why)
        counts[key] = counts.get(key, 0) + 1
    rows = (ModuleFirmware(name, count, version, state, why) for (name, version, state, why), count in counts.items())
    return tuple(sorted(rows, key=lambda row: (STATES.index(row.state), row.name, row.version)))


def _state(instance: int, outcome: Outcome | None, is_due: bool, status: Status | None) -> tuple[str, str]:
    """How its update goes; once that is over, what it runs counts for more than how it ended."""
    if status and status.is_running and outcome is None:
        if instance in status.restarting:
            return "restarts", ""
        if instance in status.instances:
            return ("now" if instance == status.instance else "next"), ""
    if is_due:
        return ("failed", outcome.why) if outcome and outcome.why else ("due", "")
    return ("done" if outcome and not outcome.why else ""), ""


def _update(status: Status, modules: dict[int, str]) -> UpdateView:
    count = max(1, len(status.instances))
    return UpdateView(
        stage=status.stage,
        is_for_modules=bool(status.instances),
        is_running=status.is_running,
        sent=status.sent,
        size=status.size,
        seconds_left=status.seconds_left,
        number=min(count, len(status.outcomes) + len(status.restarting) + 1),
        of=count,
        done=sum(not outcome.why for outcome in status.outcomes),
        name=modules.get(status.instance, "") if status.instance is not None else "",
        text=status.text,
    )
