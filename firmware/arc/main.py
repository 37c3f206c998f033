"""The ARC: builds everything from the pin map and runs one asyncio loop. `run()` does not return."""

import asyncio
import gc
import os

import machine
from esp32 import Partition
from machine import ADC, WDT, Pin

from firmware.arc.arc_link import ArcLink
from firmware.arc.button import FORGET, LONG, NOTHING, SHORT, Button
from firmware.arc.controller import FIRMWARE_VERSION, Controller
from firmware.arc.life import Life
from firmware.arc.lights import ArcLight, Beeper
from firmware.arc.outbox import Outbox
from firmware.arc.pairing import Pairing
from firmware.arc.power import Battery
from firmware.arc.session_link import Seat, SessionLink
from firmware.arc.supervisor import Supervisor
from firmware.arc.table import Table
from firmware.boards import arc_esp32s3 as board, timings
from firmware.drivers.ble_peripheral import BlePeripheral
from firmware.drivers.buzzer import Buzzer
from firmware.drivers.clock import Clock
from firmware.drivers.flash_ring import FlashRing
from firmware.drivers.pixel import Pixel
from firmware.drivers.settings_store import SettingsStore
from firmware.drivers.usb_serial import open_usb_serial
from protocol import events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FACE_MS = 20
HOUSEKEEPING_MS = 500
QUIET_MS = 3_000
ACCEPT_MS = 2_000
_TOKENS_BLOCK, _LIFE_BLOCK = 0, 2

_CAUSES = {
    machine.PWRON_RESET: events.POWER_ON,
    machine.HARD_RESET: events.RESET_PIN,
    machine.WDT_RESET: events.WATCHDOG,
    machine.DEEPSLEEP_RESET: events.DEEP_SLEEP,
    machine.SOFT_RESET: events.SOFT_RESET,
}


class Arc:
    """One board with all its tasks."""

    def __init__(self) -> None:
        self.clock = Clock()
        device = machine.unique_id()[:6]
        # The radio first: it takes one large piece of memory outside our heap.
        self.radio = BlePeripheral(device, board.MAX_BLE_CONNECTIONS)
        cause = _CAUSES.get(machine.reset_cause(), events.POWER_ON)
        settings = _partition(board.SETTINGS_PARTITION)
        self.life = Life(SettingsStore(settings, _LIFE_BLOCK), cause)
        self.outbox = Outbox(FlashRing(_partition(board.EVENTS_PARTITION)), _random_epoch)
        self.pairing = Pairing(SettingsStore(settings, _TOKENS_BLOCK), os.urandom)
        self.seat = Seat()
        self.light = ArcLight()
        self.beeper = Beeper()
        self.controller = Controller(
            device, self.clock, self.outbox, self.pairing, self.seat, Table(), self.light, self.beeper, self.life
        )
        self.supervisor = Supervisor(self.clock, self._on_failure)
        self.links = ArcLink(self._make_link, board.MAX_BLE_CONNECTIONS + 1, self.clock, self._is_pairing)
        self.usb = open_usb_serial(self.clock)
        self.battery = Battery()
        self.heap_min_free = gc.mem_free()
        self.controller.on_news = self.links.wake_all
        self.controller.show_info = self.radio.show_info
        self.controller.link_counts = self._link_counts
        self.controller.life_counts = self._life_counts
        major, minor, _ = FIRMWARE_VERSION
        self.outbox.append(events.Booted(cause, major, minor, int(self.life.is_safe_mode)), self.clock.now_ms())
        if self.outbox.torn_slots:
            self.outbox.append(events.FaultFound(events.FAULT_LOG_DAMAGED, self.outbox.torn_slots), self.clock.now_ms())

    async def run(self) -> None:
        """Start the radio, then every task under the supervisor."""
        self.radio.start(bytes(31), timings.ADVERTISE_FAST_US)
        self.controller.refresh_info()
        tasks = [
            ("face", self._run_face),
            ("battery", self._run_battery),
            ("housekeeping", self._run_housekeeping),
            ("radio", self._run_radio),
            ("usb", self._run_usb),
        ]
        if not self.life.is_safe_mode:
            tasks += [("reader", self._run_reader), ("modules", self._run_modules)]
        running = [asyncio.create_task(self.supervisor.keep(name, task)) for name, task in tasks]
        running.append(asyncio.create_task(self.usb.read_forever()))
        await asyncio.gather(*running)

    # tasks

    async def _run_reader(self) -> None:
        reader = self.controller.reader = self.controller.reader or _build_reader(self.clock)
        while True:
            begun_ms = self.clock.now_ms()
            self.controller.take_roof(reader.poll())
            self.supervisor.tick("reader")
            await asyncio.sleep_ms(max(1, begun_ms + reader.period_ms() - self.clock.now_ms()))

    async def _run_modules(self) -> None:
        modules = self.controller.modules = self.controller.modules or _build_modules(self.clock)
        while True:
            begun_ms = self.clock.now_ms()
            self.controller.take_modules(await modules.run_cycle())
            self.supervisor.tick("modules")
            await asyncio.sleep_ms(max(1, begun_ms + timings.BUS_CYCLE_MS - self.clock.now_ms()))

    async def _run_face(self) -> None:
        """Button, light and buzzer."""
        pin = Pin(board.BUTTON, Pin.IN, Pin.PULL_UP)
        pixel, buzzer, button = Pixel(board.ARC_LIGHT), Buzzer(board.BUZZER), Button()
        sounding = 0
        while True:
            now_ms = self.clock.now_ms()
            self._on_press(button.sampled(now_ms, not pin.value()))
            pixel.show(self.light.colour(now_ms))
            frequency = self.beeper.frequency(now_ms)
            if frequency != sounding:
                sounding = frequency
                buzzer.sound(frequency)
            self.supervisor.tick("face")
            await asyncio.sleep_ms(FACE_MS)

    async def _run_battery(self) -> None:
        adc = ADC(Pin(board.BATTERY_ADC), atten=ADC.ATTN_11DB)
        usb = Pin(board.USB_SENSE, Pin.IN, Pin.PULL_DOWN)
        while True:
            level_mv = adc.read_uv() * board.BATTERY_DIVIDER // 1000
            body = self.battery.measured(self.clock.now_ms(), level_mv, bool(usb.value()))
            if body is not None:
                self.controller.take_battery(body)
            self.supervisor.tick("battery")
            await asyncio.sleep_ms(timings.BATTERY_SAMPLE_MS)

    async def _run_radio(self) -> None:
        while True:
            self.supervisor.tick("radio")
            try:
                connection = await asyncio.wait_for_ms(self.radio.accept(), ACCEPT_MS)
            except asyncio.TimeoutError:
                continue
            self._serve("ble", connection)

    async def _run_usb(self) -> None:
        while True:
            self.supervisor.tick("usb")
            try:
                connection = await asyncio.wait_for_ms(self.usb.accept(), ACCEPT_MS)
            except asyncio.TimeoutError:
                continue
            # One cable, one connection: wait for its end before the next is taken.
            serving = self._serve("usb session", connection)
            while not serving.done():
                self.supervisor.tick("usb")
                await asyncio.sleep_ms(100)

    async def _run_housekeeping(self) -> None:
        watchdog = WDT(timeout=timings.WATCHDOG_MS)
        while True:
            now_ms = self.clock.now_ms()
            self.controller.watch_pairing()
            self.controller.refresh_info()
            self.light.has_waiting = not self.links.is_connected() and self.outbox.waiting() > 0
            if now_ms >= timings.GOOD_BOOT_AFTER_MS:
                self.life.has_lasted()
            if now_ms - self.controller.stirred_ms > QUIET_MS:
                self.outbox.make_room()
            self.heap_min_free = min(self.heap_min_free, gc.mem_free())
            self.supervisor.tick("housekeeping")
            if not self.supervisor.stuck():
                watchdog.feed()
            await asyncio.sleep_ms(HOUSEKEEPING_MS)

    # parts

    def _serve(self, name: str, connection: "Any") -> "asyncio.Task[None]":
        async def serve() -> None:
            try:
                await self.links.serve(connection)
            except Exception as error:
                self.supervisor.report(name, error)

        return asyncio.create_task(serve())

    def _make_link(self) -> SessionLink:
        return SessionLink(self.outbox, self.pairing, self.seat, self.controller, os.urandom)

    def _is_pairing(self) -> bool:
        return self.pairing.is_open(self.clock.now_ms())

    def _on_press(self, press: int) -> None:
        if press == NOTHING:
            return
        if press == SHORT:
            self.controller.emit(events.ButtonPressed(events.PRESS_SHORT))
            self.controller.open_pairing()
        elif press == LONG:
            self.controller.emit(events.ButtonPressed(events.PRESS_LONG))
        elif press == FORGET:
            self.controller.forget_tablets()

    def _on_failure(self, name: str, error: BaseException) -> None:
        self.controller.emit(events.FaultFound(events.FAULT_TASK_RESTARTED, self.supervisor.restarts))

    def _link_counts(self) -> "dict[str, int]":
        return {
            "connects": self.radio.connects + self.usb.connects,
            "resumes": self.links.total("resumes"),
            "refused": self.links.total("refusals"),
            "resends": self.links.total("resends"),
            "enomem": self.radio.no_memory,
            "bad_frames": self.usb.bad_frames,
            "bad_commands": self.links.total("bad_commands"),
        }

    def _life_counts(self) -> "dict[str, int]":
        return {
            "boots": self.life.boots,
            "watchdog_resets": self.life.watchdog_resets,
            "task_restarts": self.supervisor.restarts,
            "heap_free": gc.mem_free(),
            "heap_min_free": self.heap_min_free,
        }


def _partition(label: str) -> "Any":
    """The partition, untyped: the stubs know fewer kinds of buffers than `esp32.Partition` takes."""
    found = Partition.find(Partition.TYPE_DATA, label=label)
    if not found:
        raise OSError("no flash partition %s: flash the board with `make flash`" % label)
    return found[0]


def _random_epoch() -> int:
    return int.from_bytes(os.urandom(2), "little")


def _build_reader(clock: Clock) -> "Any":
    from machine import SPI

    from firmware.arc.card_watch import CardWatch
    from firmware.arc.reader import RoofReader
    from firmware.drivers.mfrc522 import Mfrc522

    spi = SPI(
        board.RFID_SPI,
        baudrate=board.RFID_BAUD,
        sck=Pin(board.RFID_SCK),
        mosi=Pin(board.RFID_MOSI),
        miso=Pin(board.RFID_MISO),
    )
    select = Pin(board.RFID_CS, Pin.OUT, value=1)
    reset = Pin(board.RFID_RST, Pin.OUT, value=0)
    return RoofReader(Mfrc522(spi, select, reset, clock), CardWatch(timings), clock)


def _build_modules(clock: Clock) -> "Any":
    from firmware.arc.module_bus import build_module_bus

    return build_module_bus(board, timings, clock, _random_epoch())


def run() -> None:
    """Start the board."""
    asyncio.run(Arc().run())


if __name__ == "__main__":
    run()
