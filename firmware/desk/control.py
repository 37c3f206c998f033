"""The desk's face over a Unix socket of JSON lines, for the drawn table, scripts and other processes. See README.md."""

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from firmware.desk.desk import Change, Desk

_LINE_LIMIT = 1 << 20


def deeds(desk: Desk) -> dict[str, Callable[..., Any]]:
    """What can be asked for, by name; the arguments are the request's other keys."""

    def present(thing: str, uid: str | None = None, coupling: float = 1.0) -> None:
        desk.present(thing, uid=bytes.fromhex(uid) if uid else None, coupling=coupling)

    return {
        "present": present,
        "remove": desk.remove,
        "plug": desk.plug,
        "unplug": desk.unplug,
        "press": desk.press,
        "hold_button": desk.hold_button,
        "cut_power": desk.cut_power,
        "give_power": desk.give_power,
        "kill": desk.kill,
        "set_battery_mv": desk.set_battery_mv,
        "set_usb_power": desk.set_usb_power,
        "lights": desk.lights,
        "state": desk.state,
        "things": lambda: [_plain(thing) for thing in desk.tray.things.values()],
        "modules": desk.modules,
        "log": desk.log,
    }


def _plain(thing: Any) -> dict[str, str]:
    return {key: getattr(thing, key) for key in ("name", "kind", "title", "code", "colour")}


class ControlSocket:
    """Serves any number of clients on `path`."""

    def __init__(self, desk: Desk, path: Path) -> None:
        self.path = path
        self._desk = desk
        self._deeds = deeds(desk)
        self._server: asyncio.Server | None = None
        self._clients: set[asyncio.Task[Any]] = set()

    async def __aenter__(self) -> "ControlSocket":
        self._server = await asyncio.start_unix_server(self._serve, str(self.path), limit=_LINE_LIMIT)
        return self

    async def __aexit__(self, *_error: object) -> None:
        assert self._server is not None
        self._server.close()
        for client in list(self._clients):
            client.cancel()
        await asyncio.gather(*self._clients, return_exceptions=True)
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._clients.add(task)
        stop: list[Callable[[], None]] = []
        try:
            while line := await reader.readline():
                answer = await self._answer(line, writer, stop)
                _send(writer, answer)
                await writer.drain()
        except (ConnectionError, ValueError, asyncio.CancelledError):
            # gone, or a line without end, or the desk is being put away: nothing is owed to this client any more
            pass
        finally:
            for end in stop:
                end()
            self._clients.discard(task)
            writer.close()
            with contextlib.suppress(OSError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _answer(self, line: bytes, writer: asyncio.StreamWriter, stop: list[Callable[[], None]]) -> Change:
        number = None
        try:
            request = json.loads(line)
            if not isinstance(request, dict) or "do" not in request:
                raise ValueError('a request is an object with "do"')
            number = request.pop("id", None)
            deed = request.pop("do")
            if deed == "watch":
                stop.append(self._desk.listen(lambda change: _send(writer, change)))
                return {"id": number, "ok": True, "result": self._desk.state()}
            if deed not in self._deeds:
                raise ValueError(f"nothing is called {deed}; there are watch, {', '.join(self._deeds)}")
            if deed == "hold_button":
                stop.append(lambda: self._desk.hold_button(False))  # a hand that goes lets go
            result = self._deeds[deed](**request)
            if isinstance(result, Awaitable):
                result = await result
            return {"id": number, "ok": True, "result": result}
        except (ValueError, TypeError, RuntimeError) as error:
            return {"id": number, "ok": False, "error": str(error)}


def _send(writer: asyncio.StreamWriter, message: Change) -> None:
    if writer.is_closing():
        return
    writer.write(json.dumps(message).encode() + b"\n")
    if writer.transport.get_write_buffer_size() > _LINE_LIMIT:
        # a client that watches and does not read
        writer.transport.abort()
