"""The LED bus of this board: a UART whose time is bus time, kept by the desk's wire. Select lines belong to it.

Frames of `length u16`. To the wire: h address u8 (I run and listen), x timeout u32, select i8, collect u8, request (ARC), a tag u8,
kind u8, address u8, port u8, delay u32, reply. From it: d tag u8, links u8, selected u8 (0xFF: none), heard; x echo u8, links u8, heard.
"""

import os
import struct

import _line

# only this board's own pin map: the other would lie in its heap for nothing
if os.getenv("ARC_BOARD") == "arc":
    from firmware.boards.arc_esp32s3 import BUS_SEL
else:
    from firmware.boards.module_rp2040zero import BUS_SEL

_NOT_SELECTED = 0xFF


class UART:
    """What `drivers/bus_uart.py` finds instead of bytes: whole exchanges in bus time."""

    def __init__(self, id, baudrate=115200, **options):
        self._line = _line.device("uart")
        self._tag = 0
        self._address = 0

    async def exchange(self, frame, timeout_us, select, collect):
        """Send and hear what comes back: (bytes behind the echo, echo, links). The ARC's side."""
        self._send(struct.pack("<BIbB", 120, timeout_us, select, 1 if collect else 0) + frame)
        heard = await self._receive()
        return heard[3:], heard[1], heard[2]

    def listen(self, address):
        """This board runs: from now on it is seen by its neighbours and hears frames to this address."""
        self._address = address
        self._send(bytes((104, address)))

    async def delivery(self):
        """The next bytes heard: (bytes, links, own port whose select line fell after them or -1). A module's side."""
        heard = await self._receive()
        self._tag = heard[1]
        return heard[4:], heard[2], -1 if heard[3] == _NOT_SELECTED else heard[3]

    def answer(self, kind, address, port, delay_us, frame):
        """What this board does about the last delivery; the wire stands still until it is told."""
        self._address = address
        self._send(struct.pack("<BBBBBI", 97, self._tag, kind, address, port, delay_us) + frame)

    def answer_as_before(self):
        """Nothing could be made of the last delivery: pass, still at the same address."""
        self.answer(0, self._address, 0, 0, b"")

    def deinit(self):
        self._line.close()

    def _send(self, message):
        self._line.write(struct.pack("<H", len(message)) + message)

    async def _receive(self):
        while True:
            frame = self._line.poll_frame()
            if frame is not None:
                return frame
            await self._line.readable()


class SelectLine:
    """A select line as a pin: the wire drives and watches it in bus time, so here it only stays high."""

    def __init__(self, id):
        self._id = id

    def init(self, mode, value):
        pass

    def value(self, level):
        return 1 if level is None else None

    def irq(self, pin, handler, trigger):
        return None


def is_select_pin(id):
    """Is this GPIO one of this board's select lines?"""
    return id in BUS_SEL
