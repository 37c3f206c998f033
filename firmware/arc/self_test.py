"""The self-test: every part of the board tried now, in at most two seconds, with a verdict a maker understands."""

from firmware.arc.lights import BEEP_CARD, BEEP_REFUSED
from firmware.drivers.mfrc522 import NO_CHIP
from firmware.drivers.reader_check import BROKEN_CRC
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
_ERASE = 6

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

    from firmware.arc.controller import Controller
    from firmware.arc.lights import ArcLight, Beeper
    from firmware.drivers.flash_ring import BlockDevice


class SelfTester:
    """`scratch` is an erase block of `device` that nothing else uses; `level_mv()` the battery; `radio_is_on()`: it advertises
    or has a connection. What is told is how the parts are now, not what they once were."""

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
        self._light.test(self._now_ms())
        self._beeper.play(BEEP_REFUSED, True)
        self._beeper.play(BEEP_CARD, True)
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
        """Asked anew. A version that no data sheet names is good when the chip does all that we need of it."""
        reader = self._controller.reader
        if reader is None:
            return TEST_ABSENT
        found = reader.check(0)
        is_there = found.version not in NO_CHIP
        if self._controller.log is not None:
            rest = "broken %d, SPI at %d kHz" % (found.broken, found.spi_hz // 1000) if is_there else "no chip"
            self._controller.log.line("self-test: reader version 0x%02x, %s" % (found.version, rest))
        return TEST_GOOD if is_there and not found.broken & ~BROKEN_CRC else TEST_BAD

    def _bus(self) -> int:
        """By its last cycle: the ARC hears itself on the wire, whether or not modules are plugged."""
        modules = self._controller.modules
        if modules is None:
            return TEST_ABSENT
        return TEST_GOOD if modules.is_working(self._now_ms()) else TEST_BAD
