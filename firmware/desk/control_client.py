"""The other end of the control socket: ask for deeds, hear of changes. See README.md, «Control socket»."""

import asyncio
import json
from collections.abc import Callable
from itertools import count
from typing import Any

Change = dict[str, Any]


class DeedError(RuntimeError):
    """The desk did not do it; the text says why."""


class ControlClient:
    """One connection. `open`, then `do`; `on_change` hears changes after `watch`; `on_close` when the desk is gone."""

    def __init__(self, path: str, on_change: Callable[[Change], None], on_close: Callable[[], None]) -> None:
        self._path = path
        self._on_change = on_change
        self._on_close = on_close
        self._numbers = count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._writer: asyncio.StreamWriter | None = None
        self._listening: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """OSError when no desk listens there."""
        reader, self._writer = await asyncio.open_unix_connection(self._path, limit=1 << 20)
        self._listening = asyncio.create_task(self._listen(reader))

    async def do(self, deed: str, **arguments: Any) -> Any:
        """The deed's result; `DeedError` with the desk's reason when it is refused."""
        if self._writer is None or self._writer.is_closing():
            raise DeedError("the desk is gone")
        number = next(self._numbers)
        future = self._waiting[number] = asyncio.get_running_loop().create_future()
        self._writer.write(json.dumps({"id": number, "do": deed, **arguments}).encode() + b"\n")
        return await future

    async def close(self) -> None:
        if self._listening:
            self._listening.cancel()
        if self._writer:
            self._writer.close()

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        try:
            while line := await reader.readline():
                self._take(json.loads(line))
        except (ConnectionError, ValueError):
            # cut in the middle of a line: the desk was killed
            pass
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(DeedError("the desk is gone"))
        self._on_close()

    def _take(self, message: Change) -> None:
        if "change" in message:
            self._on_change(message)
            return
        future = self._waiting.pop(message["id"], None)
        if future is None or future.done():
            return
        if message["ok"]:
            future.set_result(message.get("result"))
        else:
            future.set_exception(DeedError(message["error"]))
