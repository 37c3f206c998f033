"""The driver of the modules' current on pins that remember; and a board that lacks one part or all of them."""

import pytest

from firmware.drivers.bus_power import BusPower


class Pin:
    """Remembers its level and whether it is held."""

    def __init__(self, level: int = 1) -> None:
        self.level = level
        self.is_held = False

    def value(self, level: int | None = None) -> int | None:
        if level is None:
            return self.level
        self.level = level
        return None

    def init(self, *, hold: bool) -> None:
        self.is_held = hold


class Adc:
    """Half a volt."""

    def read_uv(self) -> int:
        return 500_000


def test_high_is_on_and_a_low_fault_is_a_trip() -> None:
    enable, fault, ports = Pin(), Pin(), [Pin() for _ in range(4)]
    power = BusPower(enable, fault, ports, Adc(), 2_500)
    assert (power.ports, power.is_tripped(), power.current_ma()) == (4, False, 200)
    fault.level = 0
    assert power.is_tripped()
    power.set_on(False)
    assert enable.level == 0
    power.set_on(True)
    assert enable.level == 1
    power.switch_off(2)
    assert [pin.level for pin in ports] == [1, 1, 0, 1]
    power.switch_off(-1)
    assert [pin.level for pin in ports] == [1, 1, 1, 1]


def test_at_rest_it_is_off_and_held() -> None:
    enable = Pin()
    BusPower(enable, None, [], None, 1).rest()
    assert (enable.level, enable.is_held) == (0, True)
    enable.level = 1
    BusPower(enable, None, [], None, 1)
    assert not enable.is_held, "let go at the next start"


@pytest.mark.parametrize("missing", ["enable", "fault", "ports", "sense", "all"])
def test_a_board_without_a_part_goes_without_what_it_is_for(missing: str) -> None:
    parts = {"enable": Pin(), "fault": Pin(0), "ports": [Pin()], "sense": Adc()}
    for name in parts if missing == "all" else [missing]:
        parts[name] = [] if name == "ports" else None
    power = BusPower(parts["enable"], parts["fault"], parts["ports"], parts["sense"], 2_500)  # type: ignore[arg-type]
    assert power.is_tripped() == (parts["fault"] is not None)
    assert power.ports == (1 if parts["ports"] else 0)
    assert power.current_ma() == (200 if parts["sense"] else 0)
    power.set_on(False)
    power.switch_off(0)
    power.rest()
    if isinstance(parts["enable"], Pin):
        assert parts["enable"].level == 0
