"""Hot-plug storms, brown-outs and noise in any order; the long runs of the soak.

The long runs deliver frames whole; that this tells the same, noise and slow boards included, is shown by
`test_storms_whole_frames.py`, and by `test_discovery.py` to the byte where there is no noise.
"""

import pytest
from hypothesis import given, settings, strategies as st

from firmware.bus.frame import FrameReader, encode
from protocol import events
from protocol.lights import FLASH, GREEN, light
from tests.firmware.bus.play import of_kind
from tests.firmware.bus.storm import Storm


@given(st.integers(0, 10_000), st.integers(1, 12), st.booleans())
@settings(max_examples=30, deadline=None)
def test_after_any_storm_what_was_told_is_what_is_plugged(seed: int, modules: int, slow: bool) -> None:
    storm = Storm(seed, modules, slow=slow)
    for _ in range(25):
        storm.act()
        storm.run_ms(storm.random.choice([0, 0, 250, 500, 2500]))
    storm.settle()


@given(st.integers(0, 10_000))
@settings(max_examples=6, deadline=None)
def test_a_storm_over_single_bytes(seed: int) -> None:
    storm = Storm(seed, 5, slow=True, every_byte=True)
    for _ in range(12):
        storm.act()
        storm.run_ms(storm.random.choice([0, 250, 1000]))
    storm.settle()


def test_thirty_one_modules_plugged_and_pulled_at_once() -> None:
    storm = Storm(1, 31, slow=True)
    storm.play.plug_tree(31)
    storm.run_ms(750)
    assert len(storm.attached) == 31
    storm.play.table.unplug("m0")
    storm.play.table.unplug("m1")
    storm.run_ms(5000)
    assert storm.attached == set()
    assert len(of_kind(storm.play.events, events.ModuleDetached)) == 31


def test_a_contact_that_bounces_a_hundred_times_is_no_game_event() -> None:
    storm = Storm(3, 3)
    storm.play.plug_tree(3)
    storm.run_ms(1000)
    before = len(storm.play.events)
    for _ in range(100):
        storm.play.table.unplug("m1")
        storm.play.table.wait_ms(storm.random.randrange(1, 40))
        storm.play.table.plug("arc", 1, "m1", 0, boot_ms=storm.random.randrange(0, 60))
        storm.run_ms(storm.random.choice([0, 250]))
    storm.settle()
    told = storm.play.events[before:]
    assert all(isinstance(body, events.ModuleNoticed) and body.code == events.MODULE_REBOOTED for body in told)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20))
def test_soak_storms(seed: int) -> None:
    storm = Storm(seed, 31, slow=True)
    for _ in range(400):
        storm.act()
        storm.run_ms(storm.random.choice([0, 0, 250, 500, 2500]))
    storm.settle()


def _long_run(storm: Storm, hours: float, every_s: int) -> dict[str, int]:
    """Play for that long, with all modules. Now and then something happens and is told; then, in spite of noise, nothing more is."""
    storm.play.plug_tree(len(storm.names))
    storm.set_all(light(FLASH, GREEN))
    storm.run_ms(2000)
    ends_ms = int(hours * 3_600_000)
    while storm.play.table.now_ms() < ends_ms:
        for _ in range(storm.random.randrange(4)):
            storm.act()
        storm.plug_all()
        storm.settle()
        assert len(storm.attached) == len(storm.names)
        storm.play.events.clear()
        storm.play.table.wire.medium.byte_error_rate = storm.random.choice([0.0, 1e-4, 1e-3])
        storm.run_ms(every_s * 1000)
        # at 1e-3 a window of ten seconds may by chance hold more than 5 % bad tries, a few times a day
        assert [body for body in storm.play.events if not _is_noise(body)] == []
    storm.settle()
    return storm.play.bus.statistics()


def _is_noise(body: events.Body) -> bool:
    return isinstance(body, events.FaultFound) and body.code == events.FAULT_BUS_NOISY


def test_two_minutes_of_play_at_four_modules() -> None:
    assert _long_run(Storm(5, 4, slow=True), 2 / 60, 10)["frames"] > 2_000


@pytest.mark.soak
def test_soak_twenty_four_hours_at_four_modules() -> None:
    counts = _long_run(Storm(1, 4, slow=True), 24, 60)
    print(counts)
    assert counts["frames"] > 24 * 3600 * 4 * 4, "four polls in each cycle"


@pytest.mark.soak
def test_soak_thirty_minutes_at_thirty_one_modules() -> None:
    counts = _long_run(Storm(2, 31, slow=True), 0.5, 30)
    print(counts)
    assert counts["frames"] > 1800 * 4 * 31, "thirty-one polls in each cycle"


def _mutated(storm: Storm, frame: bytes) -> bytes:
    data, random = bytearray(frame), storm.random
    for _ in range(random.randrange(1, 4)):
        how, at = random.randrange(4), random.randrange(len(data)) if data else 0
        if how == 0 and data:
            data[at] ^= 1 << random.randrange(8)
        elif how == 1:
            data.insert(at, random.randrange(256))
        elif how == 2 and data:
            del data[at]
        else:
            data += random.randbytes(random.randrange(8))
    return bytes(data)


def _fuzz(count: int, seed: int) -> None:
    """Mutated frames into a module's reader and node: no exception, nothing done on a bad CRC."""
    storm = Storm(seed, 1)
    storm.play.plug_tree(1)
    storm.run_ms(1000)
    node = storm.play.table.modules["m0"].node
    reader, now_us = FrameReader(node.accepts), 0
    seeds = [
        encode(a, o, bytes((node.epoch,)) + bytes(n)) for a in (1, 2, 0x3E, 0x3F) for o in range(16) for n in (0, 2, 9)
    ]
    for index in range(count):
        data = _mutated(storm, seeds[index % len(seeds)])
        now_us = (now_us + 10_000) & 0x3FFFFFFF
        before = node.state, node.address, reader.crc_errors
        frames = reader.feed(data, now_us)
        if not frames:
            assert (node.state, node.address) == before[:2]
        for frame in frames:
            node.hear(2000 + index, frame, 0)


def test_mutated_frames_do_no_harm() -> None:
    _fuzz(20_000, 1)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
def test_soak_a_million_mutated_frames_do_no_harm(seed: int) -> None:
    _fuzz(1_000_000, seed)
