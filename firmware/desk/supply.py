"""The ARC's supply of the modules: eFuse, port switches and shunt, as its pins and what is plugged make them. No time.

Three faults are modelled: a short, which trips the eFuse for as long as it is there; a module that holds DATA low while it has
current; and, by their currents, nothing else.
"""

from firmware.boards import arc_esp32s3 as arc
from firmware.desk.pins import Pins
from firmware.desk.wire import Wire

MODULE_MA = 20
"""What a module draws: an estimate."""
PINS = (arc.VBUS_EN, *arc.VBUS_PORT_EN)


class Supply:
    """`pins` are the ARC's. Ask `powered` after each change of a pin in PINS and of the plugs."""

    def __init__(self, pins: Pins, wire: Wire) -> None:
        self.is_short = False
        self.jammed: set[str] = set()
        self._pins = pins
        self._wire = wire

    def powered(self) -> set[str]:
        """The boards that have current, the ARC included."""
        levels = self._pins.levels
        is_on = bool(levels.get(arc.VBUS_EN, 1))
        off = {(self._wire.coordinator, port) for port, pin in enumerate(arc.VBUS_PORT_EN) if not levels.get(pin, 1)}
        has_tripped = is_on and self.is_short
        powered = self._wire.powered(off) if is_on and not has_tripped else {self._wire.coordinator}
        self._show(arc.VBUS_FAULT, int(not has_tripped))
        self._pins.set_microvolts(arc.VBUS_SENSE, (len(powered) - 1) * MODULE_MA * arc.VBUS_SENSE_UV_PER_MA)
        self._wire.medium.stuck_low = not self.jammed.isdisjoint(powered)
        return powered

    def _show(self, pin: int, level: int) -> None:
        if self._pins.inputs.get(pin) != level:
            self._pins.set_input(pin, level)
