"""The modules on an ARC's bus get a new firmware over its session, one after another: those of a type, or all."""

from collections.abc import Callable, Iterable
from typing import Protocol

from attrs import frozen

from companion.catalog import Catalog
from firmware.flash.errors import FlashError, PortGoneError, RefusedError
from firmware.flash.identity import Identity, label_line
from firmware.flash.row import wanted_modules
from firmware.flash.show import Show
from firmware.flash.updating import ANSWER_S, AwayError, HopelessError, send_update
from protocol.message import Message
from protocol.messages import BUSY, PAGE_MODULES, UNKNOWN_MODULE, ModuleStatus, ReadModule
from protocol.reading import decode_modules
from protocol.update_image import Image

LOOK_S = 0.25
LOOKS = 60
"""A quarter of a minute: a module that restarts into another firmware is back and polled in a few seconds."""
ATTEMPTS = 3
"""A module that restarts on the way goes on where it was, so often."""

Pause = Callable[[float], None]


class Session(Protocol):
    """What of an `ArcSession` is needed."""

    def ask(self, command: Message, within_s: float) -> bytes: ...

    def read_page(self, page: int) -> bytes: ...


@frozen
class OnBus:
    """A module that the ARC has announced; `name` is the line of its label."""

    instance: int
    name: str


def modules_on_bus(session: Session, catalog: Catalog, type_name: str = "") -> list[OnBus]:
    """Those of this type, by its catalog id, or all. `FlashError` when there is no such type."""
    types = {module.type_id for module in wanted_modules(catalog, [type_name])} if type_name else None
    return [
        OnBus(instance, label_line(Identity(type_id, instance), catalog.module_by_type(type_id)))
        for instance, type_id, _ in decode_modules(session.read_page(PAGE_MODULES))
        if types is None or type_id in types
    ]


class ModuleUpdates:
    """Sends one image. What fails with one module is told, and the next has its turn. `anyway`: also to those that run it already."""

    def __init__(self, session: Session, image: Image, token: bytes, show: Show, pause: Pause, *, anyway: bool) -> None:
        self._session, self._image, self._token, self._show, self._pause = session, image, token, show, pause
        self._anyway = anyway
        self._text = version_text(image.head.version)

    def run(self, modules: Iterable[OnBus]) -> bool:
        """Whether all of them run the image's version now. What would fare no better with another module is raised."""
        done, there, failed = 0, 0, []
        for module in modules:
            try:
                has_news = self._update(module)
            except (HopelessError, PortGoneError):
                raise
            except FlashError as error:
                failed.append(module)
                self._show.warn(f"{module.name}: {error}")
            else:
                done += has_news
                there += not has_news
                self._show.say(f"{module.name}: runs {self._text}{'' if has_news else ' already'}")
        self._show.say(f"{done} updated, {there} had it already, {len(failed)} failed")
        for module in failed:
            self._show.warn(f"failed: {module.name}; run this again, it goes on where it was")
        return not failed

    def _update(self, module: OnBus) -> bool:
        """False when it runs this version already."""
        before = self._wait_for(module)
        if not self._anyway and before is not None and _version_of(before) == self._image.head.version:
            return False
        self._send(module)
        self._confirm(module, before)
        return True

    def _send(self, module: OnBus) -> None:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                send_update(self._session, self._image, self._token, self._show, module.instance, self._pause)
            except AwayError:
                if attempt == ATTEMPTS or self._wait_for(module) is None:
                    raise
            else:
                return

    def _confirm(self, module: OnBus, before: ModuleStatus | None) -> None:
        """The module restarts; on trial it either comes back with the new version and stays, or with the old one."""
        has_restarted, now = False, None
        for _ in range(LOOKS):
            now = self._look(module)
            has_restarted = has_restarted or now is None or before is None or now.boots != before.boots
            if has_restarted and now is not None and _version_of(now) == self._image.head.version:
                return
            self._pause(LOOK_S)
        if now is None:
            raise FlashError(
                "it did not come back after its restart", "pull it and plug it again: then its old firmware runs"
            )
        raise FlashError(
            f"it still runs {version_text(_version_of(now))}: the new firmware does not come up in it",
            "over its own cable, `python -m firmware.flash check` shows why",
        )

    def _wait_for(self, module: OnBus) -> ModuleStatus | None:
        """What it says once it is there and has been asked; None when it stays away."""
        for _ in range(LOOKS):
            status = self._look(module)
            if status is not None:
                return status
            self._pause(LOOK_S)
        return None

    def _look(self, module: OnBus) -> ModuleStatus | None:
        try:
            return ModuleStatus.unpack(self._session.ask(ReadModule(0, module.instance), ANSWER_S), 0)
        except RefusedError as error:
            if error.reason not in (BUSY, UNKNOWN_MODULE):
                raise
            return None


def _version_of(status: ModuleStatus) -> tuple[int, int, int]:
    return status.firmware_major, status.firmware_minor, status.firmware_patch


def version_text(version: tuple[int, int, int]) -> str:
    return ".".join(map(str, version))
