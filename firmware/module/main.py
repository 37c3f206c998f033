"""The module's shell: builds everything from the pin map and runs three tasks, bus, light and watchdog. Its own updates too.

The working folder is the module's own file system, on a board as on the desk.
"""

import asyncio
import gc
import os

import machine

from firmware.boards import module_rp2040zero as board
from firmware.bus.node import ANSWER, SELECT, WATCH, Identity, Node, Reaction, Vitals
from firmware.drivers.clock import Clock
from firmware.drivers.leds import Led
from firmware.drivers.node_uart import NodeUart
from firmware.drivers.select_lines import SelectLines
from firmware.module.handover import Handover
from firmware.module.light import Light
from firmware.module.receiver import Receiver
from firmware.module.settings import NO_TYPE, Settings, good_salt, read_settings, write_settings
from firmware.version import FIRMWARE_VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.update.trial import Trial
    from firmware.update.writing import Update

_FOLDER = ""
_WAITING = -1
_TRIAL = "trial"
"""The file that is there while a new firmware is on trial, see `update.trial`."""


class ModuleBoard:
    """One module that runs."""

    def __init__(self) -> None:
        gc.collect()
        machine.freq(board.CLOCK_HZ)
        self._led = Led(machine.Pin(board.LED_DIN, machine.Pin.OUT))
        self._clock = Clock()
        self._chip = machine.unique_id()
        self._settings = self._load_settings()
        self._light = Light(board.LED_FULL_TENTHS_MA, board.LED_FIRST_CAP_TENTHS_MA)
        self._vitals = Vitals(machine.reset_cause())
        identity = Identity(
            self._chip,
            self._settings.salt,
            self._settings.type_id,
            board.HARDWARE,
            FIRMWARE_VERSION,
            int.from_bytes(os.urandom(2), "little"),
        )
        self._handover = Handover(_open_trial(), self._clock.now_ms())
        self._receiver = Receiver(_make_update)
        self._node = Node(
            identity, self._light, self._vitals, _below, self._resalt, self._clock.now_ms(), self._receiver
        )
        uart = machine.UART(
            board.BUS_UART,
            board.BUS_BAUD,
            tx=machine.Pin(board.BUS_TX),
            rx=machine.Pin(board.BUS_RX),
            rxbuf=board.BUS_RX_BUFFER,
        )
        pins = [machine.Pin(number, machine.Pin.OPEN_DRAIN, value=1) for number in board.BUS_SEL]
        self._bus = NodeUart(uart, self._node.accepts, SelectLines(pins))
        self._light_changed = asyncio.Event()
        self._light_ticks = 0
        self._busy_since_ms = _WAITING

    async def run(self) -> None:
        """For ever."""
        self._bus.begin(self._node.address)
        await asyncio.gather(
            self._run_bus(), self._run_light(), self._run_beat(), self._bus.send_beacons(self._node.beacon_period_ms)
        )

    async def _run_bus(self) -> None:
        node, bus = self._node, self._bus
        while True:
            self._busy_since_ms = _WAITING
            frame = await bus.listen()
            self._busy_since_ms = self._clock.now_ms()
            self._vitals.crc_errors = bus.crc_errors()
            reaction: "Reaction | None" = node.hear(self._clock.now_ms(), frame, bus.links())
            if reaction.kind == WATCH:
                reaction = await self._watch()
            if reaction is not None and reaction.kind == ANSWER:
                await bus.reply(reaction.frame, reaction.delay_us, node.address)
            elif reaction is not None and reaction.kind == SELECT:
                bus.select(reaction.port, node.address)
            else:
                bus.pass_on(node.address)
            self._receiver.work()
            self._light_changed.set()

    async def _watch(self) -> "Reaction | None":
        port = await self._bus.watch()
        if port >= 0:
            return self._node.selected(self._clock.now_ms(), port)
        self._node.not_selected(self._clock.now_ms())
        return None

    async def _run_light(self) -> None:
        while True:
            now_ms = self._clock.now_ms()
            self._led.show(self._light.rgb(now_ms))
            self._light_ticks += 1
            self._light_changed.clear()
            wait_ms = min(self._light.next_change_ms(now_ms), board.BEAT_MS)
            try:
                await asyncio.wait_for_ms(self._light_changed.wait(), wait_ms)
            except asyncio.TimeoutError:
                pass

    async def _run_beat(self) -> None:
        """Feeds the watchdog only when the light task has run since, and the bus task waits for a frame or took one just now."""
        watchdog = machine.WDT(timeout=board.WATCHDOG_MS)
        seen = -1
        while True:
            now_ms = self._clock.now_ms()
            self._node.beat(now_ms)
            if self._handover.is_due(now_ms, self._node.is_polled, self._receiver.is_switched):
                machine.reset()
            is_bus_alive = self._busy_since_ms == _WAITING or now_ms - self._busy_since_ms < board.BEAT_MS
            if is_bus_alive and self._light_ticks != seen:
                seen = self._light_ticks
                watchdog.feed()
            await asyncio.sleep_ms(board.BEAT_MS)

    def _load_settings(self) -> Settings:
        settings = read_settings(_FOLDER)
        if settings is None:
            settings = Settings(NO_TYPE, good_salt(self._chip, _random32))
            write_settings(_FOLDER, settings)
        return settings

    def _resalt(self, salt: int) -> bool:
        before, self._settings.salt = self._settings.salt, salt
        try:
            write_settings(_FOLDER, self._settings)
        except OSError:
            self._settings.salt = before
            return False
        return True


def _make_update() -> "Update":
    from firmware.module.updating import make_update  # see there

    return make_update()


def _open_trial() -> "Trial | None":
    try:
        os.stat(_TRIAL)
    except OSError:
        return None
    from firmware.module.updating import open_trial  # see there

    return open_trial()


def _below(limit: int) -> int:
    return _random32() % limit


def _random32() -> int:
    return int.from_bytes(os.urandom(4), "little")


def run() -> None:
    """Start the module; does not return."""
    asyncio.run(ModuleBoard().run())


if __name__ == "__main__":
    run()
