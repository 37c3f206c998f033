"""Acts for a link whose board is not what a test is about."""

from firmware.arc.outbox import Outbox
from protocol.messages import Info, Message


class Acts:
    """A board without hands: it only knows who it is."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        self.shown = b""

    def info(self, nonce: bytes, now_ms: int) -> Info:
        outbox = self._outbox
        info = Info(1, 0, b"arc-01", 0, 1, 0, 0, outbox.epoch, outbox.oldest, outbox.newest, nonce)
        self.shown = info.encode()
        return info

    def carry_out(self, command: Message, now_ms: int, max_size: int) -> bytes | int | Message:
        return b""
