"""Samples, part three: a scenario with its story, hint and bars, and the goals at its end."""

from attrs import evolve

from companion.screens.gallery import samples_settled as settled, samples_setup as wizard
from companion.screens.gallery.samples import FIRST_ROUND, MANAGERS, TABLE
from companion.session.table import TableView
from companion.simulation.player import GoalResult, GoalView, PlayerView
from companion.simulation.words import Mode

STORY = (
    "Nobody has ever changed a sky. On Brine it could be done, says a paper that its author has since withdrawn. "
    "All it takes is everything you have, for a year and a half, and nobody opening a window too soon."
)
RULES = (
    "Each working Atmospheric Synthesizer, Life Support System or Hydroponics Dome adds 1 to the air every round.",
    "Whoever submits one of these takes 1 XP more.",
)
HINT = (
    "On the ARC tile's large socket draw 2 Decrees, then endorse a Solar Power Plant. Endorsed, its mini goes on the ARC "
    "and flashes green until the builder's token lies on the roof."
)
LAID_OUT = (
    "Draw 5 yellow Goals together and keep 3; shuffle the other 2 back.",
    "Starting currencies: 2 Decrees, 2 CR and 1 TG for each Manager.",
    "Hospital Ship: each Manager takes 1 TG more.",
    "Put 7 PA in the bank.",
    "Every module needs 3 endorsements and the number on its tile.",
    "Shuffle the artifacts and reveal 3; shuffle the decrees and the goals.",
    "Add to the base modules: Hangar, Test Chamber, Bunker, Community Tower, Prison Dome.",
    "Assistants face up: Pilot, Sergeant, Strong AI. All three Advisors: Ambassador, Board Proxy, SimStim Trainer.",
    "Paul Bloch takes the Governor's token.",
    "Each Manager has 3 regular actions a round and takes their Directive.",
    *RULES,
)


def in_scenario(table: TableView, *bars: tuple[str, int, int], hint: str = "") -> TableView:
    assert table.colony is not None
    colony: PlayerView = evolve(
        table.colony, mode=Mode.CO_OP, scenario_name="First Breath", scenario_text=STORY, scenario_rules=RULES,
        achievements=bars, hint=hint, table_setup=LAID_OUT if table.colony.round == 1 else (),
    )  # fmt: skip
    return evolve(table, colony=colony, hint=hint)


INTRODUCED = evolve(in_scenario(FIRST_ROUND, ("Breathable air", 0, 26)), is_introducing=True)
HINTED = in_scenario(FIRST_ROUND, ("Modules at work", 0, 3), hint=HINT)
HINTED_LATE = in_scenario(TABLE, ("Months survived", 6, 9), hint=HINT)
PUT_AWAY = evolve(HINTED, hint="")
PROGRESS = in_scenario(TABLE, ("Green laws passed", 12, 20), ("Inhabitants", 2500, 2500))
CHECKLIST = evolve(wizard.SETUP, setup=evolve(wizard.SETUP_VIEW, table_setup=LAID_OUT))


def blue(id: str, title: str, text: str, *points: int | None) -> GoalView:
    results = tuple(
        GoalResult(manager.id, one, _result(one)) for manager, one in zip(MANAGERS, points * 4, strict=False)
    )
    return GoalView(id, title, text, results)


def _result(points: int | None) -> str:
    if points is None:
        return "Count the artifacts before each Manager."
    return "At least 6,000 inhabitants" if points > 0 else "Not met"


GOALS = (
    blue("streets", "Full streets", "At least 6,000 inhabitants. A colony is people, and you want many.", 8),
    blue("small", "Small is beautiful", "No more than 3,000 inhabitants. You would rather know their names.", -3),
    blue("chest", "Money in the chest", "STOCK of 60 or more. Leave the treasury better than you found it.", -3),
    blue("collector", "The collector", "More artifacts than any other Manager.", None),
    *(blue(f"g{n}", f"Quiet round {n}", "The colony has no special state when the game ends.", 5) for n in range(16)),
    GoalView("own", "A hangar of one's own", "Your Hangar works when the game ends.", (GoalResult("xu", 6, "The Hangar works"),)),
    GoalView("other", "Nothing but sky", "No dome of yours is damaged.", (GoalResult("mccain", 6, "No damage"),)),
)  # fmt: skip
FIGURES = (
    ("Inhabitants", "7,860"), ("Colonists", "4,620"), ("SecForce", "1,310"), ("Scientists", "940"), ("Marines", "580"),
    ("Prisoners", "410"), ("Modules fully built", "12"), ("Modules of the second tier", "2"), ("STOCK", "27"),
    ("Terran Dependence", "1"),
)  # fmt: skip


def with_goals(table: TableView, goals: tuple[GoalView, ...]) -> TableView:
    assert table.colony is not None
    assert table.colony.ending is not None
    ending = evolve(table.colony.ending, goals=goals, figures=FIGURES)
    return evolve(table, colony=evolve(table.colony, ending=ending))


COUNTING = with_goals(settled.COUNTING, GOALS)
COMMON = with_goals(
    settled.COMMON,
    tuple(evolve(goal, results=(evolve(goal.results[0], manager=None),)) for goal in GOALS[:15]),
)
