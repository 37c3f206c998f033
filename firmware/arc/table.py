"""What is on the table as the events so far have told it: the state pages, their generations, their hash. Pure."""

from protocol.messages import PAGE_EDGES, PAGE_MODULES, PAGE_TAGS
from protocol.pages import encode_edges, encode_modules, encode_tags, state_hash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from protocol.pages import EdgeEntry, ModuleEntry, TagEntry


class Table:
    """Empty at boot. Set right after the events that changed it, before anything else runs."""

    def __init__(self) -> None:
        self._pages = {PAGE_MODULES: b"", PAGE_EDGES: b"", PAGE_TAGS: b""}
        self._generations = {PAGE_MODULES: 0, PAGE_EDGES: 0, PAGE_TAGS: 0}
        self._instances: "set[int]" = set()

    def set_modules(self, modules: "Iterable[ModuleEntry]", edges: "Iterable[EdgeEntry]") -> None:
        """Modules as (instance, type, flags) and all edges as (instance, port, instance, port)."""
        modules = list(modules)
        self._instances = {module[0] for module in modules}
        self._set(PAGE_MODULES, encode_modules(modules))
        self._set(PAGE_EDGES, encode_edges(edges))

    def set_tags(self, tags: "Iterable[TagEntry]") -> None:
        """Tags on the roof as (code, UID)."""
        self._set(PAGE_TAGS, encode_tags(tags))

    def has_module(self, instance: int) -> bool:
        return instance in self._instances

    def page(self, number: int) -> "tuple[int, bytes] | None":
        """Generation and bytes of a page, None when there is no such page."""
        if number not in self._pages:
            return None
        return self._generations[number], self._pages[number]

    def hash(self) -> int:
        """The state hash of the protocol."""
        return state_hash(self._pages[PAGE_MODULES], self._pages[PAGE_EDGES], self._pages[PAGE_TAGS])

    def _set(self, number: int, page: bytes) -> None:
        if page != self._pages[number]:
            self._pages[number] = page
            self._generations[number] = (self._generations[number] + 1) & 0xFF
