"""Goals at the end (§2.2, §6.1): each manager picks theirs, the app judges what it can see and says where to look.

Nobody's goals are here during play, and what is picked stays on this screen.
"""

from collections.abc import Mapping

from attrs import frozen

from companion.screens.texts import _, count, signed
from companion.screens.view_models import words
from companion.screens.view_models.cards import PillVM
from companion.screens.view_models.choices import TapVM
from companion.screens.view_models.page import BlockVM, ItemVM, PageVM
from companion.simulation.player import EndingView, GoalResult, GoalView, PlayerView

USUAL = 3
"""Goals that are kept (§3.1.6); an advisor may have brought more."""
BLUE, GREEN, YELLOW = "info", "good", "poor"

Picked = Mapping[str | None, tuple[str, ...]]
"""Goal ids by manager; None: the group."""


@frozen
class JudgedVM:
    page: PageVM
    points: int
    """Of the goals that the app can judge."""
    title: str
    """Beside the number that is entered."""
    portrait: tuple[str, str, str] | None


def result_of(goal: GoalView, owner: str | None) -> GoalResult | None:
    """None: this goal is another manager's own."""
    return next((result for result in goal.results if result.manager == owner), None)


def goal_cards(ending: EndingView, colony: PlayerView, owner: str | None, picked: Picked) -> tuple[TapVM, ...]:
    """Those that may lie before `owner`, their own green one first."""
    may_lie = [goal for goal in ending.goals if result_of(goal, owner) is not None]
    may_lie.sort(key=lambda goal: tone_of(goal, colony) != GREEN)
    return tuple(goal_card(goal, colony, owner, picked) for goal in may_lie)


def goal_card(goal: GoalView, colony: PlayerView, owner: str | None, picked: Picked) -> TapVM:
    holder = next((one for one, ids in picked.items() if goal.id in ids and one != owner), None)
    is_chosen = goal.id in picked.get(owner, ())
    pill = PillVM("check", _("Chosen"), "good") if is_chosen else PillVM()
    if holder is not None:
        pill = PillVM("", words.manager_name(colony, holder), "muted")
    tone = tone_of(goal, colony)
    return TapVM(goal.id, goal.title, goal.text, "target", tone, pill=pill, is_chosen=is_chosen, is_open=holder is None)


def tone_of(goal: GoalView, colony: PlayerView) -> str:
    """The colour of its card's back."""
    if goal.results[0].manager is None:
        return YELLOW
    return GREEN if len(goal.results) < len(colony.managers) else BLUE


def toggled(picked: Picked, owner: str | None, goal: str) -> dict[str | None, tuple[str, ...]]:
    mine = picked.get(owner, ())
    now = tuple(one for one in mine if one != goal) if goal in mine else (*mine, goal)
    return {**picked, owner: now}


def heading(colony: PlayerView, owner: str | None) -> str:
    manager = words.find_manager(colony, owner)
    return _("GOALS OF {name}").format(name=manager.name.upper()) if manager else _("YOUR GOALS")


def chosen_pill(picked: Picked, owner: str | None) -> PillVM:
    chosen = len(picked.get(owner, ()))
    few = chosen <= USUAL
    text = _("{n} of {usual} chosen").format(n=chosen, usual=USUAL) if few else _("{n} chosen").format(n=chosen)
    return PillVM("check" if chosen >= USUAL else "target", text, "good" if chosen >= USUAL else "muted")


def judged(ending: EndingView, colony: PlayerView, owner: str | None, picked: Picked) -> JudgedVM:
    """What the picked goals are worth, and the colony's figures beside them."""
    chosen = [goal for goal in ending.goals if goal.id in picked.get(owner, ())]
    results = [(goal, result) for goal in chosen if (result := result_of(goal, owner)) is not None]
    points = sum(result.points or 0 for _goal, result in results)
    open_ones = sum(result.points is None for _goal, result in results)
    manager = words.find_manager(colony, owner)
    note = count(
        open_ones, _("{n} goal is yours to judge: add it below."), _("{n} goals are yours to judge: add them below.")
    )
    to_add = _("{who}: add artifacts and abilities") if results else _("{who}: goals, artifacts and abilities")
    goals = BlockVM(
        title=_("GOALS"),
        icon="target",
        tone="poor",
        pill=PillVM("", _("{n} VP").format(n=signed(points)), "good" if points > 0 else "muted"),
        items=tuple(result_row(goal, result) for goal, result in results),
        note=note if open_ones else "",
    )
    return JudgedVM(
        page=PageVM(columns=((goals,), (figures_block(ending),)) if results else ((figures_block(ending),),)),
        points=points,
        title=to_add.format(who=manager.name if manager else _("Table points")),
        portrait=words.portrait(colony, owner),
    )


def result_row(goal: GoalView, result: GoalResult) -> ItemVM:
    if result.points is None:
        return ItemVM(goal.title, result.text, "help-circle-outline", "info", pill=PillVM("", _("You judge"), "info"))
    is_met = result.points > 0
    return ItemVM(
        goal.title,
        result.text,
        "check-circle" if is_met else "close",
        "good" if is_met else "alarming",
        value=signed(result.points),
        value_tone="good" if is_met else "alarming",
    )


def figures_block(ending: EndingView) -> BlockVM:
    rows = tuple(ItemVM(title=label, value=value, is_entry=True) for label, value in ending.figures)
    return BlockVM(title=_("THE COLONY IN FIGURES"), icon="home-city", items=rows)
