"""The ARC's firmware over the desk's radio to tablets that ask for little: at MTU 23 an event fills a unit, and INFO is read."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from bleak.backends.characteristic import BleakGATTCharacteristic

from companion.desk_process import DeskProcess, Hands
from companion.link import Arc, news
from companion.link.ble import Ble
from companion.link.bumble_backend import BumbleClient, BumbleScanner
from companion.link.conversations import Conversations, Talk
from companion.link.news import LinkState
from companion.link.talks import leave_game, read_game
from protocol.events import ModuleAttached
from tests.firmware.desk.journal import Journal

pytestmark = pytest.mark.desk
WAIT_S = 60.0
MODULES = ("solar", "well", "resdome")
GAME = random.Random(5).randbytes(600)


class Counting(BumbleClient):
    """Notes what the link was agreed to carry, and what it carried."""

    agreed: set[int]
    units: list[int]
    infos: list[int]

    async def start_notify(self, characteristic: Any, callback: Any, **options: Any) -> None:
        self.agreed.add(self.mtu_size)

        def note(data: bytearray) -> None:
            self.units.append(len(data))
            callback(data)

        await super().start_notify(characteristic, note, **options)

    async def read_gatt_char(self, characteristic: BleakGATTCharacteristic, **options: Any) -> bytearray:
        data = await super().read_gatt_char(characteristic, **options)
        self.infos.append(len(data))
        return data


class App(Journal):
    """Journals, and passes on what answers its talks."""

    talks: Conversations

    def modules(self) -> int:
        """How many modules were told as attached."""
        return sum(isinstance(event.body, ModuleAttached) for event in self.events)

    def deliver(self, message: news.News) -> None:
        super().deliver(message)
        self.talks.handle(message)


@pytest.fixture(params=[23, 64], ids="mtu {}".format)
async def narrow(
    request: pytest.FixtureRequest, tmp_path: Path
) -> AsyncIterator[tuple[int, DeskProcess, type[Counting]]]:
    counting = type("Counting", (Counting,), {"agreed": set(), "units": [], "infos": []})
    async with DeskProcess(tmp_path / "desk", arguments=("--interval-ms", "7.5")) as desk:
        yield request.param, desk, counting


async def test_pairing_cards_pages_and_game_at_a_small_mtu(narrow: tuple[int, DeskProcess, type[Counting]]) -> None:
    mtu, desk, counting = narrow
    app = App()
    transport = Ble(
        scanner={"backend": BumbleScanner, "radio": desk.radio},
        client={"backend": counting, "radio": desk.radio, "mtu": mtu},
    )
    arc = Arc(lambda: transport, app, app.deliver, app.resume_point, 7)
    app.talks = Conversations(arc.send)
    running = asyncio.create_task(arc.run())
    try:
        async with Hands(desk.endpoints["control"]) as hands:
            await until(lambda: LinkState.PAIRING in app.states)
            await hands.do("press")
            await until(lambda: LinkState.READY in app.states)
            for module in MODULES:
                await hands.do("plug", module=module)
            await hands.present("token:governor")
            await until(lambda: len(app.cards()) == 1 and app.modules() == len(MODULES))
            crc = await talked(app, leave_game(GAME, app.events[-1].epoch, app.events[-1].sequence))
            kept = await talked(app, read_game())
            assert kept is not None
            assert (kept.data, kept.head.crc) == (GAME, crc)
            # a new session reads all pages, in pieces, and their hash tells whether they were put together rightly
            await hands.do("cut_power")
            await until(lambda: LinkState.LOST in app.states)
            await hands.do("give_power")
            await until(lambda: arc.connection.is_settled and app.modules() == 2 * len(MODULES))
            assert arc.connection.mismatches == 0
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert app.has_no_gap()
    assert counting.agreed == {mtu}
    assert max(counting.units) <= mtu - 3
    assert bool(counting.infos) is (mtu == 23), "only where INFO does not fit an answer it is read"


async def talked(app: App, talk: Talk[Any]) -> Any:
    """What comes of a talk; `AssertionError` with what people would be told."""
    outcome: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    app.talks.begin(talk, outcome.set_result, lambda text: outcome.set_exception(AssertionError(text)))
    async with asyncio.timeout(WAIT_S):
        return await outcome


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_S):
        while not holds():
            await asyncio.sleep(0.02)
