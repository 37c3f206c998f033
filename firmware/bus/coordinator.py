"""The ARC's end of LED bus v1: one cycle after another as a script of requests. Pure: whoever runs it owns wire and clock.

A cycle: (first time: new epoch, all forget) → poll every module → look behind unknown ports → lights and tick →
probe new edges a second time and one old edge again → ask new modules for their version → let modules without a place join →
`last`, when it is set: a new identity, a piece of a new firmware.
"""

from firmware.boards import timings
from firmware.bus import payloads, words
from firmware.bus.dialogue import TRIES, Dialogue
from firmware.bus.discovery import Discovery
from firmware.bus.frame import ALL, ARC, MAX_ADDRESS
from firmware.bus.topology import PORTS, Topology, address_of, end, port_of
from protocol.lights import BLINK_ONCE, DARK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from firmware.bus.dialogue import Heard, Request
    from firmware.bus.topology import Member

    Steps = Generator[Request, Heard, None]

TICK_MS = 1000
REFRESH_MS = 4000
_IDENTIFY_AT_ONCE = 4
"""New modules asked for their version in one cycle: about 18 ms of the wire."""
NO_VERSION = bytes(4)
"""Of a module that answers in a way we do not know: asked in every cycle, it would keep the others from their turn."""
_BULK_FROM = 3
"""From this many changed lights on one BULK frame is shorter than single SETs."""


class Coordinator:
    """Owns epoch, members and edges. `light_for(instance)` gives the light byte wanted; `cap` is in tenths of a mA."""

    def __init__(self, epoch: int, light_for: "Callable[[int], int]", cap: int = 10) -> None:
        self.dialogue = Dialogue(epoch)
        self.topology = Topology()
        self.discovery = Discovery(self.dialogue, self.topology)
        self.health = self.dialogue.health
        self.cap = cap
        self._light_for = light_for
        self._has_begun = False
        self._generation = 0
        self._tick_due_ms = 0
        self._refresh_due_ms = 0
        self._ticked_members = -1
        self.last: "Callable[[], Steps] | None" = None

    def cycle(self, now_ms: int) -> "Steps":
        """The requests of one cycle that begins now; the time goes on with what is heard."""
        self.dialogue.now_ms = now_ms
        if not self._has_begun:
            yield from self._begin()
        yield from self._poll_all()
        self._look_at_links()
        yield from self.discovery.explore()
        yield from self._lights()
        yield from self.discovery.confirm()
        yield from self.discovery.verify()
        yield from self._identify()
        yield from self.discovery.join()
        if self.last is not None:
            yield from self.last()

    def blink_again(self, instance: "int | None" = None) -> None:
        """Send the light of this instance (None: of all) even if it is the one already shown."""
        for member in self.topology.members():
            if instance in (None, member.instance):
                member.must_set = True

    def members(self) -> "list[Member]":
        """All modules with an address, by address."""
        return self.topology.members()

    def find(self, instance: int) -> "Member | None":
        """A module of this instance, the first when there are several."""
        for member in self.topology.members():
            if member.instance == instance:
                return member
        return None

    def find_at(self, instance: int, neighbour: int, port: int) -> "Member | None":
        """The module of this instance that is plugged into `port` of a neighbour (0: the ARC)."""
        for member in self.topology.members():
            if member.instance != instance:
                continue
            for own in range(PORTS):
                other = self.topology.other_end(end(member.address, own))
                if other is not None and port_of(other) == port and self.instance_at(address_of(other)) == neighbour:
                    return member
        return None

    def instance_at(self, address: int) -> "int | None":
        """Who holds this address; the ARC is 0."""
        if address == ARC:
            return 0
        member = self.topology.member(address)
        return member.instance if member else None

    # -- steps -----------------------------------------------------------------------------------------------------

    def _begin(self) -> "Steps":
        """Whoever kept an address from before the ARC's start forgets it."""
        for _ in range(3):
            yield from self.dialogue.tell(ALL, words.RESET, b"")
        self._has_begun = True

    def _poll_all(self) -> "Steps":
        silent: "set[int]" = set()
        for address in self.topology.order():
            member = self.topology.member(address)
            if member is None:
                continue
            parent = self.topology.parent(address)
            is_behind_silent = parent is not None and address_of(parent) in silent
            yield from self._poll(member, 1 if member.missed or is_behind_silent else TRIES)
            if member.missed:
                silent.add(address)
        for address in silent:
            member = self.topology.member(address)
            if member is not None and member.missed >= timings.MODULE_MISSED_POLLS:
                yield from self._give_up(member)

    def _poll(self, member: "Member", tries: int) -> "Steps":
        reply = yield from self.dialogue.ask(member.address, words.POLL, b"", member.address, tries=tries)
        if reply is not None and reply.opcode == words.STATUS and len(reply.payload) >= words.STATUS_SIZE:
            member.missed = 0
            member.status = reply.payload
            member.shown, member.links = payloads.light_and_links(reply.payload)
            return
        member.missed += 1
        parent = self.topology.parent(member.address)
        if parent is not None and member.missed == 1 and self.topology.links(address_of(parent)) >> (parent & 7) & 1:
            yield from self.discovery.probe(parent)

    def _give_up(self, member: "Member") -> "Steps":
        self.health.detaches += 1
        self.discovery.forget(member)
        yield from self.discovery.dismiss(member.address)

    def _look_at_links(self) -> None:
        self.topology.arc_links = self.dialogue.links
        self.topology.drop_open_edges()

    def _lights(self) -> "Steps":
        now_ms = self.dialogue.now_ms
        count = self.topology.count
        # with nobody there a TICK in every cycle still shows the ARC its own links
        if not count or now_ms >= self._tick_due_ms or count != self._ticked_members:
            self._tick_due_ms, self._ticked_members = now_ms + TICK_MS, count
            payload = payloads.encode_tick(now_ms, self.cap, count)
            yield from self.dialogue.tell(ALL, words.TICK, payload)
        wrong = [member for member in self.members() if member.shown != self._wanted(member)]
        if len(wrong) >= _BULK_FROM or (count and now_ms >= self._refresh_due_ms):
            self._refresh_due_ms = now_ms + REFRESH_MS
            yield from self._bulk()
        for member in self.members():
            if member.must_set or (len(wrong) < _BULK_FROM and member in wrong):
                yield from self._set(member)

    def _bulk(self) -> "Steps":
        lights = bytearray(MAX_ADDRESS)
        for member in self.topology.members():
            member.shown = lights[member.address - 1] = self._wanted(member)
        yield from self.dialogue.tell(ALL, words.BULK, bytes((self._next_generation(),)) + lights)

    def _wanted(self, member: "Member") -> int:
        """A module that was found in this very cycle may have restarted: then it is not to blink once more."""
        byte = self._light_for(member.instance)
        return DARK if byte >> 4 == BLINK_ONCE and not member.status else byte

    def _set(self, member: "Member") -> "Steps":
        byte = self._wanted(member)
        generation = self._next_generation()
        if member.status and generation == member.status[2]:
            generation = self._next_generation()  # it came round: the module would take this for what it shows already
        payload = bytes((generation, byte))
        reply = yield from self.dialogue.ask(member.address, words.SET, payload, member.address)
        if reply is not None and reply.opcode == words.ACK:
            member.shown = byte
            member.must_set = False

    def _identify(self) -> "Steps":
        """Asked once after it was found; not in the cycle that found it, whose events wait for the end of it."""
        new = [member for member in self.members() if member.status and not member.about and not member.missed]
        for member in new[:_IDENTIFY_AT_ONCE]:
            reply = yield from self.dialogue.ask(member.address, words.IDENTIFY, b"", member.address)
            if reply is not None:
                identity = payloads.decode_identity(reply.payload) if reply.opcode == words.IDENTITY else None
                member.about = identity[2] if identity is not None else NO_VERSION

    def _next_generation(self) -> int:
        self._generation = (self._generation + 1) & 0xFF
        return self._generation
