"""Two other ways to find modules, on the same net with the same slow boards: 1-Wire search and slotted joining.

1-Wire rides on a UART as usual: one byte is one time slot; a search is a reset, a command and 64 times two reads and a write.
"""

from random import Random

from firmware.bus import payloads, words
from firmware.bus.dialogue import Dialogue, Heard
from firmware.bus.discovery import JOIN_SLOTS
from firmware.bus.frame import BYTE_NS, UNADDRESSED
from firmware.bus.words import SLOT_US
from firmware.desk.wire_virtual import Table

_RESET_US = 960
_ROM_BITS = 64
_COMMAND_SLOTS = 8
_GIVE_UP_MS = 60_000


def search_1wire_ms(count: int, error_rate: float, random: Random) -> float:
    """The time until the 64-bit search has found every one of `count` devices; a ROM with a bad CRC-8 is searched again."""
    roms = {_rom(random) for _ in range(count)}
    left, time_us = roms.copy(), 0.0
    while left:
        time_us += _RESET_US + (_COMMAND_SLOTS + 3 * _ROM_BITS) * BYTE_NS / 1000
        slots = _COMMAND_SLOTS + 3 * _ROM_BITS
        if random.random() < (1 - error_rate) ** slots:
            left.remove(min(left))
    return time_us / 1000


def _rom(random: Random) -> int:
    return random.getrandbits(_ROM_BITS)


def join_slotted_ms(table: Table) -> float:
    """The time until every module of `table` has an address by answering in slots of its own choice; no topology."""
    dialogue = Dialogue(7)
    begun_us = table.wire.now_us
    left = len(table.modules)
    free = 1
    while left and table.now_ms() < _GIVE_UP_MS:
        slots = max(JOIN_SLOTS, min(255, left))
        joining = _run(table, dialogue.gather(words.JOIN, bytes((slots,)), slots * SLOT_US + 12_000))
        for reply in joining or ():
            hello = payloads.decode_hello(reply.payload)
            if hello is None:
                continue
            payload = payloads.encode_assign(hello.instance, free, hello.seat)
            if _run(table, dialogue.ask(UNADDRESSED, words.ASSIGN, payload, free)) is not None:
                free += 1
                left -= 1
    return (table.wire.now_us - begun_us) / 1000


def _run(table: Table, script):  # type: ignore[no-untyped-def]
    """A script of requests on the table's wire; what it returns."""
    try:
        request = next(script)
        while True:
            heard = table.exchange(request.frame, request.timeout_us, request.select, request.collect)
            request = script.send(Heard(heard.data, heard.echo, heard.links, table.now_ms()))
    except StopIteration as done:
        return done.value
