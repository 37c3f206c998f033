"""Runs on MicroPython: 100,000 events through outbox and session link over a small RAM flash; prints the heap held on the way."""

import gc
import json

from firmware.arc.outbox import Outbox
from firmware.arc.pairing import Pairing
from firmware.arc.session_link import Seat, SessionLink
from firmware.drivers.flash_ring import FlashRing
from protocol.events import CardPresented
from protocol.messages import Ack, Hello, Info, Message, Resume, session_mac

EVENTS = 100_000
BLOCK = 1024
TABLET = 7
TOKEN = bytes(range(16))


class RamFlash:
    """Just the block protocol."""

    def __init__(self, blocks: int) -> None:
        self._cells = bytearray(b"\xff" * (blocks * BLOCK))
        self._blank = b"\xff" * BLOCK

    def readblocks(self, number: int, buffer: "bytearray | memoryview", offset: int) -> None:
        at = number * BLOCK + offset
        buffer[:] = memoryview(self._cells)[at : at + len(buffer)]

    def writeblocks(self, number: int, buffer: "bytes | bytearray | memoryview", offset: int) -> None:
        at = number * BLOCK + offset
        self._cells[at : at + len(buffer)] = buffer

    def ioctl(self, operation: int, argument: int) -> int:
        if operation == 6:
            self._cells[argument * BLOCK : (argument + 1) * BLOCK] = self._blank
        return (len(self._cells) // BLOCK, BLOCK, 0)[operation - 4]


class Store:
    """One known tablet."""

    def read(self) -> bytes:
        return bytes((TABLET, 0, 0, 0)) + TOKEN

    def write(self, value: bytes) -> None:
        raise OSError


class Acts:
    def info(self, nonce: bytes, now_ms: int) -> Info:
        return Info(1, 0, b"arc-01", 0, 1, 0, 0, 1, 1, 0, nonce)

    def carry_out(self, command: Message, now_ms: int, max_size: int) -> "bytes | int | Message":
        return b""


def resumed(outbox: Outbox) -> SessionLink:
    link = SessionLink(outbox, Pairing(Store(), bytes), Seat(), Acts(), bytes)
    link.max_size = 244
    link.connect(0)
    link.receive(Hello(1, 1, 0).encode(), 0)
    mac = session_mac(TOKEN, bytes(8), TABLET, outbox.epoch, outbox.newest)
    link.receive(Resume(2, TABLET, outbox.epoch, outbox.newest, mac).encode(), 0)
    return link


def held() -> int:
    gc.collect()
    found: int = gc.mem_alloc()  # type: ignore[attr-defined]
    return found


def main() -> None:
    outbox = Outbox(FlashRing(RamFlash(4)), lambda: 0xBEEF)
    link = resumed(outbox)
    body = CardPresented(1234, b"\x04\xa3\xc6\xca\xe2\x61\x80")
    levels = [0] * 10
    units = 0
    for number in range(1, EVENTS + 1):
        outbox.append(body, number)
        if number % 8 == 0:
            while True:
                unit = link.outgoing(number)
                if unit is None:
                    break
                units += 1
                link.sent(number)
            link.receive(Ack(3, outbox.epoch, outbox.newest).encode(), number)
        if number % (EVENTS // 10) == 0:
            levels[number // (EVENTS // 10) - 1] = held()
    print(json.dumps({"levels": levels, "units": units, "newest": outbox.newest, "acknowledged": outbox.acknowledged}))


main()
