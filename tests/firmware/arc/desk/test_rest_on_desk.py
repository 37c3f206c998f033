"""Nobody plays: the assembled ARC after ten minutes and after sixty, its clock put forward; and what wakes it."""

import asyncio
import time
from collections.abc import AsyncIterator

import pytest
from bleak import BleakScanner

from companion.link.bumble_backend import BumbleScanner
from companion.link.bumble_dongle import Dongle
from firmware.arc.lights import COLOURS
from firmware.boards import arc_esp32s3 as board, timings
from firmware.desk.desk import ARC, Desk
from firmware.desk.pins import DARK
from protocol import events, gatt
from protocol.lights import BLUE, GREEN, STEADY, YELLOW, light
from protocol.messages import LightAll, LightArc
from tests.firmware.arc.desk.tablet import Tablet, over_ble
from tests.firmware.arc.desk.test_arc_on_desk import CARD, paired
from tests.firmware.arc.desk.test_life_on_desk import desk_running
from tests.firmware.desk.test_desk import until

pytestmark = pytest.mark.desk

MODULE = "solar"
GAPS = 3


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    async with desk_running("resting_arc.py") as desk:
        yield desk


def pass_ms(desk: Desk, ahead_ms: int) -> None:
    """The ARC's clock is put so far ahead at once, and goes on from there."""
    (desk.supervisor.boards[ARC].files / "ahead").write_text(str(ahead_ms))


async def gap_s(desk: Desk) -> float:
    """The shortest time between two advertisements of some in a row."""
    heard: list[float] = []
    async with Dongle.borrowed(desk.radio):
        scanner = BleakScanner(backend=BumbleScanner, radio=desk.radio)
        async with scanner, asyncio.timeout(20):
            async for _, data in scanner.advertisement_data():
                if gatt.SERVICE_UUID in data.service_uuids:
                    heard.append(time.monotonic())
                if len(heard) > 2 * GAPS:
                    return min(later - earlier for earlier, later in zip(heard, heard[2:], strict=False))
    raise AssertionError("unreachable")


async def played(desk: Desk) -> Tablet:
    """A tablet was there, lit everything, and went."""
    await desk.plug(MODULE)
    async with over_ble(desk.radio) as tablet:
        await paired(desk, tablet)
        await tablet.resume()
        await tablet.event(events.ModuleAttached)
        await tablet.ok(LightAll, light(STEADY, GREEN))
        await tablet.ok(LightArc, light(STEADY, BLUE))
        pass_ms(desk, timings.PAIRING_WINDOW_MS)
        while True:
            window = (await tablet.event(events.PairingWindow)).body
            assert isinstance(window, events.PairingWindow)
            if not window.is_open:
                break
        await until(lambda: desk.lights()[MODULE] != DARK and desk.lights()[ARC] == COLOURS[BLUE])
    return tablet


async def all_dark(desk: Desk) -> None:
    await until(lambda: set(desk.lights().values()) == {DARK})


async def test_after_ten_minutes_everything_is_dark_and_the_radio_calls_rarely(desk: Desk) -> None:
    await played(desk)
    fast_s = await gap_s(desk)
    pass_ms(desk, timings.PAIRING_WINDOW_MS + timings.DIM_AFTER_MS)
    await all_dark(desk)
    slow_s = await gap_s(desk)
    assert slow_s > 4 * fast_s, "called each second instead of ten times"
    assert desk.state()["boards"][MODULE]["starts"] == 1, "the module is told to be dark, it is not without current"


@pytest.mark.parametrize("hand", ["card", "button"])
async def test_a_card_or_the_button_wakes_it_fully(desk: Desk, hand: str) -> None:
    tablet = await played(desk)
    pass_ms(desk, timings.PAIRING_WINDOW_MS + timings.DIM_AFTER_MS)
    await all_dark(desk)
    beep = asyncio.ensure_future(desk.wait("beep"))
    if hand == "card":
        desk.present(CARD)
        await desk.wait("light", board=ARC, light=list(COLOURS[YELLOW]))
    else:
        await desk.press()
    await beep
    await until(lambda: desk.lights()[MODULE] != DARK)
    assert await gap_s(desk) < 0.6
    async with over_ble(desk.radio) as again:
        again.token = tablet.token
        await again.resume()
        await again.event(events.CardPresented if hand == "card" else events.ButtonPressed)


async def test_after_sixty_minutes_it_sleeps_until_the_button_and_the_log_goes_on(desk: Desk) -> None:
    tablet = await played(desk)
    (epoch, before) = tablet._heard
    asleep = asyncio.ensure_future(desk.wait("stopped", board=ARC))
    dark = asyncio.ensure_future(desk.wait("stopped", board=MODULE))
    pass_ms(desk, timings.PAIRING_WINDOW_MS + timings.SLEEP_AFTER_MS)
    await asyncio.gather(asleep, dark)
    arc = desk.supervisor.boards[ARC]
    assert arc.is_on
    assert arc.pid is None, "no processor runs"
    assert arc.pins.wakes_on == {board.BUTTON: 0}
    assert board.BUTTON in arc.pins.held, "or its pull-up is gone, and it wakes at once"
    assert arc.pins.levels == {board.VBUS_EN: 0}, "held: the modules have no current"
    assert not desk.supervisor.boards[MODULE].is_on
    pass_ms(desk, 0)
    desk.present(CARD)
    assert arc.pid is None, "a card does not wake it"
    await desk.press()
    await desk.wait("started", board=MODULE)
    async with over_ble(desk.radio) as again:
        again.token = tablet.token
        answer = await again.resume(epoch, before)
        assert answer.epoch == epoch
        assert answer.first == before + 1, "the log has every event from before, and goes on"
        boot = await again.event(events.Booted)
        assert isinstance(boot.body, events.Booted)
        assert boot.body.cause == events.DEEP_SLEEP
        card = (await again.event(events.CardPresented)).body
        assert isinstance(card, events.CardPresented), "laid down while it slept: read now"
        await again.event(events.ModuleAttached)
    assert board.BUTTON not in arc.pins.held, "let go again, or nobody's press is seen"
    assert desk.lights()[MODULE] == DARK, "lights are the app's to send again"
