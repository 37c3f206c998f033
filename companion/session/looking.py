"""What people look at on the tablet beside the game: the wizard's plan, a scenario's introduction, a tutorial's hint.

Nothing of it is in the journal: a game that is opened again begins where it stands.
"""

from attrs import evolve, frozen

from companion.session import actions
from companion.simulation.commands import Setup
from companion.simulation.player import PlayerView


@frozen
class Looking:
    planned: Setup | None = None
    is_introducing: bool = False
    read_hint: str = ""
    """The sentence that was put away; the next round has another."""

    def hint(self, view: PlayerView | None) -> str:
        return "" if view is None or view.hint == self.read_hint else view.hint


Look = actions.PlanGame | actions.LeaveIntroduction | actions.ShowHint


def look(looking: Looking, action: Look, view: PlayerView | None) -> Looking:
    """After one of the acts that change nothing but what is looked at."""
    match action:
        case actions.PlanGame(setup):
            return evolve(looking, planned=setup)
        case actions.LeaveIntroduction():
            return evolve(looking, is_introducing=False)
        case actions.ShowHint(is_shown):
            return evolve(looking, read_hint="" if is_shown or view is None else view.hint)


def begun(looking: Looking, view: PlayerView | None) -> Looking:
    """After the wizard's Start: a scenario tells its story first."""
    return evolve(looking, planned=None, is_introducing=view is not None and bool(view.scenario_name))
