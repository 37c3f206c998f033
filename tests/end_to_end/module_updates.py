"""A desk with modules that run from their own files, a tablet on the cable that updates them, and hands that go on playing."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from unittest import mock

from attrs import define, evolve, field

from firmware.bus.words import instance_of
from firmware.desk import desk as desks
from firmware.desk.desk import ARC, Desk
from firmware.desk.kinds import ARC_KIND, MODULE_KIND
from firmware.desk.script import parse, play
from firmware.flash import kinds
from firmware.flash.program import build_program
from firmware.flash.updating import image_of
from firmware.module.settings import read_settings
from protocol import events
from protocol.lights import BLUE, STEADY, light
from protocol.messages import (
    BUSY,
    PAGE_EDGES,
    PAGE_MODULES,
    UNKNOWN_MODULE,
    LightModule,
    Message,
    ModuleStatus,
    ModuleUpdateBegin,
    ReadModule,
    Refused,
    UpdateChunk,
)
from protocol.tag import code_number
from protocol.update_image import Image
from protocol.update_sending import update_steps
from tests.firmware.arc.desk.tablet import Tablet, over_serial
from tests.firmware.arc.desk.test_arc_on_desk import page, paired
from tests.firmware.update.sources import change, of_version

Version = tuple[int, int, int]
BOARDS = Path(__file__).parent / "boards"
NEW: Version = (0, 200, 0)
WITHIN_S = 100.0
CARDS = ("manager:bloch", "manager:carter", "manager:gore", "manager:chen")
GAME_EVENTS = (events.ModuleAttached, events.ModuleDetached, events.ModuleMoved, events.TopologyChanged)


def make_image(folder: Path, version: Version = NEW, main: tuple[str, str] | None = None) -> Image:
    """The module's program with another version, and with `main` something else in the place of a piece of its main file."""
    sources = of_version(version, kinds.MODULE.entry, folder)
    if main:
        change(sources / "firmware/module/main.py", *main)
    return image_of(build_program(kinds.MODULE.entry, sources), kinds.MODULE)


Disturb = Callable[["UpdateDesk"], Awaitable[None]]


class LostError(Exception):
    """The module is not there any more; begun again later, the update goes on."""


@define
class UpdateDesk:
    """`hydro` hangs on `solar`, and `solar` on the ARC."""

    desk: Desk
    tablet: Tablet
    instances: dict[str, int] = field(factory=dict)
    begun: list[int] = field(factory=list)
    """The offset at which each attempt began."""

    async def set_up(self) -> None:
        """Two modules on the table, each with its light."""
        await self.desk.plug("solar", port=1)
        await self.found("solar")
        await self.desk.plug("hydro", "solar", port=2, own_port=3)
        await self.found("hydro")
        for name in ("solar", "hydro"):
            self.instances[name] = instance_of(self.desk.supervisor.boards[name].chip_id, self.identity(name)[1])
            await self.tablet.ok(LightModule, self.instances[name], light(STEADY, BLUE))
        await until(lambda: self.shown("solar") == self.shown("hydro") != (0, 0, 0))

    def shown(self, module: str) -> tuple[int, int, int]:
        return self.desk.lights()[module]

    async def found(self, module: str) -> None:
        await until(lambda: bool(self.desk.state()["boards"][module]["is_found"]))

    def running(self, module: str) -> str:
        """What the starter finds in the module's file system."""
        return (self.desk.supervisor.boards[module].files / "running").read_text()

    async def status(self, module: str) -> ModuleStatus:
        """What the module says of itself, once it is polled and has been asked."""
        async with asyncio.timeout(WITHIN_S):
            while True:
                answer = await self.tablet.ask(ReadModule, self.instances[module])
                if not isinstance(answer, Refused):
                    break
                assert answer.reason in (BUSY, UNKNOWN_MODULE)
                await asyncio.sleep(0.05)
        return ModuleStatus.unpack(answer.data, 0)  # type: ignore[attr-defined]

    async def version(self, module: str) -> Version:
        status = await self.status(module)
        return status.firmware_major, status.firmware_minor, status.firmware_patch

    async def runs(self, module: str, version: Version) -> None:
        """Wait until the module is back on the bus and says that it runs this version."""
        async with asyncio.timeout(WITHIN_S):
            while await self.version(module) != version:
                await asyncio.sleep(0.05)

    async def place(self) -> tuple[bytes, bytes]:
        """Who is on the table, and how they hang together."""
        return await page(self.tablet, PAGE_MODULES), await page(self.tablet, PAGE_EDGES)

    def identity(self, module: str) -> tuple[int, int]:
        settings = read_settings(f"{self.desk.supervisor.boards[module].files}/")
        assert settings is not None
        return settings.type_id, settings.salt

    async def send(self, image: Image, module: str, disturb: Disturb | None = None, at: int | None = None) -> None:
        """The update of one module; `disturb` comes before the first chunk from the offset `at` on, half way through when it is
        not said. `LostError` when the module is gone."""
        steps = update_steps(image, self.tablet.token, self.instances[module])
        command: Message = next(steps)
        due = middle_of(image) if at is None else at
        while True:
            if disturb and isinstance(command, UpdateChunk) and command.offset >= due:
                await disturb(self)
                disturb = None
            answer = await self._ask_until_done(command)
            if isinstance(command, ModuleUpdateBegin):
                self.begun.append(int.from_bytes(answer, "little"))
            try:
                command = steps.send(answer)
            except StopIteration:
                return

    async def resume(self) -> None:
        """A session with an ARC that has booted anew; what it told before and was not acknowledged comes again."""
        await self.tablet.greet()
        await self.tablet.resume()

    async def _ask_until_done(self, command: Message) -> bytes:
        fields = [getattr(command, name) for name, _ in command.LAYOUT[1:]]
        async with asyncio.timeout(WITHIN_S):
            while True:
                await self.tablet.acknowledge()
                answer = await self.tablet.ask(type(command), *fields)
                if not isinstance(answer, Refused):
                    data: bytes = answer.data  # type: ignore[attr-defined]
                    return data
                if answer.reason == UNKNOWN_MODULE:
                    raise LostError
                assert answer.reason == BUSY, answer.reason
                await asyncio.sleep(0.01)

    async def swipe(self, *cards: str) -> None:
        """Lay card after card down, each until its beep, and lift it."""
        await play(self.desk, parse("".join(f"present {card}\nremove\n" for card in cards)))

    async def told(self, *cards: str) -> list[events.Body]:
        """What the ARC told and nobody has taken yet, each event once, up to the last of these cards: all must come, in this order."""
        heard: dict[tuple[int, int], events.Body] = {}
        codes: list[int] = []
        while len(codes) < len(cards):
            event = await self.tablet.event(events.Body)
            # what was not acknowledged in time comes again
            heard[event.epoch, event.sequence] = event.body
            codes = [body.code for body in heard.values() if isinstance(body, events.CardPresented)]
        assert codes == [code_number(self.desk.tray.things[card].code) for card in cards]
        return list(heard.values())


def middle_of(image: Image) -> int:
    """The offset before which half of it was sent."""
    return len(image.data) // 2


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(WITHIN_S):
        while not holds():
            await asyncio.sleep(0.02)


@asynccontextmanager
async def quick_desk(folder: Path) -> AsyncIterator[Desk]:
    """Modules run from their own files, and the bus has no pauses."""
    kind = evolve(ARC_KIND, entry=str(BOARDS / "quick_bus_arc.py"))
    with mock.patch.object(desks, "ARC_KIND", kind):
        async with Desk(state=folder, seed=1, flashed=(MODULE_KIND.name,)) as desk:
            try:
                yield desk
            finally:
                # pytest shows it when the test failed
                print(desk.state()["boards"], *(desk.log(name) for name in desk.supervisor.boards if name != ARC))


@asynccontextmanager
async def update_desk(folder: Path) -> AsyncIterator[UpdateDesk]:
    """Everything on, paired and set up."""
    async with quick_desk(folder) as desk, over_serial(desk.serial) as tablet:
        await paired(desk, tablet)
        await tablet.resume()
        table = UpdateDesk(desk, tablet)
        await table.set_up()
        yield table
