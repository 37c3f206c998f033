"""The ARC in memory with two folders for its firmware and modules that can be updated: the firmware's own update on a disk in the
current folder, restarts by hand."""

from typing import Any

from firmware.update.writing import Update
from protocol import messages as m
from protocol.events import ModuleAttached
from protocol.update_image import Image
from tests.companion.link.board import Board
from tests.firmware.update.model import MPY, Disk, World, fresh, image_of, make_program

OLD, NEW = make_program("0.1.0"), make_program("0.2.0", sizes=(300, 26, 3_000))
IMAGE = image_of(NEW)
BUSY_TIMES = 2
"""So often a module says not yet before it does a thing."""


class Module:
    """Takes an image after it has said BUSY twice; `fails` says what it does with a new firmware."""

    def __init__(self, type_id: int, version: tuple[int, int, int] = (0, 1, 0)) -> None:
        self.type_id, self.version = type_id, version
        self.boots = 7
        self.received = b""
        self.refuses = 0
        self.goes_back = False

    def status(self) -> bytes:
        return m.ModuleStatus(*self.version, 1, 0x10, 1, self.boots, 3300, 0, 1, 0, 0x11, 1).pack()

    def restart(self, version: tuple[int, int, int]) -> None:
        self.boots += 1
        self.version = self.version if self.goes_back else version


class UpdatableBoard(Board):
    """`modules` by instance. `is_switched`: the ARC restarts as soon as the test lets it, by `restart`."""

    def __init__(self, module_image: Image | None = None) -> None:
        fresh(OLD)
        self.world = World(IMAGE)
        self.modules: dict[int, Module] = {}
        self.knows_read_module = True
        self.is_switched = False
        self.seen: list[bytes] = []
        """All commands that came."""
        self._module_image = module_image
        self._under_update = 0
        self._left = 0
        self._said_busy = 0
        super().__init__()
        self._power_on()

    @property
    def version(self) -> tuple[int, ...]:
        return tuple(int(part) for part in self._running.partition("+")[0].split("."))

    def _power_on(self) -> None:
        folder, self._running = self.world.power_on()
        self.update = Update(Disk(), folder, self._is_signed, MPY, self.world.boots)

    def _is_signed(self, digest: bytes, mac: bytes) -> bool:
        return self.pairing.is_signed(self.seat.tablet, digest, mac)

    def restart(self) -> None:
        """As after a switch, or a loss of power. The link must have been cut."""
        self.is_switched = False
        self._power_on()
        self.boot()
        for instance in self.modules:
            self.plug(instance)

    def plug(self, instance: int, module: Module | None = None) -> None:
        if module:
            self.modules[instance] = module
        known = [(one, self.modules[one].type_id, 0) for one in sorted(self.modules)]
        self.table.set_modules(known, [(0, one % 6, one, 0) for one in sorted(self.modules)])
        self.happen(ModuleAttached(self.modules[instance].type_id, instance, bytes(3), instance % 6 << 4))

    def sent(self, *kinds: type[m.Message]) -> list[bytes]:
        """The commands of these kinds that came, in order."""
        return [data for data in self.seen if any(data[0] == kind.KIND for kind in kinds)]

    def receive(self, data: bytes) -> None:
        self.seen.append(bytes(data))
        super().receive(data)
        if self.seat.holder is not None:
            self.world.trial.passed()

    def info(self, nonce: bytes, now_ms: int) -> m.Info:
        made = super().info(nonce, now_ms)
        made.firmware_major, made.firmware_minor, made.firmware_patch = self.version
        self.shown = made.encode()
        return made

    def _aside(self, command: Any, max_size: int) -> bytes | int | None:
        match command:
            case m.UpdateBegin():
                self._under_update = 0
                return self.update.begin(command.manifest, command.size, command.digest, command.mac)
            case m.ModuleUpdateBegin():
                self._under_update, self._left = command.instance, 3
            case m.ReadModule():
                return self._read(command.instance)
        if isinstance(command, m.ModuleUpdateBegin | m.UpdateChunk | m.UpdateCommit):
            return self._of_module(command) if self._under_update else self._of_arc(command)
        return super()._aside(command, max_size)

    def _read(self, instance: int) -> bytes | int:
        if not self.knows_read_module:
            return m.UNSUPPORTED
        return self.modules[instance].status() if instance in self.modules else m.UNKNOWN_MODULE

    def _of_arc(self, command: Any) -> bytes | int:
        if isinstance(command, m.UpdateChunk):
            return self.update.add(command.offset, command.data) or b""
        answer = self.update.commit()
        self.is_switched = answer == b"\0\0"
        return answer

    def _of_module(self, command: Any) -> bytes | int:
        module = self.modules.get(self._under_update)
        if module is None:
            return m.UNKNOWN_MODULE
        if module.refuses:
            return module.refuses
        self._said_busy += 1
        if self._said_busy % (BUSY_TIMES + 1):
            return m.BUSY
        if isinstance(command, m.ModuleUpdateBegin):
            return len(module.received).to_bytes(4, "little")
        if isinstance(command, m.UpdateChunk):
            assert command.offset == len(module.received)
            module.received += command.data
            return b""
        self._left -= 1
        if not self._left:
            assert self._module_image is not None
            assert module.received == self._module_image.data
            module.received = b""
            module.restart(self._module_image.head.version)
        return self._left.to_bytes(2, "little")
