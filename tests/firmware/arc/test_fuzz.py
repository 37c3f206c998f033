"""Mutated commands against a board with everything behind it, from the tablet in session and from strangers: nothing escapes,
what is kept stays as it was, and afterwards everything works. The heap over the same is in `tests/on_micropython`."""

import pytest

from protocol import messages as m
from protocol.messages import COMMANDS
from tests.firmware.arc.fuzzing import SAMPLES, fuzz_session, fuzz_stranger

STRANGERS = [(False, True), (True, True), (True, False)]
"""Whether it greets, and whether somebody else holds the session."""


def look(number: int) -> None:
    """Nothing to look at on the way."""


@pytest.mark.parametrize("seed", range(1, 5))
def test_no_bytes_of_a_tablet_in_session_do_harm(seed: int) -> None:
    seen = fuzz_session(seed, 4_000, look)
    assert sorted(seen) == sorted(COMMANDS)


def test_every_command_is_carried_out_and_both_updates_are_entered() -> None:
    """Else the fuzz would bounce off a board that can do little."""
    seen = fuzz_session(7, 12_000, look)
    carried_out = {COMMANDS[kind].__name__ for kind, reasons in seen.items() if 0 in reasons}
    never = {"Ack", "Pair", "Resume", "ForgetTablet", "LightModule", "ReadModule", "ResaltModule", "GameCommit"}
    assert carried_out >= {cls.__name__ for cls in COMMANDS.values()} - never - {"UpdateCommit", "ReadPage"}
    assert {0, m.MALFORMED, m.WRONG_MAC} <= seen[m.UpdateBegin.KIND]
    assert {0, m.BUSY, m.MALFORMED, m.WRONG_MAC} <= seen[m.ModuleUpdateBegin.KIND]
    assert {0, m.MALFORMED} <= seen[m.UpdateChunk.KIND]
    assert {m.BUSY, m.MALFORMED, m.WRITE_FAILED} <= seen[m.UpdateCommit.KIND]


@pytest.mark.parametrize(("greets", "seat_is_taken"), STRANGERS)
@pytest.mark.parametrize("seed", range(1, 3))
def test_no_bytes_of_a_stranger_do_anything(seed: int, greets: bool, seat_is_taken: bool) -> None:
    seen = fuzz_stranger(seed, 3_000, look, greets, seat_is_taken)
    assert sorted(seen) == sorted(COMMANDS)
    done = {kind for kind, reasons in seen.items() if 0 in reasons}
    assert done == {m.Hello.KIND}


def test_a_stranger_s_wrong_answers_are_counted() -> None:
    seen = fuzz_stranger(1, 3_000, look, greets=True, seat_is_taken=False)
    assert m.WRONG_MAC in seen[m.Resume.KIND]


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10, 20))
def test_no_bytes_of_a_tablet_in_session_do_harm_soak(seed: int) -> None:
    fuzz_session(seed, 100_000, look)


@pytest.mark.soak
@pytest.mark.parametrize(("greets", "seat_is_taken"), STRANGERS)
@pytest.mark.parametrize("seed", range(10, 14))
def test_no_bytes_of_a_stranger_do_anything_soak(seed: int, greets: bool, seat_is_taken: bool) -> None:
    fuzz_stranger(seed, 100_000, look, greets, seat_is_taken)


def test_there_is_a_sample_of_every_command() -> None:
    assert len(SAMPLES) == len(COMMANDS)
