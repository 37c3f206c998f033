"""An app behind the link, for tests that need a desk and no game: a journal in memory, with the token that pairs it."""

from companion.link import news
from protocol.events import CardPresented, Event
from protocol.messages import Info


class Journal:
    """What `companion.link.Arc` wants of an app. Nothing may be skipped."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.states: list[news.LinkState] = []
        self._token: bytes | None = None

    @property
    def state(self) -> news.LinkState | None:
        """How the link is now."""
        return self.states[-1] if self.states else None

    def token(self, device: bytes) -> bytes | None:
        return self._token

    def keep_token(self, device: bytes, token: bytes) -> None:
        self._token = token

    def deliver(self, message: news.News) -> None:
        if isinstance(message, Event):
            self.events.append(message)
        elif isinstance(message, news.LinkChanged):
            self.states.append(message.state)
        assert not isinstance(message, news.Skipped)

    def resume_point(self, info: Info) -> tuple[int, int]:
        if not self.events:
            return info.epoch, info.newest
        return self.events[-1].epoch, self.events[-1].sequence

    def cards(self) -> list[int]:
        """The codes that were presented."""
        return [event.body.code for event in self.events if isinstance(event.body, CardPresented)]

    def has_no_gap(self) -> bool:
        """Whether each event follows the one before it, in one epoch."""
        first = self.events[0]
        numbers = [(event.epoch, event.sequence) for event in self.events]
        return numbers == [(first.epoch, first.sequence + at) for at in range(len(numbers))]
