"""The ARC: one asyncio loop with all its tasks. `run()` does not return."""

import asyncio
import sys

import esp32
import machine
import micropython
from machine import ADC, WDT, Pin

from firmware.arc.build import build_modules, build_power, build_reader, partition
from firmware.arc.button import FORGET, LONG, NOTHING, SHORT, Button
from firmware.arc.game_store import GameStore
from firmware.arc.idle import ASLEEP, AWAKE, Idle
from firmware.arc.log import LEFT
from firmware.arc.parts import Parts
from firmware.arc.settings import GAIN_DB
from firmware.boards import arc_esp32s3 as board, timings
from firmware.drivers.buzzer import Buzzer
from firmware.drivers.pixel import Pixel
from protocol import events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FACE_MS = 20
HOUSEKEEPING_MS = 500
QUIET_MS = 3_000
COLLECT_MS = 5_000
ACCEPT_MS = 2_000


class Arc(Parts):
    """One board with all its tasks."""

    def __init__(self) -> None:
        # from here on: a radio or a flash that hangs at the start is a hang like any other
        self._watchdog = WDT(timeout=timings.WATCHDOG_MS)
        super().__init__()
        self.idle = Idle()
        self._is_leaving = False
        self._collect_ms = 0

    async def run(self) -> None:
        """Start the radio, then every task under the supervisor."""
        self.radio.start(bytes(31), timings.ADVERTISE_FAST_US)
        self.controller.refresh_info()
        self.trial.started()
        self.controller.find_waiting_card()
        self.controller.game = GameStore(partition(board.GAME_PARTITION))
        tasks = [
            ("face", self._run_face),
            ("battery", self._run_battery),
            ("housekeeping", self._run_housekeeping),
            ("radio", self._run_radio),
            ("usb", self._run_usb),
            ("usb reader", self._run_usb_reader),
        ]
        if not self.life.is_safe_mode:
            tasks += [("reader", self._run_reader), ("modules", self._run_modules)]
        await asyncio.gather(*[self.supervisor.keep(name, task) for name, task in tasks])

    # tasks

    async def _run_reader(self) -> None:
        reader = self.controller.reader = self.controller.reader or build_reader(
            self.clock, self.controller.settings.values[GAIN_DB], self.outbox.lies_on_roof
        )
        self.controller.apply_settings()
        begun_ms = self.clock.now_ms()
        self.controller.take_roof(reader.poll())
        self.log.line("%d ms: reader version 0x%02x" % (self.clock.now_ms(), reader.version))
        while True:
            await asyncio.sleep_ms(reader.wait_ms(self.clock.now_ms() - begun_ms))
            begun_ms = self.clock.now_ms()
            self.controller.take_roof(reader.poll())
            self.supervisor.tick("reader")

    async def _run_modules(self) -> None:
        modules = self.controller.modules = self.controller.modules or build_modules(self.clock)
        self.controller.apply_settings()
        while True:
            begun_ms = self.clock.now_ms()
            self.controller.take_modules(await modules.run_cycle())
            self.supervisor.tick("modules")
            await asyncio.sleep_ms(max(1, begun_ms + timings.BUS_CYCLE_MS - self.clock.now_ms()))

    async def _run_face(self) -> None:
        """Button, light and buzzer."""
        pin = Pin(board.BUTTON, Pin.IN, Pin.PULL_UP, hold=False)  # pyright: ignore[reportCallIssue] - the stubs lack it
        pixel, buzzer, button = Pixel(board.ARC_LIGHT), Buzzer(board.BUZZER), Button(not pin.value())
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
            connection = await self.radio.accept(ACCEPT_MS)
            if connection is not None:
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

    async def _run_usb_reader(self) -> None:
        await self.usb.read_forever(lambda: self.supervisor.tick("usb reader"))

    async def _run_housekeeping(self) -> None:
        while True:
            now_ms = self.clock.now_ms()
            self.controller.watch_pairing()
            self.controller.watch_faults()
            self.controller.refresh_info()
            self.light.has_waiting = not self.links.is_connected() and self.controller.has_waiting_cards()
            self._rest(now_ms)
            self._change_firmware()
            if now_ms >= timings.GOOD_BOOT_AFTER_MS:
                self.life.has_lasted()
            if now_ms - self.controller.stirred_ms > QUIET_MS:
                self._tidy(now_ms)
            self.supervisor.tick("housekeeping")
            if not self.supervisor.stuck():
                self._watchdog.feed()
            await asyncio.sleep_ms(HOUSEKEEPING_MS)

    def _change_firmware(self) -> None:
        """Keep a new firmware that was reached; restart into one that has just come, once its OK is on the way."""
        # counted, not looked for: a tablet may have come and gone since the last look
        if self.trial.is_open() and self.links.total("resumes") and not self.update.is_switched:
            self.trial.passed()
            if not self.trial.is_open():
                self.log.line("the new firmware stays")
        if self._is_leaving:
            self.log.line("restart into a new firmware, on trial")
            self.log.leave()
            machine.reset()
        self._is_leaving = self.update.is_switched

    def _tidy(self, now_ms: int) -> None:
        """What would make an event wait is done while there is none: erasing ahead, collecting garbage."""
        self.outbox.make_room()
        self.controller.note_taken_cards()
        if now_ms >= self._collect_ms:
            self._collect_ms = now_ms + COLLECT_MS
            self.counters.free_heap()

    def _rest(self, now_ms: int) -> None:
        """Dim and sleep when nobody plays, or when the battery is empty."""
        before = self.idle.level
        is_empty = self.controller.battery_state == events.BATTERY_EMPTY
        level = self.idle.seen(now_ms, self.controller.stirred_ms, self.links.is_connected(), is_empty)
        if level == ASLEEP:
            self._sleep()
        if level != before:
            is_awake = level == AWAKE
            self.controller.rest(not is_awake)
            self.radio.advertise(timings.ADVERTISE_FAST_US if is_awake else timings.ADVERTISE_SLOW_US)

    def _sleep(self) -> None:
        """Deep sleep until the button is pressed; then the board boots."""
        self.log.line("%d ms: deep sleep" % self.clock.now_ms())
        (self.controller.modules or build_power()).rest()
        # held, or this chip lets its pull-up go in deep sleep, and a button that nobody presses wakes it at once
        button = Pin(board.BUTTON, Pin.IN, Pin.PULL_UP, hold=True)  # pyright: ignore[reportCallIssue] - the stubs lack it
        esp32.wake_on_ext0(button, esp32.WAKEUP_ALL_LOW)
        machine.deepsleep()

    # parts

    def _serve(self, name: str, connection: "Any") -> "asyncio.Task[None]":
        async def serve() -> None:
            try:
                await self.links.serve(connection)
            except Exception as error:
                self.supervisor.report(name, error)

        return asyncio.create_task(serve())

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


def run() -> None:
    """Start the board. An error that no task survives is logged, and the board boots anew."""
    try:
        arc = Arc()
        try:
            asyncio.run(arc.run())
        except Exception as error:
            # The last resort of the main loop. The next boot finds the lines and tells of the crash.
            sys.print_exception(error)
            arc.log.failed("main", error, arc.clock.now_ms())
            machine.reset()
    except KeyboardInterrupt:
        # Somebody wants the prompt, where Control-C works as usual; whoever restarts the board there wants that too.
        micropython.kbd_intr(3)
        machine.RTC().memory(LEFT)
        raise


if __name__ == "__main__":
    run()
