"""Samples, part two: dialogs, the wizard, the summary, the ends, the tray."""

from attrs import evolve

from companion.screens.controller import BoardRow, Offer, SavedGame
from companion.screens.gallery.samples import ALARMING, COLONY, GOOD, NO_ARC, POOR, TABLE
from companion.session.table import (
    Choice,
    ChoiceStyle,
    Dialog,
    DialogKind,
    FleetChoice,
    ManagerChoice,
    MissingModule,
    Notice,
    NoticeKind,
    Phase,
    PlanetChoice,
    ScenarioChoice,
    SetupView,
    TableView,
    TrayCard,
    TrayModule,
    TrayView,
)
from companion.simulation.player import (
    AchievementSection,
    ColonyStatusSection,
    DecreeResult,
    DecreeSection,
    EconomySection,
    EndingView,
    ManagerScore,
    OccurrenceSection,
    PlayerReport,
    RankingSection,
    ScoreLine,
    UpgradeSection,
    UpkeepSection,
)
from companion.simulation.words import Colour, Ending, Group, Mode, Resource

SAVED = (
    SavedGame("g1", "New Helvetia", "Proxima b", 14, 20, "today, 21:07"),
    SavedGame("g2", "Port Amara", "Kepler-442 b", 6, 20, "Saturday, 23:40"),
    SavedGame("g3", "Last Harbour", "TRAPPIST-1 e", 17, 20, "3 November", is_ended=True),
)

ALL = ("bloch", "gore", "xu", "mccain")
CONFIRM = Choice("confirm", "Confirm", ChoiceStyle.PRIMARY)
NOT_THIS = Choice("not_this_card", "Not this card", ChoiceStyle.PLAIN)
CANCEL = Choice("cancel", "Cancel", ChoiceStyle.PLAIN)

DIALOGS = {
    "owner": Dialog(
        DialogKind.OWNER, "Whose decree is «Water rationing»?", ("Fee: 2 CR. The vote is taken when the round ends.",),
        "Lay your manager token on the ARC.", ALL, (NOT_THIS,), "decree_green",
    ),
    "builder": Dialog(
        DialogKind.BUILDER, "Landing Pad is connected: who built it?", ("Its light flashes green on the table.",),
        "Lay the builder's token on the ARC.", ALL, (Choice("nobody", "Nobody: take it off", ChoiceStyle.PLAIN),), "module",
    ),
    "campaign": Dialog(
        DialogKind.CAMPAIGN, "Campaign by Ava Xu?", ("Put the token on the campaign socket afterwards.",),
        "", (), (CANCEL, CONFIRM), "campaign",
    ),
    "ambassador": Dialog(
        DialogKind.AMBASSADOR, "Who sends the Ambassador?", ("One step of Terran Dependence is taken back.",),
        "Lay your manager token on the ARC.", ALL, (CANCEL,), "ambassador",
    ),
    "undo": Dialog(
        DialogKind.UNDO, "Take back the newest act?", ("Water rationing, a decree of Athena Gore, round 14.",),
        "Tap, or lay the Governor token on the ARC once more.", (), (CANCEL, Choice("confirm", "Undo it", ChoiceStyle.DANGER)), "undo",
    ),
    "replace_card": Dialog(
        DialogKind.REPLACE_CARD, "Drop «Water rationing»?", ("«Curfew» was laid down while it waits for its owner.",),
        "", (), (Choice("keep", "Keep the first", ChoiceStyle.PLAIN), Choice("replace", "Take the second", ChoiceStyle.PRIMARY)), "decree_red",
    ),
    "foreign_module": Dialog(
        DialogKind.FOREIGN_MODULE, "Obelisk is not in this game's pool", ("None of the managers at the table brings it.",),
        "Take it off, or build it all the same.", (), (Choice("accept", "Accept anyway", ChoiceStyle.PLAIN),), "module",
    ),
    "next": Dialog(
        DialogKind.NEXT, "End round 14?", ("4 acts are registered. Afterwards nothing of this round can be changed.",),
        "", (), (CANCEL, Choice("confirm", "End the round", ChoiceStyle.PRIMARY)), "next",
    ),
    "settle_without_arc": Dialog(
        DialogKind.SETTLE_WITHOUT_ARC, "The ARC does not answer", ("Cards laid on it since 21:02 may be missing.",),
        "Bring the tablet nearer to the ARC.", (),
        (Choice("wait", "Wait for it", ChoiceStyle.PRIMARY), Choice("settle", "Settle without it", ChoiceStyle.DANGER)), "next",
    ),
}  # fmt: skip


def dialog_table(name: str) -> TableView:
    return evolve(TABLE, dialog=DIALOGS[name], waiting_dialogs=2 if name == "owner" else 0)


NOTICES = evolve(
    TABLE,
    notices=(
        Notice(1, NoticeKind.DONE, "Water rationing is registered for Athena Gore. Pay 2 CR.", "gore", can_undo=True),
        Notice(2, NoticeKind.REFUSED, "Curfew was not registered: one decree a manager and round.", "xu"),
    ),
)

RESUME = evolve(
    TABLE,
    phase=Phase.RESUME,
    missing=(
        MissingModule(11, "Solar Power Plant", "bloch"),
        MissingModule(14, "Residential Dome", "mccain"),
        MissingModule(22, "Nuclear Power Plant", None),
    ),
)

SETUP_VIEW = SetupView(
    managers=(
        ManagerChoice("bloch", "Paul Bloch", "B", "#F5B83D", ("Hangar", "Test Chamber"), 9, (("pilot", "Pilot"), ("kingpin", "Kingpin"))),
        ManagerChoice("carter", "Giselle Carter", "C", "#FF8FA3", ("Hangar", "Laboratory"), 8),
        ManagerChoice("gore", "Athena Gore", "G", "#7EE081", ("Hangar", "Bunker"), 7, (("sergeant", "Sergeant"), ("special", "Special Operative"))),
        ManagerChoice("artyomov", "Boris Artyomov", "A", "#FF7A59", ("Test Chamber", "Laboratory"), 6),
        ManagerChoice("chen", "Art Chen", "H", "#4CD7D0", ("Community Tower", "Obelisk"), 5),
        ManagerChoice("xu", "Ava Xu", "X", "#C79BFF", ("Community Tower", "Prison Dome"), 4, (("ai", "Strong AI"), ("medium", "Medium"))),
        ManagerChoice("pokorny", "Vlad Pokorny", "P", "#9FB4D8", ("Community Tower", "Terran Embassy"), 3),
        ManagerChoice("mccain", "Mac McCain", "M", "#5BB8F5", ("Consulate", "Spaceport"), 2),
        ManagerChoice("johannes", "Lucas Johannes", "J", "#E9DCA0", ("Prison Dome",), 1),
    ),
    planets=(
        PlanetChoice("gliese", "Gliese 667 Cc", "Mild, wet, a long year. A good place to learn.", "Gentle", -30),
        PlanetChoice("proxima", "Proxima b", "Red light, storms of its star, thin air. The usual hardship.", "Standard", -40),
        PlanetChoice("kepler", "Kepler-442 b", "Heavy ground and cold nights; riots come early.", "Hard", -55),
    ),
    fleets=(
        FleetChoice("freighter", "Freighter Group", "Every manager begins with 1 TG more."),
        FleetChoice("hospital", "Hospital Ship", "Happiness begins a little higher."),
    ),
    scenarios=(
        ScenarioChoice("strike", "The Long Strike", "The machines stand still and the Citizens want a word.", "Hard"),
        ScenarioChoice("harvest", "Harvest Home", "The first grain of this world stands as high as a child. It has to be brought in before the dust season, which nobody here has seen yet, and the hands that could do it have just been promised to somebody else.", "Gentle"),
        ScenarioChoice("quiet", "A Quiet Frequency", "Earth has not called for a year. That was a relief at first. Now somebody answers on the old channel who knows all your names.", "Extreme", planet="kepler"),
        ScenarioChoice("first", "Tutorial: The First Evening", "Six rounds on a kind world. You learn where things lie and when to tap NEXT.", "Gentle", planet="gliese", is_tutorial=True),
        ScenarioChoice("second", "Tutorial: Taking a Vote", "Cards, approval and who decides. Nothing here is held against you afterwards.", "Gentle", is_tutorial=True),
    ),
    seated=("bloch", "gore", "xu"),
)  # fmt: skip

SETUP = evolve(TABLE, phase=Phase.SETUP, colony=None, setup=SETUP_VIEW, undo_text=None)

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
    return ManagerScore(manager, lines, sum(number for _label, number in points), president, wins)


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


TRAY = TrayView(
    cards=(
        TrayCard("water", "Water rationing", "decree_green", "Liquids consumption falls. Fee: 2 CR."),
        TrayCard("relief", "Tax relief", "decree_green", "Happiness rises, taxes fall. Fee: 1 CR."),
        TrayCard("curfew", "Curfew", "decree_red", "Security rises, Happiness falls. Fee: 1 TG."),
        TrayCard("draft", "General draft", "decree_red", "Colonists become Marines. Fee: 2 TG."),
        TrayCard("martial", "Martial order", "directive", "Security rises for good.", "xu"),
        TrayCard("bloch", "Paul Bloch", "manager", "Campaign, or the answer to a question", "bloch"),
        TrayCard("gore", "Athena Gore", "manager", "Campaign, or the answer to a question", "gore"),
        TrayCard("governor", "Governor token", "governor", "Takes back the newest act"),
        TrayCard("ambassador", "Ambassador token", "ambassador", "One step of Terran Dependence less"),
    ),
    modules=(
        TrayModule(1, "Solar Power Plant", 1), TrayModule(2, "Nuclear Power Plant", 0), TrayModule(3, "Life Support System", 1),
        TrayModule(12, "Residential Dome", 1), TrayModule(13, "Temporary Residential Capsules", 1), TrayModule(19, "Community Tower", 1),
    ),
)  # fmt: skip
TAPPED = evolve(TABLE, arc=NO_ARC, tray=TRAY, colony=evolve(COLONY, registered=()), undo_text=None)

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

OFFERS = (
    Offer("take", "Take over “Dawn”", "Round 5 of 20 on Verdance, left there by another tablet", "swap-horizontal"),
    Offer("stop", "Do not look any further", "Back to this tablet's own games", "close"),
)
OTHER_CATALOG = (
    Offer(
        "continue",
        "Go on with “Port Amara” from the beginning of its last round",
        "The colony as it was kept then, with this app's cards; what was registered since is registered again",
        "play",
    ),
    Offer(
        "anew",
        "Work “Port Amara” out anew",
        "Everything that was registered, with this app's cards and numbers",
        "history",
    ),
)
BOARD = (
    BoardRow("Firmware", "1.4.0, protocol 1.0, board 4f2a90c1", "chip", "good"),
    BoardRow("Battery", "18 %", "battery", "poor"),
    BoardRow(
        "Since it was switched on",
        "12 starts, 312 cards read, 4 sessions, 71 KiB of memory free, at least 52",
        "chart-timeline-variant",
    ),
    BoardRow(
        "Troubles counted", "4 frames not understood (reader); 2 frames repeated (bus)", "alert-circle-outline", "poor"
    ),
    BoardRow("Last crash", "none kept", "check", "good"),
    BoardRow("Card reader", "answers", "clipboard-check-outline", "good"),
)
