"""Why there is no link, each reason with the sentence a screen can show."""

from enum import Enum


class Reason(Enum):
    """Members carry what people are told."""

    NOT_FOUND = "No ARC was found. Switch it on and bring it near."
    NO_BLUETOOTH = "Bluetooth cannot be used: switch it on and allow this app to use it."
    BLUETOOTH_BUSY = "Bluetooth is busy with something else. If this stays, switch Bluetooth off and on."
    NO_SERVICES = (
        "The ARC is near, but Bluetooth does not show what it offers: switch Bluetooth off and on; if this stays, "
        "forget the ARC in the system's Bluetooth settings."
    )
    NO_PORT = "The serial port cannot be opened."
    PORT_GONE = "The serial port is gone: plug the cable in again."
    DROPPED = "The ARC is out of reach."
    NO_ANSWER = "The ARC does not answer. If this stays, switch it off and on."
    NOT_AN_ARC = "What answers there is no ARC."
    VERSION = "The ARC and this app speak different versions: update the older one."
    IN_USE = "Another tablet or computer is connected to this ARC."
    LOCKED = "Too many wrong answers: the ARC listens again in half a minute."
    TOO_MANY_TABLETS = "The ARC remembers no more tablets: hold its button for ten seconds to forget them."
    OTHER_ARC = "Another ARC answers: it is not the one that this was begun with."
    STORE = "The app could not write to its store, so the ARC keeps what it holds."


class LinkError(Exception):
    """The link cannot be had, or is over. `detail` says what, where; `retry_ms` is a wait that the other side asked for."""

    def __init__(self, reason: Reason, detail: str = "", retry_ms: int = 0) -> None:
        super().__init__(f"{reason.value} {detail}".strip())
        self.reason = reason
        self.detail = detail
        self.retry_ms = retry_ms
