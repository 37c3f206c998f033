"""One update under way: which bytes are where, which module has its turn, how long it still takes. Plain values."""

from typing import Any

from attrs import define, field, frozen

from companion.link.conversations import Talk
from companion.link.updating import Outcome, Progress, Version
from companion.screens.controller import UpdateStage
from protocol.messages import Info
from protocol.update_image import Image

RATE_AFTER_MS = 2_000
"""Before that nobody can tell how long it takes."""
RUNNING = (UpdateStage.SENDING, UpdateStage.CHECKING, UpdateStage.WAITING, UpdateStage.RESTARTING)


@frozen
class Status:
    """How far an update is, or how the last one ended."""

    stage: UpdateStage
    instances: tuple[int, ...] = ()
    """The modules that it is for; empty: the ARC."""
    instance: int | None = None
    """The one that has its turn."""
    sent: int = 0
    size: int = 0
    seconds_left: int | None = None
    outcomes: tuple[Outcome, ...] = ()
    restarting: tuple[int, ...] = ()
    """Modules that have everything, and have not been heard of since."""
    text: str = ""

    @property
    def is_running(self) -> bool:
        return self.stage in RUNNING


@define
class Run:
    image: Image
    instances: tuple[int, ...]
    before: Version | None
    """What the ARC ran when it began."""
    progress: Progress
    device: bytes | None = None
    """The ARC that it began with: no other goes on with it."""
    had: dict[int, Version] = field(factory=dict)
    """What modules ran when it began, as far as they were asked."""
    outcomes: list[Outcome] = field(factory=list)
    restarting: list[int] = field(factory=list)
    boots: dict[int, int] = field(factory=dict)
    """Of each module as it was sent the last byte."""
    talk: Talk[Any] | None = None
    measured_from: tuple[int, int] | None = None
    """(ms, bytes) of the first progress since the talk began."""
    furthest: int = 0
    has_moved: bool = False
    """Further than ever before, since the talk began."""
    breaks: int = 0
    restarts_since_ms: int | None = None
    """Of the ARC: when it had everything."""
    due_ms: int | None = None
    """When it is begun again, in a session in which an ARC that has switched may be about to restart."""

    @property
    def left(self) -> tuple[int, ...]:
        through = {*self.restarting, *(outcome.instance for outcome in self.outcomes)}
        return tuple(instance for instance in self.instances if instance not in through)

    @property
    def bytes_done(self) -> int:
        through = len(self.instances) - len(self.left)
        return min(self.bytes_all, through * len(self.image.data) + self.progress.sent)

    @property
    def bytes_all(self) -> int:
        return max(1, len(self.instances)) * len(self.image.data)

    def has_come(self, runs: Version | None) -> bool:
        """The ARC runs what it did not run when this began."""
        return runs == self.image.head.version != self.before

    def moved_to(self, progress: Progress, now_ms: int) -> None:
        self.progress = progress
        if self.bytes_done > self.furthest:
            self.furthest, self.has_moved = self.bytes_done, True
        if self.measured_from is None:
            self.measured_from = (now_ms, self.bytes_done)

    def sent(self, outcome: Outcome, boots: int | None) -> None:
        """A module has everything, or there is a reason why not; the next has its turn."""
        if outcome.why:
            self.outcomes.append(outcome)
        else:
            self.restarting.append(outcome.instance)
            if boots is not None:
                self.boots[outcome.instance] = boots
        self.has_moved = True
        size = len(self.image.data)
        self.progress = Progress(0, size, instance=self.left[0]) if self.left else Progress(size, size)

    def status(self, stage: UpdateStage, text: str, now_ms: int) -> Status:
        at = self.progress
        return Status(
            stage,
            self.instances,
            at.instance,
            at.sent,
            at.size,
            self.seconds_left(now_ms),
            tuple(self.outcomes),
            tuple(self.restarting),
            text,
        )

    def seconds_left(self, now_ms: int) -> int | None:
        """At the speed since the talk began."""
        if self.measured_from is None:
            return None
        since_ms, since_bytes = self.measured_from
        passed_ms, moved = now_ms - since_ms, self.bytes_done - since_bytes
        if passed_ms < RATE_AFTER_MS or moved <= 0:
            return None
        return max(1, (self.bytes_all - self.bytes_done) * passed_ms // moved // 1000)


def version_of(info: Info | None) -> Version | None:
    return (info.firmware_major, info.firmware_minor, info.firmware_patch) if info else None


def text_of(version: Version | None) -> str:
    """As people read it; empty when it is not known."""
    return ".".join(map(str, version)) if version else ""
