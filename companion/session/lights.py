"""How everything is lit: a pure function of the colony and the front question (L-1 … L-8 of the rules' LED table)."""

from companion.session.state import State
from companion.session.table import DialogKind, Phase
from companion.simulation.player import ModuleView, PlayerView
from companion.simulation.words import Condition
from protocol.messages import (
    ATTENTION,
    BLUE,
    DARK,
    FLASH,
    GREEN,
    RED,
    SLOW_FLASH,
    STEADY,
    WHITE,
    YELLOW,
    LightArc,
    LightModule,
    LightTable,
    Message,
    light,
)

ARC = 0
_WAITS_FOR_A_TOKEN = frozenset({DialogKind.OWNER, DialogKind.BUILDER, DialogKind.AMBASSADOR})


def lights(state: State, view: PlayerView | None) -> dict[int, int]:
    """Instance on the bus → light byte; 0 is the ARC itself."""
    modules = {module.instance: module for module in view.modules} if view else {}
    front = state.front
    asked = front.instance if front and front.kind in (DialogKind.BUILDER, DialogKind.FOREIGN_MODULE) else None
    wanted = {ARC: _arc_light(state)}
    for known in state.on_bus:
        instance = state.colony_instance(known.instance)
        wanted[known.instance] = _module_light(modules.get(instance), state.phase, instance == asked)
    return wanted


def _arc_light(state: State) -> int:
    front = state.front
    if front and front.kind in _WAITS_FOR_A_TOKEN and state.phase is Phase.ROUND:
        return light(ATTENTION, WHITE)
    if state.phase is Phase.SETTLING:
        return light(SLOW_FLASH, WHITE)
    return light(DARK)


def _module_light(module: ModuleView | None, phase: Phase, is_asked: bool) -> int:
    if is_asked:
        return light(ATTENTION, GREEN if module else YELLOW)
    if module is None:
        return light(DARK)
    colour = BLUE if module.tier > 1 else GREEN
    match module.condition:
        case Condition.AWAITING_BUILDER:
            return light(FLASH, GREEN)
        case Condition.UNDER_CONSTRUCTION | Condition.UNDER_RECONSTRUCTION:
            return light(SLOW_FLASH, colour)
        case Condition.DAMAGED:
            return light(FLASH if phase is Phase.SUMMARY else SLOW_FLASH, RED)
        case Condition.WORKING:
            return light(STEADY, colour)


class LightPlan:
    """What the ARC was told so far, and so what it has to be told now."""

    def __init__(self) -> None:
        self._told: dict[int, int] | None = None

    def forget_all(self) -> None:
        """The ARC started or was resumed: the whole table is due."""
        self._told = None

    def forget(self, instance: int) -> None:
        """This module started dark."""
        if self._told is not None:
            self._told.pop(instance, None)

    def commands(self, wanted: dict[int, int]) -> list[Message]:
        """Whole after a resume, else the differences."""
        told, self._told = self._told, dict(wanted)
        if told is None:
            entries = b"".join(
                instance.to_bytes(4, "little") + bytes((value,))
                for instance, value in wanted.items()
                if instance != ARC
            )
            return [LightArc(0, wanted[ARC]), LightTable(0, entries)]
        changed = [(instance, value) for instance, value in wanted.items() if told.get(instance) != value]
        return [LightArc(0, value) if i == ARC else LightModule(0, i, value) for i, value in changed]
