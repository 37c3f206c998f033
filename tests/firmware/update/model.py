"""A board's disk as a folder whose power can be cut at any operation, its real starter, and two programs to change between."""

import hashlib
import io
import json
import os
import shutil
import weakref
from pathlib import Path
from typing import Any

from attrs import define, field

from firmware.drivers.board_files import BoardFiles
from firmware.flash.program import MANIFEST, Program, pack_program
from firmware.flash.slots import STARTER
from firmware.update.trial import FOLDERS, RUNNING, Trial
from firmware.update.writing import Update
from protocol.messages import Message, UpdateBegin, UpdateChunk, UpdateCommit
from protocol.update import BOARD_ARC, update_mac
from protocol.update_image import Image, pack_image

MPY = 6
TOKEN = bytes(range(16))


class PowerCut(BaseException):
    """The board is without power; nothing of its program goes on."""


class _File:
    """Written at once and without a net: less kind than littlefs, which shows nothing before the file is closed."""

    def __init__(self, disk: "Disk", name: str, mode: str) -> None:
        self._disk = disk
        self._file = io.FileIO(os.devnull)
        if mode == "wb":
            disk.operate()
        self._file.close()
        self._file = io.FileIO(name, mode)
        disk.opened.add(self)

    def __enter__(self) -> "_File":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def read(self, count: int = -1) -> bytes:
        return self._file.read(count) or b""

    def readinto(self, buffer: bytearray) -> int:
        return self._file.readinto(buffer) or 0

    def write(self, data: bytes) -> int:
        if self._disk.full:
            raise OSError(28, "no space left")
        if self._disk.is_cut_now():
            self._file.write(data[: len(data) // 2])
        self._disk.operate()
        return self._file.write(data) or 0

    def close(self) -> None:
        self._file.close()

    def __del__(self) -> None:
        self._file.close()  # of a program that ended


class Disk(BoardFiles):
    """Works in the current folder. `cut_at`: the power goes in the middle of that operation, counted from 1."""

    def __init__(self, cut_at: int = 0) -> None:
        self.cut_at = cut_at
        self.operations = 0
        self.count = 400
        self.full = False
        self.opened: weakref.WeakSet[_File] = weakref.WeakSet()

    def is_cut_now(self) -> bool:
        """The next operation is the one that the power cuts off."""
        return 0 < self.cut_at <= self.operations + 1

    def operate(self) -> None:
        is_cut = self.is_cut_now()
        self.operations += 1
        if is_cut:
            self.lose_power()
            raise PowerCut

    def lose_power(self) -> None:
        """Whatever was open is not."""
        for file in tuple(self.opened):
            file.close()

    def open(self, name: str, mode: str) -> Any:
        return _File(self, name, mode)

    def rename(self, old: str, new: str) -> None:
        self.operate()
        os.replace(old, new)

    def remove(self, name: str) -> None:
        self.operate()
        super().remove(name)

    def remove_folder(self, name: str) -> None:
        self.operate()
        super().remove_folder(name)

    def blocks(self) -> tuple[int, int]:
        return 4096, self.count


def make_program(version: str, sizes: tuple[int, ...] = (300, 26, 700)) -> Program:
    """Files that are no code, all different from those of other versions."""
    files = {
        f"firmware/part{number}/file.mpy": b"M" + bytes((MPY,)) + f"{version} {number} ".encode().ljust(size, b".")
        for number, size in enumerate(sizes)
    }
    return pack_program("firmware.arc.main", files, version)


def image_of(program: Program, board: int = BOARD_ARC, mpy: int = MPY) -> Image:
    major, minor, patch = (int(part) for part in program.version.split("+")[0].split("."))
    return pack_image(board, (major, minor, patch), mpy, program.files, program.manifest())


def install(program: Program, folder: str) -> None:
    """As the flash tool leaves it."""
    for name, data in {**program.files, MANIFEST: program.manifest()}.items():
        place = Path(folder, name)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    Path(RUNNING).write_text(folder)


class _Machine:
    PWRON_RESET = 1

    class WDT:
        def __init__(self, timeout: int) -> None:
            """Nothing hangs here."""


def boot() -> tuple[str, str]:
    """The folder that the board's starter takes now, and the version in it; asserts that all of it is whole."""
    source = STARTER.read_text().replace("import machine\n", "").removesuffix("start()\n")
    starter: dict[str, Any] = {"machine": _Machine}
    exec(source, starter)
    for folder in starter["order"]():
        try:
            manifest = json.loads(Path(folder, MANIFEST).read_bytes())
        except (OSError, ValueError):
            continue
        for name, digest in manifest["files"].items():
            assert hashlib.sha256(Path(folder, name).read_bytes()).hexdigest() == digest, (folder, name)
        return folder, manifest["version"]
    raise AssertionError("no firmware runs")


@define
class World:
    """One board and the tablet that updates it. `boots` outlives cuts, as `Life` does."""

    image: Image
    chunk: int = 100
    boots: int = 7
    token: bytes = TOKEN
    disk: Disk = field(factory=Disk)
    trial: Trial = field(init=False)
    update: Update = field(init=False)

    def power_on(self, cut_at: int = 0) -> tuple[str, str]:
        """What runs now; its program has come as far as advertising."""
        self.boots += 1
        self.disk.lose_power()
        self.disk = Disk(cut_at)
        folder, version = boot()
        self.trial = Trial(self.disk, folder, self.boots)
        self.trial.started()
        self.update = Update(self.disk, folder, self.is_signed, MPY, self.boots)
        return folder, version

    def is_signed(self, digest: bytes, mac: bytes) -> bool:
        return mac == update_mac(self.token, digest)

    def begin(self) -> int:
        """The offset, or minus the reason to refuse."""
        digest = hashlib.sha256(self.image.manifest).digest()
        mac = update_mac(TOKEN, digest)
        answer = self.update.begin(len(self.image.manifest), len(self.image.data), digest, mac)
        return -answer if isinstance(answer, int) else int.from_bytes(answer, "little")

    def send(self, until: int | None = None) -> int:
        """Begin or go on; 0 or the reason to refuse."""
        at = self.begin()
        if at < 0:
            return -at
        while at < len(self.image.data if until is None else self.image.data[:until]):
            part = self.image.data[at : at + self.chunk]
            if reason := self.update.add(at, part):
                return reason
            at += len(part)
        return 0

    def commit(self) -> int:
        """0 once it has switched, or the reason to refuse."""
        while isinstance(left := self.update.commit(), bytes):
            if left == b"\0\0":
                return 0
        return left

    def update_all(self) -> int:
        return self.send() or self.commit()

    def carry_out(self, command: Message) -> bytes:
        """As `firmware.arc.commands` does, the bytes of its OK; every command here is one that is taken."""
        command = type(command).decode(command.encode())
        if isinstance(command, UpdateBegin):
            answer = self.update.begin(command.manifest, command.size, command.digest, command.mac)
        elif isinstance(command, UpdateChunk):
            answer = self.update.add(command.offset, command.data) or b""
        else:
            assert isinstance(command, UpdateCommit)
            answer = self.update.commit()
        assert isinstance(answer, bytes), answer
        return answer


def powered(program: Program, image: Image) -> World:
    """An ARC in the current folder that runs this program, and is to be sent that image."""
    fresh(program)
    world = World(image)
    assert world.power_on() == (FOLDERS[0], program.version)
    return world


def fresh(program: Program) -> None:
    """An ARC as flashed over the cable, this program in `a`, in the current, emptied folder."""
    for entry in Path().iterdir():
        if entry.is_dir():
            shutil.rmtree(entry)
        else:
            entry.unlink()
    install(program, FOLDERS[0])
