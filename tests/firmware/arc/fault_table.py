"""What lies on the table in the world of faults: cards and modules that come and go at random, and what is true after each event."""

import random

from attrs import frozen

from firmware.arc.table import Table
from protocol import events

MOST_MODULES, MOST_TAGS = 8, 5
_LOW = 0xFFFFFF
"""Of a parent's instance only the low 24 bits stand in an event."""


@frozen
class Truth:
    """What a tablet should believe. Pairs are (instance, instance), the smaller first, 0 for the ARC."""

    modules: frozenset[tuple[int, int]]
    pairs: frozenset[tuple[int, int]]
    tags: frozenset[tuple[int, bytes]]


class TableTop:
    """`draw` gives the next happening; `apply` makes it true, once it stands in the log. Empty at every boot of the board."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._count = 0
        self.pages = Table()
        self.clear()

    def clear(self) -> None:
        """The board boots: what lies there will be told anew."""
        self._modules: dict[int, int] = {}
        self._parents: dict[int, int] = {}
        self._edges: set[tuple[int, int, int, int]] = set()
        self._tags: dict[bytes, int] = {}
        self.pages = Table()

    def draw(self) -> events.Body:
        """Something that can happen now; two of three times a card."""
        draw = self._rng.random()
        if draw < 0.45 and len(self._tags) >= MOST_TAGS:
            draw = 0.5
        if draw < 0.45 or not (self._tags or self._modules):
            self._count += 1
            return events.CardPresented(self._count & 0x7FFF, b"\x04" + self._count.to_bytes(3, "big"))
        if draw < 0.65 and self._tags:
            uid, code = self._rng.choice(sorted(self._tags.items()))
            return events.CardRemoved(code, uid)
        return self._module_event(draw)

    def _module_event(self, draw: float) -> events.Body:
        rng, leaves = self._rng, sorted(set(self._modules) - set(self._parents.values()))
        if draw > 0.93 and len(self._modules) > 1:
            return events.TopologyChanged(len(self._edges))
        if (draw < 0.8 and len(self._modules) < MOST_MODULES) or not leaves:
            self._count += 1
            return self._placed(
                events.ModuleAttached, self._count << 24 & 0xFF000000 | self._count, rng.randrange(1, 33)
            )
        leaf = rng.choice(leaves)
        if draw < 0.86:
            return events.ModuleDetached(leaf, events.DETACHED_ITSELF)
        return self._placed(events.ModuleMoved, leaf, self._modules[leaf])

    def _placed(
        self, kind: type[events.ModuleAttached | events.ModuleMoved], instance: int, type_id: int
    ) -> events.Body:
        parent = self._rng.choice([0, *(known for known in sorted(self._modules) if known != instance)])
        ports = self._rng.randrange(64)
        return kind(type_id, instance, parent.to_bytes(4, "little")[:3], ports)

    def apply(self, body: events.Body) -> None:
        if isinstance(body, events.CardPresented):
            self._tags[body.uid] = body.code
        elif isinstance(body, events.CardRemoved):
            del self._tags[body.uid]
        elif isinstance(body, events.ModuleAttached | events.ModuleMoved):
            self._place(body)
        elif isinstance(body, events.ModuleDetached):
            self._cut(body.instance)
            del self._modules[body.instance], self._parents[body.instance]
        elif isinstance(body, events.TopologyChanged):
            self._close_or_open_a_loop()
        self.pages.set_modules([(instance, kind, 0) for instance, kind in self._modules.items()], self._edges)
        self.pages.set_tags([(code, uid) for uid, code in self._tags.items()])

    def _place(self, body: events.ModuleAttached | events.ModuleMoved) -> None:
        low = int.from_bytes(body.parent, "little")
        parent = next((known for known in self._modules if low and known & _LOW == low), 0)
        self._cut(body.instance)
        self._modules[body.instance], self._parents[body.instance] = body.type_id, parent
        self._edges.add(_edge((parent, body.ports >> 4), (body.instance, body.ports & 15)))

    def _cut(self, instance: int) -> None:
        self._edges = {edge for edge in self._edges if instance not in (edge[0], edge[2])}

    def _close_or_open_a_loop(self) -> None:
        one, other = self._rng.sample(sorted(self._modules), 2)
        loop = _edge((one, 20), (other, 21))
        self._edges.symmetric_difference_update({loop})

    def truth(self) -> Truth:
        return Truth(
            frozenset(self._modules.items()),
            frozenset((one, other) for one, _, other, _ in self._edges),
            frozenset((code, uid) for uid, code in self._tags.items()),
        )


def _edge(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int, int, int]:
    first, second = sorted((one, other))
    return (*first, *second)
