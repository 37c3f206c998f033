"""The ARC's one WS2812 light."""

import neopixel
from machine import Pin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.arc.lights import Colour


class Pixel:
    """Dark until the first `show`."""

    def __init__(self, pin: int) -> None:
        self._pixel = neopixel.NeoPixel(Pin(pin, Pin.OUT, value=0), 1)
        self._shown: "Colour | None" = None
        self.show((0, 0, 0))

    def show(self, colour: "Colour") -> None:
        """Red, green and blue, 0 to 255 each; writes only when they change."""
        if colour != self._shown:
            self._shown = colour
            self._pixel[0] = colour
            self._pixel.write()
