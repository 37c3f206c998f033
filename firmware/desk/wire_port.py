"""Serves the wire to the boards' processes: one connection each, one exchange at a time, at no pace but theirs.

Boards that a frame is not for are not asked and not woken. A board whose connection closes is off the bus.
"""

import asyncio
import socket
import struct
from collections.abc import Coroutine
from typing import Any

from firmware.desk.board_link import Exchange, frame_length
from firmware.desk.wire import Answer, Delivery, Heard, Wire

_EXCHANGE = struct.Struct("<IbB")
_ANSWER = struct.Struct("<BBBBI")
_NOT_SELECTED = 0xFF

PATIENCE_S = 10.0
"""A board that has not answered by then hangs; it is taken for one that passed, and its late answer is dropped."""


class WirePorts:
    """`attach` is what `BoardLink.serve("uart", …)` wants."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.exchanges = 0
        self.hung = 0
        self._ports: dict[str, WirePort] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._turn = asyncio.Lock()

    def attach(self, board: str, connection: socket.socket) -> None:
        """A board's UART was opened; a former connection of the same board is closed."""
        before = self._ports.get(board)
        if before is not None:
            before.close()
        self.wire.add(board)
        self._ports[board] = WirePort(self, board, connection)

    def close(self) -> None:
        """Cut every connection."""
        for port in list(self._ports.values()):
            port.close()
        for task in list(self._tasks):
            task.cancel()

    def dropped(self, port: "WirePort") -> None:
        """A port has closed."""
        if self._ports.get(port.board) is port:
            del self._ports[port.board]
            self.wire.deaf(port.board)

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run an exchange."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def exchange(self, request: bytes, timeout_us: int, select: int, collect: bool) -> Heard:
        """One exchange on the wire, asking the processes of the boards that it concerns.

        One at a time: an ARC that was restarted waits for the end of what the one before it began.
        """
        async with self._turn:
            self.exchanges += 1
            talk = self.wire.exchange(request, timeout_us, select, collect)
            try:
                deliveries = next(talk)
                while True:
                    deliveries = talk.send(await self._ask(deliveries))
            except StopIteration as done:
                heard: Heard = done.value
                return heard

    async def _ask(self, deliveries: dict[str, Delivery]) -> dict[str, Answer]:
        waiting = {
            name: port.deliver(delivery)
            for name, delivery in deliveries.items()
            if (port := self._ports.get(name)) is not None
        }
        if waiting:
            _, late = await asyncio.wait(waiting.values(), timeout=PATIENCE_S)
            self.hung += len(late)
        passed = {name: Answer(address=self.wire.boards[name].address) for name in deliveries}
        return passed | {name: future.result() for name, future in waiting.items() if future.done()}


class WirePort:
    """The UART of one board's process, seen from outside."""

    def __init__(self, ports: WirePorts, board: str, connection: socket.socket) -> None:
        self.board = board
        self._ports = ports
        self._tag = 0
        self._pending: asyncio.Future[Answer] | None = None
        self._line = Exchange(connection, frame_length, self._take, self._closed)

    def deliver(self, delivery: Delivery) -> "asyncio.Future[Answer]":
        """Let the board hear something; its answer, or a pass when it dies over it."""
        self._tag = self._tag + 1 & 0xFF
        self._pending = asyncio.get_running_loop().create_future()
        selected = _NOT_SELECTED if delivery.selected is None else delivery.selected
        self._send(bytes((ord("d"), self._tag, delivery.links, selected)) + delivery.data)
        return self._pending

    def close(self) -> None:
        """Cut the connection; the board takes that for the end of its power."""
        self._line.close()

    def _closed(self) -> None:
        self._settle(Answer())
        self._ports.dropped(self)

    def _send(self, message: bytes) -> None:
        self._line.send(struct.pack("<H", len(message)) + message)

    def _settle(self, answer: Answer) -> None:
        if self._pending is not None and not self._pending.done():
            self._pending.set_result(answer)

    def _take(self, message: bytes) -> bytes:
        """Nothing is answered at once: what a board asks for has to wait for the others."""
        kind, body = message[2:3], message[3:]
        if kind == b"h" and len(body) == 1:
            self._ports.wire.listen(self.board, body[0])
        elif kind == b"x" and len(body) > _EXCHANGE.size:
            timeout_us, select, collect = _EXCHANGE.unpack_from(body)
            self._ports.start(self._exchange(body[_EXCHANGE.size :], timeout_us, select, bool(collect)))
        elif kind == b"a" and len(body) >= _ANSWER.size:
            tag, what, address, port, delay_us = _ANSWER.unpack_from(body)
            if tag == self._tag:
                self._settle(Answer(what, body[_ANSWER.size :], delay_us, port, address))
        else:
            self.close()
        return b""

    async def _exchange(self, request: bytes, timeout_us: int, select: int, collect: bool) -> None:
        heard = await self._ports.exchange(request, timeout_us, select, collect)
        self._send(bytes((ord("x"), heard.echo, heard.links)) + heard.data)
