"""The bus's pure cores on the interpreter they ship on: frames whole and split, noise, and a heap that stays flat."""

import gc
import os
import sys

sys.path.append(__file__.rsplit("/", 1)[0])

import bus_bench

from firmware.arc.module_bus import ModuleBus
from firmware.arc.module_watch import ModuleWatch
from firmware.bus import words
from firmware.bus.coordinator import Coordinator
from firmware.bus.dialogue import Heard
from firmware.bus.frame import ARC, FrameReader, duration_us, encode, is_whole
from firmware.bus.node import ANSWER, SELECT, Identity
from firmware.drivers.clock import Clock
from protocol.messages import BUSY, UNKNOWN_MODULE, ModuleStatus


class Chain:
    """Modules in a row behind port 0 of the ARC, asked by plain calls: no wire, no time."""

    def __init__(self, count):
        self.boards = [bus_bench.Board(bus_bench.Net(), number + 1, Clock()) for number in range(count)]
        self.now_ms = 0

    def exchange(self, request):
        self.now_ms += 4
        links = 0b0001 if self.boards else 0
        selected = 0 if request.select == 0 else -1
        reply = b""
        frame = request.frame
        for index, board in enumerate(self.boards):
            if frame[2] == board.node.address and board.node.accepts(frame[2], frame[3]):
                reaction = board.node.hear(self.now_ms, frame, self._links(index))
                if reaction.kind == ANSWER:
                    reply = reaction.frame
                elif reaction.kind == SELECT:
                    selected = index + 1 if reaction.port == 2 else -1 if reaction.port else index - 1
        if frame[3] & 0x3F == words.PROBE and 0 <= selected < len(self.boards):
            board = self.boards[selected]
            board.node.hear(self.now_ms, frame, self._links(selected))
            reply = board.node.selected(self.now_ms, 0).frame
        elif frame[2] > 31:
            for index, board in enumerate(self.boards):
                reaction = board.node.hear(self.now_ms, frame, self._links(index))
                reply = reply or reaction.frame
        return Heard(reply, 0, links, self.now_ms)

    def _links(self, index):
        return 0b0001 | (0b0100 if index + 1 < len(self.boards) else 0)

    def cycle(self, coordinator):
        script = coordinator.cycle(self.now_ms)
        request = next(script, None)
        while request is not None:
            heard = self.exchange(request)
            try:
                request = script.send(heard)
            except StopIteration:
                request = None
        self.now_ms += 250


def test_a_chain_of_eight_is_found():
    chain, coordinator = Chain(8), Coordinator(7, lambda instance: 0x11)
    chain.cycle(coordinator)
    chain.cycle(coordinator)
    assert [m.instance for m in coordinator.members()] == [b.node.identity.instance for b in chain.boards]
    assert coordinator.topology.order() == [ARC, 1, 2, 3, 4, 5, 6, 7, 8]
    assert len(coordinator.topology.edges()) == 8
    assert [board.light.byte for board in chain.boards] == [0x11] * 8


def test_polling_leaves_the_heap_flat():
    chain, coordinator = Chain(4), Coordinator(7, lambda instance: 0x11)
    for _ in range(30):
        chain.cycle(coordinator)
    gc.collect()
    before = gc.mem_alloc()
    for _ in range(400):
        chain.cycle(coordinator)
    gc.collect()
    grown = gc.mem_alloc() - before
    assert grown < 512, grown
    assert coordinator.health.timeouts == 0


def test_frames_in_any_chunks():
    frames = [encode(address, 0x42, bytes(range(address))) for address in range(1, 32)]
    stream = b"".join(frames)
    for chunk in (1, 2, 3, 7, 40, 1000):
        reader, found, now_us = FrameReader(lambda address, control: True), [], 0
        for at in range(0, len(stream), chunk):
            piece = stream[at : at + chunk]
            now_us += duration_us(len(piece))
            found += reader.feed(piece, now_us)
        assert found == frames, chunk


def test_noise_is_never_a_frame():
    reader, now_us = FrameReader(lambda address, control: True), 0
    for _ in range(300):
        noise = os.urandom(40)
        now_us = (now_us + duration_us(40) + 3000) & 0x3FFFFFFF
        for frame in reader.feed(noise, now_us):
            assert is_whole(frame)
    frame = encode(1, 2, b"after")
    assert reader.feed(frame, (now_us + 3000 + duration_us(len(frame))) & 0x3FFFFFFF) == [frame]


def test_a_module_is_read_and_one_of_two_gets_another_instance():
    chain = Chain(2)
    chain.boards[1].node.identity = Identity(chain.boards[0].node.identity.chip, 1, 2)
    old = chain.boards[0].node.identity.instance
    for board in chain.boards:
        board.node._resalt = lambda salt: True
    bus = ModuleBus(None, 7, ModuleWatch(1500), Clock(), 100, 4, os.urandom)
    for _ in range(3):
        chain.cycle(bus.coordinator)
    status = ModuleStatus.unpack(bus.read(old), 0)
    assert (status.firmware_minor, status.hardware, status.sharers) == (1, 1, 2), status
    assert bus.read(old ^ 1) == UNKNOWN_MODULE
    assert bus.salt.rewrite(old, old, 3) == UNKNOWN_MODULE
    assert bus.salt.rewrite(old, old, 2) == BUSY
    for _ in range(3):
        chain.cycle(bus.coordinator)
    new = int.from_bytes(bus.salt.rewrite(old, old, 2), "little")
    assert chain.boards[1].node.identity.instance == new != old
    assert [member.instance for member in bus.coordinator.members()] == [old, new]
