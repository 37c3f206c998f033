"""The setup wizard: what each step offers and lacks, and the game that comes of it (rulebook §3)."""

from attrs import evolve, field, frozen

from companion.screens.texts import _, count, signed
from companion.screens.view_models import words
from companion.screens.view_models.cards import PillVM
from companion.screens.view_models.choices import GroupVM, TapVM
from companion.screens.view_models.page import PageVM
from companion.screens.view_models.setup_draft import Draft, Step, seated
from companion.screens.view_models.setup_modes import mode_groups
from companion.screens.view_models.setup_pages import page
from companion.session.actions import StartGame
from companion.session.table import ArcView, ManagerChoice, ScenarioChoice, SetupView
from companion.simulation.commands import Setup
from companion.simulation.words import Mode

SHORT, WORDY = 360, 520
"""Width of a card with a few words, and of one with a sentence or two."""


@frozen
class SetupVM:
    step: Step = Step.ARC
    number: int = 1
    steps: int = 7
    title: str = ""
    lead: str = ""
    cards: tuple[TapVM, ...] = ()
    card_width: float = SHORT
    """At least, in sp."""
    groups: tuple[GroupVM, ...] = ()
    """Instead of `cards`, where there are several kinds to choose from."""
    page: PageVM = field(factory=PageVM)
    """Only for the steps without cards and groups."""
    problem: str = ""
    """Why this step is not finished; empty: go on."""
    asks_name: bool = False


FEW_WORDS = 80
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


def neighbour(view: SetupView, draft: Draft, forward: int) -> Step:
    order = steps(view, draft)
    return order[max(0, min(order.index(draft.step) + forward, len(order) - 1))]


def setup_screen(view: SetupView, arc: ArcView, draft: Draft) -> SetupVM:
    order = steps(view, draft)
    title, lead = HEADINGS[draft.step]
    if draft.step is Step.ASSISTANTS and draft.mode is Mode.SOLO:
        lead = _("Choose three; each card lies with one side up.")
    offered = cards(view, draft)
    return SetupVM(
        step=draft.step,
        number=order.index(draft.step) + 1,
        steps=len(order),
        title=title,
        lead=lead,
        cards=offered,
        card_width=WORDY if any(len(card.text) > FEW_WORDS for card in offered) else SHORT,
        groups=mode_groups(view, draft) if draft.step is Step.MODE else (),
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


def manager_card(manager: ManagerChoice, view: SetupView) -> TapVM:
    seat = view.seated.index(manager.id) + 1 if manager.id in view.seated else 0
    return TapVM(
        id=manager.id,
        title=manager.name,
        text=_("Brings {modules}").format(modules=", ".join(manager.modules)) if manager.modules else "",
        tone=manager.colour,
        manager=words.portrait_of(manager),
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
            manager=words.portrait_of(manager),
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
        manager=words.portrait_of(manager),
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


def planned(view: SetupView, draft: Draft) -> Setup:
    """The game as far as it is chosen; the planet may be missing."""
    return Setup(
        mode=draft.mode,
        managers=() if draft.mode is Mode.SOLO else view.seated,
        planet=draft.planet or "",
        fleet=draft.fleet,
        assistants=draft.picked
        if draft.mode is Mode.SOLO
        else tuple(assistant_up(one, draft)[0] for one in seated(view) if one.assistants),
        scenario=draft.scenario,
    )


def start_action(view: SetupView, draft: Draft) -> StartGame:
    """Of a draft without problems."""
    return StartGame(draft.name.strip(), planned(view, draft))
