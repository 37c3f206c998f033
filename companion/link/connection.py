"""One connection to an ARC, seen by the app: bytes and time in, bytes and news out. Pure.

`Opening` leads to a session; here is what goes on in one. Whatever does not fit leads back to HELLO, which is always safe.
"""

from collections.abc import Callable
from typing import TypeVar

from companion.link import news
from companion.link.checking import Checking
from companion.link.delivery import Delivery, Verdict
from companion.link.opening import VERSION_MS, Opening, Stage
from companion.link.reasons import LinkError, Reason
from companion.link.requests import ACK_ID, Requests
from protocol import messages as m
from protocol.events import Event
from protocol.gatt import MAX_COMMAND
from protocol.messages import Message, ProtocolError
from protocol.reading import decode_notification, unknown_event
from protocol.reason_texts import REASON_TEXT

KEEPALIVE_MS = 5_000
ASIDE = (
    m.GameBegin, m.GameChunk, m.GameCommit, m.GameRead, m.LogRead, m.SelfTest, m.SettingsRead, m.SettingsWrite,
    m.ReadStatistics, m.ForgetTablet, m.WriteTag, m.UpdateBegin, m.UpdateChunk, m.UpdateCommit,
    m.ModuleUpdateBegin, m.ReadModule, m.ResaltModule,
)  # fmt: skip
"""What the app asks beside the events; who asked gets the answer."""
_LIGHT_ENTRY = 5
_ENTRIES_AT_ONCE = (MAX_COMMAND - 2) // _LIGHT_ENTRY * _LIGHT_ENTRY
_FORMATTED = "The ARC's log was formatted: compare the last acts with the list of the round."
_OVERRUN = "The ARC could not keep everything while the app was away: compare the last acts with the list of the round."


A = TypeVar("A", Event, m.Ok, m.Page)


class _Keepalive(m.Mark):
    """A MARK that nobody asked for: its answer is nobody's."""


class Connection:
    """`opened`, `received`, `tick` and `closed` feed it; `outgoing` is to be sent after each of them."""

    def __init__(self, delivery: Delivery, tablet: int, *, keepalive: bool = False, reads_only: bool = False) -> None:
        self.bad_units = 0
        self._delivery, self._host, self._keepalive = delivery, delivery.host, keepalive
        self._requests = Requests()
        self._opening = Opening(delivery, self._requests, tablet, reads_only=reads_only)
        self._checking = Checking(delivery, self._requests)
        self._now_ms = self._sent_ms = 0

    # what the outside calls

    def opened(self, now_ms: int) -> None:
        self._now_ms = now_ms
        self._checking.stop()
        self._opening.begin()

    def closed(self) -> None:
        self._opening.close()

    def received(self, unit: bytes, now_ms: int) -> None:
        """One message unit. Bytes that are none are counted and leave everything as it was."""
        self._now_ms = now_ms
        try:
            parts = decode_notification(unit)
        except ProtocolError:
            self.bad_units += 1
            self._look_for_newer_event(unit)
            return
        for part in parts:
            if self.stage not in (Stage.CLOSED, Stage.FAILED):
                self._take(part)

    def informed(self, data: bytes, now_ms: int) -> None:
        """What the INFO characteristic says, when `needs_info`."""
        self._now_ms = now_ms
        self._opening.informed(data, now_ms)

    def tick(self, now_ms: int) -> None:
        self._now_ms = now_ms
        if self.stage in (Stage.CLOSED, Stage.FAILED):
            return
        if self._requests.wait_ms(now_ms) == 0:
            self._hello()
        self._opening.tick(now_ms)
        if self._keepalive and self.is_resumed and now_ms - self._sent_ms >= KEEPALIVE_MS:
            self._requests.add(_Keepalive(0))

    def send(self, command: Message, now_ms: int) -> bool:
        """A command of the app; False: there is no session to send it in, and it is not kept."""
        self._now_ms = now_ms
        if not self.is_resumed:
            return False
        if isinstance(command, m.LightTable):
            for at in range(0, len(command.entries), _ENTRIES_AT_ONCE):
                self._requests.add(m.LightTable(0, command.entries[at : at + _ENTRIES_AT_ONCE]))
        else:
            self._requests.add(command)
        return True

    def outgoing(self) -> list[bytes]:
        """The commands to send now, in order."""
        out = self._requests.ready(self._now_ms)
        ack = self._delivery.ack(self._now_ms) if self.is_resumed else None
        if ack:
            ack.request = ACK_ID
            out.append(ack.encode())
        if out:
            self._sent_ms = self._now_ms
        return out

    def wait_ms(self, now_ms: int) -> int | None:
        """How long `tick` and `outgoing` have nothing to do unless something comes; None: for ever."""
        due = [self._requests.wait_ms(now_ms), self._opening.wait_ms(now_ms)]
        if self.is_resumed and self._delivery.ack_due_ms is not None:
            due.append(self._delivery.ack_due_ms - now_ms)
        if self._keepalive and self.is_resumed:
            due.append(self._sent_ms + KEEPALIVE_MS - now_ms)
        return min((max(0, wait) for wait in due if wait is not None), default=None)

    @property
    def stage(self) -> Stage:
        return self._opening.stage

    @property
    def failure(self) -> LinkError | None:
        """Why there will be no session on this connection."""
        return self._opening.failure

    @property
    def needs_info(self) -> bool:
        """The answer to HELLO had no room for INFO: read it and call `informed`."""
        return self._opening.needs_info

    @property
    def restarts(self) -> int:
        """How often it had to begin anew."""
        return self._opening.restarts

    @property
    def is_resumed(self) -> bool:
        return self.stage is Stage.RESUMED

    @property
    def info(self) -> m.Info | None:
        """What the ARC said of itself at the last HELLO."""
        return self._opening.info

    @property
    def modules(self) -> tuple[tuple[int, int], ...] | None:
        """(instance, type) of the modules on the bus, as far as is known; None before the first snapshot."""
        return self._delivery.mirror.modules() if self._delivery.mirror else None

    @property
    def twins(self) -> tuple[tuple[int, int, int], ...]:
        """(instance, neighbour, port) of the places where modules that share an instance are plugged in, as far as is known."""
        return self._delivery.mirror.twins() if self._delivery.mirror else ()

    @property
    def is_settled(self) -> bool:
        """Resumed, everything promised is here, and both sides believe the same."""
        return self.is_resumed and self._checking.is_done

    @property
    def mismatches(self) -> int:
        """How often the two sides' beliefs about the table differed."""
        return self._checking.mismatches

    # in a session

    def _hello(self) -> None:
        """Begins anew."""
        self._checking.stop()
        self._opening.hello()

    def _on_hello(self, ok: m.Ok) -> None:
        self._opening.greeted(ok, self._now_ms)

    def _on_paired(self, ok: m.Ok) -> None:
        self._opening.paired(ok)

    def _on_resumed(self, ok: m.Ok) -> None:
        answer, info = self._opening.resumed(ok), self._opening.info
        if answer is None or info is None:
            return
        self._delivery.owe_nothing()
        epoch, sequence = self._delivery.cursor
        if (answer.epoch, answer.first) != (epoch, sequence + 1):
            text = _OVERRUN if answer.epoch == epoch else _FORMATTED
            self._delivery.skip_to(answer.epoch, answer.first - 1, text)
        self._host.deliver(news.Resumed(info.device, answer.epoch, answer.newest))
        self._host.deliver(news.LinkChanged(news.LinkState.READY, ""))
        self._checking.begin(answer.newest)

    def _take(self, part: Event | Message) -> None:
        if isinstance(part, Event):
            self._on_event(part)
        elif isinstance(part, m.Lost):
            self._on_lost(part)
        elif isinstance(part, m.Page):
            self._orderly(self._on_page, part)
        elif isinstance(part, m.Refused):
            self._on_refused(part)
        elif isinstance(part, m.Ok):
            self._on_ok(part)

    def _on_ok(self, ok: m.Ok) -> None:
        command = self._requests.answered(ok.request)
        handle = _ON_OK.get(type(command)) if command else None
        if handle:
            self._orderly(lambda answer: handle(self, answer), ok)
        elif isinstance(command, ASIDE):
            self._host.deliver(news.Answered(command, ok.data))

    def _orderly(self, handle: Callable[[A], None], answer: A) -> None:
        """An answer with nonsense in it is the other side's fault: begin anew."""
        try:
            handle(answer)
        except ProtocolError:
            self.bad_units += 1
            self._hello()

    def _on_page(self, page: m.Page) -> None:
        if self._requests.answered(page.request):
            self._checking.take_page(page)

    def _on_hash(self, ok: m.Ok) -> None:
        self._checking.take_hash(m.HashAnswer.unpack(ok.data, 0))

    def _on_event(self, event: Event) -> None:
        if not self.is_resumed:
            return
        verdict = self._delivery.take(event, self._now_ms)
        if verdict is Verdict.GAP:
            self._hello()
        elif verdict is Verdict.NEXT:
            self._orderly(self._checking.heard, event)  # pages that waited for it may be none

    def _on_lost(self, lost: m.Lost) -> None:
        epoch, sequence = self._delivery.cursor
        if not self.is_resumed or lost.epoch != epoch:
            return
        if lost.first > sequence + 1:
            self._hello()  # the ARC has what comes before
        elif lost.last > sequence:
            self._delivery.skip_to(epoch, lost.last, _OVERRUN)
            self._delivery.owe(self._now_ms)
            self._checking.missed()
        else:
            self._delivery.owe_again(self._now_ms)

    def _look_for_newer_event(self, unit: bytes) -> None:
        """One of this log of which nothing is known cannot be passed over, and comes again and again: people are told."""
        found, (epoch, sequence) = unknown_event(unit), self._delivery.cursor
        if self.is_resumed and found and found[1] == epoch and found[2] > sequence:
            self._opening.fail(Reason.VERSION, f"(an event of kind 0x{found[0]:02X})", VERSION_MS)

    def _on_mark(self, ok: m.Ok) -> None:
        if len(ok.data) < 4:
            raise ProtocolError("the answer to MARK is too short")
        self._host.deliver(news.MarkAnswered(int.from_bytes(ok.data[:4], "little")))

    def _on_refused(self, refused: m.Refused) -> None:
        if refused.request == ACK_ID:
            self._hello()
            return
        command = self._requests.answered(refused.request)
        if command is None:
            return
        if isinstance(command, m.Hello | m.Pair | m.Resume):
            self._opening.refused(refused)
        elif refused.reason == m.NOT_AUTHORISED:
            self._hello()
        elif isinstance(command, m.ReadPage):
            self._checking.page_refused()
        elif isinstance(command, m.ReadHash):
            self._checking.hash_refused()
        elif not isinstance(command, _Keepalive):
            text = REASON_TEXT.get(refused.reason, f"the ARC refused for reason {refused.reason}")
            self._host.deliver(news.CommandRefused(command, refused.reason, text))


_ON_OK = {
    m.Hello: Connection._on_hello,
    m.Pair: Connection._on_paired,
    m.Resume: Connection._on_resumed,
    m.ReadHash: Connection._on_hash,
    m.Mark: Connection._on_mark,
}
