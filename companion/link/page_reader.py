"""Reads state pages chunk by chunk; begins a page again when it changed half-way. Pure."""

from protocol.messages import Page, ProtocolError, ReadPage


class PageReader:
    """Reads the given pages one after another. `next_request()` until it gives None; then `pages` is whole."""

    def __init__(self, wanted: tuple[int, ...]) -> None:
        self._wanted = list(wanted)
        self._chunks: list[bytes] = []
        self._held: tuple[int, int] | None = None
        """Generation and number of chunks: other sizes of chunks, of an MTU that was agreed on meanwhile, do not fit each other."""
        self.pages: dict[int, bytes] = {}

    def next_request(self) -> ReadPage | None:
        return ReadPage(0, self._wanted[0], len(self._chunks)) if self._wanted else None

    def take(self, answer: Page) -> None:
        """The answer to the last request. A page that changed meanwhile is begun again; `ProtocolError` when the answer is to
        something else, as asking again would never end."""
        if (answer.page, answer.index) != (self._wanted[0], len(self._chunks)):
            raise ProtocolError("a page that was not asked for")
        if self._held not in (None, (answer.generation, answer.count)):
            self._chunks, self._held = [], None
            return
        self._held = (answer.generation, answer.count)
        self._chunks.append(answer.chunk)
        if len(self._chunks) >= answer.count:
            self.pages[self._wanted.pop(0)] = b"".join(self._chunks)
            self._chunks, self._held = [], None
