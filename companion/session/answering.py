"""Answers to the front question: a manager (by token or tap), a choice by key, or nobody for too long."""

from collections.abc import Callable

from companion.session import describing, plugging
from companion.session.describing import consequence_text, registered_text
from companion.session.state import Pending
from companion.session.table import DialogKind, NoticeKind
from companion.session.turn import Turn
from companion.simulation.commands import (
    Campaign,
    Command,
    RegisterDecree,
    RegisterDirective,
    SubmitModule,
    UseAmbassador,
)
from companion.simulation.words import Mode

TIMES_OUT = frozenset(
    {DialogKind.OWNER, DialogKind.CAMPAIGN, DialogKind.AMBASSADOR, DialogKind.UNDO, DialogKind.REPLACE_CARD}
)
"""A module's questions wait for ever: its builder is crucial (§4.5)."""


def register_act(turn: Turn, command: Command, manager: str | None = None) -> bool:
    """Registers with its words, and tells whose it is with Undo at hand (HZ-4)."""
    text = registered_text(turn.rules, turn.state, command)
    if not turn.register(command, text, consequence_text(command)):
        return False
    turn.tell(NoticeKind.DONE, f"Registered: {text}.", manager, can_undo=True)
    return True


def answer_with(turn: Turn, manager: str) -> None:
    """The front question gets its manager; one who does not fit is refused, and the question stays."""
    front, setup = turn.front, turn.state.setup
    assert setup is not None
    seats = turn.rules.seats(setup)
    if setup.mode is Mode.SOLO:
        manager = seats[0]
    if manager not in seats:
        turn.refuse(describing.not_seated_text(turn.rules, manager))
    elif front.kind is DialogKind.OWNER:
        _own(turn, front, manager)
    elif front.kind is DialogKind.BUILDER:
        _build(turn, front, manager)
    elif front.kind is DialogKind.AMBASSADOR and register_act(turn, UseAmbassador(manager), manager):
        turn.close(front)


def _own(turn: Turn, front: Pending, manager: str) -> None:
    tagged = turn.rules.tagged(front.subject)
    assert tagged is not None
    kind = RegisterDecree if tagged.kind == "decree" else RegisterDirective
    if register_act(turn, kind(front.subject, manager), manager):
        turn.close(front)


def _build(turn: Turn, front: Pending, manager: str | None) -> None:
    command = SubmitModule(front.instance, manager)
    text = registered_text(turn.rules, turn.state, command)
    if plugging.submit(turn, front.instance, manager, text, consequence_text(command)):
        turn.tell(NoticeKind.DONE, f"Registered: {text}.", manager, can_undo=True)
        turn.close(front)


def cancel(turn: Turn) -> None:
    """The front question is dropped; nothing was registered (R-13)."""
    front = turn.front
    turn.close(front)
    if front.kind is DialogKind.OWNER:
        title = describing.title_of(turn.rules, front.subject)
        turn.tell(NoticeKind.INFO, f"“{title}” was not registered.")


def time_out(turn: Turn, number: int) -> None:
    """Nobody answered: the card counts as not laid down. It is never given to anybody by itself (HZ-7)."""
    front = turn.state.front
    if front and front.number == number and front.kind in TIMES_OUT:
        cancel(turn)


def confirm_undo(turn: Turn) -> None:
    """Steps the round again without the act that the question named."""
    front = turn.front
    registered = turn.state.registered
    undone = registered[front.refers_to]
    remaining = registered[: front.refers_to] + registered[front.refers_to + 1 :]
    turn.close(front)
    colony = turn.step_again(remaining)
    if colony is None:
        turn.refuse("This cannot be taken back: something later depends on it.")
        return
    turn.change(colony=colony, registered=remaining)
    turn.tell(NoticeKind.DONE, f"Taken back: {undone.text}.")
    if isinstance(undone.command, SubmitModule):
        plugging.ask_builder_again(turn, undone.command.instance)


def confirm_campaign(turn: Turn) -> None:
    front = turn.front
    turn.close(front)
    register_act(turn, Campaign(front.subject), front.subject)


def replace_card(turn: Turn) -> None:
    """The card that waited goes, the new one asks for its owner."""
    front = turn.front
    turn.change(dialogs=turn.state.dialogs[2:])
    turn.ask(DialogKind.OWNER, first=True, subject=front.subject)


def nobody_built(turn: Turn) -> None:
    _build(turn, turn.front, None)


def take_off(turn: Turn) -> None:
    """Not built now: the colony forgets the module, and people unplug it."""
    front = turn.front
    if front.kind is DialogKind.BUILDER:
        plugging.withdraw(turn, front.instance)
    else:
        turn.close(front)
    turn.tell(NoticeKind.INFO, f"Take {describing.module_title(turn.rules, front.type_id)} off the ARC.")


def accept_foreign(turn: Turn) -> None:
    front = turn.front
    turn.close(front)
    plugging.connect(turn, front.instance, front.type_id)
    plugging.connect_pairs(turn)


CHOICES: dict[DialogKind, dict[str, Callable[[Turn], None]]] = {
    DialogKind.OWNER: {"not_this_card": cancel},
    DialogKind.BUILDER: {"nobody": nobody_built, "not_this_card": take_off},
    DialogKind.CAMPAIGN: {"confirm": confirm_campaign, "not_this_card": cancel},
    DialogKind.AMBASSADOR: {"not_this_card": cancel},
    DialogKind.UNDO: {"confirm": confirm_undo, "cancel": cancel},
    DialogKind.REPLACE_CARD: {"replace": replace_card, "keep": cancel},
    DialogKind.FOREIGN_MODULE: {"take_off": take_off, "accept": accept_foreign},
}
"""What each key of a question does; those of NEXT are in `rounds`."""
