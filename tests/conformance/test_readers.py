"""The exam of readers, sat by the real one over the chip's model and by the scripted one."""

from collections.abc import Callable

import pytest

from firmware.desk.chips.tag_kinds import Classic1K, Ntag213
from firmware.desk.chips.tags import Tag
from protocol.events import Body
from protocol.tag import memory_for
from tests.conformance.readers import EXAM, Roof
from tests.firmware.reader.rig import Rig
from tests.firmware.reader.scripted import ScriptedReader


class ChipRoof(Rig):
    """Driver, chip model and field."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: dict[bytes, Tag] = {}

    def lay_tag(self, uid: bytes, code: int) -> None:
        content = memory_for(code) if code else b""
        self.tags[uid] = Ntag213(uid, content) if len(uid) == 7 else Classic1K(uid, {4: content})
        self.lay(self.tags[uid])

    def take_tag(self, uid: bytes) -> None:
        self.take(self.tags.pop(uid))


class ScriptedRoof:
    """No chip at all."""

    def __init__(self) -> None:
        self.reader = ScriptedReader()
        self.lay_there = self.reader.lay_there

    def lay_tag(self, uid: bytes, code: int) -> None:
        self.reader.lying[uid] = code

    def take_tag(self, uid: bytes) -> None:
        del self.reader.lying[uid]

    def run(self, duration_ms: int) -> list[Body]:
        until_ms = self.reader.now_ms + duration_ms
        bodies: list[Body] = []
        while self.reader.now_ms < until_ms:
            bodies += self.reader.poll()
            self.reader.now_ms += self.reader.period_ms()
        return bodies


@pytest.mark.parametrize("check", EXAM, ids=lambda check: check.__name__.removeprefix("check_"))
@pytest.mark.parametrize("make", [ChipRoof, ScriptedRoof], ids=["chip", "scripted"])
def test_reader(make: Callable[[], Roof], check: Callable[[Roof], None]) -> None:
    check(make())
