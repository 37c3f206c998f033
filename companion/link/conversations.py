"""What the app asks an ARC beside the game's events: one question at a time, so that no event waits for more than one answer.

A talk is a generator: it yields commands, is sent each answer's data, and returns what came of it. Pure.
"""

from collections import deque
from collections.abc import Callable, Generator
from typing import Any, TypeVar

from attrs import frozen

from companion.link import news
from protocol.messages import Message, ProtocolError

T = TypeVar("T")
Talk = Generator[Message, bytes, T]
NO_LINK = "The ARC is out of reach."
NONSENSE = "The ARC gave an answer that means nothing."


@frozen
class _Begun:
    talk: Talk[Any]
    done: Callable[[Any], None]
    failed: Callable[[str], None]


class Conversations:
    """`send` gives a command to the link, False when there is no session. Exactly one of `done` and `failed` is called."""

    def __init__(self, send: Callable[[Message], bool]) -> None:
        self._send = send
        self._waiting: deque[_Begun] = deque()
        self._asked: Message | None = None

    def begin(self, talk: Talk[T], done: Callable[[T], None], failed: Callable[[str], None]) -> None:
        """Now, or when what was begun before is over."""
        self._waiting.append(_Begun(talk, done, failed))
        if len(self._waiting) == 1:
            self._go_on(lambda: next(talk))

    def handle(self, message: news.News) -> None:
        """Answers; and a session that ended or began anew, after which nothing asked before is answered."""
        match message:
            case news.Answered(command, data) if command is self._asked:
                self._go_on(lambda: self._waiting[0].talk.send(data))
            case news.CommandRefused(command, _, text) if command is self._asked:
                self._end(text)
            case news.Resumed():
                self.drop()
            case news.LinkChanged(state, _) if state is not news.LinkState.READY:
                self.drop()

    def drop(self) -> None:
        """Nothing that was begun is answered any more."""
        dropped, self._waiting, self._asked = self._waiting, deque(), None
        for begun in dropped:
            begun.talk.close()
            begun.failed(NO_LINK)

    def _go_on(self, step: Callable[[], Message]) -> None:
        begun = self._waiting[0]
        try:
            self._asked = step()
        except StopIteration as over:
            self._finish()
            begun.done(over.value)
            self._next()
        except ProtocolError:
            self._end(NONSENSE)
        else:
            if not self._send(self._asked):
                self._end(NO_LINK)

    def _end(self, text: str) -> None:
        begun = self._waiting[0]
        begun.talk.close()
        self._finish()
        begun.failed(text)
        self._next()

    def _finish(self) -> None:
        self._waiting.popleft()
        self._asked = None

    def _next(self) -> None:
        """What waited, unless `done` or `failed` began something that runs already."""
        if self._waiting and self._asked is None:
            talk = self._waiting[0].talk
            self._go_on(lambda: next(talk))
