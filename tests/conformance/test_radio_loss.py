"""The computer's radio goes away at every packet of a link's life: that is told as trouble with the radio, and passes."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from companion.link import ble_search
from companion.link.ble import Ble
from companion.link.bumble_backend import BumbleClient, BumbleScanner
from companion.link.reasons import LinkError, Reason
from firmware.desk.board import BoardKind
from firmware.desk.supervisor import Supervisor
from tests.conformance.transports import Ear, echo

pytestmark = [pytest.mark.desk, pytest.mark.asyncio(loop_scope="module")]

BACKWARDS = BoardKind(entry=str(Path(__file__).parent / "boards" / "backwards.py"), heap="256k", has_radio=True)
TOLD_WITHIN_S = 8.0
MOST_PACKETS = 200


class Cable:
    """Between an app and the radio; it can be cut when so many chunks have gone towards the app."""

    def __init__(self, radio: Path, path: Path) -> None:
        self._radio, self.path = radio, path
        self.left: int | None = None
        self.passed = 0
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> "Cable":
        self._server = await asyncio.start_unix_server(self._carry, self.path)
        return self

    async def __aexit__(self, *_error: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _carry(self, app: asyncio.StreamReader, to_app: asyncio.StreamWriter) -> None:
        self._keep(asyncio.current_task())
        radio, to_radio = await asyncio.open_unix_connection(self._radio)
        self._keep(asyncio.create_task(self._towards_radio(app, to_radio)))
        try:
            while data := await radio.read(4096):
                if self.left == 0:
                    break
                if self.left is not None:
                    self.left -= 1
                self.passed += 1
                to_app.write(data)
        finally:
            to_app.close()
            to_radio.close()

    def _keep(self, task: asyncio.Task[None] | None) -> None:
        """The loop alone does not."""
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _towards_radio(self, app: asyncio.StreamReader, to_radio: asyncio.StreamWriter) -> None:
        while data := await app.read(4096):
            to_radio.write(data)
        to_radio.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def cable() -> AsyncIterator[Cable]:
    supervisor = Supervisor(None, 7.5, 1, lambda *_change: None)
    with tempfile.TemporaryDirectory(prefix="cable-") as folder:
        try:
            await supervisor.open()
            supervisor.add("backwards", BACKWARDS, bytes(range(8))).give_power()
            async with Cable(supervisor.folder / "hci", Path(folder) / "hci") as cable:
                yield cable
        finally:
            await supervisor.close()


async def talk(cable: Cable) -> None:
    """Open, one command and its answer, close."""
    radio = {"radio": f"unix-client:{cable.path}"}
    transport = Ble(scanner={"backend": BumbleScanner, **radio}, client={"backend": BumbleClient, **radio})
    ear = Ear()
    try:
        await transport.open(ear.received, ear.closed)
        await transport.send(b"\x01\x02\x03")
        await ear.until(lambda: bool(ear.units) or ear.closings == 1)
        if ear.closings:
            raise LinkError(Reason.DROPPED)
        assert ear.units == [echo(b"\x01\x02\x03")]
    finally:
        await transport.close()


async def test_the_radio_lost_at_any_packet_is_told_and_comes_back(
    cable: Cable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ble_search, "SCAN_S", 1.0)  # a scan does not hear that its radio went
    reasons: list[Reason] = []
    for packets in range(MOST_PACKETS):
        cable.left = packets
        try:
            async with asyncio.timeout(TOLD_WITHIN_S):
                await talk(cable)
            break
        except LinkError as error:
            reasons.append(error.reason)
    else:
        pytest.fail(f"{MOST_PACKETS} packets were not enough for a command and its answer")
    assert set(reasons) == {Reason.NO_BLUETOOTH, Reason.DROPPED}
    assert reasons.count(Reason.NO_BLUETOOTH) > 5, "powering on and scanning are cut too"
    assert reasons.count(Reason.DROPPED) > 5, "so are connecting and reading the table"
    cable.left = None
    await talk(cable)
