"""Who is on the bus and how they hang together: members by address, edges between ports. Values only, no frames.

An end of an edge is one number, address << 3 | port. Address 0 is the ARC.
"""

from firmware.bus.frame import ARC, MAX_ADDRESS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.bus.words import Hello

PORTS = 4


def end(address: int, port: int) -> int:
    """The number of one port of one member."""
    return address << 3 | port


def address_of(an_end: int) -> int:
    """Whose port this is."""
    return an_end >> 3


def port_of(an_end: int) -> int:
    """Which of its ports this is."""
    return an_end & 7


class Member:
    """A module that holds an address. `joins` counts how often it was given one; `boots` is what its HELLO said;
    `status` is the payload of its last STATUS."""

    def __init__(self, address: int, hello: "Hello", links: int, joins: int) -> None:
        self.address = address
        self.instance = hello.instance
        self.type_id = hello.type_id
        self.boots = hello.boots
        self.links = links
        self.joins = joins
        self.missed = 0
        self.shown = 0
        self.must_set = False
        self.status = b""


class Topology:
    """Members and edges. An edge counts only once it was confirmed by a second probe."""

    def __init__(self) -> None:
        self.members: "dict[int, Member]" = {}
        self.arc_links = 0
        self._parents: "dict[int, int]" = {}
        self._is_settled = True
        self._edges: "dict[int, int]" = {}
        self._confirmed: "set[int]" = set()

    def links(self, address: int) -> int:
        """The ports of this member that see a neighbour, as bits."""
        if address == ARC:
            return self.arc_links
        member = self.members.get(address)
        return member.links if member else 0

    def other_end(self, an_end: int) -> "int | None":
        """What is plugged to this port, as far as known."""
        return self._edges.get(an_end)

    def connect(self, one: int, other: int) -> None:
        """A first probe says these ports are joined; whatever was known of either is void."""
        if self._edges.get(one) == other:
            return
        self.disconnect(one)
        self.disconnect(other)
        self._edges[one] = other
        self._edges[other] = one

    def confirm(self, one: int) -> None:
        """A second probe said the same."""
        self._confirmed.add(one)
        self._confirmed.add(self._edges[one])
        self._is_settled = False

    def disconnect(self, an_end: int) -> None:
        """Nothing is plugged there any more."""
        other = self._edges.pop(an_end, None)
        self._confirmed.discard(an_end)
        if other is None:
            return
        self._edges.pop(other, None)
        self._confirmed.discard(other)
        self._is_settled = False

    def drop_open_edges(self) -> None:
        """Takes out every edge one of whose ends no longer sees its neighbour."""
        for one in list(self._edges):
            other = self._edges.get(one)
            if other is None or address_of(other) == ARC:
                continue  # the ARC sends no beacons, so a module cannot see it
            if not self.links(address_of(one)) >> port_of(one) & 1:
                self.disconnect(one)

    def remove(self, address: int) -> None:
        """The member is gone, and its edges with it."""
        for port in range(PORTS):
            self.disconnect(end(address, port))
        self.members.pop(address, None)

    def unknown_ports(self) -> "list[int]":
        """Ports that see a neighbour nobody has identified, breadth first from the ARC."""
        found = []
        for address in self.order():
            bits = self.links(address)
            for port in range(8):
                if bits >> port & 1 and end(address, port) not in self._edges:
                    found.append(end(address, port))
        return found

    def unconfirmed(self) -> "list[int]":
        """Edges seen once, each by the end that is nearer to the ARC in address."""
        return sorted([one for one, other in self._edges.items() if one < other and one not in self._confirmed])

    def edges(self) -> "list[tuple[int, int]]":
        """The confirmed edges, each once, in order."""
        return sorted([(one, self._edges[one]) for one in self._confirmed if one < self._edges[one]])

    def order(self) -> "list[int]":
        """All addresses breadth first from the ARC, those without a place last."""
        found = [ARC]
        for address in found:
            for port in range(PORTS):
                other = self._edges.get(end(address, port))
                if other is not None and address_of(other) not in found:
                    found.append(address_of(other))
        found.extend([address for address in sorted(self.members) if address not in found])
        return found

    def parent(self, address: int) -> "int | None":
        """The end on which this member hangs on its way to the ARC. It stays the same for as long as that way stands."""
        if not self._is_settled:
            self._settle_parents()
        return self._parents.get(address)

    def _settle_parents(self) -> None:
        """A spanning tree of the confirmed edges that keeps every parent it can."""
        kept, self._parents, reached = self._parents, {}, [ARC]
        for may_change in (False, True):
            for address in reached:
                for port in range(PORTS):
                    near = end(address, port)
                    if near not in self._confirmed:
                        continue
                    child = address_of(self._edges[near])
                    if child not in reached and (may_change or kept.get(child) == near):
                        self._parents[child] = near
                        reached.append(child)
        self._is_settled = True

    def free_address(self, preferred: int, reserved: "list[int]") -> int:
        """`preferred` if it is free, else the lowest that is neither taken nor reserved, else the lowest not taken; 0: none."""
        if preferred and preferred not in self.members:
            return preferred
        free = [address for address in range(1, MAX_ADDRESS + 1) if address not in self.members]
        for address in free:
            if address not in reserved:
                return address
        return free[0] if free else 0
