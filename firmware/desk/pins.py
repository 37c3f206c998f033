"""The pins of one board as the desk sees them: what it drives, what is held to its inputs, what of that people notice."""

import struct
from collections.abc import Callable

_MESSAGE = struct.Struct("<BBi")
MESSAGE_SIZE = _MESSAGE.size

Pixel = tuple[int, int, int]
DARK: Pixel = (0, 0, 0)


class Pins:
    """Inputs and outputs by GPIO number. `on_change(kind, pin, value)` hears of each output that changes.

    Kinds: `level` (0 or 1), `pixel` (red, green, blue), `pwm` (duty, 0 to 65535), `watchdog` (ms), `fed`, `reset` (cause), `sleep` (ms).
    """

    def __init__(self, on_change: Callable[[str, int, int | Pixel], None]) -> None:
        self.levels: dict[int, int] = {}
        self.pixels: dict[int, Pixel] = {}
        self.duties: dict[int, int] = {}
        self.frequencies: dict[int, int] = {}
        self.inputs: dict[int, int] = {}
        self.microvolts: dict[int, int] = {}
        self.wakes_on: dict[int, int] = {}
        self.held: set[int] = set()
        self.kept = b""
        self._on_change = on_change
        self._send: Callable[[bytes], None] | None = None

    def power_off(self) -> None:
        """All outputs that are not held let go; lights go dark, the buzzer falls silent."""
        self.disconnect()
        self.levels = {pin: level for pin, level in self.levels.items() if pin in self.held}
        for pin in [pin for pin, colour in self.pixels.items() if colour != DARK]:
            self._set_pixel(pin, DARK)
        for pin in [pin for pin, duty in self.duties.items() if duty]:
            self._set_duty(pin, 0)

    def connect(self, send: Callable[[bytes], None]) -> None:
        """The board's program has begun to look at its pins: tell it what is there."""
        self._send = send
        rows = [_MESSAGE.pack(ord("l"), pin, level) for pin, level in self.inputs.items()]
        rows += [_MESSAGE.pack(ord("a"), pin, value) for pin, value in self.microvolts.items()]
        rows.append(_MESSAGE.pack(ord("k"), 0, len(self.kept)) + self.kept)
        rows.append(_MESSAGE.pack(ord("z"), 0, 0))
        send(b"".join(rows))

    def disconnect(self) -> None:
        self._send = None

    def set_input(self, pin: int, level: int) -> None:
        """Hold an input at a level."""
        self.inputs[pin] = level
        self._tell("l", pin, level)

    def set_microvolts(self, pin: int, value: int) -> None:
        """Hold an analog input at a voltage."""
        self.microvolts[pin] = value
        self._tell("a", pin, value)

    def _tell(self, letter: str, pin: int, value: int) -> None:
        if self._send:
            self._send(_MESSAGE.pack(ord(letter), pin, value))

    @staticmethod
    def message_length(buffer: bytearray) -> int:
        """The length of the first whole message in `buffer`, 0 when there is none."""
        if len(buffer) < MESSAGE_SIZE:
            return 0
        length = MESSAGE_SIZE + (_MESSAGE.unpack_from(buffer)[2] if buffer[0] == ord("k") else 0)
        return length if len(buffer) >= length else 0

    def take(self, message: bytes) -> bytes:
        """One message of the board; none is answered."""
        code, pin, value = _MESSAGE.unpack_from(message)
        match chr(code):
            case "o":
                self._set_level(pin, value)
            case "n":
                self._set_pixel(pin, (value >> 8 & 0xFF, value >> 16 & 0xFF, value & 0xFF))
            case "p":
                self.frequencies[pin] = value
            case "d":
                self._set_duty(pin, value)
            case "h":
                (self.held.add if value else self.held.discard)(pin)
            case "e":
                self.wakes_on[pin] = value
            case "k":
                self.kept = message[MESSAGE_SIZE:]
            case "w":
                self._on_change("watchdog", pin, value)
            case "f":
                self._on_change("fed", pin, value)
            case "r":
                self._on_change("reset", pin, value)
            case "s":
                self._on_change("sleep", pin, value)
        return b""

    def _set_level(self, pin: int, level: int) -> None:
        self.levels[pin] = level
        self._on_change("level", pin, level)

    def _set_pixel(self, pin: int, colour: Pixel) -> None:
        if self.pixels.get(pin) != colour:
            self.pixels[pin] = colour
            self._on_change("pixel", pin, colour)

    def _set_duty(self, pin: int, duty: int) -> None:
        if self.duties.get(pin) != duty:
            self.duties[pin] = duty
            self._on_change("pwm", pin, duty)
