"""The ARC's whole program in its interpreter, on the desk: boots, advertises, pairs, resumes, tells what happens."""

import asyncio
from binascii import crc32
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import pytest
from bleak.exc import BleakError

from firmware.boards.module_rp2040zero import LED_DIN
from firmware.desk.desk import ARC, Desk
from protocol import events, gatt
from protocol.lights import BLUE, STEADY, light
from protocol.messages import (
    IN_USE,
    INFO_IN_USE,
    MALFORMED,
    NO_TAG,
    NOT_PAIRING,
    PAGE_EDGES,
    PAGE_MODULES,
    PAGE_TAGS,
    STATISTICS_LIFE,
    STATISTICS_LINK,
    STATISTICS_READER,
    TEST_BATTERY,
    TEST_BUS,
    TEST_BUZZER,
    TEST_FLASH,
    TEST_GOOD,
    TEST_LIGHT,
    TEST_LOOK,
    TEST_RADIO,
    TEST_READER,
    GameBegin,
    GameChunk,
    GameCommit,
    GameHead,
    GameRead,
    HashAnswer,
    Info,
    LightAll,
    LightArc,
    LightModule,
    LightTable,
    LogRead,
    Mark,
    Message,
    Page,
    Pair,
    ReadHash,
    ReadPage,
    ReadStatistics,
    Refused,
    Resume,
    SelfTest,
    WriteTag,
    session_mac,
)
from protocol.pages import state_hash
from protocol.reading import decode_edges, decode_modules, decode_notification, decode_tags, unpack_counters
from tests.firmware.arc.desk.tablet import BleWire, Tablet, over_ble, over_serial

pytestmark = pytest.mark.desk

CARD = "manager:bloch"


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    async with Desk(interval_ms=7.5, seed=1) as desk:
        yield desk


async def paired(desk: Desk, tablet: Tablet) -> None:
    await tablet.hello()
    await desk.press()
    while isinstance(await tablet.ask(Pair, tablet.number), Refused):
        await asyncio.sleep(0.05)
    await tablet.pair()


@asynccontextmanager
async def in_session(desk: Desk) -> AsyncIterator[Tablet]:
    """A tablet over BLE that has just paired and resumed."""
    async with over_ble(desk.radio) as tablet:
        await paired(desk, tablet)
        await tablet.resume()
        yield tablet


async def page(tablet: Tablet, number: int) -> bytes:
    answer = await tablet.ask(ReadPage, number, 0)
    assert isinstance(answer, Page)
    assert answer.count == 1
    return answer.chunk


async def test_a_card_is_told_over_ble(desk: Desk) -> None:
    async with over_ble(desk.radio) as tablet:
        info = await tablet.hello()
        assert await tablet.refusal(Pair, tablet.number) == NOT_PAIRING
        await paired(desk, tablet)
        answer = await tablet.resume()
        assert answer.epoch == info.epoch
        boot = (await tablet.event(events.Booted)).body
        assert isinstance(boot, events.Booted)
        assert boot.cause == events.POWER_ON
        desk.present(CARD)
        card = (await tablet.event(events.CardPresented)).body
        assert isinstance(card, events.CardPresented)
        assert card.code
        tags = await page(tablet, PAGE_TAGS)
        assert decode_tags(tags) == [(card.code, card.uid)]
        desk.remove()
        assert isinstance((await tablet.event(events.CardRemoved)).body, events.CardRemoved)


async def test_modules_are_told_lit_and_in_the_pages_over_serial(desk: Desk) -> None:
    async with over_serial(desk.serial) as tablet:
        await paired(desk, tablet)
        await tablet.resume()
        changes: list[dict[str, object]] = []
        desk.listen(changes.append)
        await desk.plug("solar")
        attached = (await tablet.event(events.ModuleAttached)).body
        assert isinstance(attached, events.ModuleAttached)
        # report 71: dark from power-on until the app lights it; the light on the board itself (pin 16) is never touched
        pins = desk.supervisor.boards["solar"].pins
        assert [told["light"] for told in changes if told.get("board") == "solar" and "light" in told] == [[0, 0, 0]]
        assert (pins.pixels, 16 in pins.levels) == ({LED_DIN: (0, 0, 0)}, False)
        modules, edges = await page(tablet, PAGE_MODULES), await page(tablet, PAGE_EDGES)
        assert [row[0] for row in decode_modules(modules)] == [attached.instance]
        assert len(decode_edges(edges)) == 1
        told = HashAnswer.unpack(await tablet.ok(ReadHash), 0)
        assert told.hash == state_hash(modules, edges, await page(tablet, PAGE_TAGS))
        await tablet.ok(LightModule, attached.instance, light(STEADY, BLUE))
        await tablet.ok(LightAll, light(STEADY, BLUE))
        await tablet.ok(LightArc, light(STEADY, BLUE))
        newest = int.from_bytes(await tablet.ok(Mark), "little")
        assert newest >= told.sequence
        life = unpack_counters(STATISTICS_LIFE, await tablet.ok(ReadStatistics, STATISTICS_LIFE))
        assert life["boots"] == 1
        assert life["task_restarts"] == 0
        assert unpack_counters(STATISTICS_LINK, await tablet.ok(ReadStatistics, STATISTICS_LINK))["resumes"] == 1
        assert unpack_counters(STATISTICS_READER, await tablet.ok(ReadStatistics, STATISTICS_READER))["polls"] > 0


async def test_events_survive_a_power_cut_and_a_second_tablet_is_told_in_use(desk: Desk) -> None:
    async with in_session(desk) as tablet:
        desk.present(CARD)
        card = await tablet.event(events.CardPresented)
        async with over_serial(desk.serial, 0x2222) as other:
            assert (await other.hello()).flags & INFO_IN_USE
            await paired(desk, other)
            info: Info = await other.hello()
            mac = session_mac(other.token, info.nonce, other.number, 0, 0)
            assert await other.refusal(Resume, other.number, 0, 0, mac) == IN_USE
    await desk.cut_power()
    await desk.give_power()
    async with over_ble(desk.radio) as again:
        again.token = tablet.token
        answer = await again.resume(card.epoch, card.sequence)
        assert answer.first == card.sequence + 1
        boot = await again.event(events.Booted)
        assert boot.sequence > card.sequence
        # the card still lies there, and is no news: the next that is told is another
        desk.present("manager:carter")
        told = (await again.event(events.CardPresented)).body
        assert isinstance(told, events.CardPresented)
        assert told.uid == desk.tray.tag_of("manager:carter", None).uid


async def leave_game(tablet: Tablet, game: bytes, cursor: tuple[int, int]) -> None:
    await tablet.ok(GameBegin, len(game), crc32(game), *cursor)
    for at in range(0, len(game), 200):
        await tablet.ok(GameChunk, at, game[at : at + 200])
    await tablet.ok(GameCommit)


async def read_whole(tablet: Tablet, command: type[Message]) -> bytes:
    data = b""
    while part := await tablet.ok(command, len(data)):
        data += part
    return data


async def test_another_tablet_takes_the_game_over_with_what_came_since(desk: Desk) -> None:
    game = Random(1).randbytes(3_000)
    async with over_ble(desk.radio) as first:
        await paired(desk, first)
        await first.resume()
        desk.present(CARD)
        card = await first.event(events.CardPresented)
        await leave_game(first, game, (card.epoch, card.sequence))
        desk.remove()
        await first.event(events.CardRemoved)
    async with over_ble(desk.radio, 0x2222) as second:
        await paired(desk, second)
        await second.resume(card.epoch, (await second.hello()).newest)
        kept = await read_whole(second, GameRead)
        head = GameHead.unpack(kept[:18], 0)
        assert kept[18:] == game
        assert crc32(game) == head.crc
        answer = await second.resume(head.epoch, head.sequence)
        assert answer.first == card.sequence + 1
        second.events.clear()
        assert (await second.event(events.CardRemoved)).sequence > card.sequence


async def test_the_self_test_and_the_log_are_for_people(desk: Desk) -> None:
    async with over_serial(desk.serial) as tablet:
        await paired(desk, tablet)
        await tablet.resume()
        verdicts = await tablet.ok(SelfTest)
        found = dict(zip(verdicts[::2], verdicts[1::2], strict=True))
        assert found == {
            TEST_FLASH: TEST_GOOD,
            TEST_READER: TEST_GOOD,
            TEST_BUS: TEST_GOOD,
            TEST_LIGHT: TEST_LOOK,
            TEST_BUZZER: TEST_LOOK,
            TEST_RADIO: TEST_GOOD,
            TEST_BATTERY: TEST_GOOD,
        }
        assert (await read_whole(tablet, LogRead)).decode().startswith("boot 1, cause 1, version")


async def test_the_pairing_token_on_the_roof_opens_the_window_and_blue_says_so(desk: Desk) -> None:
    async with over_ble(desk.radio) as tablet:
        await tablet.hello()
        desk.present("token:pairing")
        while isinstance(await tablet.ask(Pair, tablet.number), Refused):
            await asyncio.sleep(0.05)
        await tablet.pair()
        await tablet.resume()
        window = (await tablet.event(events.PairingWindow)).body
        assert isinstance(window, events.PairingWindow)
        assert window.is_open
        await desk.wait("light", board=ARC, light=[0, 0, 255])


async def test_a_tag_is_written_and_read_with_its_new_code(desk: Desk) -> None:
    async with over_serial(desk.serial) as tablet:
        await paired(desk, tablet)
        await tablet.resume()
        assert await tablet.refusal(WriteTag, 4321) == NO_TAG
        desk.present(CARD)
        await tablet.event(events.CardPresented)
        await tablet.ok(WriteTag, 4321)
        desk.remove()
        await tablet.event(events.CardRemoved)
        desk.present(CARD)
        card = (await tablet.event(events.CardPresented)).body
        assert isinstance(card, events.CardPresented)
        assert card.code == 4321


async def test_a_write_longer_than_a_command_is_refused_and_the_session_goes_on(desk: Desk) -> None:
    async with in_session(desk) as tablet:
        await tablet.wire.write(LightTable(200, bytes(5 * 78)).encode())
        async with asyncio.timeout(10):
            while True:
                parts = decode_notification(await tablet.wire.heard.get())
                refused = [part for part in parts if isinstance(part, Refused)]
                if refused:
                    break
        assert refused == [Refused(200, MALFORMED, b"")]
        await only_commands_can_be_written(tablet)
        await tablet.ok(Mark)


async def only_commands_can_be_written(tablet: Tablet) -> None:
    """INFO and EVENT refuse any bytes, and stay what they are; COMMAND cannot be read."""
    assert isinstance(tablet.wire, BleWire)
    client = tablet.wire.client
    info = bytes(await client.read_gatt_char(gatt.INFO_UUID))
    for uuid in (gatt.INFO_UUID, gatt.EVENT_UUID):
        for data in (b"", bytes(31), bytes(range(200))):
            with pytest.raises(BleakError):
                await client.write_gatt_char(uuid, data, response=True)
            await client.write_gatt_char(uuid, data, response=False)  # to which there is no answer
    assert bytes(await client.read_gatt_char(gatt.INFO_UUID)) == info
    for uuid in (gatt.COMMAND_UUID, gatt.EVENT_UUID):
        with pytest.raises(BleakError):
            await client.read_gatt_char(uuid)


async def test_events_come_through_while_a_game_is_left(desk: Desk) -> None:
    game = Random(2).randbytes(12_000)
    async with in_session(desk) as tablet:
        await tablet.ok(GameBegin, len(game), crc32(game), 1, 1)
        told_at = 0
        for at in range(0, len(game), 238):
            if at == 238 * 10:
                desk.present(CARD)
            await tablet.ok(GameChunk, at, game[at : at + 238])
            if not told_at and any(isinstance(event.body, events.CardPresented) for event in tablet.events):
                told_at = at
        await tablet.ok(GameCommit)
        assert 0 < told_at < len(game) - 238
        kept = await read_whole(tablet, GameRead)
        assert kept[18:] == game


async def test_it_is_found_again_after_every_disconnection(desk: Desk) -> None:
    async with over_ble(desk.radio) as tablet:
        await paired(desk, tablet)
        token = tablet.token
    for _ in range(4):
        async with over_ble(desk.radio) as again:
            again.token = token
            info = await again.hello()
            assert not info.flags & INFO_IN_USE
            await again.resume(info.epoch, info.newest)
            assert (await again.hello()).flags & INFO_IN_USE
