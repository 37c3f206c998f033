"""Who is on the bus and how they hang together: members by address, edges between ports. Values only, no frames.

An end of an edge is one number, address << 3 | port. Address 0 is the ARC.
"""

from firmware.bus.frame import ARC, MAX_ADDRESS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.bus.words import Hello

PORTS = 4
_ENDS = (MAX_ADDRESS + 1) * 8
_NOTHING = 0xFF
"""No end has this number: ports above 3 do not exist."""


def end(address: int, port: int) -> int:
    """The number of one port of one member."""
    return address << 3 | port


def address_of(an_end: int) -> int:
    """Whose port this is."""
    return an_end >> 3


def port_of(an_end: int) -> int:
    """Which of its ports this is."""
    return an_end & 7


def is_module(address: int) -> bool:
    """May a module hold this address?"""
    return 0 < address <= MAX_ADDRESS


class Member:
    """A module that holds an address. `joins` counts how often it was given one; `boots` is what its HELLO said;
    `status` is the payload of its last STATUS, `about` hardware and firmware version from IDENTITY, empty until it was asked."""

    def __init__(self, address: int, hello: "Hello", links: int, joins: int) -> None:
        self.address = address
        self.instance = hello.instance
        self.type_id = hello.type_id
        self.protocol = hello.protocol
        self.boots = hello.boots
        self.links = links
        self.joins = joins
        self.missed = 0
        self.shown = 0
        self.must_set = False
        self.status = b""
        self.about = b""


class Topology:
    """Members and edges. An edge counts only once it was confirmed by a second probe.

    Everything lives in tables of fixed size: nothing here asks the heap for a large piece in the middle of a game.
    `version` changes with members, edges and parents.
    """

    def __init__(self) -> None:
        self.arc_links = 0
        self.version = 0
        self.count = 0
        self._members: "list[Member | None]" = [None] * (MAX_ADDRESS + 1)
        self._edges = bytearray(b"\xff" * _ENDS)
        self._confirmed = bytearray(_ENDS)
        self._parents = bytearray(b"\xff" * (MAX_ADDRESS + 1))
        self._is_settled = True

    # -- members ---------------------------------------------------------------------------------------------------

    def member(self, address: int) -> "Member | None":
        """The module at this address."""
        return self._members[address] if is_module(address) else None

    def members(self) -> "list[Member]":
        """All modules with an address, by address."""
        return [member for member in self._members if member is not None]

    def add(self, member: Member) -> None:
        """The module holds its address from now on; who held it before does not."""
        self.remove(member.address)
        self._members[member.address] = member
        self.count += 1
        self.version += 1

    def remove(self, address: int) -> None:
        """The member is gone, and its edges with it."""
        for port in range(PORTS):
            self.disconnect(end(address, port))
        if self._members[address] is not None:
            self._members[address] = None
            self.count -= 1
            self.version += 1

    def links(self, address: int) -> int:
        """The ports of this member that see a neighbour, as bits."""
        if address == ARC:
            return self.arc_links
        member = self._members[address]
        return member.links if member else 0

    def free_address(self, preferred: int, reserved: "list[int]") -> int:
        """`preferred` if it is free, else the lowest that is neither taken nor reserved, else the lowest not taken; 0: none."""
        if preferred and self._members[preferred] is None:
            return preferred
        first = 0
        for address in range(1, MAX_ADDRESS + 1):
            if self._members[address] is None:
                if address not in reserved:
                    return address
                first = first or address
        return first

    # -- edges -----------------------------------------------------------------------------------------------------

    def other_end(self, an_end: int) -> "int | None":
        """What is plugged to this port, as far as known."""
        other = self._edges[an_end]
        return None if other == _NOTHING else other

    def connect(self, one: int, other: int) -> None:
        """A first probe says these ports are joined; whatever was known of either is void."""
        if self._edges[one] == other:
            return
        self.disconnect(one)
        self.disconnect(other)
        self._edges[one] = other
        self._edges[other] = one
        self.version += 1

    def confirm(self, one: int) -> None:
        """A second probe said the same."""
        self._confirmed[one] = self._confirmed[self._edges[one]] = 1
        self._is_settled = False
        self.version += 1

    def disconnect(self, an_end: int) -> None:
        """Nothing is plugged there any more."""
        other = self._edges[an_end]
        if other == _NOTHING:
            return
        for one in (an_end, other):
            self._edges[one] = _NOTHING
            self._confirmed[one] = 0
        self._is_settled = False
        self.version += 1

    def drop_open_edges(self) -> None:
        """Takes out every edge one of whose ends no longer sees its neighbour."""
        for one in range(_ENDS):
            other = self._edges[one]
            # the ARC sends no beacons, so a module cannot see it
            if other == _NOTHING or address_of(other) == ARC:
                continue
            if not self.links(address_of(one)) >> port_of(one) & 1:
                self.disconnect(one)

    def unknown_ports(self) -> "list[int]":
        """Ports that see a neighbour nobody has identified, breadth first from the ARC."""
        found = []
        for address in self.order():
            bits = self.links(address)
            for port in range(PORTS):
                if bits >> port & 1 and self._edges[end(address, port)] == _NOTHING:
                    found.append(end(address, port))
        return found

    def unconfirmed(self) -> "list[int]":
        """Edges seen once, each by its smaller end, in order."""
        return [one for one in range(_ENDS) if one < self._edges[one] < _NOTHING and not self._confirmed[one]]

    def edges(self) -> "list[tuple[int, int]]":
        """The confirmed edges, each once, in order."""
        return [(one, self._edges[one]) for one in range(_ENDS) if self._confirmed[one] and one < self._edges[one]]

    def next_edge(self, after: int) -> "tuple[int, int] | None":
        """The confirmed edge behind this end, or the first of all; None when there is none."""
        for step in range(1, _ENDS + 1):
            one = (after + step) % _ENDS
            if self._confirmed[one] and one < self._edges[one]:
                return one, self._edges[one]
        return None

    # -- ways ------------------------------------------------------------------------------------------------------

    def order(self) -> "list[int]":
        """All addresses breadth first from the ARC, those without a place last."""
        found = [ARC]
        for address in found:
            for port in range(PORTS):
                other = self._edges[end(address, port)]
                if other != _NOTHING and address_of(other) not in found:
                    found.append(address_of(other))
        for member in self._members:
            if member is not None and member.address not in found:
                found.append(member.address)
        return found

    def parent(self, address: int) -> "int | None":
        """The end on which this member hangs on its way to the ARC. It stays the same for as long as that way stands."""
        if not self._is_settled:
            self._settle_parents()
        near = self._parents[address]
        return None if near == _NOTHING else near

    def _settle_parents(self) -> None:
        """A spanning tree of the confirmed edges that keeps every parent it can."""
        kept, self._parents, reached = self._parents, bytearray(b"\xff" * (MAX_ADDRESS + 1)), [ARC]
        for may_change in (False, True):
            for address in reached:
                for port in range(PORTS):
                    near = end(address, port)
                    if not self._confirmed[near]:
                        continue
                    child = address_of(self._edges[near])
                    if child not in reached and (may_change or kept[child] == near):
                        self._parents[child] = near
                        reached.append(child)
        self._is_settled = True
