"""`python -m firmware.desk` as the app starts it: endpoints, the control socket, and its end however it ends."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
import pytest_asyncio

from firmware.desk.processes import ROOT
from tests.firmware.desk.leftovers import is_gone

pytestmark = [pytest.mark.desk, pytest.mark.asyncio(loop_scope="module")]

WITHIN_S = 15.0


class Program:
    """One running desk and a client of its control socket."""

    def __init__(self, process: asyncio.subprocess.Process, endpoints: dict[str, Any], state: Path) -> None:
        self.process = process
        self.endpoints = endpoints
        self.state = state

    async def open(self) -> None:
        self.reader, self.writer = await asyncio.open_unix_connection(self.endpoints["control"])

    async def ask(self, **request: Any) -> dict[str, Any]:
        self.writer.write(json.dumps(request).encode() + b"\n")
        return await self.line()

    async def line(self) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(await asyncio.wait_for(self.reader.readline(), WITHIN_S))
        return answer

    def family(self) -> list[int]:
        process = psutil.Process(self.process.pid)
        return [process.pid, *(child.pid for child in process.children(recursive=True))]


async def start(endpoints: Path, *options: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "firmware.desk", "--endpoints", str(endpoints), *options),
        cwd=ROOT,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )


async def until_gone(pids: list[int]) -> None:
    async with asyncio.timeout(WITHIN_S):
        while not all(is_gone(pid) for pid in pids):
            await asyncio.sleep(0.02)


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[Program]:
    """A desk that keeps its boards in `folder / "state"`."""
    path = folder / "desk.json"
    process = await start(path, "--state", str(folder / "state"))
    try:
        async with asyncio.timeout(WITHIN_S):
            while not path.exists():
                await asyncio.sleep(0.02)
        program = Program(process, json.loads(path.read_text()), folder / "state")
        await program.open()
        yield program
        program.writer.close()
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@pytest_asyncio.fixture(loop_scope="module")
async def program(tmp_path: Path) -> AsyncIterator[Program]:
    """For tests that end it."""
    async with running(tmp_path) as program:
        yield program


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def lasting(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Program]:
    """One for all tests that leave it as it is."""
    async with running(tmp_path_factory.mktemp("desk")) as program:
        yield program


@pytest_asyncio.fixture(loop_scope="module")
async def client(lasting: Program) -> AsyncIterator[Program]:
    """A connection of its own to the lasting desk."""
    client = Program(lasting.process, lasting.endpoints, lasting.state)
    await client.open()
    yield client
    client.writer.close()


async def test_endpoints_lead_to_what_they_name(client: Program) -> None:
    assert client.endpoints["pid"] == client.process.pid
    kind, _, path = client.endpoints["radio"].partition(":")
    assert kind == "unix-client"
    _, writer = await asyncio.open_unix_connection(path)
    writer.close()
    os.close(os.open(client.endpoints["serial"], os.O_RDWR | os.O_NOCTTY))


async def test_the_control_socket_has_the_desks_face(client: Program) -> None:
    state = await client.ask(id=1, do="state")
    assert (state["id"], state["ok"]) == (1, True)
    assert state["result"]["boards"]["arc"]["is_on"]
    watched = await client.ask(id=2, do="watch")
    assert watched["result"]["roof"] == []
    client.writer.write(b'{"id": 3, "do": "present", "thing": "manager:bloch"}\n')
    lines = [await client.line()]
    while not ({"id": 3, "ok": True, "result": None} in lines and any(x.get("change") == "roof" for x in lines)):
        lines.append(await client.line())
    assert {"change": "roof", "things": ["manager:bloch"]} in lines


BAD_REQUESTS = (
    (b"not json\n", "Expecting value"),
    (b"[1]\n", 'a request is an object with "do"'),
    (b'{"do": "dance"}\n', "nothing is called dance; there are watch, present"),
    (b'{"do": "present"}\n', "missing 1 required positional argument: 'thing'"),
    (b'{"do": "present", "thing": "x"}\n', "nothing on the tray is called x"),
    (b'{"do": "press", "button": "solar"}\n', "only the ARC has a button"),
    (b'{"do": "give_power", "board": "solar"}\n', "no board on the desk is called solar; there are arc"),
)


async def test_bad_requests_are_refused_and_nothing_stops(client: Program) -> None:
    for line, error in BAD_REQUESTS:
        client.writer.write(line)
        answer = await client.line()
        assert not answer["ok"]
        assert error in answer["error"]
    assert (await client.ask(id=9, do="lights"))["ok"]


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
async def test_everything_ends_with_the_desk(program: Program, how: signal.Signals) -> None:
    assert (await program.ask(id=1, do="plug", module="solar"))["ok"]
    async with asyncio.timeout(WITHIN_S):
        while len(family := program.family()) < 4:
            await asyncio.sleep(0.02)
    program.process.send_signal(how)
    await until_gone(family)
    if how != signal.SIGKILL:
        assert not Path(program.endpoints["control"]).parent.exists()
        assert await program.process.wait() == 0


async def test_what_boards_wrote_is_there_on_the_next_desk(program: Program, tmp_path: Path) -> None:
    events = tmp_path / "state" / "arc" / "events.flash"
    async with asyncio.timeout(WITHIN_S):
        while not events.exists() or events.read_bytes().count(0xFF) == 64 * 1024:
            await asyncio.sleep(0.02)
    before = events.read_bytes()
    program.process.terminate()
    await program.process.wait()
    script = tmp_path / "script"
    script.write_text("wait light arc\n")
    process = await start(tmp_path / "other.json", "--state", str(tmp_path / "state"), "--script", str(script))
    _, said = await process.communicate()
    assert (process.returncode, said) == (0, b"")
    after = events.read_bytes()
    # flash only clears bits until it is erased: what was written is still there, and more
    assert after != before
    assert all(b & a == a for b, a in zip(before, after, strict=True))
    assert not (tmp_path / "other.json").exists()


async def test_more_modules_than_the_box_has_are_refused(tmp_path: Path) -> None:
    process = await start(tmp_path / "desk.json", "--modules", "99")
    _, said = await process.communicate()
    assert process.returncode == 1
    assert said.startswith(b"desk: the box has ")
    assert not (tmp_path / "desk.json").exists()


async def test_a_script_that_is_none_is_refused_before_anything_starts(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("present manager:bloch\ndance\n")
    process = await start(tmp_path / "desk.json", "--script", str(script))
    _, said = await process.communicate()
    assert process.returncode == 1
    assert (
        said
        == b"desk: line 2: no step is called dance; there are present, lay, remove, plug, unplug, press, cut, power, kill, battery, usb, wait\n"
    )


async def test_two_desks_never_share_a_folder_of_flash(client: Program, tmp_path: Path) -> None:
    process = await start(tmp_path / "other.json", "--fresh", "--state", str(client.state))
    _, said = await process.communicate()
    assert process.returncode == 1
    assert said.startswith(b"desk: another desk keeps its boards in ")
    assert (await client.ask(id=1, do="state"))["result"]["boards"]["arc"]["starts"] == 1
    assert (client.state / "arc").is_dir()
