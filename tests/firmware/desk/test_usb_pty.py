"""The USB port as a pseudo-terminal: bytes both ways untouched, a new board behind the same name, nobody listening."""

import asyncio
import os
import socket
import tty
from collections.abc import Iterator
from contextlib import contextmanager

from firmware.desk.usb_pty import UsbPty

EVERY_BYTE = bytes(range(256))
WITHIN_S = 5.0


@contextmanager
def opened(usb: UsbPty) -> Iterator[int]:
    terminal = os.open(usb.path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        tty.setraw(terminal)
        yield terminal
    finally:
        os.close(terminal)


async def read(terminal: int, count: int) -> bytes:
    heard = b""
    async with asyncio.timeout(WITHIN_S):
        while len(heard) < count:
            try:
                heard += os.read(terminal, 4096)
            except BlockingIOError:
                await asyncio.sleep(0.005)
    return heard


async def hear(board: socket.socket, count: int) -> bytes:
    heard = b""
    async with asyncio.timeout(WITHIN_S):
        while len(heard) < count:
            heard += await asyncio.get_running_loop().sock_recv(board, 4096)
    return heard


async def test_every_byte_passes_both_ways_and_the_name_outlives_the_board() -> None:
    usb = UsbPty()
    with opened(usb) as terminal:
        for _ in range(2):
            board = usb.plug_in()
            board.setblocking(False)
            board.send(EVERY_BYTE)
            assert await read(terminal, 256) == EVERY_BYTE
            os.write(terminal, EVERY_BYTE)
            assert await hear(board, 256) == EVERY_BYTE
            board.close()
    usb.close()


async def test_a_board_that_nobody_listens_to_is_not_held_up() -> None:
    usb = UsbPty()
    board = usb.plug_in()
    board.setblocking(False)
    async with asyncio.timeout(WITHIN_S):
        for _ in range(200):
            await asyncio.get_running_loop().sock_sendall(board, b"x" * 1000)
    with opened(usb) as terminal:
        # what it said into the void is gone but for what the terminal holds; what comes now is heard
        stale = await read(terminal, 1)
        assert len(stale) < 200_000
        assert set(stale) == {ord("x")}
        assert "xxx" in usb.text()
    board.close()
    usb.close()


async def test_what_an_app_says_while_no_board_runs_is_lost() -> None:
    usb = UsbPty()
    with opened(usb) as terminal:
        os.write(terminal, b"anybody?")
        async with asyncio.timeout(WITHIN_S):
            while usb.dropped < 8:
                await asyncio.sleep(0.005)
        board = usb.plug_in()
        board.setblocking(False)
        os.write(terminal, b"now")
        assert await hear(board, 3) == b"now"
        board.close()
    usb.close()
