"""The setup wizard: what has been chosen so far, what each step offers, and the table's checklist (rulebook §3)."""

from enum import Enum

from attrs import evolve, field, frozen

from companion.screens.texts import _, count, signed
from companion.screens.view_models import words
from companion.screens.view_models.cards import PillVM
from companion.screens.view_models.choices import TapVM
from companion.screens.view_models.page import BlockVM, ItemVM, PageVM
from companion.session.actions import StartGame
from companion.session.table import ArcState, ArcView, ManagerChoice, ScenarioChoice, SetupView
from companion.simulation.commands import Setup
from companion.simulation.words import Mode


class Step(Enum):
    ARC = "arc"
    MODE = "mode"
    MANAGERS = "managers"
    ASSISTANTS = "assistants"
    PLANET = "planet"
    FLEET = "fleet"
    TABLE = "table"


@frozen
class Draft:
    """Chosen on the tablet and not yet told to anybody; who is seated stands in the `SetupView`."""

    step: Step = Step.ARC
    mode: Mode = Mode.SEMI_COOP
    scenario: str | None = None
    planet: str | None = None
    fleet: str | None = None
    flipped: frozenset[str] = frozenset()
    """Managers whose assistant card shows its second side."""
    picked: tuple[str, ...] = ()
    """Solo: the assistants that take part."""
    name: str = ""


@frozen
class SetupVM:
    step: Step = Step.ARC
    number: int = 1
    steps: int = 7
    title: str = ""
    lead: str = ""
    cards: tuple[TapVM, ...] = ()
    page: PageVM = field(factory=PageVM)
    """Only for the steps without cards."""
    problem: str = ""
    """Why this step is not finished; empty: go on."""
    asks_name: bool = False


MODES = (
    (
        Mode.SEMI_COOP,
        _("Semi-Coop"),
        _("Survive together, win alone: most victory points. 2–5 players."),
        "podium-gold",
    ),
    (Mode.CO_OP, _("Co-op"), _("Everybody wins or loses against the planet. 2–5 players."), "handshake"),
    (Mode.SOLO, _("Solo"), _("One player leads all nine managers."), "account"),
)
FEWEST, MOST = 2, 5
SOLO_ASSISTANTS = 3


def steps(view: SetupView, draft: Draft) -> tuple[Step, ...]:
    """Those this game needs: solo seats nobody, a scenario may name its planet, and there may be no fleet."""
    chosen = scenario_of(view, draft)
    skipped = {
        Step.MANAGERS: draft.mode is Mode.SOLO,
        Step.ASSISTANTS: not any(manager.assistants for manager in view.managers),
        Step.PLANET: chosen is not None and chosen.planet is not None,
        Step.FLEET: not view.fleets,
    }
    return tuple(step for step in Step if not skipped.get(step, False))


def scenario_of(view: SetupView, draft: Draft) -> ScenarioChoice | None:
    return next((one for one in view.scenarios if one.id == draft.scenario), None)


def choose_mode(view: SetupView, draft: Draft, id: str) -> Draft:
    """`id` is a mode's or a scenario's; a scenario brings its mode, and perhaps its planet."""
    for scenario in view.scenarios:
        if scenario.id == id:
            return evolve(draft, scenario=id, mode=scenario.mode, planet=scenario.planet or draft.planet)
    return evolve(draft, scenario=None, mode=Mode(id))


def pick_assistant(view: SetupView, draft: Draft, id: str) -> Draft:
    """Solo: `id` is an assistant's, in or out, one side a card. Else a manager's: turns the card over."""
    if draft.mode is not Mode.SOLO:
        return evolve(draft, flipped=draft.flipped ^ {id})
    if id in draft.picked:
        return evolve(draft, picked=tuple(one for one in draft.picked if one != id))
    card = next(tuple(side for side, _name in one.assistants) for one in view.managers if id in dict(one.assistants))
    kept = tuple(one for one in draft.picked if one not in card)
    return evolve(draft, picked=(*kept[-(SOLO_ASSISTANTS - 1) :], id))


def seated(view: SetupView) -> tuple[ManagerChoice, ...]:
    by_id = {manager.id: manager for manager in view.managers}
    return tuple(by_id[id] for id in view.seated if id in by_id)


def neighbour(view: SetupView, draft: Draft, forward: int) -> Step:
    order = steps(view, draft)
    return order[max(0, min(order.index(draft.step) + forward, len(order) - 1))]


def setup_screen(view: SetupView, arc: ArcView, draft: Draft) -> SetupVM:
    order = steps(view, draft)
    title, lead = HEADINGS[draft.step]
    if draft.step is Step.ASSISTANTS and draft.mode is Mode.SOLO:
        lead = _("Choose three; each card lies with one side up.")
    return SetupVM(
        step=draft.step,
        number=order.index(draft.step) + 1,
        steps=len(order),
        title=title,
        lead=lead,
        cards=cards(view, draft),
        page=page(view, arc, draft),
        problem=problem(view, draft),
        asks_name=draft.step is Step.TABLE,
    )


HEADINGS = {
    Step.ARC: (_("THE ARC"), _("Put four charged batteries in, switch it on, and lay it in the middle of the table.")),
    Step.MODE: (_("HOW DO YOU PLAY?"), _("Scenarios bring their own story and rules.")),
    Step.MANAGERS: (_("WHO TAKES PART?"), _("Lay the manager tokens on the ARC clockwise round the table, or tap.")),
    Step.ASSISTANTS: (_("WHICH ASSISTANTS?"), _("Tap a card to turn it over; the app must know which side lies up.")),
    Step.PLANET: (_("WHERE DO YOU SETTLE?"), _("The planet decides how hard it gets.")),
    Step.FLEET: (_("WHO COMES ALONG?"), _("An auxiliary fleet is optional.")),
    Step.TABLE: (_("SET THE TABLE"), _("When all this lies ready, name the colony and begin.")),
}


def cards(view: SetupView, draft: Draft) -> tuple[TapVM, ...]:
    match draft.step:
        case Step.MODE:
            return mode_cards(view, draft)
        case Step.MANAGERS:
            return tuple(manager_card(manager, view) for manager in view.managers)
        case Step.ASSISTANTS:
            return assistant_cards(view, draft)
        case Step.PLANET:
            return planet_cards(view, draft)
        case Step.FLEET:
            none = TapVM("", _("No fleet"), _("The colony starts on its own."), "close", is_chosen=draft.fleet is None)
            fleets = tuple(
                TapVM(fleet.id, fleet.name, fleet.text, "rocket-launch", is_chosen=draft.fleet == fleet.id)
                for fleet in view.fleets
            )
            return (none, *fleets)
        case _:
            return ()


def mode_cards(view: SetupView, draft: Draft) -> tuple[TapVM, ...]:
    modes = tuple(
        TapVM(mode.value, name, text, icon, is_chosen=draft.scenario is None and draft.mode is mode)
        for mode, name, text, icon in MODES
    )
    scenarios = tuple(
        TapVM(
            scenario.id,
            scenario.name,
            scenario.text,
            "book-open-variant",
            "prisoners",
            pill=PillVM("", scenario.difficulty, "muted"),
            is_chosen=draft.scenario == scenario.id,
        )
        for scenario in view.scenarios
    )
    return modes + scenarios


def manager_card(manager: ManagerChoice, view: SetupView) -> TapVM:
    seat = view.seated.index(manager.id) + 1 if manager.id in view.seated else 0
    return TapVM(
        id=manager.id,
        title=manager.name,
        text=_("Brings {modules}").format(modules=", ".join(manager.modules)) if manager.modules else "",
        tone=manager.colour,
        manager=(manager.id, manager.letter, manager.colour),
        pill=PillVM("check", _("Seat {n}").format(n=seat), "good") if seat else PillVM(),
        is_chosen=bool(seat),
    )


def assistant_cards(view: SetupView, draft: Draft) -> tuple[TapVM, ...]:
    if draft.mode is not Mode.SOLO:
        return tuple(assistant_card(manager, draft) for manager in seated(view) if manager.assistants)
    return tuple(
        TapVM(
            id=id,
            title=name,
            text=manager.name,
            tone=manager.colour,
            manager=(manager.id, manager.letter, manager.colour),
            is_chosen=id in draft.picked,
        )
        for manager in view.managers
        for id, name in manager.assistants
    )


def assistant_card(manager: ManagerChoice, draft: Draft) -> TapVM:
    up = assistant_up(manager, draft)
    other = next((name for id, name in manager.assistants if id != up[0]), "")
    return TapVM(
        id=manager.id,
        title=up[1],
        text=_("{manager} · other side: {other}").format(manager=manager.name, other=other),
        tone=manager.colour,
        manager=(manager.id, manager.letter, manager.colour),
        pill=PillVM("flip-horizontal", _("Turn"), "info"),
    )


def assistant_up(manager: ManagerChoice, draft: Draft) -> tuple[str, str]:
    return manager.assistants[-1 if manager.id in draft.flipped else 0]


def planet_cards(view: SetupView, draft: Draft) -> tuple[TapVM, ...]:
    shows_points = draft.mode is not Mode.SEMI_COOP or draft.scenario is not None
    return tuple(
        TapVM(
            planet.id,
            planet.name,
            planet.text + (" " + modifier_text(planet.vp_modifier) if shows_points else ""),
            "earth",
            "accent",
            pill=PillVM("", planet.difficulty, "muted"),
            is_chosen=draft.planet == planet.id,
        )
        for planet in view.planets
    )


def modifier_text(modifier: int) -> str:
    if modifier >= 0:
        return _("Final score {points} VP; win above zero.").format(points=signed(modifier))
    return _("Final score {points} VP: you need more than {needed}.").format(points=signed(modifier), needed=-modifier)


def problem(view: SetupView, draft: Draft) -> str:
    seats = len(view.seated)
    if draft.step is Step.MANAGERS and seats < FEWEST:
        return count(FEWEST - seats, _("{n} more manager needed"), _("{n} more managers needed"))
    if draft.step is Step.MANAGERS and seats > MOST:
        return _("At most {n} managers").format(n=MOST)
    lacking = SOLO_ASSISTANTS - len(draft.picked)
    if draft.step is Step.ASSISTANTS and draft.mode is Mode.SOLO and lacking > 0:
        return count(lacking, _("{n} more assistant needed"), _("{n} more assistants needed"))
    if draft.step is Step.PLANET and draft.planet is None:
        return _("Choose a planet")
    if draft.step is Step.TABLE and not draft.name.strip():
        return _("Name the colony")
    return ""


def page(view: SetupView, arc: ArcView, draft: Draft) -> PageVM:
    if draft.step is Step.ARC:
        return PageVM(columns=((arc_block(arc),), (tips_block(arc),)))
    if draft.step is Step.TABLE:
        return PageVM(columns=table_columns(view, draft))
    return PageVM()


def arc_block(arc: ArcView) -> BlockVM:
    icon, text, tone = words.ARC_PILLS[arc.state]
    battery = ""
    if arc.battery_percent is not None:
        battery = _("Batteries at {n} %").format(n=arc.battery_percent)
    return BlockVM(
        title=_("CONNECTION"),
        icon=icon,
        tone=tone,
        big=text,
        big_tone=tone,
        lead=arc.detail or battery,
        note=battery if arc.detail else "",
    )


def tips_block(arc: ArcView) -> BlockVM:
    lines: tuple[str, ...]
    if arc.state is ArcState.NONE:
        lines = (
            _("No ARC is used: you tap cards, tokens and modules on the tablet."),
            _("You can connect an ARC later, in the same game."),
        )
    else:
        lines = (
            _("The first time, press the button on the ARC to pair this tablet."),
            _("Take all modules off before a new game."),
            _("Without an ARC you can play by tapping."),
        )
    items = tuple(ItemVM(text=line, icon="information-outline", tone="info") for line in lines)
    return BlockVM(title=_("GOOD TO KNOW"), icon="information-outline", tone="info", items=items)


def table_columns(view: SetupView, draft: Draft) -> tuple[tuple[BlockVM, ...], ...]:
    people = seated(view)
    crowd = 3 if draft.mode is Mode.SOLO else len(people)
    setup_block = BlockVM(
        title=_("ON THE TABLE"),
        icon="clipboard-check-outline",
        items=tuple(ItemVM(text=line, icon="check", tone="accent") for line in table_lines(view, draft, crowd)),
    )
    each = BlockVM(
        title=_("EACH MANAGER"),
        icon="account",
        items=tuple(ItemVM(text=line, icon="check", tone="accent") for line in manager_lines(view, draft)),
    )
    seats = BlockVM(
        title=_("SEATS, CLOCKWISE"),
        icon="account-group",
        items=tuple(seat_row(manager, people) for manager in people),
    )
    return ((setup_block,), (each, seats) if draft.mode is not Mode.SOLO else (each,))


def seat_row(manager: ManagerChoice, people: tuple[ManagerChoice, ...]) -> ItemVM:
    first = max(people, key=lambda one: one.order_of_command)
    pill = PillVM("crown", _("Governor"), "poor") if manager == first else PillVM()
    return ItemVM(title=manager.name, manager=(manager.id, manager.letter, manager.colour), pill=pill)


def table_lines(view: SetupView, draft: Draft, crowd: int) -> tuple[str, ...]:
    """§3.2; the solo game counts as three managers (A3.1)."""
    modules = sorted({module for manager in seated(view) for module in manager.modules})
    extra = _("plus {modules}").format(modules=", ".join(modules)) if modules else ""
    pool = (
        _("Any module of the box may be built.")
        if draft.mode is Mode.SOLO
        else _("Modules of the base set, {extra}.").format(extra=extra)
    )
    return (
        pool if extra or draft.mode is Mode.SOLO else _("Modules of the base set."),
        _("Base endorsement tile with {n}.").format(n=crowd - 1),
        _("{n} PA tokens; the others stay in the box.").format(n=crowd + 3),
        _("Decrees, artifacts and goals shuffled; three artifacts face up."),
        _("Ambassador, Board Proxy and SimStim Trainer, the Ambassador's token on its card."),
        _("The Governor token away from the ARC."),
    )


def manager_lines(view: SetupView, draft: Draft) -> tuple[str, ...]:
    goals = (
        _("Four blue goals and the green one: keep three.")
        if draft.mode is Mode.SEMI_COOP
        else _("Five yellow goals for all: keep three.")
    )
    fleet = next((fleet.text for fleet in view.fleets if fleet.id == draft.fleet), "")
    lines = (_("2 decrees, 2 CR, 1 TG."), fleet, goals, _("One side of the assistant face up."))
    return tuple(line for line in lines if line)


def start_action(view: SetupView, draft: Draft) -> StartGame:
    """Of a draft without problems."""
    assert draft.planet is not None
    return StartGame(
        name=draft.name.strip(),
        setup=Setup(
            mode=draft.mode,
            managers=() if draft.mode is Mode.SOLO else view.seated,
            planet=draft.planet,
            fleet=draft.fleet,
            assistants=draft.picked
            if draft.mode is Mode.SOLO
            else tuple(assistant_up(one, draft)[0] for one in seated(view) if one.assistants),
            scenario=draft.scenario,
        ),
    )
