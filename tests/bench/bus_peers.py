"""Two other ways to find modules: 1-Wire search on the same net, and slotted joining on the same net with the same slow boards."""

from random import Random

from firmware.bus import payloads, words
from firmware.bus.dialogue import Dialogue, Heard
from firmware.bus.discovery import JOIN_SLOTS
from firmware.bus.frame import BYTE_NS, UNADDRESSED
from firmware.bus.words import SLOT_US
from firmware.desk.wire_medium import Medium
from firmware.desk.wire_virtual import Table

_RESET_US = 960
_ROM_BITS = 64
_SEARCH_ROM = 0xF0
_ONE, _ZERO = 0xFF, 0x00
_PULLED = 0xF0
"""A slot of ones that a device has pulled low for half of it."""
_GIVE_UP_MS = 60_000


class _Device:
    """A 1-Wire device in a search: `is_in` while every bit so far was its own."""

    def __init__(self, rom: int) -> None:
        self.rom = rom
        self.is_in = False

    def pulls_low(self, bit: int, *, complement: bool) -> bool:
        return self.is_in and bool(self.rom >> bit & 1) is complement

    def hear(self, bit: int, slot: int) -> None:
        """A written slot, sampled in its middle."""
        self.is_in = self.is_in and self.rom >> bit & 1 == slot >> 3 & 1


class OneWireSearch:
    """The search of 1-Wire (Maxim application note 187) by a master with a UART, on the net of the LED bus.

    A slot is one byte: the master sends ones to read, and who has a zero pulls the line. Nobody takes time to think, neither
    devices nor master, which is better than any could do.
    """

    def __init__(self, medium: Medium, roms: set[int]) -> None:
        self.now_us = 0.0
        self._medium = medium
        self._devices = [_Device(rom) for rom in sorted(roms)]
        self._last_choice = -1
        self._path = 0

    def find_all(self) -> set[int]:
        """Every ROM, found by passes that each end in one; a pass with a bad CRC-8 is made again."""
        found: set[int] = set()
        while True:
            passed = self._pass()
            if passed is None:
                continue
            self._path, self._last_choice = passed
            found.add(self._path)
            if self._last_choice < 0:
                return found

    def _pass(self) -> tuple[int, int] | None:
        """One walk down the tree: the ROM at its end, and the last bit at which it could have gone the other way."""
        self.now_us += _RESET_US
        for device in self._devices:
            device.is_in = True
        for index in range(8):
            heard = self._slot(_ONE if _SEARCH_ROM >> index & 1 else _ZERO, pulled=False)
            if heard >> 3 & 1 != _SEARCH_ROM >> index & 1:
                return None  # no device took it for a search
        rom, choice = 0, -1
        for bit in range(_ROM_BITS):
            taken = self._bit(bit)
            if taken is None:
                return None
            value, was_choice = taken
            rom |= value << bit
            choice = bit if was_choice and not value else choice
        return (rom, choice) if _crc8(rom) == 0 else None

    def _bit(self, bit: int) -> tuple[int, bool] | None:
        """Two reads and a write: the value taken, and whether there were both; None: nobody is left."""
        ones = self._slot(_ONE, any(device.pulls_low(bit, complement=False) for device in self._devices)) == _ONE
        zeros = self._slot(_ONE, any(device.pulls_low(bit, complement=True) for device in self._devices)) == _ONE
        if ones and zeros:
            return None
        if ones != zeros:
            value = int(ones)
        elif bit == self._last_choice:
            value = 1
        else:
            value = self._path >> bit & 1 if bit < self._last_choice else 0
        written = self._slot(_ONE if value else _ZERO, pulled=False)
        for device in self._devices:
            device.hear(bit, written)
        return value, ones == zeros

    def _slot(self, sent: int, pulled: bool) -> int:
        """What everybody hears of one slot."""
        at = round(self.now_us)
        pieces = [(at, bytes((sent,))), *([(at, bytes((_PULLED,)))] if pulled else [])]
        self.now_us += BYTE_NS / 1000
        return self._medium.carry(pieces)[0][1]


def search_1wire_ms(count: int, error_rate: float, seed: int) -> float:
    """The time until the 64-bit search has found every one of `count` devices."""
    random, medium = Random(seed), Medium(seed)
    medium.byte_error_rate = error_rate
    roms: set[int] = set()
    while len(roms) < count:
        rom = random.getrandbits(_ROM_BITS - 8)
        roms.add(rom | _crc8(rom, _ROM_BITS - 8) << (_ROM_BITS - 8))
    search = OneWireSearch(medium, roms)
    found = search.find_all()
    if not error_rate and found != roms:
        raise AssertionError("the search missed devices on a quiet wire")
    return search.now_us / 1000


def _crc8(value: int, bits: int = _ROM_BITS) -> int:
    """Maxim's CRC-8, the lowest bit first; 0 over a whole ROM that is right."""
    crc = 0
    for bit in range(bits):
        mix = (crc ^ value >> bit) & 1
        crc = crc >> 1 ^ (0x8C if mix else 0)
    return crc


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
