"""Reads state pages chunk by chunk; begins a page again when it changed half-way. Pure."""

from protocol.messages import Page, ReadPage


class PageReader:
    """Reads the given pages one after another. `next_request()` until it gives None; then `pages` is whole."""

    def __init__(self, wanted: tuple[int, ...]) -> None:
        self._wanted = list(wanted)
        self._chunks: list[bytes] = []
        self._generation: int | None = None
        self.pages: dict[int, bytes] = {}

    def next_request(self) -> ReadPage | None:
        return ReadPage(0, self._wanted[0], len(self._chunks)) if self._wanted else None

    def take(self, answer: Page) -> None:
        """The answer to the last request; one that does not fit begins its page again."""
        if not self._wanted or answer.page != self._wanted[0]:
            return
        if answer.index != len(self._chunks) or self._generation not in (None, answer.generation):
            self._chunks, self._generation = [], None
            return
        self._generation = answer.generation
        self._chunks.append(answer.chunk)
        if len(self._chunks) >= answer.count:
            self.pages[self._wanted.pop(0)] = b"".join(self._chunks)
            self._chunks, self._generation = [], None
