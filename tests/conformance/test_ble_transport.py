"""Bluetooth through bleak, on the desk's radio, against the ARC's firmware: the transport and `Arc` on top of it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from companion.desk_process import DeskProcess, Hands
from companion.link import Arc
from companion.link.ble import Ble
from companion.link.bumble_backend import BumbleClient, BumbleScanner
from companion.link.news import LinkState
from companion.link.reasons import LinkError, Reason
from companion.link.serial_port import SerialPort
from companion.link.transport import Transport
from protocol.messages import Hello, Info, Ok
from tests.conformance.transports import Ear
from tests.firmware.desk.journal import Journal

pytestmark = pytest.mark.desk
WAIT_S = 40.0


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[DeskProcess]:
    async with DeskProcess(tmp_path / "desk") as started:
        yield started


def ble(desk: DeskProcess) -> Ble:
    return Ble(
        scanner={"backend": BumbleScanner, "radio": desk.radio}, client={"backend": BumbleClient, "radio": desk.radio}
    )


async def hello(transport: Transport) -> Info:
    """INFO as the ARC answers HELLO with it."""
    ear = Ear()
    await transport.open(ear.received, ear.closed)
    await transport.send(Hello(1, 1, 0).encode())
    await ear.until(lambda: bool(ear.units))
    ok = Ok.decode(ear.units[0])
    return Info.decode(ok.data or await transport.read_info())


async def test_both_ways_lead_to_the_same_arc(desk: DeskProcess) -> None:
    radio, cable = ble(desk), SerialPort(desk.serial)
    over_radio, over_cable = await hello(radio), await hello(cable)
    assert over_radio.device == over_cable.device
    assert (await radio.read_info())[:9] == over_radio.encode()[:9]
    await radio.close()
    await radio.close()
    with pytest.raises(LinkError) as failed:
        await radio.send(b"\x05\x01")
    assert failed.value.reason is Reason.DROPPED
    assert (await hello(radio)).epoch == over_radio.epoch
    async with Hands(desk.endpoints["control"]) as hands:
        ear = Ear()
        await radio.close()
        await radio.open(ear.received, ear.closed)
        await hands.do("cut_power")
        async with asyncio.timeout(WAIT_S):
            await ear.until(lambda: ear.closings == 1)
    await radio.close()
    await cable.close()


async def test_a_card_reaches_the_app_through_everything(desk: DeskProcess) -> None:
    journal = Journal()
    arc = Arc(lambda: ble(desk), journal, journal.deliver, journal.resume_point, 7)
    running = asyncio.create_task(arc.run())
    try:
        async with Hands(desk.endpoints["control"]) as hands:
            await until(lambda: LinkState.PAIRING in journal.states)
            await hands.do("press")
            await until(lambda: LinkState.READY in journal.states)
            await hands.present("token:governor")
            await until(lambda: len(journal.cards()) == 1)
            await until(lambda: arc.connection.is_settled)
            assert arc.connection.mismatches == 0
            await hands.do("cut_power")
            await until(lambda: LinkState.LOST in journal.states)
            await hands.do("give_power")
            await until(lambda: arc.connection.is_settled)
            await hands.present("token:governor")
            await until(lambda: len(journal.cards()) == 2)
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert journal.has_no_gap()


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_S):
        while not holds():
            await asyncio.sleep(0.02)
