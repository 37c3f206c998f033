"""Mutated commands against a resumed session with everything behind it: nothing escapes, and what is kept stays as it was."""

import random
from binascii import crc32

import pytest

from firmware.arc.game_store import GameStore
from firmware.arc.session_link import RESUMED, SessionLink
from firmware.desk.chips.flash import Flash
from protocol.messages import COMMANDS, Hello, Info, Message, Ok, Resume, session_mac
from protocol.reading import decode_notification
from tests.firmware.arc.test_controller import Bench

TABLET, GAME = 0x12345678, b"the game" * 20


def sample(cls: type[Message]) -> Message:
    """One command of a class with small values in its fields."""
    values: list[object] = []
    for _, code in cls.LAYOUT:
        values.append(b"abcde" if code == "*" else bytes(int(code[:-1])) if code[-1] == "s" else 1)
    return cls(*values)


SAMPLES = [sample(cls).encode() for cls in COMMANDS.values()]


class Target:
    """A board whose session a tablet holds, with a card, a game and a paired tablet to lose."""

    def __init__(self) -> None:
        self.bench = Bench()
        self.bench.lay()
        self.bench.controller.game = self.game = GameStore(Flash(2 * 17 * 4096, 4096))
        self.game.begin(len(GAME), crc32(GAME), 9, 1)
        self.game.add(0, GAME)
        self.game.commit()
        self.bench.pairing.open_window(0)
        token = self.bench.pairing.pair(TABLET, 0)
        assert isinstance(token, bytes)
        self.token = token
        self.bench.pairing.close_window()
        self.link = self.bench.link
        self.link.max_size = 244
        self.link.connect(0)
        self.resume()

    def say(self, data: bytes) -> list[bytes]:
        self.link.receive(data, self.bench.clock.now)
        heard = []
        while (unit := self.link.outgoing(self.bench.clock.now)) is not None:
            heard.append(bytes(unit))
            self.link.sent(self.bench.clock.now)
        return heard

    def resume(self) -> None:
        (unit,) = self.say(Hello(1, 1, 0).encode())
        (ok,) = decode_notification(unit)
        assert isinstance(ok, Ok)
        mac = session_mac(self.token, Info.decode(ok.data).nonce, TABLET, 9, 1)
        self.say(Resume(2, TABLET, 9, 1, mac).encode())
        assert self.link.state == RESUMED

    def kept(self) -> tuple[object, ...]:
        game = self.game.read(18, 1000)
        return self.bench.outbox.newest, self.bench.outbox.epoch, self.bench.pairing.tablets(), game


def mutate(rng: random.Random) -> bytes:
    data = bytearray(rng.choice(SAMPLES))
    for _ in range(rng.randrange(1, 4)):
        way = rng.randrange(5)
        if way < 2 and data:
            data[rng.randrange(len(data))] = rng.randrange(256)
        elif way == 2:
            data = data[: rng.randrange(len(data) + 1)]
        elif way == 3:
            data += rng.randbytes(rng.choice((1, 3, 260)))
        else:
            data = bytearray(rng.randbytes(rng.randrange(24)))
    return bytes(data)


def fuzz(seed: int, rounds: int) -> None:
    rng = random.Random(seed)
    target = Target()
    before = target.kept()
    for _ in range(rounds):
        for unit in target.say(mutate(rng)):
            assert len(unit) <= 244
            decode_notification(unit)
        if target.link.state != RESUMED:
            # a mutant HELLO ended the session, as it should
            target.bench.clock.now += 60_000
            target.resume()
    assert target.kept() == before


@pytest.mark.parametrize("seed", range(4))
def test_no_bytes_do_harm(seed: int) -> None:
    fuzz(seed, 1_500)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
def test_no_bytes_do_harm_soak(seed: int) -> None:
    fuzz(seed, 100_000)


def test_the_samples_are_commands() -> None:
    link: SessionLink = Target().link
    assert link.state == RESUMED
    assert len(SAMPLES) == len(COMMANDS)
