"""`Desk`: the table with the boards on it. Hands put things on the roof, plug modules and cut power; eyes see lights.

async with Desk() as desk:
    desk.present("manager:bloch")
    await desk.wait("beep")
"""

import asyncio
import time
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Any

from companion import catalog as catalogs
from firmware.boards import arc_esp32s3 as arc, timings
from firmware.desk.board import Board
from firmware.desk.board_link import frame_length
from firmware.desk.chips.field import Field
from firmware.desk.chips.mfrc522 import Mfrc522Model
from firmware.desk.chips.tags import Tag
from firmware.desk.kinds import ARC_KIND
from firmware.desk.lights import colour_of
from firmware.desk.miniatures import Miniatures, chip_id_of
from firmware.desk.pins import Pixel
from firmware.desk.state_folder import claim
from firmware.desk.supervisor import Supervisor
from firmware.desk.supply import PINS, Supply
from firmware.desk.things import Tray

PRESS_S = {"short": 0.12, "long": timings.LONG_PRESS_MS / 1000 + 0.3, "forget": timings.FORGET_PRESS_MS / 1000 + 0.3}
"""How long a hand holds the ARC's button for each of the things it does."""
FULL_BATTERY_MV = 5_600
ARC = "arc"

Change = dict[str, Any]
"""Something that happened, as plain data; `README.md` lists the kinds."""


class Desk:
    """An ARC, a box of modules and a tray of cards. Use as an async context manager.

    `state`: a folder that keeps the boards' flash from one desk to the next; without it every desk is new.
    `interval_ms`: the connection interval of the radio. `seed` decides where power cuts tear and which bytes the
    wire disturbs. `arc_on`: switch the ARC on at once. `flashed`: kinds of boards (`kinds.KINDS`) that run from their own
    file system, as the flash tool leaves it: only these can be updated.
    """

    def __init__(
        self,
        *,
        state: Path | None = None,
        catalog: catalogs.Catalog | None = None,
        interval_ms: float = 30.0,
        seed: int | None = None,
        arc_on: bool = True,
        flashed: Collection[str] = (),
    ) -> None:
        self._catalog = catalog or catalogs.load()
        self._options = state, interval_ms, seed
        self._arc_on = arc_on
        self._flashed = flashed
        self.tray = Tray(self._catalog)
        self.field = Field()
        self.reader = Mfrc522Model(self.field, _now_us)
        self.beeps = 0
        self.battery_mv = FULL_BATTERY_MV
        self._roof: dict[str, Tag] = {}
        self._sharing = asyncio.Lock()
        self._shares: set[asyncio.Task[None]] = set()
        self._listeners: list[Callable[[Change], None]] = []

    async def __aenter__(self) -> "Desk":
        state, interval_ms, seed = self._options
        self._claim = await claim(state) if state else None
        self.supervisor = Supervisor(state, interval_ms, seed, self._on_board, self._flashed)
        self.miniatures = Miniatures(self._catalog, self.supervisor, seed or 0)
        try:
            self.supervisor.link.serve("uart", self.miniatures.ports.attach)
            self.supervisor.serve("spi", frame_length, lambda _board, message: self.reader.transfer(message[2:]))
            await self.supervisor.open()
            self._arc = self.supervisor.add(ARC, ARC_KIND, chip_id_of(ARC))
            self.supply = Supply(self._arc.pins, self.miniatures.wire)
            self._powered = self.supply.powered()
            self._arc.set_input(arc.BUTTON, 1)
            self._arc.set_input(arc.USB_SENSE, 0)
            self.set_battery_mv(self.battery_mv)
            if self._arc_on:
                await self.give_power()
        except BaseException:
            await self._close()
            raise
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self._close()

    async def _close(self) -> None:
        self.miniatures.ports.close()
        try:
            await self.supervisor.close()
            await asyncio.gather(*self._shares)
        finally:
            if self._claim:
                self._claim.close()

    # hands

    def present(self, thing: str, *, uid: bytes | None = None, coupling: float = 1.0) -> None:
        """Lay a thing of the tray on the roof, beside what lies there; `coupling` below 1 holds it higher.

        `ValueError` when the tray has none of this name.
        """
        tag = self.tray.tag_of(thing, uid)
        self.field.put(tag, _now_us(), coupling)
        self._roof[thing] = tag
        self._tell({"change": "roof", "things": list(self._roof)})

    def remove(self, thing: str | None = None) -> None:
        """Take a thing off the roof; all of them when none is named."""
        for name in [thing] if thing is not None else list(self._roof):
            if tag := self._roof.pop(name, None):
                self.field.take(tag, _now_us())
        self._tell({"change": "roof", "things": list(self._roof)})

    async def plug(self, module: str, parent: str = ARC, port: int | None = None, own_port: int | None = None) -> None:
        """Plug a miniature to a port (0 to 3) of the ARC or of another module; free ports are found when not named.

        `module` is a catalog id, with `:2` for a second miniature of the same module. A module that is plugged
        already gets one more connection: that closes a loop. `WireError` when a port is taken.
        """
        self.miniatures.plug(module, parent, port, own_port)
        self._tell({"change": "plugs", "plugs": self.miniatures.plugs()})
        await self._share_power()

    async def plug_some(self, count: int) -> None:
        """Plug the first modules of the catalog, in a tree: the ARC's ports first, then those of the modules."""
        await self.plug_all(self.miniatures.first(count))

    async def plug_all(self, modules: Iterable[str]) -> None:
        """Plug these all at once, wherever there is a free port, nearest to the ARC first."""
        for module in modules:
            self.miniatures.plug_anywhere(module)
        self._tell({"change": "plugs", "plugs": self.miniatures.plugs()})
        await self._share_power()

    async def unplug(self, module: str) -> None:
        """Pull a module off the table. What hangs behind it loses its power too."""
        self.miniatures.unplug(module)
        self._tell({"change": "plugs", "plugs": self.miniatures.plugs()})
        await self._share_power()

    async def press(self, button: str = "arc", *, how: str = "short") -> None:
        """Hold the ARC's button down: for a moment, for more than two seconds (long), or for the ten that forget all tablets."""
        if button != ARC:
            raise ValueError(f"only the ARC has a button, not {button}")
        if how not in PRESS_S:
            raise ValueError(f"a press is {', '.join(PRESS_S)}, not {how}")
        self.hold_button()
        try:
            await asyncio.sleep(PRESS_S[how])
        finally:
            self.hold_button(False)

    def hold_button(self, is_down: bool = True) -> None:
        """Press the ARC's button until it is let go."""
        self._arc.set_input(arc.BUTTON, int(not is_down))

    async def cut_power(self, board: str = ARC, *, operations: int = 0) -> None:
        """Pull the plug: at once, or in the middle of the `operations`-th write to flash from now.

        Without the ARC no module has power.
        """
        await self._board(board).cut_power(operations)
        if board == ARC:
            self.reader.reset_pin(0)
        await self._share_power()

    async def give_power(self, board: str = ARC) -> None:
        """The plug goes back in. A module whose ARC is off stays dark."""
        self._board(board).give_power()
        await self._share_power()

    def kill(self, board: str = ARC) -> None:
        """`kill -9` of a board's processor, or of the `radio`. It comes back by itself, as after a power cut."""
        if board == "radio":
            self.supervisor.kill_radio()
        else:
            self._board(board).kill()

    def set_battery_mv(self, level_mv: int) -> None:
        """The voltage of the ARC's four cells."""
        self.battery_mv = level_mv
        self._arc.pins.set_microvolts(arc.BATTERY_ADC, level_mv * 1000 // arc.BATTERY_DIVIDER)
        self._tell({"change": "battery", "level_mv": level_mv})

    def set_usb_power(self, is_plugged: bool) -> None:
        """A charger or a computer at the ARC's USB port."""
        self._arc.set_input(arc.USB_SENSE, int(is_plugged))

    async def short(self, is_short: bool = True) -> None:
        """Something draws more current than the ARC's eFuse lets through, from now on or no longer."""
        self.supply.is_short = is_short
        await self._share_power()

    async def jam(self, module: str, is_jammed: bool = True) -> None:
        """This module holds the bus's DATA line low while it has current, from now on or no longer."""
        (self.supply.jammed.add if is_jammed else self.supply.jammed.discard)(module)
        await self._share_power()

    # eyes and ears

    @property
    def radio(self) -> str:
        """Where hosts find the radio."""
        return self.supervisor.radio_address

    @property
    def serial(self) -> str:
        """The ARC's USB serial port."""
        assert self._arc.usb is not None
        return self._arc.usb.path

    def lights(self) -> dict[str, Pixel]:
        """What shines now, as red, green, blue, of every board that has power."""
        return {name: colour_of(board) for name, board in self.supervisor.boards.items() if board.is_on}

    def state(self) -> Change:
        """Everything as plain data, ready for JSON."""
        boards = {
            name: {
                "is_on": board.is_on,
                "pid": board.pid,
                "starts": board.starts,
                "light": list(colour_of(board)),
                "is_found": name == ARC or self.miniatures.is_found(name),
            }
            for name, board in self.supervisor.boards.items()
        }
        return {
            "boards": boards,
            "roof": list(self._roof),
            "plugs": self.miniatures.plugs(),
            "beeps": self.beeps,
            "battery_mv": self.battery_mv,
            "radio": {"address": self.radio, "pid": self.supervisor.radio_pid, "starts": self.supervisor.radio_starts},
            "serial": self.serial,
        }

    def modules(self) -> list[Change]:
        """The box: every miniature the catalog has, and whether it is on the table."""
        return self.miniatures.box()

    def log(self, board: str = ARC) -> str:
        """The end of what a board, or the `radio`, printed."""
        return self.supervisor.log_of(board)

    def listen(self, listener: Callable[[Change], None]) -> Callable[[], None]:
        """Call `listener` with every change from now on; returns the way to stop that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def wait(self, change: str, within_s: float = 10.0, **fields: Any) -> Change:
        """The next change of this kind with these fields; `TimeoutError` when it does not come."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Change] = loop.create_future()

        def check(happened: Change) -> None:
            fits = happened["change"] == change and all(happened.get(k) == v for k, v in fields.items())
            if fits and not future.done():
                future.set_result(happened)

        stop = self.listen(check)
        try:
            async with asyncio.timeout(within_s):
                return await future
        finally:
            stop()

    # inside

    def _board(self, name: str) -> Board:
        board = self.supervisor.boards.get(name)
        if board is None:
            raise ValueError(f"no board on the desk is called {name}; there are {', '.join(self.supervisor.boards)}")
        return board

    async def _share_power(self) -> None:
        """Modules have power while they hang together with an ARC that is on and lets them have it."""
        async with self._sharing:
            self._powered = self.supply.powered()
            powered = self._powered if self._arc.is_on else set()
            for name, board in self.supervisor.boards.items():
                if name != ARC and board.is_on and name not in powered:
                    await board.cut_power()
                elif name in powered:
                    board.give_power()

    def _follow_supply(self) -> None:
        """The ARC has switched something, or lets go of what it had switched."""
        if self.supply.powered() != self._powered:
            share = asyncio.ensure_future(self._share_power())
            self._shares.add(share)
            share.add_done_callback(self._shares.discard)

    def _on_board(self, board: Board, kind: str, pin: int, value: int | Pixel) -> None:
        if kind in ("started", "stopped"):
            self._tell({"change": kind, "board": board.name})
            if kind == "stopped" and board.name == ARC:
                self.reader.reset_pin(0)
                self._follow_supply()
        elif board.name == ARC and kind == "level" and pin in PINS:
            self._follow_supply()
        elif board.name == ARC and kind == "level" and pin == arc.RFID_RST:
            self.reader.reset_pin(int(bool(value)))
        elif board.name == ARC and pin == arc.BUZZER and kind in ("level", "pwm"):
            self._on_buzzer(bool(value))
        elif kind in ("pixel", "pwm"):
            self._tell({"change": "light", "board": board.name, "light": list(colour_of(board))})

    def _on_buzzer(self, sounds: bool) -> None:
        if sounds:
            self.beeps += 1
            hz = self._arc.pins.frequencies.get(arc.BUZZER, 0)
            self._tell({"change": "beep", "count": self.beeps, "hz": hz})

    def _tell(self, change: Change) -> None:
        for listener in list(self._listeners):
            listener(change)


def _now_us() -> int:
    return time.monotonic_ns() // 1000
