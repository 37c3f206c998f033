"""`step`: one command applied to a colony, or refused with a reason. Pure; the colony given is never changed."""

from collections.abc import Callable
from typing import Any

from attrs import frozen

from companion.catalog import Catalog
from companion.simulation import building, commands, correcting, registering
from companion.simulation.colony import Colony, Settlement
from companion.simulation.commands import Command, Refusal, Settle
from companion.simulation.draft import Draft
from companion.simulation.settlement.order import settle
from companion.simulation.words import Condition


@frozen
class Stepped:
    """A command that fitted."""

    colony: Colony
    settlement: Settlement | None = None
    """After `Settle`: what was computed. `report` turns it into the players' screens when they are asked for."""


def step(colony: Colony, command: Command, catalog: Catalog) -> Stepped | Refusal:
    """The colony after `command`. Refused commands change nothing; the reason is a sentence for players."""
    if colony.has_ended and not isinstance(command, commands.EnterTablePoints):
        return Refusal("game_over", "The game is over.")
    if isinstance(command, Settle):
        return _settle(colony, catalog)
    changed = _APPLY[type(command)](colony, command, catalog)
    return changed if isinstance(changed, Refusal) else Stepped(changed)


def _settle(colony: Colony, catalog: Catalog) -> Stepped | Refusal:
    waiting = [module for module in colony.modules if module.condition is Condition.AWAITING_BUILDER]
    if waiting:
        kind = catalog.module_by_type(waiting[0].type_id)
        return Refusal("builder_missing", f"{kind.name if kind else 'A module'} waits for its builder's token.")
    draft = Draft(colony, catalog)
    settle(draft)
    return Stepped(draft.freeze(), draft.settlement)


_APPLY: dict[type, Callable[[Colony, Any, Catalog], Colony | Refusal]] = {
    commands.ConnectModule: building.connect_module,
    commands.SubmitModule: building.submit_module,
    commands.WithdrawModule: building.withdraw_module,
    commands.SetConnections: building.set_connections,
    commands.RegisterDecree: registering.register_decree,
    commands.RegisterDirective: registering.register_directive,
    commands.Campaign: registering.campaign,
    commands.UseAmbassador: registering.use_ambassador,
    commands.ChangeGovernor: registering.change_governor,
    commands.FlipAssistant: registering.flip_assistant,
    commands.CorrectValue: correcting.correct_value,
    commands.EnterTablePoints: correcting.enter_table_points,
}
