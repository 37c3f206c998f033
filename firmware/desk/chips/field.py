"""The field over the antenna: which tags are in it when, how strongly, and what the receiver hears of their answers."""

from firmware.desk.chips.air import BIT_NS, REPLY_DELAY_US, Noise, flip, frame_us
from firmware.desk.chips.tags import Tag

SENSITIVITY = {18: 0.90, 23: 0.60, 33: 0.30, 38: 0.20, 43: 0.12, 48: 0.08}
"""The weakest coupling heard at each gain in dB. Shape only: real figures hang on the antenna."""

AUTHENTICATION_BITS = 36 + 36 + 72 + 36
"""Command, card's nonce, reader's nonce and answer, card's answer, with parity."""

NOISE_AT_48_DB = 2e-3
"""At the highest gain the receiver also hears itself; people report read errors there."""


class Place:
    """A tag in the field from `enter_us` until `leave_us` (None: stays)."""

    def __init__(self, tag: Tag, enter_us: int, leave_us: "int | None", coupling: float) -> None:
        self.tag = tag
        self.enter_us = enter_us
        self.leave_us = leave_us
        self.coupling = coupling


class Reply:
    """What the receiver made of the answers: bits, first collision (−1: none), parity, when it began and ended."""

    def __init__(self, value: int, bits: int, collision: int, start_us: int) -> None:
        self.value = value
        self.bits = bits
        self.collision = collision
        self.bad_parity = False
        self.start_us = start_us
        self.end_us = start_us + frame_us(bits)


class Field:
    """Tags, their distances and the disturbances between them and the reader.

    `noise` flips bits both ways; every `spoil_every`th answer is spoilt past its parity; in every `phantom_every`th
    silence the receiver hears something. `hold_us`: so long tags live on without a field; ISO 14443-3 allows 5 ms (5.2.4).
    """

    def __init__(self, noise: "Noise | None" = None) -> None:
        self.places: list[Place] = []
        self.noise = noise
        self.spoil_every = 0
        self.phantom_every = 0
        self._silences = 0
        self.replies = 0
        self.hold_us = 0
        self.on_since_us = -1
        self._off_since_us = 0
        self.on_total_us = 0
        self._hiss = Noise(NOISE_AT_48_DB, 48)

    def put(self, tag: Tag, now_us: int, coupling: float = 1.0, leave_us: "int | None" = None) -> None:
        """Lay a tag into the field at `now_us` (may lie ahead); `coupling` from 0 (far) to 1 (on the roof)."""
        self.places = [place for place in self.places if place.tag is not tag or place.leave_us is not None]
        tag.power_off()
        self.places.append(Place(tag, now_us, leave_us, coupling))

    def take(self, tag: Tag, now_us: int) -> None:
        """Take a tag away at `now_us`."""
        for place in self.places:
            if place.tag is tag and (place.leave_us is None or place.leave_us > now_us):
                place.leave_us = now_us

    def switch(self, on: bool, now_us: int) -> None:
        """The antenna goes on or off. Off for `hold_us`, every tag forgets its state."""
        if on == (self.on_since_us >= 0):
            return
        if on:
            self.on_since_us = now_us
            if now_us - self._off_since_us >= self.hold_us > 0:
                self._power_off()
            return
        self.on_total_us += now_us - self.on_since_us
        self.on_since_us = -1
        self._off_since_us = now_us
        self.places = [p for p in self.places if p.leave_us is None or p.leave_us > now_us]
        if not self.hold_us:
            self._power_off()

    def _power_off(self) -> None:
        for place in self.places:
            place.tag.power_off()

    def exchange(
        self, value: int, bits: int, now_us: int, gain_db: int, align: int, encrypted: bool
    ) -> "tuple[int, Reply | None]":
        """Send a frame at `now_us`. Gives when its last bit was sent, and what came back."""
        sent_us = now_us + frame_us(bits)
        damaged = False
        if self.noise and bits != 7:
            hits = self.noise.flips(bits + bits // 8)
            if hits:
                value, damaged = flip(value, bits, 0, hits)
        answers: list[tuple[int, int, Place]] = []
        for place in self._listening(now_us, sent_us):
            tag = place.tag
            answer = tag.disturb() if damaged else tag.receive(value, bits, encrypted)
            if answer and place.coupling >= SENSITIVITY[gain_db]:
                answers.append((answer[0], answer[1], place))
        if not answers:
            return sent_us, self._phantom(sent_us)
        return sent_us, self._superpose(answers, sent_us, gain_db, align)

    def authenticate(self, kind: int, block: int, key: bytes, uid: bytes, now_us: int) -> bool:
        """MIFARE authentication of the one active card. Others hear frames that mean nothing to them."""
        if self.noise and self.noise.flips(AUTHENTICATION_BITS):
            key = bytes(6)
        done = False
        for place in self._listening(now_us, now_us + 2000):
            if place.coupling >= SENSITIVITY[38] and place.tag.authenticate(kind, block, key, uid):
                done = True
        return done

    def _listening(self, now_us: int, sent_us: int) -> "list[Place]":
        if self.on_since_us < 0:
            return []
        heard = []
        for place in self.places:
            since = max(self.on_since_us, place.enter_us)
            gone = place.leave_us is not None and place.leave_us < sent_us
            if now_us - since >= place.tag.startup_us and not gone:
                heard.append(place)
        return heard

    def _phantom(self, sent_us: int) -> "Reply | None":
        """Where nobody spoke the receiver may still think it heard three bits."""
        self._silences += 1
        if not self.phantom_every or self._silences % self.phantom_every:
            return None
        return Reply(0b101, 3, -1, sent_us + REPLY_DELAY_US)

    def _superpose(
        self, answers: "list[tuple[int, int, Place]]", sent_us: int, gain_db: int, align: int
    ) -> "Reply | None":
        """All answers at once. Bits in which they differ collide; a tag that leaves cuts its answer short."""
        value, bits, place = answers[0]
        differing = 0
        for other, length, _ in answers[1:]:
            differing |= (value ^ other) & ((1 << min(bits, length)) - 1)
            if length > bits:
                value, bits = other, length
        collision = -1
        while differing:
            collision += 1
            if differing & 1:
                break
            differing >>= 1
        reply = Reply(value, bits, collision, sent_us + place.tag.reply_delay_us)
        if len(answers) == 1 and place.leave_us is not None and place.leave_us < reply.end_us:
            heard = (place.leave_us - reply.start_us) * 1000 // BIT_NS
            if heard <= 0:
                return None
            reply.bits = min(bits, heard - heard // 9)
            reply.value &= (1 << reply.bits) - 1
        return self._disturb(reply, gain_db, align)

    def _disturb(self, reply: Reply, gain_db: int, align: int) -> Reply:
        self.replies += 1
        hits: list[int] = []
        on_air = reply.bits + (reply.bits + align) // 8
        if self.noise:
            hits = self.noise.flips(on_air)
        if gain_db == 48:
            hits = hits + self._hiss.flips(on_air)
        if hits:
            reply.value, reply.bad_parity = flip(reply.value, reply.bits, align, hits)
        if self.spoil_every and self.replies % self.spoil_every == 0 and reply.bits >= 8:
            reply.value ^= 3 << reply.bits - 8
        return reply
