"""The app's desk: whatever ends the app, no board runs on; what is no desk is said."""

import asyncio
import contextlib
import json
import os
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import psutil
import pytest

from companion.desk_process import CARD_HZ, GONE, ROOT, DeskFailed, Hands, RunningDesk
from firmware.arc.lights import BEEP_CARD
from tests.firmware.desk.leftovers import is_gone

WITHIN_S = 30.0
AN_APP = """
import asyncio
from companion.desk_process import DeskProcess

async def main():
    async with DeskProcess() as desk:
        print(desk.endpoints["pid"], flush=True)
        await asyncio.sleep(600)

asyncio.run(main())
"""


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """The desk's sockets lie in it, and a socket's path has at most 107 bytes."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@pytest.mark.desk
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
async def test_a_killed_app_leaves_no_desk_behind(how: signal.Signals, short_folder: Path) -> None:
    app = await asyncio.create_subprocess_exec(
        sys.executable, "-c", AN_APP, cwd=ROOT, stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(short_folder)},
    )  # fmt: skip
    assert app.stdout is not None
    async with asyncio.timeout(WITHIN_S):
        desk = int(await app.stdout.readline())
        family = [desk, *(child.pid for child in psutil.Process(desk).children(recursive=True))]
        app.send_signal(how)
        await app.wait()
        while not all(is_gone(pid) for pid in family):
            await asyncio.sleep(0.02)
    assert len(family) >= 3
    assert [left.name for left in short_folder.glob("desk-endpoints-*")] == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "no desk runs there"),
        ('{"radio": ', "no desk runs there"),
        ("[1]", "names no radio, serial, control"),
        ('{"radio": "unix-client:/x", "serial": 5, "control": "/y"}', "names no radio, serial, control"),
    ],
)
def test_an_endpoints_file_that_is_none_is_said(tmp_path: Path, text: str | None, reason: str) -> None:
    file = tmp_path / "endpoints.json"
    if text is not None:
        file.write_text(text)
    with pytest.raises(DeskFailed, match=reason) as failed:
        RunningDesk(file)
    assert str(file) in str(failed.value)


async def test_a_desk_that_is_gone_is_said(tmp_path: Path) -> None:
    with pytest.raises(DeskFailed, match="no desk listens at"):
        async with Hands(str(tmp_path / "control")):
            pass


Conversation = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@contextlib.asynccontextmanager
async def a_desk(folder: Path, converse: Conversation) -> AsyncIterator[str]:
    """The control socket of a desk that talks like this."""
    control = str(folder / "control")
    async with await asyncio.start_unix_server(converse, control):
        yield control


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, **said: object) -> None:
    asked = json.loads(await reader.readline())
    writer.write(json.dumps({"id": asked["id"], **said}).encode() + b"\n")


async def test_a_desk_that_goes_is_said_at_once_and_so_is_whatever_is_asked_of_it_then(short_folder: Path) -> None:
    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await answer(reader, writer, ok=True)
        await reader.readline()
        writer.transport.abort()

    async with asyncio.timeout(WITHIN_S / 3), a_desk(short_folder, converse) as control, Hands(control) as hands:
        for _ in range(2):
            with pytest.raises(DeskFailed, match=GONE):
                await hands.do("press")


async def test_a_desk_that_refuses_to_be_watched_is_left(short_folder: Path) -> None:
    left = asyncio.Event()

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await answer(reader, writer, ok=False, error="too many watch")
        assert await reader.read() == b""
        left.set()
        writer.close()

    async with asyncio.timeout(WITHIN_S), a_desk(short_folder, converse) as control:
        with pytest.raises(DeskFailed, match="too many watch"):
            async with Hands(control):
                pass
        await left.wait()


def test_hands_know_the_tone_of_a_card_that_was_taken() -> None:
    assert BEEP_CARD[0] == CARD_HZ
