"""A link to nobody for tests of talks: what is sent is seen, answers and the passing of time are given by hand."""

from collections.abc import Callable
from typing import Any

from companion.link import news
from companion.link.conversations import Conversations, Talk
from protocol import messages as m
from protocol.messages import Message


class Line:
    """`ended` is how each talk ended, in order; `pauses` what waits for the clock."""

    def __init__(self) -> None:
        self.sent: list[Message] = []
        self.is_up = True
        self.ended: list[Any] = []
        self.pauses: list[tuple[int, Callable[[], None]]] = []
        self.talk = Conversations(self._send, lambda ms, call: self.pauses.append((ms, call)))

    def _send(self, command: Message) -> bool:
        if self.is_up:
            self.sent.append(command)
        return self.is_up

    def begin(self, talk: Talk[Any], *, is_long: bool = False) -> None:
        self.talk.begin(talk, self.ended.append, lambda why: self.ended.append(("failed", why)), is_long=is_long)

    def pass_time(self) -> int:
        """To the end of the oldest pause."""
        ms, call = self.pauses.pop(0)
        call()
        return ms

    def answer(self, data: bytes = b"") -> None:
        self.talk.handle(news.Answered(self.sent[-1], data))

    def refuse(self, text: str, reason: int = m.UNSUPPORTED) -> None:
        self.talk.handle(news.CommandRefused(self.sent[-1], reason, text))
