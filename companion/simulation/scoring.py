"""Victory points and the end screen (§6, §6.1, A2.2). Nothing of this is shown while the game goes on (HI-10)."""

from companion.catalog import Catalog
from companion.catalog.rules import Scoring
from companion.simulation.colony import Colony
from companion.simulation.commands import Setup
from companion.simulation.conditions import president_seat
from companion.simulation.draft import Draft
from companion.simulation.game_rules import rules_of
from companion.simulation.goals import view_goals
from companion.simulation.player import EndingView, ManagerScore, ScoreLine
from companion.simulation.wording import GROUP_NAMES
from companion.simulation.words import Condition, Ending, Group, Mode


def view_ending(colony: Colony, catalog: Catalog) -> EndingView:
    """What the end screen says. After a negative ending nobody scores."""
    is_victory = all(ending.is_positive for ending in colony.endings)
    title, text = _texts(colony, catalog)
    president = _president(colony, catalog) if is_victory else None
    scores = _scores(colony, catalog, president) if is_victory else ()
    entered = {manager for manager, _ in colony.table_points}
    missing = tuple(score.manager for score in scores if score.manager not in entered)
    return EndingView(
        colony.endings,
        is_victory,
        title,
        text,
        president,
        scores,
        missing,
        figures=_figures(colony),
        goals=view_goals(colony, catalog) if is_victory else (),
        presidency=rules_of(colony.setup, catalog).scoring.presidency,
    )


def _figures(colony: Colony) -> tuple[tuple[str, str], ...]:
    """What goals ask for and players may know."""
    working = [module for module in colony.modules if module.condition is Condition.WORKING]
    groups = zip(Group, colony.groups, strict=True)
    return (
        ("Inhabitants", _written(colony.citizens)),
        *((GROUP_NAMES[group.value], _written(count)) for group, count in groups),
        ("Modules fully built", f"{len(working)}"),
        ("Modules of the second tier", f"{sum(module.tier == 2 for module in working)}"),
        ("STOCK", _written(colony.stock)),
        ("Terran Dependence", f"{colony.dependence}"),
    )


def _written(number: int) -> str:
    return f"{number:,}".replace("-", "−")


def planet_modifier(setup: Setup, catalog: Catalog) -> int:
    """What co-op and solo start from on this planet with this many managers (A2.2.4); shown when a planet is chosen."""
    percent = rules_of(setup, catalog).scoring.planet_percent.at(max(1, len(setup.managers)))
    return -(-catalog.planets[setup.planet].vp_modifier * percent // 100)


def _texts(colony: Colony, catalog: Catalog) -> tuple[str, str]:
    own = (Ending.SCENARIO_WON, Ending.SCENARIO_LOST)
    if colony.setup.scenario and colony.scenario_ending >= 0 and any(ending in own for ending in colony.endings):
        ending = catalog.scenarios[colony.setup.scenario].endings[colony.scenario_ending]
        return ending.title, ending.text
    texts = [catalog.endings[ending.value] for ending in colony.endings]
    return texts[0].title, "\n\n".join(text.text for text in texts)


def _president(colony: Colony, catalog: Catalog) -> str | None:
    if colony.setup.mode is not Mode.SEMI_COOP:
        return None
    return colony.setup.managers[president_seat(Draft(colony, catalog))]


def _scores(colony: Colony, catalog: Catalog, president: str | None) -> tuple[ManagerScore, ...]:
    rules = rules_of(colony.setup, catalog).scoring
    table = dict(colony.table_points)
    if colony.setup.mode is not Mode.SEMI_COOP:
        lines = _common_lines(colony, catalog, rules, table.get(None))
        total = sum(line.points for line in lines)
        return (ManagerScore(None, lines, total, False, total > 0, table.get(None)),)
    each = [
        (manager, _own_lines(colony, catalog, rules, seat, manager == president, table.get(manager)))
        for seat, manager in enumerate(colony.setup.managers)
    ]
    totals = [sum(line.points for line in lines) for _, lines in each]
    return tuple(
        ManagerScore(manager, lines, total, manager == president, total == max(totals), table.get(manager))
        for (manager, lines), total in zip(each, totals, strict=True)
    )


def _own_lines(
    colony: Colony, catalog: Catalog, rules: Scoring, seat: int, is_president: bool, table: int | None
) -> tuple[ScoreLine, ...]:
    lines = [
        ScoreLine("Presidency", rules.presidency if is_president else 0),
        ScoreLine("Modules built", rules.module * colony.built[seat]),
        ScoreLine("Green decrees passed", rules.green * colony.greens[seat]),
        ScoreLine("Order of Command", catalog.managers[colony.setup.managers[seat]].order_vp),
        ScoreLine("Ambassador", rules.ambassador * colony.ambassadors[seat]),
    ]
    return tuple(lines) if table is None else (*lines, ScoreLine("On the table", table))


def _common_lines(colony: Colony, catalog: Catalog, rules: Scoring, table: int | None) -> tuple[ScoreLine, ...]:
    rounds = len(colony.past) - 1
    lines = [
        ScoreLine("Modules built", rules.module * sum(colony.built)),
        ScoreLine("Green decrees passed", rules.green * sum(colony.greens)),
        ScoreLine("Ambassador", rules.ambassador * sum(colony.ambassadors)),
        ScoreLine("Rounds survived", rules.round * rounds),
        ScoreLine("Loans from Earth", rules.loan * colony.loans),
        ScoreLine("Rounds of RIOT", rules.riot_round * colony.riot_rounds),
        ScoreLine("Planet", planet_modifier(colony.setup, catalog)),
    ]
    return tuple(lines) if table is None else (*lines, ScoreLine("On the table", table))
