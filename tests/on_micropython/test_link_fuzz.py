"""Mutated commands on the interpreter: nothing escapes and the heap stays as it was."""

import gc
import random

from firmware.arc.outbox import Outbox
from firmware.arc.pairing import Pairing
from firmware.arc.session_link import RESUMED, Seat, SessionLink
from firmware.desk.chips.flash import Flash
from firmware.drivers.flash_ring import FlashRing
from protocol.messages import COMMANDS, Hello, Info, Resume, session_mac

TIMEOUT_S = 300
TABLET, TOKEN = 7, bytes(range(16))


class Store:
    def read(self):
        return bytes((TABLET, 0, 0, 0)) + TOKEN

    def write(self, value):
        raise AssertionError("nobody may pair here")


class Acts:
    def info(self, nonce, now_ms):
        return Info(1, 0, b"arc-01", 0, 1, 0, 0, 1, 1, 0, nonce)

    def carry_out(self, command, now_ms, max_size):
        return b"done"


def sample(cls):
    values = []
    for _, code in cls.LAYOUT:
        values.append(b"abcde" if code == "*" else bytes(int(code[:-1])) if code[-1] == "s" else 1)
    return cls(*values).encode()


def drain(link):
    while link.outgoing(0) is not None:
        link.sent(0)


def mutate(samples):
    data = bytearray(samples[random.getrandbits(8) % len(samples)])
    for _ in range(1 + random.getrandbits(2)):
        way = random.getrandbits(2)
        if way < 2 and data:
            data[random.getrandbits(8) % len(data)] = random.getrandbits(8)
        elif way == 2:
            data = data[: random.getrandbits(8) % (len(data) + 1)]
        else:
            data += bytes((random.getrandbits(8),) * random.getrandbits(3))
    return data


def fuzz(rounds):
    random.seed(1)
    outbox = Outbox(FlashRing(Flash(2048, 1024)), lambda: 5)
    pairing = Pairing(Store(), bytes)
    link = SessionLink(outbox, pairing, Seat(), Acts(), bytes)
    link.connect(0)
    samples = [sample(cls) for cls in COMMANDS.values()]
    now_ms, before = 0, 0
    for number in range(rounds):
        link.receive(mutate(samples), now_ms)
        drain(link)
        if link.state != RESUMED:
            now_ms += 60_000
            link.receive(Hello(1, 1, 0).encode(), now_ms)
            link.receive(Resume(2, TABLET, 5, 0, session_mac(TOKEN, bytes(8), TABLET, 5, 0)).encode(), now_ms)
            drain(link)
            assert link.state == RESUMED
        if number == rounds // 4:
            gc.collect()
            before = gc.mem_alloc()
    gc.collect()
    assert gc.mem_alloc() - before <= 256, (before, gc.mem_alloc())


def test_no_bytes_do_harm_and_the_heap_stays():
    fuzz(2_000)


def test_soak_no_bytes_do_harm_and_the_heap_stays():
    fuzz(60_000)
