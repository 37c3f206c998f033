"""Samples of what comes after NEXT: the pages of the summary and the ends."""

from attrs import evolve

from companion.screens.gallery.samples import ALARMING, COLONY, GOOD, POOR, TABLE
from companion.session.table import Phase, TableView
from companion.simulation.player import EndingView, ManagerScore, ScoreLine
from companion.simulation.player_report import (
    AchievementSection,
    ColonyStatusSection,
    DecreeResult,
    DecreeSection,
    EconomySection,
    OccurrenceSection,
    PlayerReport,
    RankingSection,
    UpgradeSection,
    UpkeepSection,
)
from companion.simulation.words import Colour, Ending, Group, Mode, Resource

SECTIONS = (
    ColonyStatusSection(
        notices=(
            (ALARMING, "Terran Dependence", "STOCK fell below zero. Earth lent 20 STOCK; this is loan 1 of 3."),
            (POOR, "Catastrophe", "A pressure hull burst in the Automatic Well. Its neighbours held."),
        ),
        statuses=COLONY.statuses,
        damaged=("Automatic Well",),
    ),
    OccurrenceSection(
        "Dust over the domes",
        "For nine days the wind has carried red dust against the panels. The crews sweep in shifts, and the children draw in it.",
        ("Power production falls this round.", "Technical suffers a little."),
        ("Every manager with a Solar Power Plant discards 1 CR or takes 1 XP.", "Put one artifact of the display under the deck."),
    ),
    EconomySection(
        income=(("Taxes of the Colonists", 18), ("Work of the Scientists", 9), ("Modules", 6), ("Loan from Earth", 20)),
        expenses=(("Upkeep of the colony", -14), ("Construction of 3 modules", -15), ("Imports: Gas", -8)),
        stock_before=11,
        stock_after=27,
        resources=(
            (Resource.POWER, 42, 38, 0), (Resource.LIFE_SUPPORT, 30, 30, 0), (Resource.GAS, 18, 22, 4), (Resource.LIQUIDS, 36, 19, 0),
        ),
        population=(
            (Group.COLONISTS, 4180, 4620), (Group.SECFORCE, 1310, 1310), (Group.SCIENTISTS, 860, 940), (Group.MARINES, 600, 580), (Group.PRISONERS, 410, 410),
        ),
    ),
    DecreeSection(
        (
            DecreeResult("Water rationing", Colour.GREEN, "bloch", True, False, 734, ("Liquids consumption falls.",), ("Paul Bloch takes 2 TG.",)),
            DecreeResult("Curfew", Colour.RED, "gore", False, False, 381, (), ()),
            DecreeResult("Martial order", Colour.BLUE, "xu", True, False, None, ("Security rises for good.",), ()),
            DecreeResult("Tax relief", Colour.GREEN, "mccain", False, True, None, (), ("Discard it without effect.",)),
        )
    ),
    RankingSection((("gore", 5), ("bloch", 4), ("mccain", 4), ("xu", 2))),
    AchievementSection((("Citizens content for three rounds", 2, 3), ("Laboratories standing", 1, 1))),
    UpgradeSection(((11, "Solar Power Plant"), (16, "Tanks"))),
    UpkeepSection("gore", True, ("Hand the Governor's seat on.", "Refresh the proposals.", "Take back all manager tokens.")),
)  # fmt: skip

REPORT = PlayerReport(13, SECTIONS)


def summary_table(page: int) -> TableView:
    return evolve(TABLE, phase=Phase.SUMMARY, report=REPORT, page=page, undo_text=None)


REVIEW = evolve(TABLE, report=REPORT, page=3, is_reviewing=True)


def score(
    manager: str | None, points: tuple[tuple[str, int], ...], *, wins: bool = False, president: bool = False
) -> ManagerScore:
    lines = tuple(ScoreLine(label, number) for label, number in points)
    table = dict(points).get("Table")
    return ManagerScore(manager, lines, sum(number for _label, number in points), president, wins, table)


VICTORY = EndingView(
    endings=(Ending.LAST_ROUND, Ending.FIFTEEN_MODULES),
    is_victory=True,
    title="A town under two suns",
    text="Twenty rounds ago there was a landing site and a list of names. Tonight the market stays open, and nobody asks when the next ship leaves.",
    president="gore",
    scores=(
        score("gore", (("Presidency", 20), ("Modules", 8), ("Green decrees", 3), ("Order of Command", 7), ("Table", 21)), wins=True, president=True),
        score("bloch", (("Modules", 10), ("Green decrees", 4), ("Order of Command", 9), ("Table", 26))),
        score("xu", (("Modules", 6), ("Green decrees", 5), ("Ambassador", 2), ("Order of Command", 4), ("Table", 17))),
        score("mccain", (("Modules", 8), ("Order of Command", 2), ("Table", 12))),
    ),
    points_missing=(),
    presidency=20,
)  # fmt: skip

ENDED = evolve(TABLE, phase=Phase.ENDED, report=REPORT, undo_text=None, colony=evolve(COLONY, round=20, ending=VICTORY))

COUNTING = evolve(
    ENDED,
    colony=evolve(COLONY, round=20, ending=evolve(VICTORY, points_missing=("xu", "mccain"), scores=tuple(evolve(one, is_winner=False) for one in VICTORY.scores))),
)  # fmt: skip

COMMON = evolve(
    ENDED,
    colony=evolve(
        COLONY, mode=Mode.CO_OP, round=20,
        ending=evolve(
            VICTORY, endings=(Ending.FIFTEEN_THOUSAND,), president=None, points_missing=(None,),
            scores=(score(None, (("Rounds survived", 20), ("Modules", 32), ("Green decrees", 12), ("Loans", -20), ("Planet", -40))),),
        ),
    ),
)  # fmt: skip

DEFEATS = {
    Ending.RIOT: ("The gates give way", "The Marines lay down their arms before the crowd does. By morning the Council's hall is somebody's kitchen."),
    Ending.TERRAN_DEPENDENCE: ("A letter from Earth", "The third loan comes with a governor of Earth's own choosing, and with a fleet to carry her bags."),
    Ending.DEPOPULATION: ("Empty domes", "The last shuttle leaves with nine people and a cat. The ARC keeps the lights on for nobody."),
}  # fmt: skip


def defeat_table(ending: Ending) -> TableView:
    title, text = DEFEATS[ending]
    lost = EndingView((ending,), False, title, text, None, (), ())
    return evolve(ENDED, colony=evolve(COLONY, ending=lost))


FIRST_MONTH = evolve(
    summary_table(0),
    colony=evolve(COLONY, round=2),
    report=PlayerReport(
        1,
        (
            EconomySection(
                income=(("Taxes of the Colonists", 3),), expenses=(("Upkeep of the colony's systems", -4),),
                stock_before=50, stock_after=49,
                resources=tuple((resource, 8, 4, 0) for resource in Resource),
                population=tuple(
                    (group, before, after)
                    for group, before, after in zip(Group, (700, 120, 60, 60, 60), (1780, 336, 276, 204, 204), strict=True)
                ),
            ),
        ),
    ),
)  # fmt: skip
QUIET = evolve(
    summary_table(0),
    report=PlayerReport(
        5,
        (
            ColonyStatusSection(
                ((GOOD, "A calm month", "No special state troubles the colony."),), COLONY.statuses, ()
            ),
            DecreeSection(()),
        ),
    ),
)
