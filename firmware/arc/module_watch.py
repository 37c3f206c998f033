"""From who answers on the bus to what happened on the table. Pure: a list of sightings each cycle, events out.

1. A new instance with a known place → ModuleAttached; without a place → ModuleNoticed(UNPLACED), once. One that was announced
   and has had no place for the grace time → the same notice; ModuleMoved when it has one again.
2. An instance gone (its third poll was missed) for the grace time → ModuleDetached. The topmost one detached itself; all
   that hung behind it go in the same batch, with cause DETACHED_WITH_PARENT.
3. Back within the grace at the same place: no game event; after a restart ModuleNoticed(REBOOTED).
   Joined anew at another place → ModuleMoved.
4. Two sightings of one instance: one is credited (the one at the known place, else the first), ModuleNoticed(DUPLICATE_ID), once;
   no second one for the grace time: ModuleNoticed(ALONE).
5. Whatever the events before do not say about edges → TopologyChanged: new edges at once, lost ones after the grace time.

`modules()` and `edges()` are what has been told so far, so that the state pages follow the events.
"""

from collections import namedtuple

from firmware.bus.roomy import roomy_dict, roomy_set
from protocol import events
from protocol.pages import FLAG_DUPLICATE_ID, FLAG_UNPLACED

TYPE_CHECKING = False
if TYPE_CHECKING:
    Edge = tuple[int, int, int, int]

ARC_INSTANCE = 0


Sighting = namedtuple(
    "Sighting",
    ("instance", "type_id", "boots", "joins", "parent", "parent_port", "own_port", "is_missed", "is_unplaced"),
)
"""A module that holds an address now. `parent`: the instance it hangs on (0: the ARC), None while its place is not known.

`joins` differs when it was given its address anew, `boots` when it has restarted; `is_missed`: it did not answer lately.
"""


def place_of(sighting: Sighting) -> "tuple[int | None, int, int]":
    """Where it hangs: parent, the parent's port, its own."""
    return sighting.parent, sighting.parent_port, sighting.own_port


class _Known:
    """A module that has been announced: its place as told, and what was last seen of it."""

    def __init__(self, sighting: Sighting) -> None:
        self.type_id = sighting.type_id
        self.boots = sighting.boots
        self.joins = sighting.joins
        self.place = place_of(sighting)
        self.flags = 0
        self.gone_ms: "int | None" = None
        self.unplaced_ms: "int | None" = None
        self.alone_ms: "int | None" = None
        self.seen: "Sighting | None" = None

    def is_unplaced(self, now_ms: int, grace_ms: int) -> bool:
        """Has it been there without a place for the grace time?"""
        if self.seen is None or not self.seen.is_unplaced:
            self.unplaced_ms = None
            return False
        if self.unplaced_ms is None:
            self.unplaced_ms = now_ms
        return now_ms - self.unplaced_ms >= grace_ms

    def shared(self, now_ms: int, grace_ms: int, is_double: bool) -> int:
        """Mark whether others have its instance too; the notice that this is new, or 0."""
        if is_double or self.seen is None:
            self.alone_ms = None
        elif self.alone_ms is None:
            self.alone_ms = now_ms
        is_marked = self.flags & FLAG_DUPLICATE_ID
        if is_double and not is_marked:
            self.flags |= FLAG_DUPLICATE_ID
            return events.MODULE_DUPLICATE_ID
        if is_marked and self.alone_ms is not None and now_ms - self.alone_ms >= grace_ms:
            self.flags &= ~FLAG_DUPLICATE_ID
            return events.MODULE_ALONE
        return 0

    def parent(self) -> int:
        """The instance it hangs on."""
        return self.place[0] or ARC_INSTANCE


class ModuleWatch:
    """`grace_ms`: how long a module may be gone before that is an event."""

    def __init__(self, grace_ms: int) -> None:
        self._grace_ms = grace_ms
        self._known: "dict[int, _Known]" = roomy_dict()
        self._edges: "set[Edge]" = roomy_set()
        self._absent_ms: "dict[Edge, int]" = {}
        self._noticed: "set[tuple[int, int]]" = set()
        self._edges_before: "set[Edge]" = set()
        self._anybody_gone = False

    def seen(self, now_ms: int, sightings: "list[Sighting]", edges: "set[Edge]") -> "list[events.Body]":
        """What this cycle's sightings (nearest to the ARC first) and edges, smaller end first, mean.

        The same set object as before says that no edge has changed.
        """
        bodies: "list[events.Body]" = []
        strangers, doubles = self._credit(sightings)
        self._note_gone(now_ms)
        self._detach(now_ms, bodies)
        for instance in list(self._known):
            self._take(instance, edges, bodies)
        bodies += [self._announce(events.ModuleAttached, new) for new in strangers if new.parent is not None]
        self._notice(now_ms, strangers, doubles, bodies)
        if bodies or edges is not self._edges_before or self._absent_ms or self._anybody_gone:
            self._follow_edges(now_ms, edges, bodies)
        self._edges_before = edges
        for known in self._known.values():
            known.seen = None  # held until the next cycle they would cost as much as everything else here
        return bodies

    def modules(self) -> "list[tuple[int, int, int]]":
        """Announced modules: instance, type, flags as in the state page."""
        return [(instance, known.type_id, known.flags) for instance, known in self._known.items()]

    def edges(self) -> "list[Edge]":
        """Edges as told by the events so far: instance, port, instance, port."""
        return sorted(self._edges)

    # -- who is there ----------------------------------------------------------------------------------------------

    def _credit(self, sightings: "list[Sighting]") -> "tuple[list[Sighting], set[int]]":
        """Give each announced module its sighting; the others, each instance once, and the instances seen twice."""
        strangers: "list[Sighting]" = []
        doubles: "set[int]" = set()
        for sighting in sightings:
            known = self._known.get(sighting.instance)
            if known is None:
                if any(other.instance == sighting.instance for other in strangers):
                    doubles.add(sighting.instance)
                else:
                    strangers.append(sighting)
                continue
            if known.seen is not None:
                doubles.add(sighting.instance)
            if known.seen is None or place_of(sighting) == known.place:
                known.seen = sighting
        return strangers, doubles

    def _note_gone(self, now_ms: int) -> None:
        self._anybody_gone = False
        for known in self._known.values():
            if known.seen is not None:
                known.gone_ms = None
                continue
            self._anybody_gone = True
            if known.gone_ms is None:
                known.gone_ms = now_ms

    def _detach(self, now_ms: int, bodies: "list[events.Body]") -> None:
        if not self._anybody_gone:
            return
        roots = [i for i, known in self._known.items() if known.gone_ms is not None and self._is_root(i)]
        for root in roots:
            gone_ms = self._known[root].gone_ms
            if gone_ms is None or now_ms - gone_ms < self._grace_ms:
                continue
            behind = self._behind(root)
            if any(self._known[instance].seen is not None for instance in behind):
                continue  # a moment, until it is clear which of them went with it
            bodies.append(self._forget(root, events.DETACHED_ITSELF))
            bodies += [self._forget(instance, events.DETACHED_WITH_PARENT) for instance in behind]

    def _is_root(self, instance: int) -> bool:
        parent = self._known.get(self._known[instance].parent())
        return parent is None or parent.gone_ms is None

    def _behind(self, root: int) -> "list[int]":
        """Everything that hangs on `root` directly or through others and is gone or does not answer, nearest first."""
        found = [root]
        for instance in found:
            for other, known in self._known.items():
                answers = known.seen is not None and not known.seen.is_missed
                if known.parent() == instance and not answers and other not in found:
                    found.append(other)
        return found[1:]

    def _forget(self, instance: int, cause: int) -> events.Body:
        del self._known[instance]
        self._cut(instance)
        return events.ModuleDetached(instance, cause)

    # -- what has changed about them -------------------------------------------------------------------------------

    def _take(self, instance: int, edges: "set[Edge]", bodies: "list[events.Body]") -> None:
        known = self._known[instance]
        sighting = known.seen
        if sighting is None:
            return
        has_moved = (
            sighting.parent is not None
            and sighting.joins != known.joins
            and place_of(sighting) != known.place
            and _edge_to_parent(sighting.instance, known.place) not in edges
        )
        if has_moved or (sighting.parent is not None and known.flags & FLAG_UNPLACED):
            bodies.append(self._announce(events.ModuleMoved, sighting))
        elif sighting.boots != known.boots:
            bodies.append(events.ModuleNoticed(sighting.instance, events.MODULE_REBOOTED))
        known.boots = sighting.boots
        if sighting.parent is not None:
            known.joins, known.place = sighting.joins, place_of(sighting)

    def _announce(self, kind: "type[events.Body]", sighting: Sighting) -> events.Body:
        known = self._known.setdefault(sighting.instance, _Known(sighting))
        known.place = place_of(sighting)
        known.flags &= ~FLAG_UNPLACED
        parent = sighting.parent or ARC_INSTANCE
        self._cut(sighting.instance)
        self._edges.add(_edge_to_parent(sighting.instance, known.place))
        ports = sighting.parent_port << 4 | sighting.own_port
        low_bits = bytes((parent & 0xFF, parent >> 8 & 0xFF, parent >> 16 & 0xFF))
        return kind(sighting.type_id, sighting.instance, low_bits, ports)

    def _notice(
        self, now_ms: int, strangers: "list[Sighting]", doubles: "set[int]", bodies: "list[events.Body]"
    ) -> None:
        current = set()
        for stranger in strangers:
            if stranger.is_unplaced:
                current.add((stranger.instance, events.MODULE_UNPLACED))
        for instance, known in self._known.items():
            if known.is_unplaced(now_ms, self._grace_ms):
                current.add((instance, events.MODULE_UNPLACED))
                known.flags |= FLAG_UNPLACED
            if code := known.shared(now_ms, self._grace_ms, instance in doubles):
                bodies.append(events.ModuleNoticed(instance, code))
        for instance, code in sorted(current - self._noticed):
            bodies.append(events.ModuleNoticed(instance, code))
        self._noticed = current

    # -- edges -----------------------------------------------------------------------------------------------------

    def _follow_edges(self, now_ms: int, real: "set[Edge]", bodies: "list[events.Body]") -> None:
        new = [edge for edge in real if edge not in self._edges and self._is_between_told(edge)]
        lost = [edge for edge in self._edges if edge not in real and self._is_lost(now_ms, edge)]
        for edge in list(self._absent_ms):
            if edge not in self._edges or edge in real:
                del self._absent_ms[edge]
        self._edges.update(new)
        self._edges.difference_update(lost)
        if new or lost or self._has_ambiguous_parent(bodies):
            bodies.append(events.TopologyChanged(min(len(self._edges), 255)))

    def _is_lost(self, now_ms: int, edge: "Edge") -> bool:
        if self._is_away(edge[0]) or self._is_away(edge[2]):
            self._absent_ms.pop(edge, None)
            return False
        return now_ms - self._absent_ms.setdefault(edge, now_ms) >= self._grace_ms

    def _is_between_told(self, edge: "Edge") -> bool:
        near, far = edge[0], edge[2]
        return near != far and (near == ARC_INSTANCE or near in self._known) and far in self._known

    def _is_away(self, instance: int) -> bool:
        known = self._known.get(instance)
        return known is not None and known.gone_ms is not None

    def _has_ambiguous_parent(self, bodies: "list[events.Body]") -> bool:
        """Was a module announced whose parent cannot be told from the low 24 bits alone?"""
        lows = [instance & 0xFFFFFF for instance in self._known]
        for body in bodies:
            if isinstance(body, (events.ModuleAttached, events.ModuleMoved)):
                low = body.parent[0] | body.parent[1] << 8 | body.parent[2] << 16
                if low and lows.count(low) != 1:
                    return True
        return False

    def _cut(self, instance: int) -> None:
        self._edges.difference_update([edge for edge in self._edges if instance in (edge[0], edge[2])])


def ordered_edge(instance: int, port: int, other: int, other_port: int) -> "Edge":
    """An edge with its smaller end first."""
    if (instance, port) <= (other, other_port):
        return instance, port, other, other_port
    return other, other_port, instance, port


def _edge_to_parent(instance: int, place: "tuple[int | None, int, int]") -> "Edge":
    parent, parent_port, own_port = place
    return ordered_edge(parent or ARC_INSTANCE, parent_port, instance, own_port)
