"""What a connection may ask of an update: who, when, and with which battery."""

import hashlib
from pathlib import Path

import pytest

from firmware.arc.update import Update
from protocol import events
from protocol.messages import LOW_BATTERY, MALFORMED, UNSUPPORTED, WRONG_MAC, UpdateBegin, UpdateChunk, UpdateCommit
from protocol.update import update_mac
from tests.firmware.arc.test_controller import Bench
from tests.firmware.arc.update.model import MPY, Disk, boot, fresh, image_of, make_program

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
