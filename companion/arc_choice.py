"""What `--arc` means: over Bluetooth or a port, the desk's or none."""

import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from companion.arc_line import MakeTransport
from companion.desk_process import Desk, DeskProcess, RunningDesk
from companion.headless import ScriptError
from companion.link.transport import Transport


@contextlib.asynccontextmanager
async def arc_for(
    choice: str, desk_link: str, store: Path, *, has_window: bool, flashed: bool = False
) -> AsyncIterator[tuple[MakeTransport | None, Desk | None]]:
    """How to make the transport, and the desk when there is one: with `desk` it is started, and ended at the end.

    `desk_link`: over the desk's radio (ble) or its port (serial). The boards' flash is kept beside the `store`; `flashed`: they
    take new firmware.
    Raises `ScriptError` for a choice there is not, and what `DeskProcess` and `RunningDesk` raise.
    """
    kind, _, port = choice.partition(":")
    if choice == "none":
        yield None, None
    elif choice == "ble":
        yield over_ble, None
    elif kind == "serial" and port:
        yield over_serial(port), None
    elif choice == "desk":
        state, arguments = store.with_name(store.name + ".desk"), ("--flashed",) if flashed else ()
        async with DeskProcess(state, window=has_window, arguments=arguments) as desk:
            yield _over_desk(desk_link, desk), desk
    elif kind == "desk":
        running = RunningDesk(Path(port))
        yield _over_desk(desk_link, running), running
    else:
        raise ScriptError(f"--arc {choice}: there are ble, serial:PORT, desk, desk:ENDPOINTS and none")


def _over_desk(desk_link: str, desk: Desk) -> MakeTransport:
    return over_radio(desk.radio) if desk_link == "ble" else over_serial(desk.serial)


def over_ble(wanted: Callable[[], bytes | None]) -> Transport:
    from companion.link.ble import Ble

    return Ble(wanted)


def over_radio(radio: str) -> MakeTransport:
    def make(wanted: Callable[[], bytes | None]) -> Transport:
        # bumble is the desk's alone: a tablet has neither
        from companion.link.ble import Ble
        from companion.link.bumble_backend import BumbleClient, BumbleScanner

        scanner: dict[str, Any] = {"backend": BumbleScanner, "radio": radio}
        return Ble(wanted, scanner=scanner, client={"backend": BumbleClient, "radio": radio})

    return make


def over_serial(port: str) -> MakeTransport:
    """Whichever ARC hangs on the cable."""

    def make(wanted: Callable[[], bytes | None]) -> Transport:
        from companion.link.serial_port import SerialPort

        return SerialPort(port)

    return make
