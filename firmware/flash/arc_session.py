"""A session with an ARC over its serial port, one command at a time: for tags, logs and self-tests. Needs no app."""

import contextlib
import time
from collections import deque
from collections.abc import Callable
from typing import Protocol

import serial

from firmware.flash.errors import PORT_ERRORS, FlashError, PortGoneError, RefusedError
from firmware.flash.show import Show
from protocol import messages as m
from protocol.events import Event
from protocol.frame import FrameReader, encode_frame
from protocol.reading import decode_notification
from protocol.reason_texts import REASON_TEXT

BAUD = 115_200
ANSWER_S = 3.0
HELLO_TRIES = 5
PAIR_WITHIN_S = 120.0
KEEPALIVE_S = 4.0
MAX_REQUEST = 200
_NOT_OPENED: tuple[type[Exception], ...] = (*PORT_ERRORS, ValueError)


class Tokens(Protocol):
    tablet: int

    def token(self, device: str) -> bytes | None: ...

    def keep(self, device: str, token: bytes) -> None: ...


class ArcSession:
    """Open it as a context; from then on `ask` and `next_event` may be used. `stream` reads with a short timeout."""

    def __init__(
        self, stream: "serial.Serial", tokens: Tokens, show: Show, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._stream, self._tokens, self._show, self._now = stream, tokens, show, now
        self._frames = FrameReader()
        self._events: deque[Event] = deque()
        self._answers: deque[m.Message] = deque()
        self._request = 0
        self._spoke = 0.0
        self._newest = 0
        self.info: m.Info | None = None

    def __enter__(self) -> "ArcSession":
        try:
            self._greet()
            self._authorise()
        except BaseException:
            self._stream.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()

    @property
    def token(self) -> bytes:
        """What this computer signs with, once the session is authorised."""
        token = self._tokens.token(self.info.device.hex()) if self.info else None
        assert token is not None, "the session is authorised"
        return token

    def ask(self, command: m.Message, within_s: float = ANSWER_S) -> bytes:
        """The data of the OK; `RefusedError` with the ARC's reason."""
        answer = self._exchange(command, within_s)
        return answer.data if isinstance(answer, m.Ok) else b""

    def read_page(self, page: int) -> bytes:
        """A page of what is on the table, whole and of one moment."""
        chunks: list[m.Page] = []
        while not chunks or len(chunks) < chunks[0].count:
            try:
                answer = self._exchange(m.ReadPage(0, page, len(chunks)), ANSWER_S)
            except RefusedError:
                if not chunks:
                    raise
                chunks = []  # it became shorter meanwhile
                continue
            assert isinstance(answer, m.Page), answer
            if chunks and (answer.generation, answer.count) != (chunks[0].generation, chunks[0].count):
                chunks = []
            else:
                chunks.append(answer)
        return b"".join(chunk.chunk for chunk in chunks)

    def next_event(self, within_s: float) -> Event | None:
        """The next event of the table, acknowledged; None when there was none in time."""
        deadline = self._now() + within_s
        while not self._events:
            left = deadline - self._now()
            if left <= 0:
                return None
            self._read(min(left, 0.2))
            if self._now() - self._spoke > KEEPALIVE_S:
                self.ask(m.Mark(0))
        event = self._events.popleft()
        self._send(m.Ack(0, event.epoch, event.sequence))
        return event

    def _exchange(self, command: m.Message, within_s: float) -> m.Message:
        self._send(command)
        answer = self._answer(self._request, within_s)
        if answer is None:
            raise PortGoneError(
                "the ARC does not answer", "plug its cable firmly, and run this again: it goes on where it stopped"
            )
        if isinstance(answer, m.Refused):
            raise RefusedError(answer.reason, *_sentence(answer, command))
        return answer

    def _greet(self) -> None:
        for _ in range(HELLO_TRIES):
            self._send(m.Hello(0, *m.VERSION))
            answer = self._answer(self._request, 1.0)
            if isinstance(answer, m.Refused):
                raise RefusedError(answer.reason, *_sentence(answer, None))
            if isinstance(answer, m.Ok):
                self.info = m.Info.decode(answer.data)
                return
        raise FlashError(
            "no ARC answers on this port",
            "plug the ARC, not a module; if it was just flashed, wait until it has booted;"
            " if it is new, flash it first: `python -m firmware.flash arc`",
        )

    def _authorise(self) -> None:
        """RESUME with the token of an earlier time, else pair; the log's end is where we begin, and cards wait for the game."""
        if self._resume():
            return
        self._pair()
        self._greet()
        if not self._resume():
            raise FlashError("the ARC does not take the token it has just given", "press its RESET and run this again")

    def _resume(self) -> bool:
        assert self.info is not None
        token = self._tokens.token(self.info.device.hex())
        if token is None:
            return False
        point = (self.info.epoch, self.info.newest | m.READS_ONLY)
        mac = m.session_mac(token, self.info.nonce, self._tokens.tablet, *point)
        try:
            self.ask(m.Resume(0, self._tokens.tablet, *point, mac))
        except RefusedError as error:
            if error.reason != m.WRONG_MAC:
                raise
            self._greet()
            return False
        self._newest = self.info.newest
        return True

    def _pair(self) -> None:
        assert self.info is not None
        self._show.say("press the ARC's button (or lay the pairing token on its roof): this computer wants to pair")
        deadline = self._now() + PAIR_WITHIN_S
        while self._now() < deadline:
            try:
                token = self.ask(m.Pair(0, self._tokens.tablet))
            except RefusedError as error:
                if error.reason != m.NOT_PAIRING:
                    raise
                self._read(0.5)
                continue
            except PortGoneError:
                # an ARC that waits for its button longer than this drops whoever has not paired: begun anew it listens again
                self._greet()
                continue
            self._tokens.keep(self.info.device.hex(), token)
            return
        raise FlashError("nobody pressed the ARC's button", "press it, and run this again")

    def _send(self, command: m.Message) -> None:
        self._request = self._request % MAX_REQUEST + 1
        command.request = self._request  # type: ignore[attr-defined]  # every command has one
        self._spoke = self._now()
        try:
            self._stream.write(encode_frame(command.encode()))
        except PORT_ERRORS as error:
            raise _gone(error) from error

    def _answer(self, request: int, within_s: float) -> m.Message | None:
        deadline = self._now() + within_s
        while True:
            while self._answers:
                answer = self._answers.popleft()
                if getattr(answer, "request", None) == request:
                    return answer
            if self._now() >= deadline:
                return None
            self._read(0.1)

    def _sort(self, part: Event | m.Message) -> None:
        """Events in order, each once: what was not acknowledged in time comes again, what was damaged too."""
        if not isinstance(part, Event):
            self._answers.append(part)
            if isinstance(part, m.Lost) and part.first <= self._newest + 1:
                self._newest = max(self._newest, part.last)
        elif part.sequence == self._newest + 1:
            self._newest = part.sequence
            self._events.append(part)

    def _read(self, within_s: float) -> None:
        """What comes within this time, sorted into answers and events."""
        deadline = self._now() + within_s
        while True:
            try:
                data = self._stream.read(max(1, self._stream.in_waiting))
            except PORT_ERRORS as error:
                raise _gone(error) from error
            for body in self._frames.feed(data):
                # of a later firmware: an event that this tool does not know is none of its business
                with contextlib.suppress(m.ProtocolError):
                    for part in decode_notification(body):
                        self._sort(part)
            if data or self._now() >= deadline:
                return


def _sentence(refused: m.Refused, command: m.Message | None) -> tuple[str, str]:
    if refused.reason == m.WRITE_FAILED and not isinstance(command, m.WriteTag):
        return _NOT_KEPT
    text = REASON_TEXT.get(refused.reason, f"the ARC refuses for reason {refused.reason}")
    return text, _ADVICE.get(refused.reason, "run this again")


_NOT_KEPT = "the ARC's flash did not take it", "run this again; if this stays, its flash is worn out: another board"
_ADVICE = {
    m.VERSION_MISMATCH: "flash the ARC with the firmware of this version: `python -m firmware.flash arc`",
    m.LOCKED: "wait half a minute, then run this again",
    m.IN_USE: "close the app on the tablet that uses this ARC; a computer that was unplugged is forgotten after 15 s",
    m.NO_TAG: "lay one tag flat on the middle of the roof",
    m.WRITE_FAILED: "leave the tag on the roof a moment longer; some tags are locked and cannot be written",
    m.TOO_MANY_TABLETS: "hold the ARC's button for ten seconds: it forgets all tablets; then pair again",
    m.UNSUPPORTED: "flash the ARC with newer firmware: `python -m firmware.flash arc`",
}


def _gone(error: Exception) -> PortGoneError:
    return PortGoneError(
        f"the port vanished ({error})", "plug the ARC's cable firmly, and run this again: it goes on where it stopped"
    )


def open_port(name: str) -> "serial.Serial":
    """The ARC's serial port for a session."""
    try:
        return serial.serial_for_url(name, baudrate=BAUD, timeout=0.05, write_timeout=2.0, exclusive=True)
    except _NOT_OPENED as error:
        raise PortGoneError(
            f"{name} cannot be opened ({error})", "plug the ARC, close whatever uses the port, run this again"
        ) from error
