"""The current to the modules: the eFuse's two pins, the port switches, the current sense. When to switch is `bus.supply`'s."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class BusPower:
    """Pins that are driven high to switch on; `fault` is low while the eFuse has tripped; `sense` is an ADC. What a board does
    not have is None, without port switches `ports` is empty."""

    def __init__(self, enable: "Any", fault: "Any", ports: "list[Any]", sense: "Any", uv_per_ma: int) -> None:
        self.ports = len(ports)
        self._enable = enable
        self._fault = fault
        self._ports = ports
        self._sense = sense
        self._uv_per_ma = uv_per_ma
        if enable is not None:
            enable.init(hold=False)  # off until now, when the board slept

    def is_tripped(self) -> bool:
        """Has the eFuse cut the current off?"""
        return self._fault is not None and not self._fault.value()

    def set_on(self, is_on: bool) -> None:
        """The current to all ports; off also clears the eFuse."""
        if self._enable is not None:
            self._enable.value(int(is_on))

    def switch_off(self, port: int) -> None:
        """This port has no current, all others have; -1: all have."""
        for index, pin in enumerate(self._ports):
            pin.value(int(index != port))

    def current_ma(self) -> int:
        """What all modules draw together, 0 when it is not measured."""
        return self._sense.read_uv() // self._uv_per_ma if self._sense is not None else 0

    def rest(self) -> None:
        """Off, and held off while the board sleeps."""
        if self._enable is not None:
            self._enable.value(0)
            self._enable.init(hold=True)
