"""One act being worked out: the state so far, what it registers, what to tell. Given up without harm when anything fails."""

from attrs import evolve, frozen

from companion.session.rules import Rules
from companion.session.state import Colony, Pending, Registered, State
from companion.session.table import DialogKind, NoticeKind, Phase
from companion.simulation.commands import Command, Refusal, Settle


@frozen
class Told:
    """A notice to be shown; it is not part of the state."""

    kind: NoticeKind
    text: str
    manager: str | None = None
    can_undo: bool = False


class Turn:
    """`link` is `none`, `up` or `down`; `sequence` is that of the ARC's event, None for a tap."""

    def __init__(self, state: State, rules: Rules, link: str, seed: int = 0, sequence: int | None = None) -> None:
        self.state = state
        self.rules = rules
        self.link = link
        self.seed = seed
        self.sequence = sequence
        self.commands: list[Command] = []
        self.told: list[Told] = []

    @property
    def front(self) -> Pending:
        """The question that is being answered: there is one."""
        assert self.state.front is not None
        return self.state.front

    def change(self, **fields: object) -> None:
        self.state = evolve(self.state, **fields)  # type: ignore[arg-type]  # names are State's own

    def tell(self, kind: NoticeKind, text: str, manager: str | None = None, can_undo: bool = False) -> None:
        self.told.append(Told(kind, text, manager, can_undo))

    def refuse(self, text: str) -> None:
        self.tell(NoticeKind.REFUSED, text)

    def ask(self, kind: DialogKind, *, first: bool = False, **fields: object) -> None:
        """Adds a question at the end of the queue, or before all others."""
        pending = Pending(self.state.asked + 1, kind, **fields)  # type: ignore[arg-type]  # names are Pending's own
        dialogs = (pending, *self.state.dialogs) if first else (*self.state.dialogs, pending)
        self.change(dialogs=dialogs, asked=pending.number)

    def close(self, pending: Pending) -> None:
        self.change(dialogs=tuple(dialog for dialog in self.state.dialogs if dialog != pending))

    def would_refuse(self, command: Command) -> Refusal | None:
        """What the rules would say to this command now."""
        result = self.rules.step(self.state.colony, command)
        return result if isinstance(result, Refusal) else None

    def register(self, command: Command, text: str = "", consequence: str = "", undoable: bool = True) -> bool:
        """Steps the colony; a refusal becomes a notice and changes nothing."""
        result = self.rules.step(self.state.colony, command)
        if isinstance(result, Refusal):
            self.refuse(result.reason)
            return False
        entry = Registered(command, text, consequence, undoable)
        self.change(colony=result[0], registered=(*self.state.registered, entry))
        self.commands.append(command)
        return True

    def settle(self) -> None:
        """Ends the round; the summary begins."""
        result = self.rules.step(self.state.colony, Settle())
        if isinstance(result, Refusal):
            self.change(phase=Phase.ROUND, boundary=None)
            self.refuse(result.reason)
            return
        colony, report = result
        self.commands.append(Settle())
        self.change(
            phase=Phase.SUMMARY, colony=colony, round_start=colony, registered=(), boundary=None,
            report=report, page=0, is_reviewing=False, is_over=self.rules.has_ended(colony), refuse_until=None,
        )  # fmt: skip

    def step_again(self, registered: tuple[Registered, ...]) -> Colony | None:
        """The colony after these commands from the start of the round; None when one no longer fits."""
        colony = self.state.round_start
        for entry in registered:
            result = self.rules.step(colony, entry.command)
            if isinstance(result, Refusal):
                return None
            colony = result[0]
        return colony
