"""The boards' `machine` module for the interpreter on the computer: pins, SPI, ADC, PWM, watchdog, resets.

What lies outside the chip (levels, voltages, lights, the reader) is in the desk's supervisor. IRQs are delivered
while the asyncio loop runs.
"""

import binascii
import os
import sys
import time

import _line
import _pins
from _uart import UART, SelectLine, is_select_pin  # noqa: F401 - UART is the module's own name

PWRON_RESET, HARD_RESET, WDT_RESET, DEEPSLEEP_RESET, SOFT_RESET = 1, 2, 3, 4, 5

mem32 = {0x60008038: 1}
"""The registers that our boards look at, as after a power-on: see `boards/arc_esp32s3.py`."""

_frequency = int(os.getenv("ARC_FREQUENCY") or 160_000_000)
_chip_select = int(os.getenv("ARC_CS_PIN") or -1)


class Pin:
    """A GPIO. Select lines of the LED bus live in bus time and are the wire's; all others are the supervisor's."""

    IN, OUT, OPEN_DRAIN = 0, 1, 2
    PULL_UP, PULL_DOWN = 1, 2
    IRQ_RISING, IRQ_FALLING = 1, 2

    def __init__(self, id, mode=-1, pull=-1, *, value=None, hold=None):
        self._id = id
        self._select = SelectLine(id) if is_select_pin(id) else None
        if mode != -1 or value is not None:
            self.init(mode, pull, value=value, hold=hold)

    def init(self, mode=-1, pull=-1, *, value=None, hold=None):
        if self._select is not None:
            self._select.init(mode, value)
        else:
            if hold is not None:
                _pins.tell("h", self._id, int(hold))
            _pins.configure(self._id, mode, pull, value)

    def value(self, level=None):
        if self._select is not None:
            return self._select.value(level)
        if level is None:
            return _pins.read(self._id)
        _pins.write(self._id, 1 if level else 0, self._id != _chip_select)
        return None

    def __call__(self, level=None):
        return self.value(level)

    def on(self):
        self.value(1)

    def off(self):
        self.value(0)

    def irq(self, handler=None, trigger=3, *, hard=False, wake=None, priority=1):
        if self._select is not None:
            return self._select.irq(self, handler, trigger)
        return _pins.watch(self._id, self, handler, trigger)

    def __repr__(self):
        return "Pin(%d)" % self._id


class Signal:
    def __init__(self, pin, *arguments, invert=False, **options):
        self._pin = pin if isinstance(pin, Pin) else Pin(pin, *arguments, **options)
        self._invert = invert

    def value(self, level=None):
        if level is None:
            return self._pin.value() ^ self._invert
        self._pin.value(bool(level) ^ self._invert)
        return None

    def on(self):
        self.value(1)

    def off(self):
        self.value(0)


class SPI:
    """A bus master whose one slave is the chip selected by the board's chip select; with none selected MISO floats high."""

    MSB, LSB = 0, 1

    def __init__(self, id, baudrate=1_000_000, **options):
        self._line = _line.device("spi")
        self.init(baudrate, **options)

    def init(self, baudrate=1_000_000, **options):
        self._baudrate = baudrate

    def deinit(self):
        self._line.close()

    def write(self, data):
        self.write_readinto(data, bytearray(len(data)))

    def readinto(self, buffer, write=0):
        self.write_readinto(bytes([write]) * len(buffer), buffer)

    def read(self, count, write=0):
        buffer = bytearray(count)
        self.readinto(buffer, write)
        return bytes(buffer)

    def write_readinto(self, out, into):
        size = len(out)
        if len(into) != size:
            raise ValueError("buffers must be the same length")
        if _chip_select >= 0 and _pins.read(_chip_select):
            for i in range(size):
                into[i] = 0xFF
            return
        self._line.write(bytes((size & 0xFF, size >> 8)) + bytes(out))
        self._line.read_into(memoryview(into))


class ADC:
    ATTN_0DB, ATTN_2_5DB, ATTN_6DB, ATTN_11DB = 0, 1, 2, 3

    def __init__(self, pin, **options):
        self._id = pin._id if isinstance(pin, Pin) else pin

    def init(self, **options):
        pass

    def atten(self, attenuation):
        pass

    def width(self, bits):
        pass

    def read_uv(self):
        """Microvolts at the pin."""
        return _pins.read_microvolts(self._id)

    def read_u16(self):
        return min(65535, self.read_uv() * 65535 // 3_300_000)

    def read(self):
        return self.read_u16() >> 4


class PWM:
    def __init__(self, pin, freq=None, duty_u16=None, duty=None, **options):
        self._id = pin._id if isinstance(pin, Pin) else pin
        self._freq, self._duty = 0, 0
        self.init(freq, duty_u16, duty)

    def init(self, freq=None, duty_u16=None, duty=None, **options):
        if freq is not None:
            self._freq = freq
        if duty is not None:
            duty_u16 = duty * 65535 // 1023
        if duty_u16 is not None:
            self._duty = duty_u16
        self._tell()

    def deinit(self):
        self._duty = 0
        self._tell()

    def freq(self, value=None):
        if value is None:
            return self._freq
        self._freq = value
        self._tell()
        return None

    def duty_u16(self, value=None):
        if value is None:
            return self._duty
        self._duty = value
        self._tell()
        return None

    def duty(self, value=None):
        if value is None:
            return self._duty * 1023 // 65535
        self.duty_u16(value * 65535 // 1023)
        return None

    def duty_ns(self, value=None):
        if value is None:
            return self._duty * 1_000_000_000 // (65535 * self._freq)
        self.duty_u16(min(65535, value * 65535 * self._freq // 1_000_000_000))
        return None

    def _tell(self):
        _pins.drive(self._id, self._freq, self._duty)


class WDT:
    """Once started it cannot be stopped, as on the chips: who does not feed it is reset."""

    def __init__(self, id=0, timeout=5000):
        self._told_ms = time.ticks_ms()
        _pins.tell("w", 0, timeout)

    def feed(self):
        now = time.ticks_ms()
        # the supervisor's patience is counted in seconds: it need not hear of every feeding
        if time.ticks_diff(now, self._told_ms) >= 100:
            self._told_ms = now
            _pins.tell("f", 0, 0)


class RTC:
    """The memory that outlives resets and deep sleep, not a power cut."""

    def __init__(self, id=0):
        pass

    def memory(self, data=None):
        if data is None:
            return _pins.read_kept()
        _pins.write_kept(bytes(data))
        return None

    def datetime(self, value=None):
        # no board of ours has a battery-backed clock: it runs from 2000-01-01 at power-on
        seconds = time.ticks_ms() // 1000
        return (2000, 1, 1, 5, seconds // 3600 % 24, seconds // 60 % 60, seconds % 60, 0)


def bitstream(pin, encoding, timing, data):
    """Bits to a WS2812 on `pin`: green, red, blue of each pixel."""
    _pins.show(pin._id, data)


def unique_id():
    return binascii.unhexlify(os.getenv("ARC_UNIQUE_ID") or "0000000000000000")


def reset_cause():
    return int(os.getenv("ARC_RESET_CAUSE") or PWRON_RESET)


def freq(value=None):
    global _frequency
    if value is None:
        return _frequency
    _frequency = value
    return None


def reset():
    _pins.end("r", HARD_RESET)


def soft_reset():
    _pins.end("r", SOFT_RESET)


def deepsleep(time_ms=0):
    _pins.end("s", time_ms)


def lightsleep(time_ms=0):
    """On the chips it takes the radio down with it: a program that does that is wrong, and hears of it here."""
    radio = sys.modules.get("bluetooth")
    if radio is not None and radio.BLE().active():
        raise RuntimeError("lightsleep while the radio is on")
    time.sleep_ms(time_ms)


def idle():
    time.sleep_ms(1)


def disable_irq():
    return 0


def enable_irq(state=0):
    pass
