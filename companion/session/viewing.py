"""The state as one `TableView` for the screens; what is not of the game (link, notices, questions about it) comes in beside it."""

from attrs import field, frozen

from companion.session.describing import module_title
from companion.session.dialogs import OTHER_ARC, dialog_of
from companion.session.looking import Looking
from companion.session.rules import Rules
from companion.session.state import State
from companion.session.table import ArcState, ArcView, MissingModule, Notice, Phase, TableView
from companion.simulation.player import PlayerView

_RESUMABLE = (Phase.ROUND, Phase.SUMMARY)


@frozen
class Surroundings:
    """What the table shows beside the game."""

    arc: ArcView
    notices: tuple[Notice, ...] = ()
    is_resuming: bool = False
    """The game was opened and nobody has gone on yet."""
    asks_for_other_arc: bool = False
    looking: Looking = field(factory=Looking)


def table_of(rules: Rules, state: State, around: Surroundings, view: PlayerView | None) -> TableView:
    missing = missing_modules(rules, state, around, view)
    phase = Phase.RESUME if around.is_resuming and missing and state.phase in _RESUMABLE else state.phase
    shows_question = state.front is not None and phase in (Phase.ROUND, Phase.SETTLING)
    dialog = dialog_of(rules, state, state.dialogs[0]) if shows_question else None
    waiting = len(state.dialogs) - (1 if shows_question else 0)
    if around.asks_for_other_arc:
        dialog, waiting = OTHER_ARC, len(state.dialogs)
    newest = state.newest_undoable()
    is_showing_report = state.report is not None and (state.phase is Phase.SUMMARY or state.is_reviewing)
    return TableView(
        phase=phase,
        arc=around.arc,
        dialog=dialog,
        waiting_dialogs=waiting,
        notices=around.notices,
        missing=missing,
        setup=rules.setup_view(state.seated, around.looking.planned) if state.phase is Phase.SETUP else None,
        colony=view,
        report=rules.report(state.report) if state.report is not None else None,
        page=state.page if is_showing_report else 0,
        is_reviewing=state.is_reviewing,
        undo_text=state.registered[newest].text if newest is not None and state.phase is Phase.ROUND else None,
        is_introducing=around.looking.is_introducing and state.phase is Phase.ROUND,
        hint=around.looking.hint(view),
        tray=rules.tray(state.setup, state.connected) if around.arc.state is ArcState.NONE else None,
    )


def missing_modules(
    rules: Rules, state: State, around: Surroundings, view: PlayerView | None
) -> tuple[MissingModule, ...]:
    """Modules of the colony that are not on the bus; without an ARC nobody looks for them."""
    if view is None or around.arc.state is ArcState.NONE:
        return ()
    builders = {module.instance: module.builder for module in view.modules}
    return tuple(
        MissingModule(instance, module_title(rules, type_id), builders.get(instance))
        for instance, type_id in state.connected
        if not state.is_plugged(instance)
    )
