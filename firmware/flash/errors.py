"""What can go wrong while flashing: always what happened, and what to press or plug."""

try:
    import termios

    PORT_ERRORS: tuple[type[Exception], ...] = (OSError, termios.error)
except ImportError:
    PORT_ERRORS = (OSError,)
"""What a serial port raises that goes away. A terminal's own error is no OSError, and comes in the moment of opening."""


class FlashError(Exception):
    """`what` happened, and what people `do` about it."""

    def __init__(self, what: str, do: str) -> None:
        super().__init__(what)
        self.what = what
        self.do = do

    def __str__(self) -> str:
        return f"{self.what}\n  → {self.do}"


class PortGoneError(FlashError):
    """The port vanished: the cable was pulled, or the board restarted."""


class DiskFullError(FlashError):
    """The board's file system has no room left."""


class NeedsMicroPythonError(FlashError):
    """No MicroPython answers on this port, or one that cannot run the firmware."""


class NotStartedError(FlashError):
    """The new firmware is on the board and did not start; the old one is back."""


class RefusedError(FlashError):
    """The ARC refused a command; `reason` is the protocol's."""

    def __init__(self, reason: int, what: str, do: str) -> None:
        super().__init__(what, do)
        self.reason = reason
