"""One WS2812B on one pin. Dark from the first instant; written only when the colour changes."""

from neopixel import NeoPixel


class Led:
    """`show((red, green, blue))`, each 0 … 255."""

    def __init__(self, pin: "object") -> None:
        self._pixel = NeoPixel(pin, 1)
        self._shown = (-1, -1, -1)
        self.show((0, 0, 0))

    def show(self, rgb: "tuple[int, int, int]") -> None:
        """This colour from now on."""
        if rgb != self._shown:
            self._shown = rgb
            self._pixel[0] = rgb
            self._pixel.write()
