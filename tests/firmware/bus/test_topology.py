"""Edges, parents and addresses as values; and a coordinator that is told nonsense."""

from random import Random

from hypothesis import given, settings, strategies as st

from firmware.bus import words
from firmware.bus.coordinator import Coordinator
from firmware.bus.dialogue import Heard
from firmware.bus.frame import ARC, REPLY, TOGGLE, encode
from firmware.bus.topology import PORTS, Member, Topology, address_of, end
from firmware.bus.words import Hello

ENDS = st.builds(end, st.integers(0, 6), st.integers(0, PORTS - 1))


def member(address: int, links: int = 0b1111) -> Member:
    return Member(address, Hello(0x1000 + address, address, words.PROTOCOL, 1, 0), links, address)


def full(count: int = 6) -> Topology:
    topology = Topology()
    topology.arc_links = 0b1111
    for address in range(1, count + 1):
        topology.add(member(address))
    return topology


@given(st.lists(st.tuples(ENDS, ENDS, st.booleans())))
def test_every_port_has_one_edge_and_parents_lead_to_the_arc(steps: list[tuple[int, int, bool]]) -> None:
    topology = full()
    for one, other, is_gone in steps:
        if is_gone:
            topology.disconnect(one)
        elif address_of(one) != address_of(other):
            topology.connect(one, other)
            topology.confirm(one)
    edges = topology.edges()
    ends = [an_end for edge in edges for an_end in edge]
    assert len(set(ends)) == len(ends)
    assert all(topology.other_end(one) == other and topology.other_end(other) == one for one, other in edges)
    reached = {ARC}
    for _ in range(7):
        reached |= {address_of(b) for a, b in edges if address_of(a) in reached}
        reached |= {address_of(a) for a, b in edges if address_of(b) in reached}
    for address in range(1, 7):
        parent, way = topology.parent(address), address
        assert (parent is not None) == (address in reached)
        for _ in range(7):
            near = topology.parent(way)
            way = address_of(near) if near is not None else way
        assert way == (ARC if address in reached else way)


@given(st.lists(st.tuples(ENDS, ENDS), max_size=12), ENDS, ENDS)
def test_another_edge_leaves_every_parent_that_can_stay(edges: list[tuple[int, int]], one: int, other: int) -> None:
    topology = full()
    for near, far in edges:
        if address_of(near) != address_of(far):
            topology.connect(near, far)
            topology.confirm(near)
    before = [topology.parent(address) for address in range(1, 7)]
    if (
        address_of(one) == address_of(other)
        or topology.other_end(one) is not None
        or topology.other_end(other) is not None
    ):
        return
    topology.connect(one, other)
    topology.confirm(one)
    after = [topology.parent(address) for address in range(1, 7)]
    assert all(old in (None, new) for old, new in zip(before, after))


def test_addresses_old_free_reserved_and_none() -> None:
    topology = full(5)
    assert topology.free_address(9, []) == 9
    assert topology.free_address(3, []) == 6
    assert topology.free_address(0, [6, 7]) == 8
    assert topology.free_address(0, list(range(6, 32))) == 6, "a reserved one rather than none"
    for address in range(6, 32):
        topology.add(member(address))
    assert topology.free_address(0, []) == 0
    assert topology.count == 31


def test_edges_are_visited_in_turn() -> None:
    topology = full()
    for address in (1, 2, 3):
        topology.connect(end(ARC, address), end(address, 0))
        topology.confirm(end(ARC, address))
    seen, at = [], 0
    for _ in range(6):
        edge = topology.next_edge(at)
        assert edge is not None
        at = edge[0]
        seen.append(address_of(edge[1]))
    assert seen == [1, 2, 3, 1, 2, 3]
    assert Topology().next_edge(5) is None


@given(st.integers(0, 10_000), st.floats(0, 1))
@settings(max_examples=60, deadline=None)
def test_no_reply_brings_the_coordinator_down(seed: int, truthful: float) -> None:
    """Replies with a good CRC, the right toggle bit and any content at all, amid garbage."""
    random = Random(seed)
    coordinator, now_ms = Coordinator(9, lambda instance: 0x11), 0
    opcodes = (words.HELLO, words.SEEN, words.ACK, words.STATUS, words.NAK, words.IDENTITY, 0x3F)
    for _ in range(12):
        script = coordinator.cycle(now_ms)
        request = next(script, None)
        while request is not None:
            now_ms += 5
            data = random.randbytes(random.randrange(12))
            if random.random() < truthful:
                address = random.choice([request.frame[2], random.randrange(64), random.randrange(1, 32)])
                control = REPLY | request.frame[3] & TOGGLE | random.choice(opcodes)
                data = encode(address, control, random.randbytes(random.randrange(16)))
            heard = Heard(data, random.choice([0, 0, 0, 1, 2]), random.randrange(256), now_ms)
            try:
                request = script.send(heard)
            except StopIteration:
                request = None
        now_ms += 250
    assert coordinator.topology.count == len(coordinator.members()) <= 31
