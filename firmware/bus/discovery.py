"""Finding modules and the edges between them, breadth first; each edge is probed a second time before it counts.

A HELLO from an instance we hold already means: it came back (same place, or its old address is silent), or there are
two of it (its old address still answers). The old address is asked, never guessed.
"""

from firmware.bus import payloads, words
from firmware.bus.dialogue import ANYBODY, TRIES
from firmware.bus.frame import ARC, UNADDRESSED
from firmware.bus.roomy import roomy_dict
from firmware.bus.topology import PORTS, Member, address_of, end, is_module, port_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator

    from firmware.bus.dialogue import Dialogue, Heard, Reply, Request
    from firmware.bus.topology import Topology
    from firmware.bus.words import Hello

    Steps = Generator[Request, Heard, None]

OLD_ADDRESS_MS = 60000
"""A module that comes back within this time gets its old address again."""
QUIET_TRIES = 3
QUIET_AGAIN_MS = 1000
REFUSED_AGAIN_MS = 5000
REFUSED_GONE_MS = 20000
"""Refused without a place, it answers a JOIN each few seconds for as long as it is there."""
DOUBTFUL_MS = 5000
"""An address whose ASSIGN was never acknowledged may be held by somebody: it is given to nobody else for so long."""
JOIN_SLOTS = 8
JOIN_EVERY_MS = 5000
_JOIN_US = JOIN_SLOTS * words.SLOT_US + 12000

_UNPLACED = -1


class Discovery:
    """Works on a topology through a dialogue. What it found out is left in `unplaced`, `refused`, `open_ends`; in
    `foreign` the version that each module of another major spoke."""

    def __init__(self, dialogue: "Dialogue", topology: "Topology") -> None:
        self._dialogue = dialogue
        self._topology = topology
        self._former: "dict[int, tuple[int, int]]" = roomy_dict()
        self._quiet: "dict[int, tuple[int, int]]" = {}
        self._refused: "dict[int, tuple[int, int, int]]" = {}
        self._doubtful: "dict[int, int]" = {}
        self._joins = 0
        self._next_join_ms = 0
        self._verified = 0
        self.unplaced: "set[int]" = set()
        self.foreign: "dict[int, int]" = {}

    @property
    def refused(self) -> "dict[int, int]":
        """Why they were, by instance, of those that are still there."""
        return {instance: reason for _, instance, reason in self._refused.values()}

    # -- steps -----------------------------------------------------------------------------------------------------

    def explore(self) -> "Steps":
        """Probe every port that sees an unknown neighbour, nearest to the ARC first, until there is none left."""
        tried: "set[int]" = set()
        while True:
            todo = [one for one in self._due_ports() if one not in tried]
            if not todo:
                return
            tried.add(todo[0])
            yield from self.probe(todo[0])

    def confirm(self) -> "Steps":
        """Probe every edge seen once a second time; one that differs now is forgotten and explored anew."""
        for one in self._topology.unconfirmed():
            other = self._topology.other_end(one)
            if other is None:
                continue
            reply = yield from self._probe(one)
            if reply is not None and _seen_end(reply) == other:
                self._topology.confirm(one)
                self._place(address_of(other))
                self._place(address_of(one))
            else:
                self._topology.disconnect(one)

    def verify(self) -> "Steps":
        """Probe one known edge again, each in its turn: a hand may be faster than a link is seen to open."""
        known = self._topology.next_edge(self._verified)
        if known is None:
            return
        self._verified, other = known
        one = self._verified
        reply = yield from self._probe(one)
        if reply is not None and _seen_end(reply) != other:
            self._topology.disconnect(one)

    def probe(self, one: int) -> "Steps":
        """Find out who sits behind this end of an edge."""
        reply = yield from self._probe(one)
        if reply is not None and reply.opcode == words.HELLO:
            hello = payloads.decode_hello(reply.payload)
            if hello is not None and hello.seat < PORTS:
                self._quiet.pop(one, None)
                yield from self._welcome(hello, one)
                return
        other = None if reply is None else _seen_end(reply)
        if other is None:
            self._note_quiet(one)
            return
        member = self._topology.member(address_of(other))
        if member is None:
            yield from self.dismiss(address_of(other))
            return
        self._quiet.pop(one, None)
        self._topology.connect(one, other)
        member.missed = 0

    def join(self) -> "Steps":
        """Now and then, and while a port stays silent: ask modules that no select line reaches to join without a place."""
        now_ms = self._dialogue.now_ms
        if now_ms < self._next_join_ms:
            return
        self._next_join_ms = now_ms + (QUIET_AGAIN_MS if self.open_ends() else JOIN_EVERY_MS)
        joining = yield from self._dialogue.gather(words.JOIN, bytes((JOIN_SLOTS,)), _JOIN_US)
        for reply in joining:
            hello = payloads.decode_hello(reply.payload) if reply.opcode == words.HELLO else None
            if hello is not None:
                yield from self._welcome(hello, _UNPLACED)

    def dismiss(self, address: int) -> "Steps":
        """Tell whoever holds this address to forget it. Twice, because nobody answers."""
        for _ in range(2):
            yield from self._dialogue.tell(address, words.RESET, b"")

    # -- what others ask -------------------------------------------------------------------------------------------

    def forget(self, member: Member) -> None:
        """The member is gone; its address is kept for it for a while."""
        self._former[member.instance] = (member.address, self._dialogue.now_ms + OLD_ADDRESS_MS)
        self.unplaced.discard(member.instance)
        self._topology.remove(member.address)
        for one, (_, instance, reason) in self._refused.items():
            if one >= 0:
                self._refused[one] = (0, instance, reason)

    def open_ends(self) -> "list[int]":
        """Ports with a beacon behind which nobody has answered for several tries."""
        return sorted([one for one, (count, _) in self._quiet.items() if count >= QUIET_TRIES])

    # -- parts -----------------------------------------------------------------------------------------------------

    def _probe(self, one: int) -> "Generator[Request, Heard, Reply | None]":
        address, port = address_of(one), port_of(one)
        tries = 2 if one in self._quiet else TRIES
        select = port if address == ARC else -1
        return self._dialogue.ask(address, words.PROBE, bytes((port,)), ANYBODY, select, tries)

    def _due_ports(self) -> "list[int]":
        now_ms = self._dialogue.now_ms
        unknown = self._topology.unknown_ports()
        for one in list(self._quiet):
            if one not in unknown:
                del self._quiet[one]
        for one in list(self._refused):
            if (one not in unknown) if one >= 0 else self._refused[one][0] <= now_ms:
                del self._refused[one]
        due = []
        for one in unknown:
            quiet_until = self._quiet[one][1] if one in self._quiet else 0
            refused_until = self._refused[one][0] if one in self._refused else 0
            if max(quiet_until, refused_until) <= now_ms:
                due.append(one)
        return due

    def _note_quiet(self, one: int) -> None:
        count = self._quiet[one][0] + 1 if one in self._quiet else 1
        wait_ms = QUIET_AGAIN_MS if count >= QUIET_TRIES else 1
        self._quiet[one] = (count, self._dialogue.now_ms + wait_ms)

    def _welcome(self, hello: "Hello", one: int) -> "Steps":
        if hello.protocol >> 4 != words.MAJOR:
            self.foreign[hello.instance] = hello.protocol
            yield from self._refuse(hello, one, words.FOREIGN_VERSION)
            return
        old = yield from self._old_member(hello, one)
        preferred = old.address if old is not None else self._former_address(hello.instance)
        if old is not None:
            self._topology.remove(old.address)
        address = self._topology.free_address(preferred, self._reserved())
        if not address:
            yield from self._refuse(hello, one, words.BUS_FULL)
            return
        payload = payloads.encode_assign(hello.instance, address, hello.seat)
        reply = yield from self._dialogue.ask(UNADDRESSED, words.ASSIGN, payload, address)
        if reply is not None and reply.opcode == words.ACK and reply.payload:
            self._seat(hello, one, address, reply.payload[0])
        else:
            self._doubtful[address] = self._dialogue.now_ms + DOUBTFUL_MS
            yield from self.dismiss(address)

    def _seat(self, hello: "Hello", one: int, address: int, links: int) -> None:
        self._joins += 1
        self._dialogue.health.joins += 1
        self._topology.add(Member(address, hello, links, self._joins))
        self._former.pop(hello.instance, None)
        if one == _UNPLACED:
            self.unplaced.add(hello.instance)
        else:
            self._topology.connect(one, end(address, hello.seat & 7))
        self._refused.pop(one, None)
        self._refused.pop(~hello.instance, None)

    def _old_member(self, hello: "Hello", one: int) -> "Generator[Request, Heard, Member | None]":
        """The member that this HELLO replaces: same instance and either the same place or no answer at its address."""
        for member in self._topology.members():
            if member.instance != hello.instance:
                continue
            if one != _UNPLACED and self._topology.other_end(one) == end(member.address, hello.seat & 7):
                return member
            reply = yield from self._dialogue.ask(member.address, words.POLL, b"", member.address, tries=2)
            if reply is None:
                return member
        return None

    def _refuse(self, hello: "Hello", one: int, reason: int) -> "Steps":
        payload = payloads.encode_assign(hello.instance, reason, hello.seat)
        yield from self._dialogue.ask(UNADDRESSED, words.REFUSE, payload, UNADDRESSED)
        wait_ms = REFUSED_AGAIN_MS
        if one == _UNPLACED:
            one, wait_ms = ~hello.instance, REFUSED_GONE_MS
        self._refused[one] = (self._dialogue.now_ms + wait_ms, hello.instance, reason)

    def _former_address(self, instance: int) -> int:
        address, until_ms = self._former.get(instance, (0, 0))
        return address if until_ms > self._dialogue.now_ms else 0

    def _reserved(self) -> "list[int]":
        now_ms = self._dialogue.now_ms
        kept = [address for address, until_ms in self._former.values() if until_ms > now_ms]
        return kept + [address for address, until_ms in self._doubtful.items() if until_ms > now_ms]

    def _place(self, address: int) -> None:
        member = self._topology.member(address)
        if member is not None:
            self.unplaced.discard(member.instance)


def _seen_end(reply: "Reply") -> "int | None":
    if reply.opcode != words.SEEN or not reply.payload or reply.payload[0] >= PORTS or not is_module(reply.address):
        return None
    return end(reply.address, reply.payload[0])
