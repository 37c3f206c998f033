"""Everything a sitting knows, as one frozen value: the same journal gives an equal one. Notices, links and time are not in it."""

from typing import Any

from attrs import frozen

from companion.session.table import DialogKind, Phase
from companion.simulation.commands import Command, Setup

Colony = Any
"""The simulation's own value: the session only hands it to `Rules`."""


@frozen
class Pending:
    """A question that waits for people. `subject` is a catalog id, or a manager's; `instance` a module's."""

    number: int
    kind: DialogKind
    subject: str = ""
    instance: int = 0
    type_id: int = 0
    parent: int = 0
    refers_to: int = 0
    """Of the registered act that an undo question is about: its place in `State.registered`."""


@frozen
class Registered:
    """A command of this round with the words for the undo question. Physical facts cannot be undone."""

    command: Command
    text: str = ""
    consequence: str = ""
    """What taking it back means at the table."""
    is_undoable: bool = True


@frozen
class OnBus:
    instance: int
    type_id: int
    parent: int


@frozen
class State:
    phase: Phase = Phase.SETUP
    name: str = ""
    setup: Setup | None = None
    seated: tuple[str, ...] = ()
    colony: Colony = None
    round_start: Colony = None
    """The colony when the round began: undo steps from here again."""
    registered: tuple[Registered, ...] = ()
    dialogs: tuple[Pending, ...] = ()
    """In order of arrival; the first is shown."""
    asked: int = 0
    """How many questions were ever asked."""
    boundary: int | None = None
    is_behind: bool = False
    """A round was settled without asking an ARC that the game is played on."""
    refuse_until: int | None = None
    """Cards up to this sequence were swiped before a settlement that did not know of them."""
    on_bus: tuple[OnBus, ...] = ()
    edges: tuple[tuple[int, int], ...] = ()
    """The graph as last read from the bus, where nothing changed since."""
    pairs: tuple[tuple[int, int], ...] = ()
    """The graph as last given to the colony."""
    connected: tuple[tuple[int, int], ...] = ()
    """(instance, type) of every module the colony knows."""
    submitted: tuple[int, ...] = ()
    stand_ins: tuple[tuple[int, int], ...] = ()
    """(instance on the bus, instance in the colony) for modules that were tapped before a miniature was plugged in."""
    tapped: int = 0
    report: Any = None
    page: int = 0
    is_reviewing: bool = False
    is_over: bool = False
    teaching: str | None = None

    @property
    def front(self) -> Pending | None:
        return self.dialogs[0] if self.dialogs else None

    def colony_instance(self, instance: int) -> int:
        """The colony's name for what the bus calls `instance`."""
        return dict(self.stand_ins).get(instance, instance)

    def knows(self, instance: int) -> bool:
        return any(known == instance for known, _ in self.connected)

    def is_plugged(self, instance: int) -> bool:
        """Whether the colony's module `instance` is on the bus."""
        return any(self.colony_instance(module.instance) == instance for module in self.on_bus)

    def is_of_another_log(self, newest: int) -> bool:
        """Whether `refuse_until` counts in another log than the one that stands at `newest`: formatted, or another ARC's."""
        return self.refuse_until is not None and newest < self.refuse_until

    def newest_undoable(self) -> int | None:
        """Place in `registered` of what Undo takes back next."""
        return next((i for i in reversed(range(len(self.registered))) if self.registered[i].is_undoable), None)


FIRST_TAPPED = 0x1_0000_0000
"""Instances of tapped modules begin here, above every CRC-32 that a real one can have."""
