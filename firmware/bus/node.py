"""The module's end of LED bus v1: frames and select lines in, answers out. Pure: time and chance are passed in.

Rules, before the table:
1. A frame of another bus epoch: the ARC began anew. Forget the address, then go on as without one.
2. The same frame again, toggle bit included: the same answer again, and nothing is done twice.
3. ASSIGN and REFUSE count only after our own HELLO, and only if instance and seat are those of that HELLO.
   Any PROBE that is not for us, and any JOIN, ends that claim.
4. No frame to our own address for `KEEP_ALIVE_MS`: the ARC has given us up. Forget the address.
5. An opcode we do not know, sent to our address: NAK(UNSUPPORTED), never silence.
6. UPDATE_…, in ADDRESSED: PROGRESS at once; the flash is worked on by `update` after the answer, deaf meanwhile.

  state        | PROBE, our select line fell | ASSIGN         | REFUSE       | JOIN          | POLL, SET, …
  UNADDRESSED  | HELLO → CLAIMED             | –              | –            | HELLO → CLAIMED (after 1 s) | –
  CLAIMED      | HELLO                       | ACK → ADDRESSED| ACK → REFUSED| HELLO         | –
  REFUSED      | HELLO → CLAIMED             | –              | –            | HELLO → CLAIMED (after 1 s) | –
  ADDRESSED    | SEEN                        | –              | –            | –             | reply
A PROBE to our own address pulls the select line of the port it names, in ADDRESSED only.
"""

from firmware.bus import words
from firmware.bus.frame import ALL, MAX_ADDRESS, OPCODE, REPLY, TOGGLE, UNADDRESSED, encode
from protocol.lights import DARK, SLOW_FLASH, WHITE, YELLOW, is_light, light

ADDRESSED, CLAIMED, REFUSED, FREE = 1, 2, 3, 4
"""States; FREE is UNADDRESSED in the table."""

KEEP_ALIVE_MS = 3000
JOIN_AFTER_MS = 1000
REPLY_US = 300
"""The shortest reply gap."""
PASS, ANSWER, SELECT, WATCH = 0, 1, 2, 3

_REFUSED_LIGHT = {
    words.BUS_FULL: light(SLOW_FLASH, WHITE),
    words.FOREIGN_VERSION: light(SLOW_FLASH, YELLOW),
}

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.module.light import Light
    from firmware.module.receiver import Receiver


class Reaction:
    """What the driver is to do: nothing (PASS), send `frame` after `delay_us` (ANSWER), pull the select line of `port`
    low until the next frame (SELECT), or see which select line falls and call `selected` (WATCH)."""

    def __init__(self, kind: int, frame: bytes = b"", delay_us: int = REPLY_US, port: int = 0) -> None:
        self.kind = kind
        self.frame = frame
        self.delay_us = delay_us
        self.port = port


_PASS = Reaction(PASS)
_WATCH = Reaction(WATCH)


class Identity:
    """What a module says about itself in HELLO and IDENTITY, apart from where it sits."""

    def __init__(
        self,
        chip: bytes,
        salt: int,
        type_id: int,
        hardware: int = 1,
        firmware: "tuple[int, int, int]" = (0, 1, 0),
        boots: int = 0,
    ) -> None:
        self.chip = chip
        self.type_id = type_id
        self.hardware = hardware
        self.firmware = firmware
        self.boots = boots
        self.protocol = words.PROTOCOL
        self.resalt(salt)

    def resalt(self, salt: int) -> None:
        """Another salt, another instance."""
        self.salt = salt
        self.instance = words.instance_of(self.chip, salt)


class Vitals:
    """What STATUS reports of the board; the shell keeps it current."""

    def __init__(self, reset_cause: int = 0, lowest_mv: int = 0) -> None:
        self.reset_cause = reset_cause
        self.lowest_mv = lowest_mv
        self.crc_errors = 0


class Node:
    """One module on the bus. `random(n)` gives a whole number below n; `resalt(salt)` stores a new salt; `update` takes a
    new firmware. `is_polled`: the ARC has reached this module since its start."""

    def __init__(
        self,
        identity: Identity,
        light: "Light",
        vitals: Vitals,
        random: "Callable[[int], int]",
        resalt: "Callable[[int], bool] | None" = None,
        now_ms: int = 0,
        update: "Receiver | None" = None,
    ) -> None:
        self.identity = identity
        self.vitals = vitals
        self.state = FREE
        self.address = UNADDRESSED
        self.epoch = -1
        self.links = 0
        self.is_polled = False
        self._light = light
        self._random = random
        self._resalt = resalt
        self._update = update
        self._seat = -1
        self._probe_control = 0
        self._last_frame = b""
        self._last_reaction = _PASS
        self._free_since_ms = now_ms
        self._alive_ms = now_ms

    def accepts(self, address: int, control: int) -> bool:
        """For the frame reader: do we want this frame? Ours, everybody's, those to modules without address, every PROBE."""
        if control & REPLY:
            return False
        return address == self.address or address >= UNADDRESSED or control & OPCODE == words.PROBE

    def hear(self, now_ms: int, frame: bytes, links: int) -> Reaction:
        """A frame with a good CRC that `accepts` let pass; `links` are the ports on which a neighbour's beacon is seen."""
        self.links = links
        self._light.heard(now_ms)
        address, control, payload = frame[2], frame[3], frame[4:-2]
        opcode = control & OPCODE
        if self.state == ADDRESSED and payload and payload[0] != self.epoch:
            self._leave(now_ms)
        if address == self.address and self.state == ADDRESSED:
            self._alive_ms = now_ms
        if frame == self._last_frame and (opcode != words.PROBE or address == self.address):
            return self._last_reaction
        reaction = self._react(now_ms, address, opcode, control, payload)
        if opcode != words.PROBE or reaction.kind != WATCH:
            self._last_frame, self._last_reaction = frame, reaction
        return reaction

    def selected(self, now_ms: int, port: int) -> Reaction:
        """After WATCH: the select line of our `port` fell."""
        if self.state == ADDRESSED:
            return self._reply(words.SEEN, bytes((port,)), self._probe_control)
        return self._claim(port, self._probe_control)

    def not_selected(self, now_ms: int) -> None:
        """After WATCH: the PROBE was for another module."""
        self._unclaim()

    def beat(self, now_ms: int) -> None:
        """To be called a few times a second: notices that the ARC has given us up."""
        if self.state == ADDRESSED and now_ms - self._alive_ms >= KEEP_ALIVE_MS:
            self._leave(now_ms)

    def beacon_period_ms(self) -> int:
        """How often to pull all select lines low for 2 ms, so that neighbours see the link."""
        return 250 if self.state == ADDRESSED else 50

    # -- the table -------------------------------------------------------------------------------------------------

    def _react(self, now_ms: int, address: int, opcode: int, control: int, payload: bytes) -> Reaction:
        is_ours = address == self.address and self.state == ADDRESSED
        if not payload:
            return self._nak(words.MALFORMED, control) if is_ours else _PASS
        if opcode == words.PROBE:
            return self._hear_probe(is_ours, control, payload)
        if opcode == words.RESET and (is_ours or address == ALL):
            self._leave(now_ms)
            return _PASS
        if address == UNADDRESSED:
            return self._hear_unaddressed(now_ms, opcode, control, payload)
        if address == ALL:
            return self._hear_all(now_ms, opcode, payload)
        if not is_ours:
            return _PASS
        handler = _OWN.get(opcode)
        return handler(self, now_ms, control, payload) if handler else self._nak(words.UNSUPPORTED, control)

    def _hear_probe(self, is_ours: bool, control: int, payload: bytes) -> Reaction:
        if is_ours:
            return self._nak(words.MALFORMED, control) if len(payload) < 2 else Reaction(SELECT, port=payload[1])
        self._probe_control = control
        return _WATCH

    def _hear_unaddressed(self, now_ms: int, opcode: int, control: int, payload: bytes) -> Reaction:
        if opcode == words.JOIN:
            return self._hear_join(now_ms, control, payload)
        fields = words.decode_assign(payload)
        if self.state != CLAIMED or fields is None or opcode not in (words.ASSIGN, words.REFUSE):
            return _PASS
        instance, value, seat = fields
        if instance != self.identity.instance or seat != self._seat:
            return _PASS
        if opcode == words.ASSIGN and not 1 <= value <= MAX_ADDRESS:
            return _PASS
        self.epoch = payload[0]
        if opcode == words.REFUSE:
            self.state, self._free_since_ms = REFUSED, now_ms
            self._light.show(now_ms, _REFUSED_LIGHT.get(value, light(DARK)), 0)
        else:
            self.state, self.address, self._alive_ms = ADDRESSED, value, now_ms
            self._light.sit(value)
        return self._reply(words.ACK, bytes((self.links,)), control)

    def _hear_join(self, now_ms: int, control: int, payload: bytes) -> Reaction:
        self._unclaim()
        is_waiting = self.state in (FREE, REFUSED) and now_ms - self._free_since_ms >= JOIN_AFTER_MS
        if not is_waiting or len(payload) < 2 or not payload[1]:
            return _PASS
        slot = self._random(payload[1])
        return self._claim(words.SEAT_JOINED | slot, control, slot * words.SLOT_US + REPLY_US)

    def _hear_all(self, now_ms: int, opcode: int, payload: bytes) -> Reaction:
        if opcode == words.TICK:
            fields = words.decode_tick(payload)
            if fields is not None:
                self._light.tick(now_ms, fields[0], fields[1], fields[2])
        elif opcode == words.BULK and self.state == ADDRESSED and len(payload) > 1 + self.address:
            self._light.adopt(now_ms, payload[1 + self.address])
        return _PASS

    def _poll(self, now_ms: int, control: int, payload: bytes) -> Reaction:
        self.is_polled = True
        shown, vitals = self._light, self.vitals
        status = words.Status(
            self.state, shown.byte, shown.generation, self.links, vitals.lowest_mv, vitals.reset_cause,
            vitals.crc_errors & 0xFF,
        )  # fmt: skip
        return self._reply(words.STATUS, status.encode(), control)

    def _set(self, now_ms: int, control: int, payload: bytes) -> Reaction:
        if len(payload) < 3 or not is_light(payload[2]):
            return self._nak(words.MALFORMED, control)
        self._light.show(now_ms, payload[2], payload[1])
        return self._reply(words.ACK, bytes((self.links,)), control)

    def _identify(self, now_ms: int, control: int, payload: bytes) -> Reaction:
        who = self.identity
        return self._reply(
            words.IDENTITY, words.encode_identity(who.chip, who.salt, who.hardware, who.firmware), control
        )

    def _hear_resalt(self, now_ms: int, control: int, payload: bytes) -> Reaction:
        fields = words.decode_resalt(payload)
        if fields is None:
            return self._nak(words.MALFORMED, control)
        instance, salt = fields
        if instance != self.identity.instance:
            return self._nak(words.OTHER_MODULE, control)
        if self._resalt is None or not self._resalt(salt):
            return self._nak(words.UNSUPPORTED, control)
        self.identity.resalt(salt)
        return self._reply(words.ACK, bytes((self.links,)), control)

    def _hear_update(self, now_ms: int, control: int, payload: bytes) -> Reaction:
        if self._update is None:
            return self._nak(words.UNSUPPORTED, control)
        progress = self._update.hear(control & OPCODE, payload)
        if progress is None:
            return self._nak(words.MALFORMED, control)
        return self._reply(words.PROGRESS, progress, control)

    # -- what they share -------------------------------------------------------------------------------------------

    def _claim(self, seat: int, control: int, delay_us: int = REPLY_US) -> Reaction:
        who = self.identity
        self.state, self._seat = CLAIMED, seat
        hello = words.Hello(who.instance, who.type_id, who.protocol, who.boots, seat)
        return self._reply(words.HELLO, hello.encode(), control, delay_us)

    def _unclaim(self) -> None:
        if self.state == CLAIMED:
            self.state, self._seat = FREE, -1

    def _leave(self, now_ms: int) -> None:
        self.state, self.address, self._seat = FREE, UNADDRESSED, -1
        self._free_since_ms = now_ms
        self._last_frame = b""

    def _reply(self, opcode: int, payload: bytes, control: int, delay_us: int = REPLY_US) -> Reaction:
        frame = encode(self.address, REPLY | (control & TOGGLE) | opcode, payload)
        return Reaction(ANSWER, frame, delay_us)

    def _nak(self, reason: int, control: int) -> Reaction:
        return self._reply(words.NAK, bytes((reason, control & OPCODE)), control)


_OWN = {words.POLL: Node._poll, words.SET: Node._set, words.IDENTIFY: Node._identify, words.RESALT: Node._hear_resalt}
for _opcode in range(words.UPDATE_IMAGE, words.UPDATE_WHERE + 1):
    _OWN[_opcode] = Node._hear_update
