"""Which serial ports there are, which of them is a board of ours, and where a board comes back after a reset."""

import time
from collections.abc import Callable, Iterable

import serial
from attrs import frozen
from serial.tools import list_ports

from firmware.flash.errors import FlashError, PortGoneError
from firmware.flash.kinds import KINDS, BoardKind


@frozen
class Port:
    """`identity` stays when the system gives the port another name."""

    name: str
    usb_id: tuple[int, int]
    identity: str
    description: str

    @property
    def kind(self) -> BoardKind | None:
        """Which of our boards this may be, going by its USB ids."""
        return next((kind for kind in KINDS if self.usb_id in kind.usb_ids), None)


AWAY_POLLS = 15
"""Polls in a row without its port after which a board was pulled: 4.5 s; how long a restart takes on real ones is to be measured."""

ListPorts = Callable[[], list[Port]]


def list_usb_ports() -> list[Port]:
    """Every USB serial port of this computer, by name."""
    found: Iterable[serial.tools.list_ports_common.ListPortInfo] = list_ports.comports()
    ports = [
        Port(
            port.device, (port.vid, port.pid or 0), port.serial_number or port.location or port.device, port.description
        )
        for port in found
        if port.vid is not None
    ]
    return sorted(ports, key=lambda port: port.name)


def find_port(kind: BoardKind, name: str | None, ports: ListPorts = list_usb_ports) -> Callable[[], str]:
    """What names the board's port whenever it is asked, also after a reset gave it another name.

    `name` was chosen by people; else the only port that fits is taken. `FlashError` when none or several do.
    """
    if name:
        chosen = next((port for port in ports() if port.name == name), None)
        return follow(chosen, ports) if chosen else lambda: name
    fitting = [port for port in ports() if port.kind is kind]
    if not fitting:
        raise PortGoneError(
            f"no {kind.noun} is plugged in ({kind.mcu})",
            f"plug the {kind.noun} with a cable that carries data; if it is plugged, {kind.restart};"
            f" is the chip empty, {kind.bootloader}; or name the port with --port",
        )
    if len(fitting) > 1:
        names = ", ".join(port.name for port in fitting)
        raise FlashError(
            f"several boards could be the {kind.noun}: {names}", "unplug the others, or choose with --port"
        )
    return follow(fitting[0], ports)


def follow(port: Port, ports: ListPorts = list_usb_ports) -> Callable[[], str]:
    """The port's name of the moment, known by its identity."""

    def name() -> str:
        for now in ports():
            if now.identity == port.identity and now.usb_id == port.usb_id:
                return now.name
        raise PortGoneError(f"{port.name} vanished", "plug the cable firmly; then run this again")

    return name


def wait_for_new(
    kind: BoardKind,
    known: set[str],
    ports: ListPorts = list_usb_ports,
    pause: Callable[[], None] = lambda: time.sleep(0.3),
) -> Port:
    """The next board of this kind that is plugged; `known` identities are forgotten once they are pulled.

    A board that restarts, as each does after its flash, is away for a moment too: it is not the next.
    """
    away = dict.fromkeys(known, 0)
    while True:
        there = [port for port in ports() if port.kind is kind]
        for identity in tuple(known):
            away[identity] = 0 if any(port.identity == identity for port in there) else away[identity] + 1
            if away[identity] >= AWAY_POLLS:
                known.discard(identity)
        for port in there:
            if port.identity not in known:
                return port
        pause()
