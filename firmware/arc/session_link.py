"""One connection to an app as a state table: commands in, answers and events out. Pure: time in, bytes in, bytes out.

Rules, whatever the state:
- every command is answered exactly once, ACK only when it is refused; bytes that are no command are refused, never fatal;
- no event leaves before an accepted RESUME; then all of them in order, at most four notifications unacknowledged;
- without progress for a second everything from the last acknowledged event on is sent again, then after 2, 4, 8 s;
- what the log no longer holds is told as LOST, in its place in the order.

| state    | HELLO       | PAIR           | RESUME          | other commands | connection gone |
|----------|-------------|----------------|-----------------|----------------|-----------------|
| CLOSED   | –           | –              | –               | –              | CLOSED          |
| OPEN     | → GREETED   | NOT_AUTHORISED | NOT_AUTHORISED  | NOT_AUTHORISED | CLOSED          |
| GREETED  | new nonce   | token          | → RESUMED       | NOT_AUTHORISED | CLOSED          |
| RESUMED  | → GREETED   | token          | WRONG_MAC       | carried out    | CLOSED          |

HELLO gives a nonce for one RESUME. A refused HELLO leads to OPEN, a refused RESUME to GREETED without a nonce.
An answer must fit the connection: the OK to HELLO is the nonce alone where `Info` does not fit (INFO has the rest), counters are cut.
"""

from firmware.arc.seat import Seat as Seat
from firmware.boards import timings
from protocol.events import RECORD_SIZE
from protocol.gatt import MAX_COMMAND
from protocol.messages import (
    IN_USE,
    LOCKED,
    MALFORMED,
    NOT_AUTHORISED,
    READS_ONLY,
    TOO_MANY_TABLETS,
    UNSUPPORTED,
    VERSION,
    VERSION_MISMATCH,
    WRITE_FAILED,
    WRONG_MAC,
    Ack,
    Hello,
    Lost,
    Ok,
    Pair,
    ProtocolError,
    Refused,
    Resume,
    ResumeAnswer,
    UnknownKind,
    decode_command,
)

CLOSED, OPEN, GREETED, RESUMED = 0, 1, 2, 3
MAX_SIZE = 512
SMALLEST_SIZE = 20
MAX_ANSWERS = 8
NONCE_SIZE = 8
OK_OVERHEAD = 2
COUNTER_SIZE = 4

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Protocol

    from firmware.arc.outbox import Outbox
    from firmware.arc.pairing import Pairing
    from protocol.message import Message
    from protocol.messages import Info

    class Acts(Protocol):
        """What a connection asks of the board."""

        def info(self, nonce: bytes, now_ms: int) -> Info:
            """What anyone may know, with this nonce; shown as INFO too."""
            ...

        def carry_out(self, command: Message, now_ms: int, max_size: int) -> "bytes | int | Message":
            """Do what an authorised tablet asked: the data for the OK, a reason to refuse, or the whole answer.

            An answer of more than `max_size` bytes is cut, so pages are to be chunked by it.
            """
            ...


class SessionLink:
    """One connection's state. A transport feeds it and sends what it gives; both may come and go at any time.

    `max_size` is what one message may have on this connection; its transport keeps it up to date.
    """

    _next: int
    _acknowledged: int
    _highest: int
    _batch_last: int
    _progress_ms: int
    _reads_only: int

    def __init__(
        self, outbox: "Outbox", pairing: "Pairing", seat: Seat, acts: "Acts", random_bytes: "Callable[[int], bytes]"
    ) -> None:
        self._outbox = outbox
        self._pairing = pairing
        self._seat = seat
        self._acts = acts
        self._random_bytes = random_bytes
        self._buffer = bytearray(MAX_SIZE)
        self._view = memoryview(self._buffer)
        self._answers: "list[bytes]" = []
        self._in_flight: "list[int]" = []
        self.state = CLOSED
        self.max_size = SMALLEST_SIZE
        self.must_close = False
        self.resumes = 0
        self.resends = 0
        self.refusals = 0
        self.bad_commands = 0
        self._reset()

    def connect(self, now_ms: int) -> None:
        """The transport has a new connection."""
        self.disconnect()
        self.state = OPEN
        self.opened_ms = now_ms

    def disconnect(self) -> None:
        """The connection is gone. Unacknowledged events stay in the log."""
        self._seat.leave(self)
        self.state = CLOSED
        self.must_close = False
        self._reset()

    def displace(self) -> None:
        """The same tablet resumed over another connection: this one is over, its transport is to close it."""
        self.state = OPEN
        self.must_close = True
        self._reset()

    def end_session(self) -> None:
        """This tablet may no longer hold a session; what was answered is still sent."""
        self._seat.leave(self)
        self.state = OPEN
        self._nonce = b""
        self._in_flight.clear()

    def can_receive(self) -> bool:
        """False while so many answers wait to be sent that the next command is better left with the transport."""
        return len(self._answers) < MAX_ANSWERS

    def receive(self, data: "bytes | bytearray | memoryview", now_ms: int) -> None:
        """One command as it came. Whatever the bytes are, this returns."""
        request = data[1] if len(data) > 1 else 0
        try:
            if len(data) > MAX_COMMAND:
                raise ProtocolError("a command has at most %d bytes" % MAX_COMMAND)
            command = decode_command(data)
        except ProtocolError as error:
            self.bad_commands += 1
            self._refuse(request, UNSUPPORTED if isinstance(error, UnknownKind) else MALFORMED)
            return
        if isinstance(command, Hello):
            self._on_hello(command, now_ms)
        elif self.state < GREETED or (self.state == GREETED and not isinstance(command, (Pair, Resume))):
            self._refuse(request, NOT_AUTHORISED)
        elif isinstance(command, Pair):
            self._on_pair(command, now_ms)
        elif isinstance(command, Resume):
            self._on_resume(command, now_ms)
        elif isinstance(command, Ack):
            self._on_ack(command, now_ms)
        else:
            self._carry_out(command, request, now_ms)

    def outgoing(self, now_ms: int) -> "bytes | memoryview | None":
        """The next message to send, or None. The same again until `sent` is called; valid until the next call."""
        if self._answers:
            return self._answers[0]
        if self.state != RESUMED:
            return None
        self._resend_if_due(now_ms)
        if self._next > self._outbox.newest or len(self._in_flight) >= timings.WINDOW:
            return None
        return self._batch(min(self.max_size, MAX_SIZE))

    def sent(self, now_ms: int) -> None:
        """The transport has taken what `outgoing` gave."""
        if self._answers:
            self._answers.pop(0)
            return
        if not self._in_flight:
            self._progress_ms = now_ms
        self._in_flight.append(self._batch_last)
        self._next = self._batch_last + 1
        self._highest = max(self._highest, self._batch_last)

    def wait_ms(self, now_ms: int) -> int:
        """How long nothing will have to be sent unless something new happens; at most the longest resend time."""
        if self.state == RESUMED and self._in_flight:
            return max(0, self._progress_ms + self._timeout_ms - now_ms)
        return timings.RESEND_MAX_MS

    def _reset(self) -> None:
        self._answers.clear()
        self._in_flight.clear()
        self._nonce = b""
        self._next = 1
        self._acknowledged = 0
        self._highest = 0
        self._batch_last = 0
        self._progress_ms = 0
        self._timeout_ms = timings.RESEND_MS
        self.opened_ms = 0

    def _on_hello(self, hello: Hello, now_ms: int) -> None:
        if self.state == CLOSED:
            return
        if self.state == RESUMED:
            # Who has just held the session is no stranger yet.
            self.opened_ms = now_ms
        self._in_flight.clear()
        self._nonce = b""
        if hello.major != VERSION[0]:
            self.state = OPEN
            self._refuse(hello.request, VERSION_MISMATCH, bytes(VERSION))
            return
        self.state = GREETED
        self._nonce = self._random_bytes(NONCE_SIZE)
        info = self._acts.info(self._nonce, now_ms).encode()
        self._ok(hello.request, info if len(info) + OK_OVERHEAD <= self.max_size else self._nonce)

    def _on_pair(self, pair: Pair, now_ms: int) -> None:
        try:
            token = self._pairing.pair(pair.tablet, now_ms)
        except OSError:
            token = WRITE_FAILED
        if isinstance(token, int):
            detail = bytes((len(self._pairing.tablets()),)) if token == TOO_MANY_TABLETS else b""
            self._refuse(pair.request, token, detail)
        else:
            self._ok(pair.request, token)

    def _on_resume(self, resume: Resume, now_ms: int) -> None:
        nonce, self._nonce = self._nonce, b""
        reason = WRONG_MAC
        if nonce:
            is_free = self._seat.is_free_for(resume.tablet)
            reason = self._pairing.check(resume, nonce, now_ms) if is_free else IN_USE
        if reason:
            seconds = self._pairing.seconds_locked(now_ms)
            self._refuse(resume.request, reason, bytes((seconds,)) if reason == LOCKED else b"")
            return
        self._seat.take(self, resume.tablet)
        self.state = RESUMED
        self.resumes += 1
        self._begin_after(resume.epoch, resume.sequence)
        self._ok(resume.request, ResumeAnswer(self._outbox.epoch, self._first(), self._outbox.newest).pack())

    def _begin_after(self, epoch: int, sequence: int) -> None:
        """The app holds everything up to `sequence`; nothing of ours when its epoch is another one."""
        outbox = self._outbox
        known = epoch == outbox.epoch
        self._reads_only = sequence & READS_ONLY
        sequence &= ~READS_ONLY
        self._acknowledged = min(sequence, outbox.newest) if known else 0
        self._next = self._acknowledged + 1
        self._highest = self._acknowledged
        self._timeout_ms = timings.RESEND_MS
        if known and not self._reads_only:
            outbox.acknowledge(self._acknowledged)

    def _first(self) -> int:
        return max(self._next, self._outbox.oldest)

    def _on_ack(self, ack: Ack, now_ms: int) -> None:
        if ack.epoch != self._outbox.epoch or ack.sequence > self._highest:
            self._refuse(ack.request, MALFORMED)
            return
        if ack.sequence <= self._acknowledged:
            return
        self._acknowledged = ack.sequence
        self._next = max(self._next, ack.sequence + 1)
        while self._in_flight and self._in_flight[0] <= ack.sequence:
            self._in_flight.pop(0)
        self._progress_ms = now_ms
        self._timeout_ms = timings.RESEND_MS
        if not self._reads_only:
            self._outbox.acknowledge(ack.sequence)

    def _carry_out(self, command: "Message", request: int, now_ms: int) -> None:
        result = self._acts.carry_out(command, now_ms, self.max_size)
        if isinstance(result, int):
            self._refuse(request, result)
        elif isinstance(result, bytes):
            self._ok(request, result)
        else:
            self._answers.append(result.encode())

    def _resend_if_due(self, now_ms: int) -> None:
        if not self._in_flight or now_ms - self._progress_ms < self._timeout_ms:
            return
        self.resends += 1
        self._in_flight.clear()
        self._next = self._acknowledged + 1
        self._progress_ms = now_ms
        self._timeout_ms = min(2 * self._timeout_ms, timings.RESEND_MAX_MS)

    def _batch(self, max_size: int) -> "bytes | memoryview":
        """As many whole records as fit; or LOST, when the log does not hold the next one."""
        outbox, number, at = self._outbox, self._next, 0
        while number <= outbox.newest and at + RECORD_SIZE <= max_size:
            length = outbox.read_into(number, self._buffer, at)
            if not length:
                break
            at += length
            number += 1
        if at:
            self._batch_last = number - 1
            return self._view[:at]
        self._batch_last = max(number, outbox.oldest - 1)
        return Lost(outbox.epoch, number, self._batch_last).encode()

    def _ok(self, request: int, data: bytes) -> None:
        room = self.max_size - OK_OVERHEAD
        if len(data) > room:
            data = data[: room // COUNTER_SIZE * COUNTER_SIZE]
        self._answers.append(Ok(request, data).encode())

    def _refuse(self, request: int, reason: int, detail: bytes = b"") -> None:
        self.refusals += 1
        if self.state != CLOSED:
            self._answers.append(Refused(request, reason, detail).encode())
