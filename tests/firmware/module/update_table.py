"""Modules on a bus in virtual time, one of them with a disk, its real starter and programs to change between; and a tablet."""

from collections.abc import Generator
from typing import Any

from attrs import define, field

from firmware.module.handover import Handover
from firmware.module.receiver import Receiver
from firmware.update.trial import Trial
from firmware.update.writing import Update
from protocol.message import Message
from protocol.messages import BUSY, ModuleUpdateBegin, UpdateChunk
from protocol.update import BOARD_MODULE
from protocol.update_image import Image
from protocol.update_sending import update_steps
from tests.firmware.bus.play import Play, tree
from tests.firmware.update.model import MPY, TOKEN, Disk, PowerCut, boot, image_of, make_program

NAME = "m1"
AT_ONCE = 3
"""Commands of a tablet in one cycle of the bus."""
OLD, NEW = make_program("0.1.0"), make_program("0.2.0", sizes=(300, 26))
IMAGE = image_of(NEW, board=BOARD_MODULE)


class _Receiver(Receiver):
    """One whose flash takes time, and whose power can be cut."""

    def __init__(self, table: "UpdateTable", update: Update) -> None:
        super().__init__(lambda: update)
        self._table = table

    def work(self) -> None:
        before = self._table.disk.operations
        try:
            super().work()
        except PowerCut:
            self._table.is_cut = True
            self._table.cuts += 1
        if self._table.disk.operations > before:
            self._table.module.deaf_until_us = self._table.play.table.wire.now_us + 1000 * self._table.flash_ms


@define
class UpdateTable:
    """`count` modules as a tree, all polled; `m1` is the one with the disk. `ran`: the versions it ran, in order."""

    count: int = 3
    flash_ms: int = 0
    cut_at: int = 0
    is_cut: bool = False
    is_off: bool = False
    cuts: int = 0
    ran: list[str] = field(factory=list)
    play: Play = field(init=False)
    disk: Disk = field(init=False)
    handover: Handover = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.play = tree(self.count)
        self.module = self.play.table.modules[NAME]
        self.module.make_receiver = self._start
        self.restart()
        self.play.run_ms(1_000)

    module: Any = field(init=False)

    @property
    def instance(self) -> int:
        return self.play.instance(NAME)

    def restart(self) -> None:
        """The module goes and comes, as after a cut or `machine.reset`."""
        self.is_cut, self.is_off = False, True
        self.module.deaf_until_us = 0
        self.module.stays_silent = False
        self.play.table.reset(NAME)

    def _start(self) -> Receiver:
        self.disk = Disk(self.cut_at)
        self.cut_at, self.is_off = 0, False
        folder, version = boot()
        self.ran.append(version)
        self.module.firmware = tuple(int(part) for part in version.partition("+")[0].split("."))
        self.handover = Handover(Trial(self.disk, folder, 0), self.play.table.now_ms())
        return _Receiver(self, Update(self.disk, folder, lambda digest, mac: True, MPY, 0, BOARD_MODULE))

    def cycle(self) -> None:
        """One cycle of the bus, and what `module.main` does between two frames."""
        self.play.cycle()
        receiver, now_ms = self.module.receiver, self.play.table.now_ms()
        if self.is_off:
            return
        if self.is_cut:
            self.restart()
            return
        try:
            if self.handover.is_due(now_ms, self.module.node.is_polled, receiver.is_switched):
                self.restart()
        except PowerCut:
            self.cuts += 1
            self.restart()

    def do(self, command: Message) -> "bytes | int":
        """As `firmware.arc.commands` does for a tablet whose signature is right."""
        update = self.play.bus.update
        command = type(command).decode(command.encode())
        if isinstance(command, ModuleUpdateBegin):
            return update.begin(command.instance, command.manifest, command.size, command.digest)
        if isinstance(command, UpdateChunk):
            return update.add(command.offset, command.data) or b""
        return update.commit()

    def send(self, image: Image = IMAGE, cycles: int = 400, until: int | None = None) -> "int | None":
        """A tablet sends the image, with the bus going on: 0 when the module has switched, the reason when it is refused, None
        when the cycles are over or the chunk at `until` is due."""
        steps = update_steps(image, TOKEN, self.instance)
        command: Message = next(steps)
        for _ in range(cycles):
            for _ in range(AT_ONCE):
                if until is not None and isinstance(command, UpdateChunk) and command.offset >= until:
                    return None
                answer = self.do(command)
                if answer == BUSY:
                    break
                if isinstance(answer, int):
                    return answer
                following = _next(steps, answer)
                if following is None:
                    return 0
                command = following
            self.cycle()
        return None

    def settle(self, cycles: int = 40) -> None:
        """Time for a restart, for being found again, for being polled."""
        for _ in range(cycles):
            self.cycle()


def _next(steps: "Generator[Message, bytes, int]", answer: bytes) -> Message | None:
    try:
        return steps.send(answer)
    except StopIteration:
        return None
