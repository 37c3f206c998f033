"""The self-test: every part of the board tried in at most two seconds, with a verdict a maker understands."""

from firmware.arc.lights import BEEP_CARD, BEEP_REFUSED
from protocol.events import (
    FAULT_BUS_NOISY,
    FAULT_BUS_OPEN,
    FAULT_BUS_OVERCURRENT,
    FAULT_BUS_STUCK,
    FAULT_READER_DEAD,
    FAULT_READER_UNSURE,
)
from protocol.lights import WHITE
from protocol.messages import (
    TEST_ABSENT,
    TEST_BAD,
    TEST_BATTERY,
    TEST_BUS,
    TEST_BUZZER,
    TEST_FLASH,
    TEST_GOOD,
    TEST_LIGHT,
    TEST_LOOK,
    TEST_RADIO,
    TEST_READER,
)

PATTERN = bytes(range(0, 256, 5))
LEAST_BATTERY_MV, MOST_BATTERY_MV = 3_300, 7_000
_READER_FAULTS = (FAULT_READER_DEAD, FAULT_READER_UNSURE)
_BUS_FAULTS = (FAULT_BUS_NOISY, FAULT_BUS_STUCK, FAULT_BUS_OPEN, FAULT_BUS_OVERCURRENT)
_ERASE = 6

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    from firmware.arc.controller import Controller
    from firmware.arc.lights import ArcLight, Beeper
    from firmware.drivers.flash_ring import BlockDevice


class SelfTester:
    """`scratch` is an erase block of `device` that nothing else uses; `level_mv()` the battery, `radio_is_on()` the radio."""

    def __init__(
        self,
        controller: "Controller",
        light: "ArcLight",
        beeper: "Beeper",
        device: "BlockDevice",
        scratch: int,
        level_mv: "Callable[[], int]",
        radio_is_on: "Callable[[], bool]",
        now_ms: "Callable[[], int]",
    ) -> None:
        self._controller = controller
        self._light = light
        self._beeper = beeper
        self._device = device
        self._scratch = scratch
        self._level_mv = level_mv
        self._radio_is_on = radio_is_on
        self._now_ms = now_ms

    def run(self) -> bytes:
        """Part and verdict of each, as the protocol wants them."""
        self._light.flash(WHITE, self._now_ms())
        self._beeper.play(BEEP_REFUSED)
        self._beeper.play(BEEP_CARD)
        level_mv = self._level_mv()
        verdicts = (
            (TEST_FLASH, self._flash()),
            (TEST_READER, self._reader()),
            (TEST_BUS, self._bus()),
            (TEST_LIGHT, TEST_LOOK),
            (TEST_BUZZER, TEST_LOOK),
            (TEST_RADIO, TEST_GOOD if self._radio_is_on() else TEST_BAD),
            (TEST_BATTERY, TEST_GOOD if LEAST_BATTERY_MV <= level_mv <= MOST_BATTERY_MV else TEST_ABSENT),
        )
        return b"".join([bytes(pair) for pair in verdicts])

    def _flash(self) -> int:
        found = bytearray(len(PATTERN))
        try:
            self._device.ioctl(_ERASE, self._scratch)
            self._device.writeblocks(self._scratch, PATTERN, 0)
            self._device.readblocks(self._scratch, found, 0)
        except OSError:
            return TEST_BAD
        return TEST_GOOD if found == PATTERN else TEST_BAD

    def _reader(self) -> int:
        return self._verdict(self._controller.reader, "polls", _READER_FAULTS)

    def _bus(self) -> int:
        return self._verdict(self._controller.modules, "frames", _BUS_FAULTS)

    def _verdict(self, part: "Any", counter: str, faults: "tuple[int, ...]") -> int:
        """Good when it has worked since boot and told of no fault."""
        if part is None:
            return TEST_ABSENT
        has_fault = any([code in self._controller.faults for code in faults])
        return TEST_BAD if has_fault or not part.statistics().get(counter) else TEST_GOOD
