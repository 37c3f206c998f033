"""From a connection to a session, seen by the app: HELLO, INFO, PAIR and RESUME of the state table in protocol/README.md. Pure.

Rules: nothing else is asked for before HELLO and RESUME were accepted; whatever does not fit leads back to HELLO, which is
always safe; after `ATTEMPTS` of them in a row without a session the connection has failed.
"""

from enum import Enum

from companion.link import news
from companion.link.delivery import Delivery
from companion.link.reasons import LinkError, Reason
from companion.link.requests import Requests
from protocol import messages as m
from protocol.messages import ProtocolError
from protocol.reason_texts import REASON_TEXT

PAIR_AGAIN_MS = 1_000
IN_USE_MS = 2_000
VERSION_MS = 30_000
"""People have to update one of the two first."""
NONCE_SIZE = 8
TOKEN_SIZE = 16
ATTEMPTS = 3
"""HELLOs in a row without an accepted RESUME."""


class Stage(Enum):
    CLOSED = "closed"
    HELLO = "hello"
    PAIRING = "pairing"
    RESUMING = "resuming"
    RESUMED = "resumed"
    """Events flow; `Checking` compares what both sides believe, and then nothing is left to do but listen."""
    FAILED = "failed"


class Opening:
    """Puts what is to be asked into `requests`, and is given each answer. `reads_only`: it resumes for no game, and takes no card."""

    def __init__(self, delivery: Delivery, requests: Requests, tablet: int, *, reads_only: bool) -> None:
        self.stage = Stage.CLOSED
        self.failure: LinkError | None = None
        self.needs_info = False
        """The answer had no room for INFO: read it and call `informed`."""
        self.info: m.Info | None = None
        """What the ARC said of itself at the last HELLO."""
        self.restarts = 0
        self._delivery, self._host = delivery, delivery.host
        self._requests = requests
        self._tablet, self._reads_only = tablet, reads_only
        self._hellos = self._wrong_macs = self._pair_at_ms = 0
        self._nonce = b""
        self._refused: bytes | None = None
        """A token that the ARC does not take: answers with it would lock the ARC for all tablets."""

    def begin(self) -> None:
        """There is a connection."""
        self.failure = None
        self._hellos = self._wrong_macs = 0
        self.hello()

    def hello(self) -> None:
        """Begins anew. What was under way is forgotten: its answers are nobody's."""
        self._requests.clear()
        self._hellos += 1
        if self._hellos > ATTEMPTS:
            self.fail(Reason.NO_ANSWER)
            return
        if self._hellos > 1:
            self.restarts += 1
        self.stage, self.needs_info = Stage.HELLO, False
        self._requests.add(m.Hello(0, *m.VERSION))

    def close(self) -> None:
        self.stage = Stage.CLOSED
        self._requests.clear()

    def fail(self, reason: Reason, detail: str = "", retry_ms: int = 0) -> None:
        """The connection leads nowhere."""
        self.stage = Stage.FAILED
        self._requests.clear()
        self.failure = LinkError(reason, detail, retry_ms)

    # what comes

    def tick(self, now_ms: int) -> None:
        if self.stage is Stage.PAIRING and now_ms >= self._pair_at_ms:
            self._ask_to_pair(now_ms)

    def wait_ms(self, now_ms: int) -> int | None:
        """How long `tick` has nothing to do; None: for ever."""
        return self._pair_at_ms - now_ms if self.stage is Stage.PAIRING else None

    def greeted(self, ok: m.Ok, now_ms: int) -> None:
        if self.stage is Stage.HELLO and len(ok.data) > NONCE_SIZE:
            self._on_info(ok.data, b"", now_ms)
        elif self.stage is Stage.HELLO:
            self._nonce, self.needs_info = ok.data, True

    def informed(self, data: bytes, now_ms: int) -> None:
        """What the INFO characteristic says, when `needs_info`."""
        if self.needs_info:
            self.needs_info = False
            self._on_info(data, self._nonce, now_ms)

    def paired(self, ok: m.Ok) -> None:
        if self.stage is Stage.PAIRING and self.info and len(ok.data) == TOKEN_SIZE:
            self._host.keep_token(self.info.device, ok.data)
            self._hellos = self._wrong_macs = 0
            self.hello()

    def resumed(self, ok: m.Ok) -> m.ResumeAnswer | None:
        """The session is there, and begins with this; None: nobody asked for it. `ProtocolError` when it means nothing."""
        if self.stage is not Stage.RESUMING:
            return None
        answer = m.ResumeAnswer.unpack(ok.data, 0)
        if not 1 <= answer.first <= answer.newest + 1:
            raise ProtocolError("a log that begins where there is none")
        self.stage = Stage.RESUMED
        self._hellos = self._wrong_macs = 0
        return answer

    def refused(self, refused: m.Refused) -> None:
        """One of HELLO, PAIR and RESUME was."""
        reason, detail = refused.reason, refused.detail
        if reason == m.VERSION_MISMATCH:
            theirs = ".".join(str(number) for number in detail[:2])
            ours = ".".join(str(number) for number in m.VERSION)
            self.fail(Reason.VERSION, f"(ARC: {theirs}, app: {ours})", VERSION_MS)
        elif reason == m.LOCKED:
            self.fail(Reason.LOCKED, retry_ms=1_000 * (detail[0] if detail else 30))
        elif reason == m.IN_USE:
            self.fail(Reason.IN_USE, retry_ms=IN_USE_MS)
        elif reason == m.TOO_MANY_TABLETS:
            self.fail(Reason.TOO_MANY_TABLETS, retry_ms=IN_USE_MS)
        elif reason == m.NOT_PAIRING and self.stage is Stage.PAIRING:
            pass  # asked again by `tick`, until somebody presses the button
        else:
            self._wrong_macs += reason == m.WRONG_MAC
            self.hello()

    # one step after another

    def _on_info(self, data: bytes, nonce: bytes, now_ms: int) -> None:
        """`nonce`: this connection's own, where INFO was read, which shows whoever asked last."""
        try:
            info = m.Info.decode(data)
        except ProtocolError as error:
            self.fail(Reason.NOT_AN_ARC, str(error))
            return
        info.nonce = nonce or info.nonce
        self.info = info
        point = self._host.resume_point(info)
        token = self._host.token(info.device)
        if self._wrong_macs > 1:
            self._refused = token
        if point is None:
            self.fail(Reason.OTHER_ARC, retry_ms=IN_USE_MS)
        elif token is None or token == self._refused:
            self._begin_pairing(now_ms)
        else:
            self._resume(info, token, point)

    def _begin_pairing(self, now_ms: int) -> None:
        self.stage = Stage.PAIRING
        self._ask_to_pair(now_ms)
        self._host.deliver(news.LinkChanged(news.LinkState.PAIRING, REASON_TEXT[m.NOT_PAIRING]))

    def _ask_to_pair(self, now_ms: int) -> None:
        self._pair_at_ms = now_ms + PAIR_AGAIN_MS
        self._requests.add(m.Pair(0, self._tablet))

    def _resume(self, info: m.Info, token: bytes, point: tuple[int, int]) -> None:
        self.stage = Stage.RESUMING
        if point != self._delivery.cursor:
            self._delivery.mirror = None
        self._delivery.cursor = point
        epoch, sequence = point
        if self._reads_only:
            sequence |= m.READS_ONLY
        mac = m.session_mac(token, info.nonce, self._tablet, epoch, sequence)
        self._requests.add(m.Resume(0, self._tablet, epoch, sequence, mac))
