"""From a swipe to what it does: looks up the cell of the table and carries it out."""

from companion.session import describing, plugging
from companion.session.acts import Plugged
from companion.session.answering import answer_with, cancel, confirm_undo
from companion.session.describing import title_of
from companion.session.rules import Tagged
from companion.session.situations import TABLE, Response, Signal, Situation, means_something, signal_of, situation_of
from companion.session.table import DialogKind, NoticeKind, Phase
from companion.session.tags import PLAIN
from companion.session.turn import Turn
from companion.simulation.commands import RegisterDecree, RegisterDirective
from companion.simulation.words import Mode

TEACH = " If it is a card or token of a boxed game, choose it in the menu under “Teach a tag”."


def situation(turn: Turn) -> Situation:
    """The row for this turn. A tap cannot stand in for an ARC that is out of reach; its own events still count."""
    if turn.link == "down" and turn.sequence is None:
        return Situation.LINK_LOST
    state = turn.state
    is_last = state.colony is not None and turn.rules.is_last_round(state.colony)
    return situation_of(state, is_last)


def swipe(turn: Turn, id: str) -> None:
    """A card or token was laid down, or tapped in its stead."""
    tagged = turn.rules.tagged(id)
    if tagged is None or not means_something(tagged):
        unknown(turn, f"“{id}”")
        return
    if turn.state.refuse_until is not None and turn.sequence is not None and turn.sequence <= turn.state.refuse_until:
        turn.refuse(describing.LATE)
        return
    respond(turn, tagged, TABLE[signal_of(tagged), situation(turn)])


def respond(turn: Turn, tagged: Tagged, response: Response) -> None:
    match response:
        case Response.SEAT:
            seat(turn, tagged.id)
        case Response.ASK_OWNER:
            ask_owner(turn, tagged)
        case Response.ASK_REPLACE:
            ask_replace(turn, tagged)
        case Response.ASK_CAMPAIGN:
            ask_campaign(turn, tagged.id)
        case Response.ASK_AMBASSADOR:
            turn.ask(DialogKind.AMBASSADOR)
        case Response.ASK_UNDO:
            ask_undo(turn)
        case Response.UNDO_INSTEAD:
            turn.tell(NoticeKind.INFO, "A module cannot be taken back by undo. Name its builder, or take it off.")
            ask_undo(turn, first=True)
        case Response.ANSWER:
            answer_with(turn, tagged.id)
        case Response.SWITCH:
            switch_campaign(turn, tagged.id)
        case Response.CONFIRM:
            confirm_undo(turn)
        case Response.CANCEL:
            cancel(turn)
        case Response.CALL_OFF:
            call_off(turn)
            swipe(turn, tagged.id)
        case Response.KEEP:
            turn.tell(NoticeKind.INFO, f"First this: {describing.pending_name(turn.rules, turn.front)}.")
        case Response.REFUSE:
            turn.refuse(describing.refusal_text(situation(turn), signal_of(tagged)))


def seat(turn: Turn, manager: str) -> None:
    """In the order of seating; the same token again unseats."""
    seated = turn.state.seated
    if manager in seated:
        turn.change(seated=tuple(other for other in seated if other != manager))
        turn.tell(NoticeKind.INFO, f"{title_of(turn.rules, manager)} left the table.", manager)
    else:
        turn.change(seated=(*seated, manager))
        turn.tell(NoticeKind.DONE, f"{title_of(turn.rules, manager)} sits down.", manager)


def player_of(turn: Turn, manager: str) -> str | None:
    """The manager whom this token stands for: any token is the player in solo (A3.2.10); None: not in this game."""
    setup = turn.state.setup
    if setup is None:
        return None
    seats = turn.rules.seats(setup)
    if setup.mode is Mode.SOLO:
        return seats[0]
    return manager if manager in seats else None


def ask_owner(turn: Turn, tagged: Tagged) -> None:
    if _may_ask_owner(turn, tagged):
        turn.ask(DialogKind.OWNER, subject=tagged.id)


def _may_ask_owner(turn: Turn, tagged: Tagged) -> bool:
    """Unless nobody could register it now: then the reason is said at once (last round, twice in a round, …)."""
    if any(d.kind is DialogKind.OWNER and d.subject == tagged.id for d in turn.state.dialogs):
        turn.tell(NoticeKind.INFO, f"“{tagged.title}” waits for its owner already.")
        return False
    refusals = [turn.would_refuse(command) for command in owner_commands(turn, tagged)]
    reasons = [refusal.reason for refusal in refusals if refusal]
    if refusals and len(reasons) == len(refusals):
        turn.refuse(reasons[0])
        return False
    return True


def owner_commands(turn: Turn, tagged: Tagged) -> list[RegisterDecree | RegisterDirective]:
    managers = turn.rules.seats(turn.state.setup) if turn.state.setup else ()
    if signal_of(tagged) is Signal.DECREE:
        return [RegisterDecree(tagged.id, manager) for manager in managers]
    owners = [manager for manager in managers if manager == tagged.manager] or list(managers)
    return [RegisterDirective(tagged.id, manager) for manager in owners]


def ask_replace(turn: Turn, tagged: Tagged) -> None:
    """A card that could not take the other's place drops none that waits."""
    if _may_ask_owner(turn, tagged):
        turn.ask(DialogKind.REPLACE_CARD, first=True, subject=tagged.id)


def ask_campaign(turn: Turn, manager: str) -> None:
    player = player_of(turn, manager)
    if player is None:
        turn.refuse(describing.not_seated_text(turn.rules, manager))
    else:
        turn.ask(DialogKind.CAMPAIGN, subject=player)


def switch_campaign(turn: Turn, manager: str) -> None:
    """Another token: the question is about that manager now. The same again changes nothing: only a tap confirms."""
    front, player = turn.front, player_of(turn, manager)
    if player is None:
        turn.refuse(describing.not_seated_text(turn.rules, manager))
    elif player != front.subject:
        turn.close(front)
        turn.ask(DialogKind.CAMPAIGN, first=True, subject=player)
    else:
        turn.tell(NoticeKind.INFO, "Confirm the campaign on the tablet.")


def ask_undo(turn: Turn, first: bool = False) -> None:
    newest = turn.state.newest_undoable()
    if newest is None:
        turn.refuse(describing.NOTHING_TO_UNDO)
    else:
        turn.ask(DialogKind.UNDO, first=first, refers_to=newest)


def call_off(turn: Turn) -> None:
    """Something was laid down before NEXT: it comes first, and NEXT has to be pressed again."""
    next_dialogs = (DialogKind.NEXT, DialogKind.SETTLE_WITHOUT_ARC)
    turn.change(
        dialogs=tuple(dialog for dialog in turn.state.dialogs if dialog.kind not in next_dialogs),
        phase=Phase.ROUND,
        boundary=None,
    )
    turn.tell(NoticeKind.INFO, "NEXT was called off: something was laid down before it. Press NEXT again afterwards.")


def unknown(turn: Turn, label: str) -> None:
    match TABLE[Signal.UNKNOWN, situation(turn)]:
        case Response.TELL:
            hint = TEACH if label == PLAIN else ""
            turn.tell(NoticeKind.WARNING, f"{label} is not part of this game: nothing was registered.{hint}")
        case Response.REFUSE:
            turn.refuse(describing.REFUSALS[Situation.LINK_LOST])
        case _:
            pass


def plugged(turn: Turn, act: Plugged) -> None:
    """A module reported, or moved."""
    cell = TABLE[Signal.MODULE, situation(turn)]
    is_new = not turn.state.knows(turn.state.colony_instance(act.instance))
    if cell is Response.CALL_OFF and is_new:
        call_off(turn)
    plugging.plug(turn, act)
