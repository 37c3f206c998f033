"""Tags, log and self-test through the real ARC firmware on the desk, over its serial port."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from companion import catalog
from firmware.desk.chips.tag_kinds import Ntag213
from firmware.desk.desk import Desk
from firmware.flash.arc_session import ArcSession, open_port
from firmware.flash.deck import Deck, cards_of
from firmware.flash.examine import explain, read_log, self_test
from firmware.flash.ledger import Ledger
from firmware.flash.reader_bench import check_reader
from firmware.flash.tags import TagWriter
from firmware.flash.tokens import TokenFile
from protocol import tag as tag_codes
from tests.firmware.flash.conftest import Watch

pytestmark = pytest.mark.desk
CATALOG = catalog.load()


async def in_thread(act: Callable[[], object], hands: Callable[[], object]) -> object:
    """The tool in a thread of its own, hands on the desk meanwhile."""
    acting = asyncio.create_task(asyncio.to_thread(act))
    while not acting.done():
        await asyncio.wait((acting,), timeout=0.05)
        result = hands()
        if asyncio.iscoroutine(result):
            await result
    return await acting


async def test_a_maker_finds_a_clone_good_and_which_gain_reads(tmp_path: Path, watch: Watch) -> None:
    found: dict[str, object] = {}
    asked = threading.Event()
    async with asyncio.timeout(50), Desk(arc_on=False) as desk:
        desk.reader.version = 0x12
        await desk.give_power()

        def work() -> None:
            with ArcSession(open_port(desk.serial), TokenFile(tmp_path / "pairing.json"), watch) as session:
                found["good"] = self_test(session, watch)
                found["reader"] = check_reader(session, watch)
                found["log"] = explain(read_log(session))

        async def hands() -> None:
            if not asked.is_set() and "press the ARC's button" in watch.text:
                asked.set()
                await desk.press()
            if "lay one card flat" in watch.text and not desk.state()["roof"]:
                desk.present("manager:bloch")

        await in_thread(work, hands)
    assert found["good"], watch.text
    assert found["reader"], watch.text
    assert "version 0x12, broken: nothing" in watch.text
    assert "38 dB   20 of 20 reads   (set now)" in watch.text
    for words in (
        "reader version 0x12\n",
        "the reader's version 0x12 is none we know",
        "self-test: reader version 0x12",
    ):
        assert words in str(found["log"]), found["log"]


async def test_pair_test_read_the_log_and_write_tags(tmp_path: Path, watch: Watch) -> None:
    tokens_path = tmp_path / "pairing.json"
    ledger = Ledger(tmp_path / "tags.jsonl")
    cards = cards_of(CATALOG, "tokens")
    uids = [bytes((4, at, 2, 3, 4, 5, 6)) for at in range(len(cards))]
    found: dict[str, object] = {}
    asked = threading.Event()

    async with asyncio.timeout(50), Desk() as desk:
        await desk.wait("started", 20)

        def work() -> None:
            with ArcSession(open_port(desk.serial), TokenFile(tokens_path), watch) as session:
                found["good"] = self_test(session, watch)
                found["log"] = read_log(session)
                writer = TagWriter(session, CATALOG, ledger, watch, overwrite=False, only_verify=False)
                found["deck"] = writer.run(Deck.of(cards, ()))

        lying: list[bytes] = []

        async def hands() -> None:
            if not asked.is_set() and "press the ARC's button" in watch.text:
                asked.set()
                await desk.press()
            wanted = sum("lay down" in line for line in watch.lines)
            if wanted > len(lying) and len(lying) < len(uids):
                desk.remove()
                lying.append(uids[len(lying)])
                desk.present("blank", uid=lying[-1])

        await in_thread(work, hands)
        tags = [desk.tray.tag_of("blank", uid) for uid in uids]
        written = [tag_codes.find_code(tag.memory[16:]) for tag in tags if isinstance(tag, Ntag213)]

    assert found["good"], watch.text
    assert "boot " in str(found["log"])
    assert isinstance(found["deck"], Deck)
    assert found["deck"].wanted is None
    assert written == [card.number for card in cards]
    assert [entry["uid"] for entry in ledger.entries()] == [uid.hex() for uid in uids]
    assert tokens_path.stat().st_mode & 0o077 == 0, "the token is for its owner's eyes"
