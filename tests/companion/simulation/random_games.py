"""Games played by chance: any command, fitting or not, so that refusals and rare states come up too."""

import random
from collections.abc import Callable, Iterator

from companion import simulation
from companion.simulation import commands
from companion.simulation.commands import Command, Setup
from companion.simulation.words import Group, Mode, Resource, Status
from tests.companion.simulation.games import shipped


def random_setup(chance: random.Random) -> Setup:
    catalog = shipped()
    mode = chance.choice([Mode.SEMI_COOP, Mode.SEMI_COOP, Mode.CO_OP, Mode.SOLO])
    players = 0 if mode is Mode.SOLO else chance.randint(2, 5)
    return Setup(
        mode,
        tuple(chance.sample(sorted(catalog.managers), players)),
        chance.choice(sorted(catalog.planets)),
        chance.choice([None, *sorted(catalog.fleets)]),
    )


def random_command(colony: simulation.Colony, chance: random.Random, settle_share: float = 0.25) -> Command:
    catalog = shipped()
    waiting = [m.instance for m in colony.modules if m.builder is None]
    instances = [0, *(m.instance for m in colony.modules), 999]
    manager = chance.choice([*colony.seats, *colony.seats, chance.choice(sorted(catalog.managers))])
    if waiting and chance.random() < 0.4:
        return commands.SubmitModule(chance.choice(waiting), chance.choice([manager, manager, None]))
    if chance.random() < settle_share:
        return commands.Settle()
    makers: list[Callable[[], Command]] = [
        lambda: commands.ConnectModule(chance.randint(0, 40), chance.randint(1, 33)),
        lambda: commands.SubmitModule(chance.choice(instances), manager),
        lambda: commands.WithdrawModule(chance.choice(instances)),
        lambda: commands.SetConnections(
            tuple((chance.choice(instances), chance.choice(instances)) for _ in range(chance.randint(0, 9)))
        ),
        lambda: commands.RegisterDecree(chance.choice(sorted(catalog.decrees)), manager),
        lambda: commands.RegisterDecree(chance.choice(sorted(catalog.decrees)), manager),
        lambda: commands.RegisterDirective(chance.choice(sorted(catalog.directives)), manager),
        lambda: commands.Campaign(manager),
        lambda: commands.UseAmbassador(manager),
        lambda: commands.ChangeGovernor(manager),
        lambda: commands.FlipAssistant(manager),
        lambda: _random_correction(chance),
        lambda: commands.EnterTablePoints(chance.randint(-20, 40), chance.choice([None, manager])),
    ]
    return chance.choice(makers)()


def _random_correction(chance: random.Random) -> Command:
    target = chance.choice(["stock", "status", "accumulator", "group"])
    if target == "stock":
        return commands.CorrectValue(chance.randint(-30, 120), stock=True)
    if target == "status":
        return commands.CorrectValue(chance.randint(-5, 110), status=chance.choice(list(Status)))
    if target == "accumulator":
        return commands.CorrectValue(chance.randint(-1, 30), accumulator=chance.choice(list(Resource)))
    return commands.CorrectValue(chance.randint(-5, 6000), group=chance.choice(list(Group)))


def random_game(seed: int, steps: int = 150) -> Iterator[simulation.Colony]:
    """The colony after each step that was not refused; a new game begins when one ends."""
    chance = random.Random(seed)
    colony = simulation.new_game(random_setup(chance), chance.getrandbits(64), shipped())
    yield colony
    for _ in range(steps):
        if colony.has_ended and chance.random() < 0.3:
            colony = simulation.new_game(random_setup(chance), chance.getrandbits(64), shipped())
        answer = simulation.step(colony, random_command(colony, chance), shipped())
        if isinstance(answer, simulation.Stepped):
            colony = answer.colony
            yield colony
