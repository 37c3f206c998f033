"""The board's own log: lines of text for people. The last ones outlive a reset in RTC memory; the last crash lies in flash."""

import io
import sys

from protocol import events

KEPT_BYTES = 1_900
LEFT = b"LEFT\n"
"""In RTC memory after `leave`: who restarted the board wanted to."""
CRASHES = {events.WATCHDOG: "watchdog", events.RESET_PIN: "unplanned reset", events.BROWN_OUT: "brown-out"}
"""Causes of a boot after which the lines from before are a crash. A panic of the interpreter is an unplanned reset."""

CRASH_END = b"since then:\n"
"""Between the last crash and the lines since this boot."""

_MARK = b"LOG1\n"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    from firmware.arc.pairing import Store


class Log:
    """`kept` is what RTC memory holds from before the reset; `keep(bytes)` replaces it; `store` keeps the last crash.

    After a boot whose `cause` text is not empty (see CRASHES) the lines from before are a crash too: `has_new_crash`.
    """

    def __init__(self, store: "Store", keep: "Callable[[bytes], None]", kept: bytes, cause: str) -> None:
        self._store = store
        self._keep = keep
        self._lines = b""
        self._crash = store.read()
        self._has_failed = False
        self.has_new_crash = bool(cause) and kept.startswith(_MARK) and self._remember(cause, kept[len(_MARK) :])

    def line(self, text: str) -> None:
        """One line more; the oldest go."""
        self._lines += text.encode() + b"\n"
        if len(self._lines) > KEPT_BYTES:
            cut = self._lines.find(b"\n", len(self._lines) - KEPT_BYTES)
            self._lines = self._lines[cut + 1 :]
        self._keep(_MARK + self._lines)

    def fault(self, body: "events.FaultFound", now_ms: int) -> None:
        """The line for a FAULT_FOUND, in the protocol's numbers; `protocol.fault_texts` has the words."""
        self.line("%d ms: fault %d, detail %d" % (now_ms, body.code, body.detail))

    def leave(self) -> None:
        """The board is about to restart and somebody wanted that: the lines are no crash. Write none after this."""
        self._keep(LEFT)

    def failed(self, name: str, error: BaseException, now_ms: int) -> bool:
        """A task failed: its traceback in the log, and as the last crash in flash, once in each boot. Whether it is that now."""
        text: "Any" = io.StringIO()
        if hasattr(sys, "print_exception"):
            sys.print_exception(error, text)
        else:
            text.write(repr(error))
        self.line("%d ms: %s failed: %s" % (now_ms, name, text.getvalue().strip()))
        if self._has_failed:
            return False
        self._has_failed = True
        return self._remember("task " + name, self._lines)

    def read(self, offset: int, count: int) -> bytes:
        """The last crash, then the lines since boot: at most `count` bytes from `offset` on."""
        parts = (self._crash, self._lines)
        for part in parts:
            if offset < len(part):
                return part[offset : offset + count]
            offset -= len(part)
        return b""

    def _remember(self, cause: str, lines: bytes) -> bool:
        record = b"crash: " + cause.encode() + b"\n" + lines[-KEPT_BYTES:] + CRASH_END
        try:
            self._store.write(record)
        except OSError:
            # A flash that fails is told by the event log; this record is worth no second fault.
            return False
        self._crash = record
        return True
