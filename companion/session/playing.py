"""One act after another: `play(state, act, …)` gives the state after it. Pure; replaying a journal is a fold over it."""

from collections.abc import Callable

from attrs import frozen

from companion.session import actions as tablet, acts, interpreting as meaning, plugging, rounds
from companion.session.answering import CHOICES, answer_with, confirm_campaign, register_act, time_out
from companion.session.continuing import continued_state
from companion.session.rules import Rules
from companion.session.situations import Situation, situation_of
from companion.session.state import State
from companion.session.table import DialogKind, NoticeKind, Phase
from companion.session.turn import Told, Turn
from companion.simulation.commands import ChangeGovernor, Command, FlipAssistant

_ASKS_A_MANAGER = (Situation.OWNER, Situation.BUILDER, Situation.AMBASSADOR)
_NEXT_CHOICES: dict[DialogKind, dict[str, Callable[[Turn], None]]] = {
    DialogKind.NEXT: {"confirm": rounds.confirm_next, "cancel": rounds.drop_next},
    DialogKind.SETTLE_WITHOUT_ARC: {"settle": rounds.settle_unmarked, "cancel": rounds.drop_next},
}
_CHOICES = {**CHOICES, **_NEXT_CHOICES}


@frozen
class Outcome:
    state: State
    commands: tuple[Command, ...]
    """What the colony was told, in order: the registered acts of the journal."""
    told: tuple[Told, ...]


def play(
    state: State, act: acts.Act, rules: Rules, *, link: str = "none", seed: int = 0, sequence: int | None = None
) -> Outcome:
    """The sitting after `act`. `link` is none, up or down; `sequence` names the ARC's event, None: a tap."""
    turn = Turn(state, rules, link, seed, sequence)
    if isinstance(act, acts.Continued):
        turn.state = continued_state(act.snapshot, rules)
    elif isinstance(act, acts.ArcAct):
        _from_arc(turn, act)
    else:
        _from_tablet(turn, act)
    return Outcome(turn.state, tuple(turn.commands), tuple(turn.told))


def _from_arc(turn: Turn, act: acts.ArcAct) -> None:
    match act:
        case acts.Swiped(id):
            meaning.swipe(turn, id)
        case acts.SwipedUnknown(label):
            meaning.unknown(turn, label)
        case acts.Plugged():
            meaning.plugged(turn, act)
        case acts.Unplugged():
            plugging.unplug(turn, act)
        case acts.EdgesSeen():
            plugging.see_edges(turn, act)
        case acts.BusSeen():
            plugging.see_bus(turn, act)
        case acts.ArcStarted():
            plugging.start_bus(turn)
        case acts.TimedOut(dialog):
            time_out(turn, dialog)
        case acts.Marked(sequence):
            rounds.mark(turn, sequence)
        case acts.Drained():
            rounds.drain(turn)
        case acts.LinkDropped():
            rounds.link_dropped(turn)
        case acts.CaughtUp(sequence):
            rounds.caught_up(turn, sequence)


def _from_tablet(turn: Turn, act: tablet.Action) -> None:
    match act:
        case tablet.StartGame():
            rounds.start(turn, act)
        case tablet.ToggleManager(manager):
            _toggle(turn, manager)
        case tablet.TapCard(id):
            meaning.swipe(turn, id)
        case tablet.TapModule(type_id, parent):
            _tap_module(turn, type_id, parent)
        case tablet.NameManager(manager):
            _name(turn, manager)
        case tablet.Choose(key):
            _choose(turn, key)
        case tablet.Next():
            rounds.ask_next(turn)
        case tablet.Undo():
            _undo(turn)
        case tablet.ClaimGovernor(manager):
            _by_menu(turn, ChangeGovernor(manager), manager)
        case tablet.FlipAssistantCard(manager):
            _by_menu(turn, FlipAssistant(manager), manager)
        case tablet.Correct(command):
            _by_menu(turn, command, None)
        case tablet.TurnPage(forward):
            rounds.turn_page(turn, forward)
        case tablet.ReviewSummary():
            rounds.review(turn)
        case tablet.CloseReview():
            rounds.close_review(turn)
        case tablet.EnterPoints():
            rounds.enter_points(turn, act)
        case tablet.TeachTag(id):
            _teach(turn, id)


def _teach(turn: Turn, id: str | None) -> None:
    """The tag itself is learned outside the game: it serves all games of this tablet."""
    tagged = turn.rules.tagged(id) if id else None
    if id and tagged is None:
        turn.refuse(f"There is no card or token “{id}”.")
        return
    turn.change(teaching=id)
    if tagged:
        turn.tell(NoticeKind.INFO, f"Lay “{tagged.title}” on the ARC now: its tag is learned.")


def _toggle(turn: Turn, manager: str) -> None:
    tagged = turn.rules.tagged(manager)
    if turn.state.phase is Phase.SETUP and tagged is not None and tagged.kind == "manager":
        meaning.seat(turn, manager)
    else:
        turn.refuse("Seats are taken before round 1.")


def _tap_module(turn: Turn, type_id: int, parent: int) -> None:
    if turn.link == "down":
        turn.refuse("The ARC is out of reach. Wait until it is back, or play on without it.")
    elif turn.state.phase is not Phase.ROUND:
        turn.refuse("Modules are built during a round.")
    else:
        plugging.tap(turn, type_id, parent)


def _name(turn: Turn, manager: str) -> None:
    """A tap on a portrait. On the campaign's own it is the confirmation; elsewhere it stands for the token."""
    front, situation = turn.state.front, situation_of(turn.state, is_last_round=False)
    if situation in _ASKS_A_MANAGER:
        answer_with(turn, manager)
    elif situation is Situation.CAMPAIGN and front and front.subject == manager:
        confirm_campaign(turn)


def _choose(turn: Turn, key: str) -> None:
    """A key that the front question does not have belongs to an older one: it does nothing."""
    front = turn.state.front
    if front is None or turn.state.phase not in (Phase.ROUND, Phase.SETTLING):
        return
    chosen = _CHOICES[front.kind].get(key)
    if chosen:
        chosen(turn)


def _undo(turn: Turn) -> None:
    """The button is the Governor token on the tablet, but never answers its own question."""
    if turn.state.phase is not Phase.ROUND:
        turn.refuse("Only what was registered in this round can be taken back.")
    elif turn.state.front is None or turn.state.front.kind is not DialogKind.UNDO:
        meaning.ask_undo(turn, first=True)


def _by_menu(turn: Turn, command: Command, manager: str | None) -> None:
    if turn.state.phase is Phase.ROUND:
        register_act(turn, command, manager)
    else:
        turn.refuse("This is entered during a round.")
