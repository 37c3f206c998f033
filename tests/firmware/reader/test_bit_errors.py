"""A noisy field for a long time: no wrong UID, no wrong code, no stuck reader. A sample here, the full count in the soak."""

import random

import pytest

from firmware.desk.chips.air import Noise
from firmware.desk.chips.field import Field
from firmware.desk.chips.tag_kinds import Classic1K, Ntag213, Ultralight
from firmware.desk.chips.tags import Tag
from protocol.events import CardPresented, CardRemoved, CardsTogether, CardUnreadable
from protocol.tag import memory_for
from tests.firmware.reader.rig import Rig

RATE = 1e-4
KNOWN = {
    bytes.fromhex("04A3C6CAE26180"): 1,
    bytes.fromhex("04112233445566"): 2,
    bytes.fromhex("88123456"): 3,
    bytes.fromhex("11223344"): 4,
}


def make(uid: bytes) -> Tag:
    content = memory_for(KNOWN[uid])
    if len(uid) == 4:
        return Classic1K(uid, {4: content})
    return (Ntag213 if KNOWN[uid] == 1 else Ultralight)(uid, content)


def play(polls: int, seed: int, rate: float) -> Rig:
    """Lay and take cards at random for so many polls. Checks every event; gives the rig as it ends, roof empty."""
    chance = random.Random(seed)
    rig = Rig(Field(Noise(rate, seed)))
    rig.settle()
    tags = [make(uid) for uid in KNOWN]
    there: set[bytes] = set()
    shown = 0
    while rig.reader.statistics()["polls"] < polls:
        laid = chance.sample(tags, chance.choice((1, 1, 1, 2, 3)))
        for tag in laid:
            rig.lay(tag)
        bodies = rig.run(chance.randrange(300, 3_000))
        for tag in laid:
            rig.take(tag)
        bodies += rig.run(1_500)
        for body in bodies:
            if isinstance(body, CardPresented):
                assert body.code == KNOWN[body.uid]
                assert body.uid not in there
                there.add(body.uid)
                shown += 1
            elif isinstance(body, CardRemoved):
                there.remove(body.uid)
            else:
                assert isinstance(body, (CardUnreadable, CardsTogether))
        assert not there, "everything has been taken away"
    assert shown > polls / 200
    return rig


def assert_alive(rig: Rig) -> None:
    rig.field.noise = None
    tag = make(bytes.fromhex("04A3C6CAE26180"))
    rig.lay(tag)
    (body,) = rig.run(600)
    assert isinstance(body, CardPresented)
    assert rig.reader.statistics()["resets"] == 0


@pytest.mark.parametrize("rate", [RATE, 1e-3])
def test_a_noisy_field_makes_no_wrong_card(rate: float) -> None:
    assert_alive(play(5_000, seed=2024, rate=rate))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(8))
def test_a_million_polls_with_bit_errors_make_no_wrong_card(seed: int) -> None:
    assert_alive(play(125_000, seed, RATE))
