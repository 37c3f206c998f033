"""After a resume: do both sides believe the same to lie on the table? Snapshot where nothing is known, then the hash. Pure.

Rules: pages say what is on the table *now*, events what happened up to the cursor. So pages count only together with a hash that
equals theirs: its answer names the event up to which they hold, and what was applied behind that event is applied to them too.
Without this a module that reports while pages are read would be told as gone.
"""

from companion.link import news
from companion.link.delivery import Delivery
from companion.link.mirror import Mirror
from companion.link.page_reader import PageReader
from companion.link.requests import Requests
from protocol import events, messages as m, pages

ATTEMPTS = 3
"""Pages in a row that do not have their hash, or were refused, although nothing happened; or hashes in a row that came too late to
compare. After them what is there is believed until the next resume."""
_ALL_PAGES = (m.PAGE_MODULES, m.PAGE_EDGES, m.PAGE_TAGS)
_MOVES_EDGES = (events.Booted, events.ModuleAttached, events.ModuleDetached, events.ModuleMoved, events.TopologyChanged)


class Checking:
    """Nothing is asked before everything that RESUME promised has been applied."""

    def __init__(self, delivery: Delivery, requests: Requests) -> None:
        self.mismatches = 0
        self.is_done = False
        self._delivery, self._requests = delivery, requests
        self._newest = self._odd = self._late = 0
        self.stop()

    def begin(self, newest: int) -> None:
        """A RESUME was accepted when the log ended at `newest`."""
        self.stop()
        self._newest, self._odd, self._late = newest, 0, 0
        self.go_on()

    def stop(self) -> None:
        """What was asked for will not be answered."""
        self.is_done = self._is_asked = self._owes_edges = False
        self._reader: PageReader | None = None
        self._found: dict[int, bytes] | None = None
        self._hash: m.HashAnswer | None = None
        self._since: list[events.Event] = []

    def page_refused(self) -> None:
        """One that shrank while it was read, most likely: all pages anew. An ARC that goes on refusing is not asked for ever."""
        self._odd = 0 if self._since else self._odd + 1
        if self._odd <= ATTEMPTS:
            self._begin_again()
        else:
            self.stop()
            self.is_done = True

    def _begin_again(self) -> None:
        self._delivery.mirror = None
        self._read_all()

    def heard(self, event: events.Event) -> None:
        """An event was applied."""
        if self._delivery.mirror is None:
            self._since.append(event)
        is_reading = self._reader is not None
        if isinstance(event.body, events.TopologyChanged) or (is_reading and isinstance(event.body, _MOVES_EDGES)):
            # a loop was closed or opened, and only the page tells which; one that is being read may be older
            self._owes_edges = True
        self.go_on()

    def missed(self) -> None:
        """Events were passed over: pages that waited for one of them lack what the others told."""
        self._found = self._hash = None
        self.go_on()

    def go_on(self) -> None:
        """To be called after everything that moved the cursor."""
        if self._reader is not None or self._delivery.cursor[1] < self._newest:
            return
        if self._delivery.mirror is None:
            self._go_on_snapshot()
        elif self._owes_edges:
            self._owes_edges = False
            self._read((m.PAGE_EDGES,))
        elif self._hash is not None:
            self._compare(self._hash)
        elif not self.is_done:
            self._ask()

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
        if len(found) == len(_ALL_PAGES):
            self._found = found
        elif self._delivery.mirror and not self._owes_edges:
            self._delivery.mirror.fill_edges(found[m.PAGE_EDGES])
            self._delivery.host.deliver(news.EdgesRead(self._delivery.mirror.pairs()))
        self.go_on()

    def take_hash(self, answer: m.HashAnswer) -> None:
        self._is_asked = False
        if self._delivery.mirror is not None or self._found is not None:
            self._hash = answer  # else it was asked before the pages, and says nothing of them
        self.go_on()

    def hash_refused(self) -> None:
        """There is nothing to compare with."""
        self._is_asked = False
        if self._found is not None:
            pages_hash = pages.state_hash(*(self._found[page] for page in _ALL_PAGES))
            self._settle(self._found, m.HashAnswer(self._delivery.cursor[1], pages_hash))
        else:
            self.is_done = self._delivery.mirror is not None

    def _ask(self) -> None:
        if not self._is_asked:
            self._is_asked = True
            self._requests.add(m.ReadHash(0))

    def _read(self, wanted: tuple[int, ...]) -> None:
        self._reader = PageReader(wanted)
        request = self._reader.next_request()
        assert request is not None
        self._requests.add(request)

    # nothing is known

    def _read_all(self) -> None:
        self.is_done = self._owes_edges = False
        self._hash = self._found = None
        self._since = []
        self._read(_ALL_PAGES)

    def _go_on_snapshot(self) -> None:
        if self._found is None:
            self._read_all()
        elif self._hash is None:
            self._ask()
        elif self._delivery.cursor[1] >= self._hash.sequence:
            self._settle(self._found, self._hash)

    def _settle(self, found: dict[int, bytes], answer: m.HashAnswer) -> None:
        """The pages hold up to the answer's event when they have its hash; else the table changed meanwhile: read again."""
        if pages.state_hash(*(found[page] for page in _ALL_PAGES)) != answer.hash:
            self._odd = 0 if self._since else self._odd + 1
            self.mismatches += not self._since
            if self._odd <= ATTEMPTS:
                self._read_all()
                return
        else:
            self._odd = 0
        mirror = Mirror()
        mirror.fill(*(found[page] for page in _ALL_PAGES))
        for event in self._since:
            if event.sequence > answer.sequence:
                mirror.apply(event.body)
        self._found = self._hash = None
        self._since = []
        self.is_done = True
        self._delivery.host.deliver(mirror.snapshot())
        self._delivery.mirror = mirror
        self.go_on()

    # something is believed

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
            self._begin_again()
