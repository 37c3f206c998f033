"""What the app asks an ARC beside the game's events: one command at a time, so that no event waits for more than one answer.

A talk is a generator: it yields commands, is sent each answer's data, and returns what came of it. Pure. Talks go one after
another, but for the pauses of one that pauses; a long one (an update) lets all others pass between any two of its commands.
"""

from collections import deque
from collections.abc import Callable, Generator
from typing import Any, TypeVar

from attrs import frozen

from companion.link import news
from protocol.messages import Message, ProtocolError

T = TypeVar("T")
NO_LINK = "The ARC is out of reach."
NONSENSE = "The ARC gave an answer that means nothing."


@frozen
class Later:
    """Yielded instead of a command: the talk goes on so much later, with no data. Others have their turn meanwhile."""

    ms: int


class Refused(Exception):  # noqa: N818 - an answer, which most talks end by
    """Thrown into a talk whose command was refused. One that does not catch it has failed, and `text` says why."""

    def __init__(self, reason: int, text: str) -> None:
        super().__init__(text)
        self.reason = reason


Talk = Generator[Message | Later, bytes, T]
After = Callable[[int, Callable[[], None]], object]
"""Calls something so many ms later: the loop's clock, in tests one driven by hand."""


class _Begun:
    def __init__(self, talk: Talk[Any], done: Callable[[Any], None], failed: Callable[[str], None]) -> None:
        self.talk, self.done, self.failed = talk, done, failed
        self.step: Callable[[], Message | Later] | None = lambda: next(talk)
        """How it goes on as soon as it is its turn; None while an answer or the end of a pause is waited for."""


class Conversations:
    """`send` gives a command to the link, False when there is no session. Exactly one of `done` and `failed` is called, unless
    the talk was stopped. `after` is needed by talks that pause."""

    def __init__(self, send: Callable[[Message], bool], after: After | None = None) -> None:
        self._send, self._after = send, after
        self._short: deque[_Begun] = deque()
        self._long: deque[_Begun] = deque()
        self._asked: Message | None = None
        self._asker: _Begun | None = None

    def begin(
        self, talk: Talk[T], done: Callable[[T], None], failed: Callable[[str], None], *, is_long: bool = False
    ) -> None:
        """Now, or when what was begun before is over."""
        (self._long if is_long else self._short).append(_Begun(talk, done, failed))
        self._go_on()

    def stop(self, talk: Talk[Any]) -> None:
        """Not a word more of it. Nobody is told; the answer to what it asked is nobody's."""
        for begun in (*self._short, *self._long):
            if begun.talk is talk:
                self._finish(begun)
                self._go_on()

    def handle(self, message: news.News) -> None:
        """Answers; and a session that ended or began anew, after which nothing asked before is answered."""
        match message:
            case news.Answered(command, data) if command is self._asked:
                self._answered(lambda talk: talk.send(data))
            case news.CommandRefused(command, reason, text) if command is self._asked:
                self._answered(lambda talk: talk.throw(Refused(reason, text)))
            case news.Resumed():
                self.drop()
            case news.LinkChanged(state, _) if state is not news.LinkState.READY:
                self.drop()

    def drop(self) -> None:
        """Nothing that was begun is answered any more."""
        dropped = (*self._short, *self._long)
        for begun in dropped:
            self._finish(begun)
        for begun in dropped:
            begun.failed(NO_LINK)

    def _answered(self, step: Callable[[Talk[Any]], Message | Later]) -> None:
        asker, self._asker, self._asked = self._asker, None, None
        assert asker is not None, "what was asked was asked by somebody"
        asker.step = lambda: step(asker.talk)
        self._go_on()

    def _go_on(self) -> None:
        """Whose turn it is, until a command is under way or all wait. `done` and `failed` may have begun something."""
        while self._asked is None:
            ready = [begun for begun in (*self._short, *self._long) if begun.step]
            if not ready:
                return
            self._take_step(ready[0])

    def _take_step(self, begun: _Begun) -> None:
        step, begun.step = begun.step, None
        assert step is not None
        try:
            wanted = step()
        except StopIteration as over:
            self._finish(begun)
            begun.done(over.value)
        except Refused as refused:
            self._fail(begun, str(refused))
        except ProtocolError:
            self._fail(begun, NONSENSE)
        else:
            self._give(begun, wanted)

    def _give(self, begun: _Begun, wanted: Message | Later) -> None:
        if isinstance(wanted, Later):
            assert self._after is not None, "a talk that pauses needs a clock"
            self._after(wanted.ms, lambda: self._wake(begun))
            return
        self._asked, self._asker = wanted, begun
        if not self._send(wanted):
            self._fail(begun, NO_LINK)

    def _wake(self, begun: _Begun) -> None:
        """Its pause is over; it may have been dropped or stopped in it."""
        if begun in self._short or begun in self._long:
            begun.step = lambda: begun.talk.send(b"")
            self._go_on()

    def _fail(self, begun: _Begun, text: str) -> None:
        self._finish(begun)
        begun.failed(text)

    def _finish(self, begun: _Begun) -> None:
        begun.talk.close()
        (self._short if begun in self._short else self._long).remove(begun)
        if self._asker is begun:
            self._asker = self._asked = None
