"""After a resume: do both sides believe the same to lie on the table? Snapshot where nothing is known, then the hash. Pure."""

from companion.link import news
from companion.link.delivery import Delivery
from companion.link.mirror import Mirror
from companion.link.page_reader import PageReader
from companion.link.requests import Requests
from protocol import messages as m

ATTEMPTS = 3
"""Snapshots in a row that did not lead to an equal hash, or hashes in a row that came too late to compare; after them the
events alone are believed until the next resume."""
_ALL_PAGES = (m.PAGE_MODULES, m.PAGE_EDGES, m.PAGE_TAGS)


class Checking:
    """Nothing is asked before everything that RESUME promised has been applied."""

    def __init__(self, delivery: Delivery, requests: Requests) -> None:
        self.mismatches = 0
        self.is_done = False
        self._delivery, self._requests = delivery, requests
        self._newest = self._snapshots = self._late = 0
        self._reader: PageReader | None = None
        self._hash: m.HashAnswer | None = None
        self._is_asked = False

    def begin(self, newest: int) -> None:
        """A RESUME was accepted when the log ended at `newest`."""
        self.stop()
        self._newest, self._snapshots, self._late = newest, 0, 0
        self.go_on()

    def stop(self) -> None:
        """What was asked for will not be answered."""
        self.is_done = self._is_asked = False
        self._reader = self._hash = None

    def begin_again(self) -> None:
        """A page could not be had: all of them anew."""
        self._reader, self._delivery.mirror = None, None
        self.go_on()

    def read_edges(self) -> None:
        """A loop was closed or opened; only the page tells which."""
        if self._reader is None:
            self._read((m.PAGE_EDGES,))

    def go_on(self) -> None:
        """To be called after everything that moved the cursor."""
        if self._reader is not None or self._delivery.cursor[1] < self._newest:
            return
        if self._delivery.mirror is None:
            self.is_done = False
            self._read(_ALL_PAGES)
        elif self._hash is not None:
            self._compare(self._hash)
        elif not self._is_asked and not self.is_done:
            self._is_asked = True
            self._requests.add(m.ReadHash(0))

    def take_page(self, page: m.Page) -> None:
        """`ProtocolError` when a whole page is none."""
        if self._reader is None:
            return
        self._reader.take(page)
        request = self._reader.next_request()
        if request:
            self._requests.add(request)
            return
        found, self._reader = self._reader.pages, None
        self._use(found)
        self.go_on()

    def take_hash(self, answer: m.HashAnswer) -> None:
        self._is_asked = False
        self._hash = answer
        self.go_on()

    def _read(self, wanted: tuple[int, ...]) -> None:
        self._reader = PageReader(wanted)
        request = self._reader.next_request()
        assert request is not None
        self._requests.add(request)

    def _use(self, found: dict[int, bytes]) -> None:
        mirror = self._delivery.mirror
        if len(found) == len(_ALL_PAGES):
            mirror = Mirror()
            snapshot = mirror.fill(*(found[page] for page in _ALL_PAGES))
            self._delivery.host.deliver(snapshot)
            self._delivery.mirror = mirror
        elif mirror:
            mirror.fill_edges(found[m.PAGE_EDGES])
            self._delivery.host.deliver(news.EdgesRead(mirror.pairs()))

    def _compare(self, answer: m.HashAnswer) -> None:
        """Only at the very event that the answer belongs to: before it we wait, behind it we ask again."""
        sequence = self._delivery.cursor[1]
        if sequence < answer.sequence:
            return
        self._hash = None
        mirror = self._delivery.mirror
        if sequence > answer.sequence:
            self._late += 1
            self.is_done = self._late > ATTEMPTS
            self.go_on()
        elif mirror is None or mirror.hash() == answer.hash:
            self.is_done = True
        else:
            self.mismatches += 1
            self._snapshots += 1
            self.is_done = self._snapshots > ATTEMPTS
            if not self.is_done:
                self.begin_again()
