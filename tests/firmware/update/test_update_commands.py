"""What a connection may ask of an update: who, when, and with which battery."""

import hashlib
from pathlib import Path

import pytest

from firmware.update.writing import Update
from protocol import events
from protocol.messages import (
    BUSY,
    LOW_BATTERY,
    MALFORMED,
    UNKNOWN_MODULE,
    UNSUPPORTED,
    WRONG_MAC,
    ModuleUpdateBegin,
    UpdateBegin,
    UpdateChunk,
    UpdateCommit,
)
from protocol.update import update_mac
from tests.firmware.arc.bench import INSTANCE, MODULE, Bench
from tests.firmware.update.model import MPY, Disk, boot, fresh, image_of, make_program

OLD, NEW = make_program("0.1.0"), make_program("0.2.0")
IMAGE = image_of(NEW)
TABLET = 7


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.chdir(tmp_path)
    fresh(OLD)
    bench = Bench()
    bench.link.connect(0)
    bench.seat.take(bench.link, TABLET)
    bench.controller.update = Update(
        Disk(), "a", lambda digest, mac: bench.pairing.is_signed(bench.seat.tablet, digest, mac), MPY, 1
    )
    return bench


def paired(bench: Bench) -> bytes:
    bench.pairing.open_window(0)
    token = bench.pairing.pair(TABLET, 1)
    assert isinstance(token, bytes)
    return token


def begin(bench: Bench, token: bytes) -> object:
    digest = hashlib.sha256(IMAGE.manifest).digest()
    return bench.do(UpdateBegin(1, len(IMAGE.manifest), len(IMAGE.data), digest, update_mac(token, digest)))


def test_a_paired_tablet_updates(bench: Bench) -> None:
    assert begin(bench, paired(bench)) == bytes(4)
    assert bench.do(UpdateChunk(1, 0, IMAGE.data)) == b""
    assert bench.do(UpdateCommit(1)) == b"\0\0"
    assert boot() == ("b", NEW.version)


@pytest.mark.parametrize("state", [events.BATTERY_LOW, events.BATTERY_VERY_LOW, events.BATTERY_EMPTY])
def test_a_battery_that_is_not_good_takes_no_update_and_does_not_switch(bench: Bench, state: int) -> None:
    token = paired(bench)
    bench.controller.battery_state = state
    assert begin(bench, token) == LOW_BATTERY
    bench.controller.battery_state = events.BATTERY_USB
    assert begin(bench, token) == bytes(4)
    assert bench.do(UpdateChunk(1, 0, IMAGE.data)) == b""
    bench.controller.battery_state = state
    assert bench.do(UpdateCommit(1)) == LOW_BATTERY
    assert boot() == ("a", OLD.version)
    bench.controller.battery_state = events.BATTERY_GOOD
    assert bench.do(UpdateCommit(1)) == b"\0\0"


def test_only_the_token_of_the_tablet_that_holds_the_session_signs(bench: Bench) -> None:
    assert begin(bench, bytes(16)) == WRONG_MAC, "this tablet is not even paired"
    token = paired(bench)
    bench.seat.tablet = TABLET + 1
    assert begin(bench, token) == WRONG_MAC
    bench.seat.tablet = TABLET
    assert begin(bench, token[:-1] + b"\0") == WRONG_MAC
    assert begin(bench, token) == bytes(4)


def test_what_one_session_began_no_other_goes_on_with(bench: Bench) -> None:
    token = paired(bench)
    assert begin(bench, token) == bytes(4)
    bench.link.resumes += 1
    assert bench.do(UpdateChunk(1, 0, IMAGE.data)) == MALFORMED
    assert bench.do(UpdateCommit(1)) == MALFORMED
    assert begin(bench, token) == bytes(4)


def test_a_board_that_cannot_be_updated_says_so(bench: Bench) -> None:
    bench.controller.update = None
    assert begin(bench, bytes(16)) == UNSUPPORTED
    assert bench.do(UpdateChunk(1, 0, b"x")) == MALFORMED
    assert bench.do(UpdateCommit(1)) == MALFORMED


class ModuleUpdate:
    """A bus on which every module takes everything at once."""

    def __init__(self) -> None:
        self.asked: list[object] = []

    def begin(self, instance: int, manifest: int, size: int, digest: bytes) -> bytes | int:
        self.asked.append((instance, manifest, size, digest))
        return bytes(4)

    def add(self, offset: int, data: bytes) -> int:
        self.asked.append((offset, data))
        return 0

    def commit(self) -> bytes | int:
        self.asked.append("commit")
        return b"\0\0"


@pytest.fixture
def relay(bench: Bench) -> ModuleUpdate:
    relay = ModuleUpdate()
    bench.modules.update = relay  # type: ignore[attr-defined]
    bench.controller.take_modules([MODULE])
    return relay


def begin_module(bench: Bench, token: bytes, instance: int = INSTANCE) -> object:
    digest = hashlib.sha256(IMAGE.manifest).digest()
    lengths = len(IMAGE.manifest), len(IMAGE.data)
    return bench.do(ModuleUpdateBegin(1, instance, *lengths, digest, update_mac(token, digest)))


def test_a_module_s_update_is_passed_on_and_the_arc_keeps_its_own_firmware(bench: Bench, relay: ModuleUpdate) -> None:
    assert begin_module(bench, paired(bench)) == bytes(4)
    assert bench.do(UpdateChunk(1, 0, IMAGE.data)) == b""
    assert bench.do(UpdateCommit(1)) == b"\0\0"
    digest = hashlib.sha256(IMAGE.manifest).digest()
    assert relay.asked == [(INSTANCE, len(IMAGE.manifest), len(IMAGE.data), digest), (0, IMAGE.data), "commit"]
    assert boot() == ("a", OLD.version)


def test_after_the_arc_s_own_begin_nothing_goes_to_the_module(bench: Bench, relay: ModuleUpdate) -> None:
    token = paired(bench)
    begin_module(bench, token)
    begin(bench, token)
    relay.asked.clear()
    assert bench.do(UpdateChunk(1, 0, IMAGE.data)) == b""
    assert bench.do(UpdateCommit(1)) == b"\0\0"
    assert relay.asked == []
    assert boot() == ("b", NEW.version)


def test_a_begin_that_is_refused_ends_nothing_that_was_under_way(bench: Bench, relay: ModuleUpdate) -> None:
    token = paired(bench)
    assert begin(bench, token) == bytes(4)
    assert bench.do(UpdateChunk(1, 0, IMAGE.data[:50])) == b""
    relay.begin = lambda *_: BUSY  # type: ignore[method-assign]
    assert begin(bench, bytes(16)) == WRONG_MAC
    assert begin_module(bench, bytes(16)) == WRONG_MAC
    assert begin_module(bench, token, INSTANCE + 1) == UNKNOWN_MODULE
    assert begin_module(bench, token) == BUSY, "not begun yet"
    assert bench.do(UpdateChunk(1, 50, IMAGE.data[50:])) == b""
    assert bench.do(UpdateCommit(1)) == b"\0\0"
    assert boot() == ("b", NEW.version)


def test_a_begin_that_is_refused_takes_no_chunk_from_a_module(bench: Bench, relay: ModuleUpdate) -> None:
    assert begin_module(bench, paired(bench)) == bytes(4)
    assert begin(bench, bytes(16)) == WRONG_MAC
    assert bench.do(UpdateChunk(1, 0, IMAGE.data)) == b""
    assert bench.do(UpdateCommit(1)) == b"\0\0"
    assert relay.asked[1:] == [(0, IMAGE.data), "commit"]


@pytest.mark.parametrize("state", [events.BATTERY_LOW, events.BATTERY_VERY_LOW, events.BATTERY_EMPTY])
def test_with_a_low_battery_no_module_is_updated_or_switched(bench: Bench, relay: ModuleUpdate, state: int) -> None:
    token = paired(bench)
    bench.controller.battery_state = state
    assert begin_module(bench, token) == LOW_BATTERY
    assert relay.asked == []
    bench.controller.battery_state = events.BATTERY_GOOD
    assert begin_module(bench, token) == bytes(4)
    bench.controller.battery_state = state
    assert bench.do(UpdateCommit(1)) == LOW_BATTERY
    assert "commit" not in relay.asked


def test_a_wrong_signature_or_module_reaches_no_bus(bench: Bench, relay: ModuleUpdate) -> None:
    token = paired(bench)
    assert begin_module(bench, bytes(16)) == WRONG_MAC
    assert begin_module(bench, token, INSTANCE + 1) == UNKNOWN_MODULE
    bench.controller.modules = None
    assert begin_module(bench, token) == UNKNOWN_MODULE
    assert relay.asked == []


def test_a_tablet_forgotten_meanwhile_switches_no_module(bench: Bench, relay: ModuleUpdate) -> None:
    assert begin_module(bench, paired(bench)) == bytes(4)
    bench.pairing.forget(TABLET)
    assert bench.do(UpdateCommit(1)) == WRONG_MAC
    assert "commit" not in relay.asked


def test_what_one_session_began_with_a_module_no_other_goes_on_with(bench: Bench, relay: ModuleUpdate) -> None:
    assert begin_module(bench, paired(bench)) == bytes(4)
    bench.link.resumes += 1
    assert bench.do(UpdateChunk(1, 0, IMAGE.data)) == MALFORMED
    assert bench.do(UpdateCommit(1)) == MALFORMED
