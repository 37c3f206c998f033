"""A very small colony for the session's tests: it remembers what was registered and refuses what a real one refuses."""

import base64
import pickle

from attrs import evolve, frozen

from companion.session.rules import Tagged
from companion.session.table import SetupView, TrayView
from companion.simulation import commands as c
from companion.simulation.player import EconomyView, EndingView, ModuleView, PlayerView, PopulationView, SpecialView
from companion.simulation.player_report import ColonyStatusSection, PlayerReport, UpkeepSection
from companion.simulation.words import Condition, Ending, Mode
from protocol.tag import code_number

MANAGERS = ("ava", "mac", "vlad")
CARDS = {
    1: Tagged("rations", "decree", "Ration cards", "decree_green", "Less for all.", "1 CR"),
    2: Tagged("curfew", "decree", "Curfew", "decree_red"),
    3: Tagged("embargo", "directive", "Embargo", "directive", manager="mac"),
    4: Tagged("governor", "governor", "Governor", "governor"),
    5: Tagged("ambassador", "ambassador", "Ambassador", "ambassador"),
    10: Tagged("ava", "manager", "Ava Xu", "manager"),
    11: Tagged("mac", "manager", "Mac McCain", "manager"),
    12: Tagged("vlad", "manager", "Vlad Pokorny", "manager"),
    13: Tagged("bloch", "manager", "Paul Bloch", "manager"),
}
BY_ID = {tagged.id: tagged for tagged in CARDS.values()}
CODE = {tagged.id: code for code, tagged in CARDS.items()}
MODULES = {1: "Solar Power Plant", 2: "Storage", 9: "Spaceport"}
POOL = (1, 2)
UNKNOWN_CODE = code_number("6DMJ")


@frozen
class SmallColony:
    setup: c.Setup
    seed: int
    round: int = 1
    max_rounds: int = 3
    modules: tuple[tuple[int, int, str | None, bool], ...] = ()
    """(instance, type, builder, is submitted)"""
    pairs: tuple[tuple[int, int], ...] = ()
    acts: tuple[c.Command, ...] = ()
    """Of this round."""
    past: tuple[c.Command, ...] = ()
    dice: int = 0
    points: tuple[tuple[str | None, int], ...] = ()


class SmallRules:
    """See `companion.session.rules.Rules`."""

    version = "v1"

    def tagged(self, id: str) -> Tagged | None:
        return BY_ID.get(id)

    def tagged_by_code(self, code: int) -> Tagged | None:
        return CARDS.get(code)

    def module_name(self, type_id: int) -> str | None:
        return MODULES.get(type_id)

    def in_pool(self, colony: SmallColony, type_id: int) -> bool:
        return type_id in POOL

    def seats(self, setup: c.Setup) -> tuple[str, ...]:
        return setup.managers[:1] if setup.mode is Mode.SOLO else setup.managers

    def new_game(self, setup: c.Setup, seed: int) -> SmallColony | c.Refusal:
        if not setup.managers:
            return c.Refusal("players", "Nobody plays.")
        return SmallColony(setup, seed, dice=seed)

    def step(self, colony: SmallColony, command: c.Command) -> tuple[SmallColony, object | None] | c.Refusal:
        refusal = _refusal(colony, command)
        if refusal:
            return c.Refusal("no", refusal)
        if isinstance(command, c.Settle):
            settled = evolve(
                colony,
                round=colony.round + 1,
                acts=(),
                past=(*colony.past, *colony.acts),
                dice=(colony.dice * 6364136223846793005 + 1) % 2**64,
            )
            return settled, ("report", colony.round)
        return _applied(colony, command), None

    def is_last_round(self, colony: SmallColony) -> bool:
        return colony.round == colony.max_rounds

    def has_ended(self, colony: SmallColony) -> bool:
        return colony.round > colony.max_rounds

    def colony_text(self, colony: SmallColony) -> str:
        return base64.b64encode(pickle.dumps(colony)).decode()

    def colony_from_text(self, text: str) -> SmallColony:
        colony = pickle.loads(base64.b64decode(text))
        assert isinstance(colony, SmallColony)
        return colony

    def entries(self) -> dict[str, str]:
        return {tagged.title: tagged.text for tagged in CARDS.values()}

    def view(self, colony: SmallColony, name: str = "") -> PlayerView:
        is_over = colony.round > colony.max_rounds
        ending = EndingView((Ending.LAST_ROUND,), True, "Over", "", None, (), ()) if is_over else None
        return PlayerView(
            colony_name=name or "Small",
            planet_name=colony.setup.planet,
            mode=colony.setup.mode,
            round=min(colony.round, colony.max_rounds),
            max_rounds=colony.max_rounds,
            managers=(),
            statuses=(),
            resources=(),
            population=PopulationView((), 0, (), False, ()),
            economy=EconomyView(0, (), ()),
            special=SpecialView(0, False, 0, False, ()),
            modules=tuple(
                ModuleView(i, kind, MODULES[kind], _condition(done), 1, builder)
                for i, kind, builder, done in colony.modules
            ),
            registered=(),
            is_last_round=colony.round == colony.max_rounds,
            ending=ending,
        )

    def report(self, report: object) -> PlayerReport:
        assert isinstance(report, tuple)
        return PlayerReport(report[1], (ColonyStatusSection((), (), ()), UpkeepSection("ava", False, ())))

    def setup_view(self, seated: tuple[str, ...], planned: c.Setup | None = None) -> SetupView:
        return SetupView((), (), (), (), seated)

    def tray(self, setup: c.Setup | None, connected: tuple[tuple[int, int], ...]) -> TrayView:
        return TrayView((), ())


def _condition(is_submitted: bool) -> Condition:
    return Condition.UNDER_CONSTRUCTION if is_submitted else Condition.AWAITING_BUILDER


def _refusal(colony: SmallColony, command: c.Command) -> str | None:
    instances = {module[0] for module in colony.modules}
    match command:
        case c.RegisterDecree() | c.RegisterDirective() if colony.round == colony.max_rounds:
            return "Not in the last round."
        case c.RegisterDecree(decree, manager):
            if any(isinstance(act, c.RegisterDecree) and act.decree == decree for act in colony.acts):
                return "This card was registered in this round already."
            if any(isinstance(act, c.RegisterDecree) and act.manager == manager for act in colony.acts):
                return "One decree for each manager in a round."
        case c.RegisterDirective(directive, manager) if BY_ID[directive].manager != manager:
            return "This directive belongs to another manager."
        case c.ConnectModule(instance, type_id) if instance in instances or type_id not in MODULES:
            return "That module cannot be connected."
        case c.SubmitModule(instance) | c.WithdrawModule(instance) if instance not in instances:
            return "No such module."
        case c.Settle() if any(not module[3] for module in colony.modules):
            return "A module waits for its builder."
    return None


def _applied(colony: SmallColony, command: c.Command) -> SmallColony:
    match command:
        case c.ConnectModule(instance, type_id):
            return evolve(colony, modules=(*colony.modules, (instance, type_id, None, False)))
        case c.WithdrawModule(instance):
            return evolve(colony, modules=tuple(module for module in colony.modules if module[0] != instance))
        case c.SubmitModule(instance, manager):
            others = tuple(
                (i, kind, manager, True) if i == instance else (i, kind, builder, done)
                for i, kind, builder, done in colony.modules
            )
            return evolve(colony, modules=others, acts=(*colony.acts, command))
        case c.SetConnections(pairs):
            return evolve(colony, pairs=pairs)
        case c.EnterTablePoints(points, manager):
            return evolve(colony, points=(*colony.points, (manager, points)))
    return evolve(colony, acts=(*colony.acts, command))


SETUP = c.Setup(Mode.SEMI_COOP, MANAGERS, "Tethys")
