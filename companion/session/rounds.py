"""From the wizard's Start to the end screen: a round's NEXT with its mark, the summary's pages, table points."""

from companion.session import describing
from companion.session.actions import EnterPoints, StartGame
from companion.session.acts import Plugged
from companion.session.plugging import plug
from companion.session.table import DialogKind, NoticeKind, Phase
from companion.session.turn import Turn
from companion.simulation.commands import EnterTablePoints, Refusal


def start(turn: Turn, act: StartGame) -> None:
    """Round 1 begins; modules that are plugged in already ask for their builders (S-21)."""
    if turn.state.phase is not Phase.SETUP:
        turn.refuse("This game has begun.")
        return
    colony = turn.rules.new_game(act.setup, turn.seed)
    if isinstance(colony, Refusal):
        turn.refuse(colony.reason)
        return
    turn.change(phase=Phase.ROUND, name=act.name, setup=act.setup, colony=colony, round_start=colony, teaching=None)
    for module in turn.state.on_bus:
        plug(turn, Plugged(module.instance, module.type_id, module.parent))


def ask_next(turn: Turn) -> None:
    """NEXT is always confirmed, and never runs over a question that waits (HZ-9)."""
    state = turn.state
    if state.phase is not Phase.ROUND:
        turn.refuse("NEXT ends a round: there is none to end now.")
    elif state.front is not None and state.front.kind is not DialogKind.NEXT:
        turn.refuse(f"Before NEXT: {describing.pending_name(turn.rules, state.front)}.")
    elif state.front is None:
        turn.ask(DialogKind.NEXT)


def confirm_next(turn: Turn) -> None:
    """Without an ARC the round is settled at once; else the ARC is asked where its log stands (decision 8)."""
    turn.close(turn.front)
    if turn.link == "none":
        settle_unmarked(turn)
        return
    turn.change(phase=Phase.SETTLING, boundary=None)
    if turn.link == "down":
        turn.ask(DialogKind.SETTLE_WITHOUT_ARC)


def drop_next(turn: Turn) -> None:
    turn.close(turn.front)
    turn.change(phase=Phase.ROUND, boundary=None)


def settle_unmarked(turn: Turn) -> None:
    """What the ARC may still hold from before this settlement will be refused when it comes."""
    turn.change(dialogs=(), is_behind=True)
    turn.settle()


def link_dropped(turn: Turn) -> None:
    state = turn.state
    if state.phase is Phase.SETTLING and not state.dialogs:
        turn.ask(DialogKind.SETTLE_WITHOUT_ARC)


def caught_up(turn: Turn, sequence: int) -> None:
    """The ARC is back. NEXT goes on by itself, with a new mark, as its log may be another one by now; after a settlement
    without it, its older cards do not count.
    """
    front = turn.state.front
    if front and front.kind is DialogKind.SETTLE_WITHOUT_ARC:
        turn.close(front)
        turn.change(boundary=None)
    if turn.state.is_behind or turn.state.is_of_another_log(sequence):
        turn.change(is_behind=False, refuse_until=sequence)


def mark(turn: Turn, sequence: int) -> None:
    if turn.state.phase is Phase.SETTLING:
        turn.change(boundary=sequence)


def drain(turn: Turn) -> None:
    """Everything from before NEXT was shown and asked nothing: the round is over."""
    if turn.state.phase is Phase.SETTLING and turn.state.boundary is not None and not turn.state.dialogs:
        turn.settle()


def turn_page(turn: Turn, forward: int) -> None:
    """Forward from the last page begins the round, or shows the end."""
    state = turn.state
    if state.report is None or not (state.phase is Phase.SUMMARY or state.is_reviewing):
        return
    page, pages = state.page + forward, len(turn.rules.report(state.report).sections)
    if 0 <= page < pages:
        turn.change(page=page)
    elif page >= pages and state.is_reviewing:
        turn.change(is_reviewing=False)
    elif page >= pages:
        turn.change(phase=Phase.ENDED if state.is_over else Phase.ROUND, page=0)


def review(turn: Turn) -> None:
    if turn.state.report is not None and turn.state.phase in (Phase.ROUND, Phase.ENDED):
        turn.change(is_reviewing=True, page=0)


def close_review(turn: Turn) -> None:
    turn.change(is_reviewing=False)


def enter_points(turn: Turn, act: EnterPoints) -> None:
    if turn.state.phase is not Phase.ENDED:
        turn.refuse("Table points are entered when the game is over.")
        return
    if turn.register(EnterTablePoints(act.points, act.manager), undoable=False):
        turn.tell(NoticeKind.DONE, "The points are entered.")
