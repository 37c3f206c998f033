"""What the app believes to lie on the table, kept by the same events that change the ARC's pages. Only for the hash."""

from companion.link.news import Snapshot
from protocol import events, pages, reading

_FLAGS = {
    events.MODULE_UNPLACED: pages.FLAG_UNPLACED,
    events.MODULE_DUPLICATE_ID: pages.FLAG_DUPLICATE_ID,
    events.MODULE_FOREIGN_VERSION: pages.FLAG_FOREIGN_VERSION,
}
Edge = tuple[int, int, int, int]


class Mirror:
    def __init__(self) -> None:
        self._modules: dict[int, tuple[int, int]] = {}
        self._edges: set[Edge] = set()
        self._tags: dict[bytes, int] = {}

    def fill(self, modules: bytes, edges: bytes, tags: bytes) -> None:
        """From the three pages; `ProtocolError` when one is none."""
        entries = reading.decode_modules(modules)
        self._tags = {uid: code for code, uid in reading.decode_tags(tags)}
        self.fill_edges(edges)
        self._modules = {instance: (type_id, flags) for instance, type_id, flags in entries}

    def snapshot(self) -> Snapshot:
        """What the game is told to lie on the table."""
        modules = tuple((instance, type_id) for instance, (type_id, _) in sorted(self._modules.items()))
        return Snapshot(modules, self.pairs(), tuple((code, uid) for uid, code in self._tags.items()))

    def fill_edges(self, page: bytes) -> None:
        self._edges = set(reading.decode_edges(page))

    def modules(self) -> tuple[tuple[int, int], ...]:
        """(instance, type) of each that can be told from all others and speaks this bus."""
        return tuple(
            (instance, type_id)
            for instance, (type_id, flags) in self._modules.items()
            if not flags & (pages.FLAG_FOREIGN_VERSION | pages.FLAG_DUPLICATE_ID)
        )

    def twins(self) -> tuple[tuple[int, int, int], ...]:
        """(instance, neighbour, port) of each place where a module that shares its instance is plugged in."""
        shared = {instance for instance, (_, flags) in self._modules.items() if flags & pages.FLAG_DUPLICATE_ID}
        ends = [end for a, a_port, b, b_port in self._edges for end in ((b, a, a_port), (a, b, b_port))]
        return tuple(sorted(end for end in ends if end[0] in shared))

    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The graph without ports."""
        return tuple(sorted({(first, second) for first, _, second, _ in self._edges}))

    def apply(self, body: events.Body) -> None:
        """The same change as the event made on the ARC."""
        if isinstance(body, events.Booted):
            self.__init__()  # type: ignore[misc]  # as new
        elif isinstance(body, events.CardPresented):
            self._tags[body.uid] = body.code
        elif isinstance(body, events.CardRemoved):
            self._tags.pop(body.uid, None)
        elif isinstance(body, events.ModuleAttached | events.ModuleMoved):
            self._place(body)
        elif isinstance(body, events.ModuleDetached):
            self._modules.pop(body.instance, None)
            self._cut(body.instance)
        elif isinstance(body, events.ModuleNoticed) and body.instance in self._modules:
            type_id, flags = self._modules[body.instance]
            flags |= _FLAGS.get(body.code, 0)
            if body.code == events.MODULE_ALONE:
                flags &= ~pages.FLAG_DUPLICATE_ID
            self._modules[body.instance] = (type_id, flags)

    def _place(self, body: events.ModuleAttached | events.ModuleMoved) -> None:
        flags = self._modules.get(body.instance, (0, 0))[1] & ~pages.FLAG_UNPLACED
        self._modules[body.instance] = (body.type_id, flags)
        self._cut(body.instance)
        low_bits = int.from_bytes(body.parent, "little")
        parent = next((known for known in self._modules if known & 0xFFFFFF == low_bits), 0) if low_bits else 0
        ends = sorted(((parent, body.ports >> 4), (body.instance, body.ports & 0x0F)))
        self._edges.add((*ends[0], *ends[1]))

    def _cut(self, instance: int) -> None:
        self._edges = {edge for edge in self._edges if instance not in (edge[0], edge[2])}

    def hash(self) -> int:
        return pages.state_hash(
            pages.encode_modules([(instance, *rest) for instance, rest in self._modules.items()]),
            pages.encode_edges(self._edges),
            pages.encode_tags([(code, uid) for uid, code in self._tags.items()]),
        )
