"""The boards' `neopixel` module: WS2812 pixels on one pin."""

from machine import bitstream


class NeoPixel:
    ORDER = (1, 0, 2, 3)

    def __init__(self, pin, n, bpp=3, timing=1):
        self.pin = pin
        self.n = n
        self.bpp = bpp
        self.timing = timing
        self.buf = bytearray(n * bpp)
        pin.init(pin.OUT)

    def __len__(self):
        return self.n

    def __setitem__(self, index, value):
        offset = index * self.bpp
        for i in range(self.bpp):
            self.buf[offset + self.ORDER[i]] = value[i]

    def __getitem__(self, index):
        offset = index * self.bpp
        return tuple([self.buf[offset + self.ORDER[i]] for i in range(self.bpp)])

    def fill(self, value):
        for index in range(self.n):
            self[index] = value

    def write(self):
        bitstream(self.pin, 0, self.timing, self.buf)
