"""Sample tables, made by hand: one evening in Semi-Coop from the wizard to the end. Also what the tests draw."""

from attrs import evolve

from companion.session.table import ArcState, ArcView, Notice, NoticeKind, Phase, TableView
from companion.simulation.player import (
    AssistantView,
    ConstructionView,
    EconomyView,
    ManagerView,
    ModuleView,
    PlayerView,
    PopulationView,
    RegisteredAct,
    ResourceView,
    SpecialView,
    StatusView,
)
from companion.simulation.words import Balance, Condition, Fill, Group, Level, Mode, Resource, Status

BLOCH = ManagerView("bloch", "Paul Bloch", "B", "#F5B83D", is_governor=True, becomes_governor=False)
GORE = ManagerView("gore", "Athena Gore", "G", "#7EE081", is_governor=False, becomes_governor=True)
XU = ManagerView("xu", "Ava Xu", "X", "#C79BFF", is_governor=False, becomes_governor=False)
MCCAIN = ManagerView("mccain", "Mac McCain", "M", "#5BB8F5", is_governor=False, becomes_governor=False)
MANAGERS = (BLOCH, GORE, XU, MCCAIN)
ASSISTANTS = (
    AssistantView("bloch", "Paul Bloch", "B", "#F5B83D", up="Pilot", down="Quartermaster"),
    AssistantView("gore", "Athena Gore", "G", "#7EE081", up="Drill Master", down="Special Operative"),
    AssistantView("xu", "Ava Xu", "X", "#C79BFF", up="Kingpin", down="Bailiff"),
    AssistantView("mccain", "Mac McCain", "M", "#5BB8F5", up="Salvager", down="Ticket Agent"),
)

GOOD, POOR, ALARMING, CRITICAL = Level.GOOD, Level.POOR, Level.ALARMING, Level.CRITICAL

READY = ArcView(ArcState.READY, "", 84, battery_low=False)
NO_ARC = ArcView(ArcState.NONE, "", None, battery_low=False)

COLONY = PlayerView(
    colony_name="New Helvetia",
    planet_name="Proxima b",
    mode=Mode.SEMI_COOP,
    round=14,
    max_rounds=20,
    managers=MANAGERS,
    statuses=(
        StatusView(
            Status.HAPPINESS,
            GOOD,
            POOR,
            (GOOD, GOOD, GOOD, POOR, POOR, POOR, ALARMING, POOR, POOR, GOOD, GOOD, POOR, GOOD),
        ),
        StatusView(
            Status.SECURITY, POOR, POOR, (GOOD, GOOD, GOOD, GOOD, GOOD, POOR, POOR, GOOD, GOOD, POOR, POOR, POOR, POOR)
        ),
        StatusView(
            Status.TECHNICAL,
            ALARMING,
            POOR,
            (GOOD, GOOD, GOOD, GOOD, GOOD, POOR, POOR, POOR, POOR, ALARMING, POOR, POOR, ALARMING),
        ),
    ),
    resources=(
        ResourceView(Resource.POWER, 42, 38, Balance.SURPLUS, Fill.FULL),
        ResourceView(Resource.LIFE_SUPPORT, 30, 30, Balance.EVEN, Fill.INCOMPLETE),
        ResourceView(Resource.GAS, 18, 22, Balance.SHORT, Fill.EMPTY),
        ResourceView(Resource.LIQUIDS, 36, 19, Balance.OVERFLOWING, Fill.FULL),
    ),
    population=PopulationView(
        groups=(
            (Group.COLONISTS, 4620),
            (Group.SECFORCE, 1310),
            (Group.SCIENTISTS, 940),
            (Group.MARINES, 580),
            (Group.PRISONERS, 410),
        ),
        housing=9000,
        trend=(Group.COLONISTS, Group.SCIENTISTS, Group.SECFORCE),
        is_leaving=False,
        history=(2000, 2260, 2700, 2650, 3100, 3900, 4300, 4200, 5000, 5800, 6700, 7360, 7860),
    ),
    economy=EconomyView(
        stock=27,
        queue=(
            ConstructionView(21, "Hydroponics Dome", 3, is_rebuilding=False),
            ConstructionView(22, "Nuclear Power Plant", 1, is_rebuilding=False),
            ConstructionView(12, "Automatic Well", 2, is_rebuilding=True),
        ),
        history=(40, 36, 44, 31, 22, 30, 38, 27, 12, 20, 16, 22, 27),
        construction_cost=5,
    ),
    special=SpecialView(
        riot_stage=0, riot_warning=False, terran_dependence=1, is_overcrowded=False, damaged=(12,), loan=20
    ),
    modules=(
        ModuleView(11, 1, "Solar Power Plant", Condition.WORKING, 2, "bloch"),
        ModuleView(12, 5, "Automatic Well", Condition.UNDER_RECONSTRUCTION, 1, "gore"),
        ModuleView(13, 4, "Atmospheric Synthesizer", Condition.WORKING, 1, "xu"),
        ModuleView(14, 12, "Residential Dome", Condition.WORKING, 1, "mccain"),
        ModuleView(15, 12, "Residential Dome", Condition.WORKING, 1, "bloch"),
        ModuleView(16, 6, "Tanks", Condition.WORKING, 2, "gore"),
        ModuleView(17, 11, "Community Dome", Condition.WORKING, 1, "xu"),
        ModuleView(21, 7, "Hydroponics Dome", Condition.UNDER_CONSTRUCTION, 1, "mccain"),
        ModuleView(22, 2, "Nuclear Power Plant", Condition.UNDER_CONSTRUCTION, 1, "bloch"),
        ModuleView(23, 9, "Landing Pad", Condition.AWAITING_BUILDER, 1, None),
    ),
    registered=(
        RegisteredAct("module", "bloch", "Nuclear Power Plant", "Endorsements: 7"),
        RegisteredAct("decree", "gore", "Water rationing", "Fee: 2 CR"),
        RegisteredAct("campaign", "xu", "Campaign", ""),
        RegisteredAct("governor", "gore", "Claims the Governor's seat", "From the next round"),
    ),
    is_last_round=False,
    ending=None,
    assistants=ASSISTANTS,
)

TABLE = TableView(
    phase=Phase.ROUND,
    arc=READY,
    dialog=None,
    waiting_dialogs=0,
    notices=(),
    missing=(),
    setup=None,
    colony=COLONY,
    report=None,
    page=0,
    is_reviewing=False,
    undo_text="Athena Gore claims the Governor's seat",
)

FIRST_ROUND = evolve(
    TABLE,
    undo_text=None,
    colony=evolve(
        COLONY,
        round=1,
        statuses=tuple(StatusView(status, GOOD, None, ()) for status in Status),
        population=PopulationView(
            groups=tuple((group, 400 if group is Group.COLONISTS else 100) for group in Group),
            housing=2000,
            trend=(Group.COLONISTS,),
            is_leaving=False,
            history=(),
        ),
        economy=EconomyView(50, (), ()),
        special=SpecialView(0, riot_warning=False, terran_dependence=0, is_overcrowded=False, damaged=(), loan=20),
        modules=(),
        registered=(),
        resources=tuple(ResourceView(resource, 8, 4, Balance.SURPLUS, Fill.INCOMPLETE) for resource in Resource),
    ),
)

WORST = evolve(
    TABLE,
    arc=ArcView(ArcState.LOST, "", 9, battery_low=True),
    colony=evolve(
        COLONY,
        round=20,
        is_last_round=True,
        statuses=tuple(
            StatusView(status, CRITICAL, ALARMING, (POOR, ALARMING, ALARMING, CRITICAL)) for status in Status
        ),
        resources=tuple(ResourceView(resource, 12, 118, Balance.DEVASTATING, Fill.EMPTY) for resource in Resource),
        population=evolve(COLONY.population, housing=4000, trend=(), is_leaving=True),
        economy=EconomyView(
            -148,
            tuple(ConstructionView(n, "Temporary Residential Capsules", n % 4, n % 2 == 0) for n in range(6)),
            (90, 4),
        ),
        special=SpecialView(
            2, riot_warning=True, terran_dependence=2, is_overcrowded=True, damaged=(11, 12, 13), loan=20
        ),
    ),
    notices=(Notice(3, NoticeKind.WARNING, "The ARC is out of reach. Cards are kept there until it is back."),),
)

SETTLING = evolve(TABLE, phase=Phase.SETTLING, undo_text=None)
