"""Goal cards at the end of the game: judged where the app can see what they ask for, else said what to look at (§2.2)."""

from companion.catalog import Catalog
from companion.catalog.table_cards import Goal
from companion.simulation.colony import Colony
from companion.simulation.conditions import holds
from companion.simulation.draft import Draft
from companion.simulation.player import GoalResult, GoalView
from companion.simulation.words import Mode


def view_goals(colony: Colony, catalog: Catalog) -> tuple[GoalView, ...]:
    """All goals that can lie on the table in this mode: blue and the seated managers' green ones, or the yellow ones."""
    draft = Draft(colony, catalog)
    is_common = colony.setup.mode is not Mode.SEMI_COOP
    found = []
    for goal in catalog.goals.values():
        if (goal.kind == "co-op") is not is_common:
            continue
        if goal.manager is not None and goal.manager not in colony.setup.managers:
            continue
        owners = _owners(goal, colony)
        results = tuple(_judge(goal, owner, draft) for owner in owners)
        found.append(GoalView(goal.id, goal.title, goal.text, results))
    return tuple(found)


def judge_goal(colony: Colony, goal: str, manager: str | None, catalog: Catalog) -> GoalResult:
    """One goal for one manager (None: the group)."""
    return _judge(catalog.goals[goal], manager, Draft(colony, catalog))


def _owners(goal: Goal, colony: Colony) -> tuple[str | None, ...]:
    if goal.kind == "co-op":
        return (None,)
    return colony.setup.managers if goal.manager is None else (goal.manager,)


def _judge(goal: Goal, owner: str | None, draft: Draft) -> GoalResult:
    """The last level that holds counts. One level for people leaves the whole goal to them."""
    if any(level.when is None for level in goal.levels):
        return GoalResult(owner, None, goal.look)
    seat = draft.seat(owner)
    reached = [level for level in goal.levels if holds(level.when, draft, seat)]
    if not reached:
        return GoalResult(owner, goal.failed_vp, "Not met")
    return GoalResult(owner, reached[-1].vp, reached[-1].text)
