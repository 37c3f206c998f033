"""Questions as sheets: titles, lines, who may answer, which buttons. The words of `Pending` for the screens."""

from attrs import evolve

from companion.session import describing
from companion.session.interpreting import owner_commands
from companion.session.rules import Rules
from companion.session.state import Pending, State
from companion.session.table import Choice, ChoiceStyle, Dialog, DialogKind
from companion.session.turn import Turn

_NOT_THIS_CARD = Choice("not_this_card", "Not this card", ChoiceStyle.PLAIN)
_NOT_THIS_MODULE = Choice("not_this_card", "Not built: take it off", ChoiceStyle.PLAIN)
_CANCEL = Choice("cancel", "Back", ChoiceStyle.PLAIN)
_LAY_TOKEN = "Lay the manager's token on the ARC, or tap the portrait."


def dialog_of(rules: Rules, state: State, pending: Pending) -> Dialog:
    """The sheet for one question."""
    return evolve(_MAKERS[pending.kind](rules, state, pending), number=pending.number)


def _managers(rules: Rules, state: State) -> tuple[str, ...]:
    return rules.seats(state.setup) if state.setup else ()


def _owner(rules: Rules, state: State, pending: Pending) -> Dialog:
    tagged = rules.tagged(pending.subject)
    assert tagged is not None
    turn = Turn(state, rules, "none")
    fitting = [command.manager for command in owner_commands(turn, tagged) if not turn.would_refuse(command)]
    fee = f"Fee: {tagged.fee}" if tagged.fee else "No fee."
    lines = tuple(line for line in (tagged.text, fee) if line)
    return Dialog(
        DialogKind.OWNER,
        tagged.title,
        lines,
        f"Whose is it? {_LAY_TOKEN}",
        tuple(fitting),
        (_NOT_THIS_CARD,),
        tagged.icon,
    )


def _builder(rules: Rules, state: State, pending: Pending) -> Dialog:
    name = describing.module_title(rules, pending.type_id)
    nobody = Choice("nobody", "Nobody built it", ChoiceStyle.PLAIN)
    lines = ("It is connected; the miniature that asks for attention is the one meant.",)
    return Dialog(
        DialogKind.BUILDER,
        name,
        lines,
        f"Who built it? {_LAY_TOKEN}",
        _managers(rules, state),
        (nobody, _NOT_THIS_MODULE),
        "module",
    )


def _campaign(rules: Rules, state: State, pending: Pending) -> Dialog:
    name = describing.title_of(rules, pending.subject)
    choices = (Choice("confirm", "Campaign", ChoiceStyle.PRIMARY), Choice("not_this_card", "No", ChoiceStyle.PLAIN))
    hint = "Confirm here, then place the token on its socket. Another token changes the name."
    return Dialog(DialogKind.CAMPAIGN, f"Campaign by {name}?", (), hint, (pending.subject,), choices, "campaign")


def _ambassador(rules: Rules, state: State, pending: Pending) -> Dialog:
    none_active = rules.view(state.colony).special.terran_dependence == 0
    lines = ("One Terran Dependence less.",)
    if none_active:
        lines = ("There is no Terran Dependence to remove. The Ambassador still brings its 2 points.",)
    return Dialog(
        DialogKind.AMBASSADOR, "The Ambassador", lines, f"Who sends it? {_LAY_TOKEN}", _managers(rules, state), (_NOT_THIS_CARD,),
        "ambassador",
    )  # fmt: skip


def _undo(rules: Rules, state: State, pending: Pending) -> Dialog:
    undone = state.registered[pending.refers_to]
    lines = tuple(line for line in (f"{undone.text[:1].upper()}{undone.text[1:]}.", undone.consequence) if line)
    choices = (Choice("confirm", "Take back", ChoiceStyle.DANGER), Choice("cancel", "Keep it", ChoiceStyle.PLAIN))
    hint = "Confirm here, or lay the Governor token down again."
    return Dialog(DialogKind.UNDO, "Take this back?", lines, hint, (), choices, "undo")


def _replace(rules: Rules, state: State, pending: Pending) -> Dialog:
    new, old = (describing.title_of(rules, dialog.subject) for dialog in state.dialogs[:2])
    choices = (
        Choice("replace", f"Take “{new}”", ChoiceStyle.PRIMARY),
        Choice("keep", f"Keep “{old}”", ChoiceStyle.PLAIN),
    )
    lines = (f"“{old}” still waits for its owner.",)
    tagged = rules.tagged(pending.subject)
    icon = tagged.icon if tagged else "decree_green"
    return Dialog(DialogKind.REPLACE_CARD, f"“{new}” instead?", lines, "One card at a time.", (), choices, icon)


def _foreign(rules: Rules, state: State, pending: Pending) -> Dialog:
    name = describing.module_title(rules, pending.type_id)
    take_off = Choice("take_off", "Take it off", ChoiceStyle.PRIMARY)
    if rules.module_name(pending.type_id) is None:
        lines = ("The catalog has no module of this type.",)
        return Dialog(DialogKind.FOREIGN_MODULE, name, lines, "Take it off the ARC.", (), (take_off,), "module")
    lines = (f"{name} is not among the modules of the managers who play.",)
    choices = (take_off, Choice("accept", "Accept it anyway", ChoiceStyle.PLAIN))
    return Dialog(
        DialogKind.FOREIGN_MODULE, "Not part of this game", lines, "Take it off, or accept it.", (), choices, "module"
    )


def _next(rules: Rules, state: State, pending: Pending) -> Dialog:
    count = sum(1 for entry in state.registered if entry.is_undoable)
    acts = "1 act is" if count == 1 else f"{count} acts are"
    lines = (f"{acts} registered in this round. The settlement cannot be taken back.",)
    choices = (Choice("confirm", "End the round", ChoiceStyle.PRIMARY), _CANCEL)
    return Dialog(DialogKind.NEXT, "End this round?", lines, "Everybody done?", (), choices, "next")


def _without_arc(rules: Rules, state: State, pending: Pending) -> Dialog:
    lines = (
        "It may hold cards that were laid down and are not here yet. They would not count.",
        "As soon as it is back, the round ends by itself.",
    )
    choices = (Choice("settle", "End the round without it", ChoiceStyle.DANGER), _CANCEL)
    return Dialog(
        DialogKind.SETTLE_WITHOUT_ARC, "The ARC is out of reach", lines, "Wait, or decide.", (), choices, "next"
    )


_MAKERS = {
    DialogKind.OWNER: _owner,
    DialogKind.BUILDER: _builder,
    DialogKind.CAMPAIGN: _campaign,
    DialogKind.AMBASSADOR: _ambassador,
    DialogKind.UNDO: _undo,
    DialogKind.REPLACE_CARD: _replace,
    DialogKind.FOREIGN_MODULE: _foreign,
    DialogKind.NEXT: _next,
    DialogKind.SETTLE_WITHOUT_ARC: _without_arc,
}

OTHER_ARC = Dialog(
    DialogKind.OTHER_ARC,
    "Another ARC",
    ("This game was played on a different ARC.", "Its log may hold cards that would not count any more."),
    "Switch the other one on, or go on with this one.",
    (),
    (
        Choice("continue", "Go on with this one", ChoiceStyle.PRIMARY),
        Choice("wait", "Wait for the other", ChoiceStyle.PLAIN),
    ),
    "next",
)
"""About the link and not the game, so it is in no journal."""
