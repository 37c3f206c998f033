"""The specification's tables against the code."""

import re
from pathlib import Path

from firmware.bus import dialogue, discovery, frame, node, payloads, words
from firmware.drivers import node_uart, select_lines

README = (Path(words.__file__).parent / "README.md").read_text(encoding="utf-8")


def test_opcodes_are_those_of_the_tables() -> None:
    rows = {
        int(code, 16): name for code, name in re.findall(r"^\| (0x[0-9A-F]{2}) \| ([A-Z_]+) \|", README, re.MULTILINE)
    }
    names = [*rows.values()]
    assert {getattr(words, name): name for name in names} == rows
    assert len(rows) == 23


def test_payload_sizes_are_those_of_the_tables() -> None:
    sizes = {"u8": 1, "u16": 2, "u32": 4}

    def size(name: str) -> int:
        fields = re.search(rf"^\| 0x\w+ \| {name} \|(?: [^|]* \|)?([^|]*u(?:8|16|32)[^|]*)\|", README, re.MULTILINE)
        assert fields is not None
        return sum(sizes[kind] for kind in re.findall(r"\b(u8|u16|u32)\b", fields[1]))

    assert size("HELLO") == words.HELLO_SIZE == 9
    assert size("STATUS") == words.STATUS_SIZE == 8
    assert size("ASSIGN") == len(payloads.encode_assign(1, 2, 3))
    assert size("TICK") == len(payloads.encode_tick(1, 2, 3))
    assert size("RESALT") == len(payloads.encode_resalt(1, 2))
    assert size("UPDATE_BEGIN") == len(payloads.encode_begin(1, 2))
    assert size("PROGRESS") == len(words.encode_progress(1, 2, 3))
    longest = bytes(1) + payloads.encode_data(1, bytes(words.DATA_SIZE))
    assert len(longest) == frame.MAX_PAYLOAD >= 1 + words.DIGEST_SIZE


def test_times_and_limits_are_those_of_the_text() -> None:
    assert (frame.IDLE_US, frame.GAP_US, node.REPLY_US, dialogue.REPLY_TIMEOUT_US, dialogue.TRIES) == (
        1000,
        2000,
        300,
        12000,
        4,
    )
    assert (node.KEEP_ALIVE_MS, node.JOIN_AFTER_MS, words.SLOT_US) == (3000, 1000, 3500)
    assert (discovery.OLD_ADDRESS_MS, discovery.JOIN_SLOTS, discovery.DOUBTFUL_MS) == (60_000, 8, 5000)
    assert (discovery.REFUSED_AGAIN_MS, discovery.QUIET_AGAIN_MS, discovery.JOIN_EVERY_MS) == (5000, 1000, 5000)


def test_drivers_keep_the_times_of_the_text() -> None:
    assert (node_uart.SELECT_US, node_uart.REPLY_SLOT_US) == (20_000, 15_000)
    assert (select_lines.BEACON_LOW_MS, select_lines.LINK_MS) == (2, 750)
    assert node_uart.WATCH_US < dialogue.REPLY_TIMEOUT_US < node_uart.REPLY_SLOT_US
