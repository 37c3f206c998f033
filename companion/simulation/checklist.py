"""What people lay out on the table before round 1 (§3.1, §3.2), by mode, number of players, fleet and scenario."""

from companion.catalog import Catalog
from companion.simulation.commands import Setup
from companion.simulation.opening import default_assistants, first_governor
from companion.simulation.pool import actions_per_round, base_endorsements, module_pool, political_advantage
from companion.simulation.words import Mode

_START = "2 Decrees, 2 CR and 1 TG"


def table_setup(setup: Setup, catalog: Catalog) -> tuple[str, ...]:
    """One line a thing to do, in order."""
    lines = [_goals(setup), f"Starting currencies: {_START}{'' if setup.mode is Mode.SOLO else ' for each Manager'}."]
    if setup.fleet is not None:
        fleet = catalog.fleets[setup.fleet]
        lines += [f"{fleet.name}: {line}" for line in fleet.table]
    lines += [
        f"Put {political_advantage(setup)} PA in the bank.",
        f"Every module needs {base_endorsements(setup)} endorsements and the number on its tile.",
        "Shuffle the artifacts and reveal 3; shuffle the decrees and the goals.",
        _modules(setup, catalog),
        _assistants(setup, catalog),
        *_people(setup, catalog),
    ]
    if setup.scenario is not None:
        lines += catalog.scenarios[setup.scenario].rules_text
    return tuple(lines)


def _goals(setup: Setup) -> str:
    if setup.mode is Mode.SEMI_COOP:
        return "Each Manager draws 4 blue Goals, adds their green one and keeps any 3 in secret."
    return "Draw 5 yellow Goals together and keep 3; shuffle the other 2 back."


def _modules(setup: Setup, catalog: Catalog) -> str:
    if setup.mode is Mode.SOLO:
        return "All modules in the box may be built."
    added = [module.name for module in module_pool(setup, catalog) if not module.base]
    return f"Add to the base modules: {', '.join(added)}."


def _assistants(setup: Setup, catalog: Catalog) -> str:
    names = [catalog.assistants[name].name for name in default_assistants(setup, catalog)]
    advisors = ", ".join(advisor.name for advisor in catalog.advisors.values())
    up = f"Assistants face up: {', '.join(names)}. " if names else ""
    return f"{up}All three Advisors: {advisors}."


def _people(setup: Setup, catalog: Catalog) -> list[str]:
    if setup.mode is Mode.SOLO:
        return [
            "Place all 9 ID tokens on the solo board; in round 1 all of them may be used.",
            "Directives stay in the box. The Governor's token only takes back.",
        ]
    governor = catalog.managers[first_governor(setup, catalog)].name
    return [
        f"{governor} takes the Governor's token.",
        f"Each Manager has {actions_per_round(setup)} regular actions a round and takes their Directive.",
    ]
