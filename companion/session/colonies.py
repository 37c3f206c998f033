"""`Rules` from the real simulation and a loaded catalog."""

from attrs import evolve

from companion import simulation
from companion.catalog import Catalog
from companion.catalog.model import Law
from companion.session.catalog_changes import entry_digests
from companion.session.rules import Tagged
from companion.session.situations import means_something
from companion.session.table import (
    FleetChoice,
    ManagerChoice,
    PlanetChoice,
    ScenarioChoice,
    SetupView,
    TrayCard,
    TrayModule,
    TrayView,
)
from companion.simulation.colony import SOLO_SEAT, Colony
from companion.simulation.commands import Command, Refusal, Setup
from companion.simulation.player import PlayerView
from companion.simulation.player_report import PlayerReport
from companion.simulation.pool import module_pool
from companion.simulation.wording import cost_text
from companion.simulation.words import Mode
from protocol.tag import TagError, code_text


class Colonies:
    """See `companion.session.rules.Rules`."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self._tagged = {tagged.id: tagged for tagged in _each_tagged(catalog)}
        self._viewed: tuple[Colony, str, PlayerView] | None = None
        self._reported: tuple[Colony, PlayerReport] | None = None

    @property
    def version(self) -> str:
        return self.catalog.version

    def tagged(self, id: str) -> Tagged | None:
        return self._tagged.get(id)

    def tagged_by_code(self, code: int) -> Tagged | None:
        try:
            found = self.catalog.tag(code_text(code))
        except TagError:
            return None
        return self._tagged.get(found.id) if found else None

    def module_name(self, type_id: int) -> str | None:
        module = self.catalog.module_by_type(type_id)
        return module.name if module else None

    def in_pool(self, colony: Colony, type_id: int) -> bool:
        return simulation.is_in_pool(colony, type_id, self.catalog)

    def seats(self, setup: Setup) -> tuple[str, ...]:
        return (SOLO_SEAT,) if setup.mode is Mode.SOLO else setup.managers

    def new_game(self, setup: Setup, seed: int) -> Colony | Refusal:
        refusal = simulation.check_setup(setup, self.catalog)
        return refusal or simulation.new_game(setup, seed, self.catalog)

    def step(self, colony: Colony, command: Command) -> tuple[Colony, object | None] | Refusal:
        """The report is the settled colony itself: its texts are made when they are asked for."""
        stepped = simulation.step(colony, command, self.catalog)
        if isinstance(stepped, Refusal):
            return stepped
        return stepped.colony, stepped.colony if stepped.settlement else None

    def colony_text(self, colony: Colony) -> str:
        return simulation.to_text(evolve(colony, catalog_version=""))

    def colony_from_text(self, text: str) -> Colony:
        colony = evolve(simulation.from_text(text), catalog_version=self.version)
        lacking = simulation.differences(colony, self.catalog)
        if lacking:
            raise ValueError("; ".join(lacking))
        return colony

    def entries(self) -> dict[str, str]:
        return entry_digests(self.catalog)

    def view(self, colony: Colony, name: str = "") -> PlayerView:
        viewed = self._viewed
        if viewed is None or viewed[0] is not colony or viewed[1] != name:
            viewed = self._viewed = (colony, name, simulation.view(colony, self.catalog, name))
        return viewed[2]

    def report(self, report: object) -> PlayerReport:
        assert isinstance(report, Colony)
        reported = self._reported
        if reported is None or reported[0] is not report:
            made = simulation.report(report, self.catalog)
            assert made is not None
            reported = self._reported = (report, made)
        return reported[1]

    def is_last_round(self, colony: Colony) -> bool:
        return colony.round >= colony.max_rounds

    def has_ended(self, colony: Colony) -> bool:
        return colony.has_ended

    def setup_view(self, seated: tuple[str, ...], planned: Setup | None = None) -> SetupView:
        catalog = self.catalog
        setup = planned_setup(seated, planned)
        return SetupView(
            managers=tuple(
                ManagerChoice(
                    m.id, m.name, m.letter, m.colour, tuple(catalog.modules[id].name for id in m.modules), m.order,
                    tuple((side.id, side.name) for side in catalog.assistants.values() if side.manager == m.id),
                )
                for m in catalog.managers.values()
            ),
            planets=tuple(PlanetChoice(p.id, p.name, p.text, p.difficulty, self._modifier(p.id, setup)) for p in catalog.planets.values()),
            fleets=tuple(FleetChoice(f.id, f.name, f.text) for f in catalog.fleets.values()),
            scenarios=tuple(ScenarioChoice(s.id, s.name, s.text, s.difficulty, Mode(s.mode), s.planet, s.tutorial) for s in catalog.scenarios.values()),
            seated=seated,
            table_setup=simulation.table_setup(setup, catalog) if self._can_begin(setup) else (),
        )  # fmt: skip

    def _modifier(self, planet: str, setup: Setup) -> int:
        return simulation.planet_modifier(evolve(setup, planet=planet), self.catalog)

    def _can_begin(self, setup: Setup) -> bool:
        return simulation.check_setup(setup, self.catalog) is None

    def tray(self, setup: Setup | None, connected: tuple[tuple[int, int], ...]) -> TrayView:
        """Cards of the managers who play, and the miniatures that are still in the box."""
        cards = (card for card in self._tagged.values() if _plays(card, setup))
        built = [type_id for _, type_id in connected]
        pool = module_pool(setup, self.catalog) if setup else tuple(self.catalog.modules.values())
        left = ((module, module.copies - built.count(module.type_id)) for module in pool)
        return TrayView(
            tuple(TrayCard(card.id, card.title, card.icon, card.text, card.manager) for card in cards),
            tuple(TrayModule(module.type_id, module.name, count) for module, count in left if count > 0),
        )


def planned_setup(seated: tuple[str, ...], planned: Setup | None) -> Setup:
    """The game that the wizard would begin now, with whom it seats; its planet may still be missing."""
    setup = planned or Setup(Mode.SEMI_COOP, (), "")
    return evolve(setup, managers=() if setup.mode is Mode.SOLO else seated)


def _plays(card: Tagged, setup: Setup | None) -> bool:
    if not means_something(card):
        return False
    if card.manager is None or setup is None:
        return card.id != SOLO_SEAT
    return card.kind == "manager" if setup.mode is Mode.SOLO else card.manager in setup.managers


def _each_tagged(catalog: Catalog) -> list[Tagged]:
    managers = [Tagged(m.id, "manager", m.name, "manager", m.text, manager=m.id) for m in catalog.managers.values()]
    tokens = [Tagged(t.id, t.id, t.name, t.id, t.text) for t in catalog.tokens.values()]
    decrees = [Tagged(d.id, "decree", d.title, f"decree_{d.colour}", d.text, _fee(d)) for d in catalog.decrees.values()]
    directives = [
        Tagged(d.id, "directive", d.title, "directive", d.text, _fee(d), d.manager) for d in catalog.directives.values()
    ]
    player = Tagged(SOLO_SEAT, "manager", "you", "manager")
    return [*managers, *tokens, *decrees, *directives, player]


def _fee(card: Law) -> str:
    return cost_text(card.cost) if card.cost else ""
