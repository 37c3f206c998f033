"""The desk as a process of its own, and hands on it through its control socket. The app never imports firmware."""

import asyncio
import contextlib
import json
import os
import sys
import tempfile
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO

ROOT = Path(__file__).parents[1]
PARENT_VARIABLE = "ARC_DESK_PARENT"
"""Tells the desk whose end is its own, so that a killed app leaves no desk behind."""
ENDPOINTS = ("radio", "serial", "control")
START_S = 60.0
END_S = 10.0
DEED_S = 20.0
"""The longest deed is a long press of a button."""
BEEP_S = 3.0
CARD_HZ = 2_700
"""The ARC's tone for a card that was taken; it has others for what was refused and for pairing."""
LIFTED_S = 1.3
"""Longer than it takes the ARC to see that the roof is empty."""
TRIES = 5
GONE = "the desk is gone: start it again"


class DeskFailed(RuntimeError):  # noqa: N818 - read as a sentence where it is raised
    """The desk did not start, is gone, or refused; the text says why."""


class Desk:
    """Where a running desk is reached: the radio and the serial port of its ARC, and its control socket."""

    endpoints: dict[str, Any]

    @property
    def radio(self) -> str:
        return str(self.endpoints["radio"])

    @property
    def serial(self) -> str:
        return str(self.endpoints["serial"])


class DeskProcess(Desk):
    """`async with DeskProcess(…) as desk`. `state` keeps the boards' flash from one evening to the next."""

    def __init__(self, state: Path | None = None, *, window: bool = False, arguments: tuple[str, ...] = ()) -> None:
        self._arguments = [*arguments, *(["--state", str(state)] if state else []), *(["--window"] if window else [])]
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> "DeskProcess":
        # only for as long as the desk starts: an app that is killed later leaves nothing behind
        with tempfile.TemporaryDirectory(prefix="desk-endpoints-") as folder, tempfile.TemporaryFile() as log:
            file = Path(folder) / "endpoints.json"
            await self._start(file, log)
            self.endpoints = json.loads(file.read_text())
        return self

    async def _start(self, file: Path, log: BinaryIO) -> None:
        """Until the desk has written where it is; `DeskFailed` with what it said."""
        command = (sys.executable, "-m", "firmware.desk", "--endpoints", str(file), *self._arguments)
        self._process = await asyncio.create_subprocess_exec(
            *command,
            cwd=ROOT,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env={**os.environ, PARENT_VARIABLE: str(os.getpid())},
        )
        try:
            async with asyncio.timeout(START_S):
                while not file.exists():
                    if self._process.returncode is not None:
                        log.seek(0)
                        raise DeskFailed(f"the desk did not start: {log.read().decode(errors='replace').strip()}")
                    await asyncio.sleep(0.05)
        except BaseException:
            await self._end()
            raise

    async def __aexit__(self, *_error: object) -> None:
        await self._end()

    async def _end(self) -> None:
        process = self._process
        if process and process.returncode is None:
            process.terminate()
            try:
                async with asyncio.timeout(END_S):
                    await process.wait()
            except TimeoutError:
                process.kill()
                await process.wait()


class RunningDesk(Desk):
    """A desk that somebody else started and will end; `file` is where it wrote its endpoints."""

    def __init__(self, file: Path) -> None:
        try:
            read = json.loads(file.read_text())
        except (OSError, ValueError) as error:
            raise DeskFailed(f"no desk runs there: {file}: {error}") from error
        if not isinstance(read, dict) or not all(isinstance(read.get(name), str) for name in ENDPOINTS):
            raise DeskFailed(
                f"{file} names no {', '.join(ENDPOINTS)}: name the file that a desk wrote with --endpoints"
            )
        self.endpoints = read


class Hands:
    """Gestures on a desk. `async with Hands(endpoints["control"]) as hands`."""

    def __init__(self, control: str) -> None:
        self._control = control
        self._numbers = count(1)
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._beep = asyncio.Event()
        self._writer: asyncio.StreamWriter | None = None
        self._listening: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Hands":
        try:
            reader, self._writer = await asyncio.open_unix_connection(self._control, limit=1 << 20)
        except OSError as error:
            raise DeskFailed(f"no desk listens at {self._control}: {error}") from error
        self._listening = asyncio.create_task(self._listen(reader))
        try:
            await self.do("watch")
        except BaseException:
            await self._let_go()
            raise
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self._let_go()

    async def _let_go(self) -> None:
        if self._listening:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)
        if self._writer:
            self._writer.close()
            with contextlib.suppress(OSError):
                await self._writer.wait_closed()

    async def do(self, deed: str, **arguments: Any) -> Any:
        """The deed's result; `DeskFailed` with the desk's reason, or when nothing comes back."""
        assert self._writer is not None
        if self._listening is None or self._listening.done():
            raise DeskFailed(GONE)
        number = next(self._numbers)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        self._writer.write(json.dumps({"id": number, "do": deed, **arguments}).encode() + b"\n")
        try:
            async with asyncio.timeout(DEED_S):
                return await answer
        except TimeoutError:
            self._answers.pop(number, None)
            raise DeskFailed(f"the desk said nothing about {deed} for {DEED_S:.0f} s") from None

    async def present(self, thing: str) -> None:
        """Lays a thing on the roof until the ARC beeps that it took it, again when it does not, and takes it off."""
        for _ in range(TRIES):
            self._beep.clear()
            await self.do("present", thing=thing)
            heard = False
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(BEEP_S):
                    heard = await self._beep.wait()
            await self.do("remove", thing=thing)
            if heard:
                return
            await asyncio.sleep(LIFTED_S)
        raise DeskFailed(f"the ARC did not beep for {thing}")

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        try:
            while line := await reader.readline():
                self._hear(json.loads(line))
        except OSError:
            pass  # a desk that was killed
        finally:
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_exception(DeskFailed(GONE))

    def _hear(self, message: dict[str, Any]) -> None:
        if message.get("change") == "beep" and message["hz"] == CARD_HZ:
            self._beep.set()
        answer = self._answers.pop(message.get("id", 0), None)
        if answer is None or answer.done():
            return
        if message["ok"]:
            answer.set_result(message.get("result"))
        else:
            answer.set_exception(DeskFailed(str(message["error"])))
