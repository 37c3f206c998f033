"""Tokens survive power cuts, and nobody guesses his way in."""

import random

import pytest

from firmware.arc.pairing import MAX_TABLETS, PAIRING_TOKEN_CODE, Pairing
from firmware.desk.chips.flash import Flash, PowerCut
from firmware.drivers.settings_store import SettingsStore
from protocol.messages import LOCKED, TOO_MANY_TABLETS, WRONG_MAC, Resume, session_mac
from protocol.tag import code_text

NONCE = bytes(8)


def make(flash: Flash, seed: int = 0) -> Pairing:
    return Pairing(SettingsStore(flash, 0), random.Random(seed).randbytes)


def resume(token: bytes, tablet: int = 1) -> Resume:
    return Resume(1, tablet, 5, 6, session_mac(token, NONCE, tablet, 5, 6))


def paired(pairing: Pairing, tablet: int = 1) -> bytes:
    pairing.open_window(0)
    token = pairing.pair(tablet, 0)
    assert isinstance(token, bytes)
    return token


def test_a_token_is_known_after_a_restart() -> None:
    flash = Flash(512, 256)
    token = paired(make(flash))
    assert make(flash).check(resume(token), NONCE, 0) == 0


def test_asking_again_in_the_same_window_replaces_the_token() -> None:
    pairing = make(Flash(512, 256))
    first, second = paired(pairing), paired(pairing)
    assert first != second
    assert pairing.check(resume(first), NONCE, 0) == WRONG_MAC
    assert pairing.check(resume(second), NONCE, 0) == 0
    assert pairing.tablets() == [1]


def test_a_token_serves_its_own_tablet_only() -> None:
    pairing = make(Flash(512, 256))
    token, _ = paired(pairing, 1), paired(pairing, 2)
    assert pairing.check(resume(token, 2), NONCE, 0) == WRONG_MAC


def test_an_unknown_tablet_cannot_use_the_empty_token() -> None:
    assert make(Flash(512, 256)).check(resume(bytes(16), 9), NONCE, 0) == WRONG_MAC


def test_forget_all_makes_room_for_as_many_again() -> None:
    pairing = make(Flash(512, 256))
    for tablet in range(MAX_TABLETS):
        paired(pairing, tablet)
    assert pairing.pair(99, 0) == TOO_MANY_TABLETS
    pairing.forget_all()
    for tablet in range(100, 100 + MAX_TABLETS):
        paired(pairing, tablet)


def test_a_known_tablet_may_pair_again_when_there_is_no_room_for_another() -> None:
    pairing = make(Flash(512, 256))
    for tablet in range(MAX_TABLETS):
        paired(pairing, tablet)
    token = paired(pairing, 2)
    assert pairing.check(resume(token, 2), NONCE, 0) == 0
    assert pairing.pair(MAX_TABLETS, 0) == TOO_MANY_TABLETS
    assert pairing.tablets() == list(range(MAX_TABLETS))


def test_the_lock_ends_and_counts_from_the_beginning() -> None:
    pairing = make(Flash(512, 256))
    token = paired(pairing)
    for now_ms in (0, 31_000):
        for _ in range(5):
            assert pairing.check(resume(bytes(16)), NONCE, now_ms) == WRONG_MAC
        assert pairing.seconds_locked(now_ms) == 30
        assert pairing.check(resume(token), NONCE, now_ms + 29_999) == LOCKED
    assert pairing.check(resume(token), NONCE, 61_000) == 0


@pytest.mark.parametrize("seed", range(50))
def test_a_cut_while_a_tablet_pairs_or_is_forgotten_keeps_the_others(seed: int) -> None:
    rng = random.Random(seed)
    flash = Flash(512, 256, rng.randrange)
    pairing = make(flash, seed)
    token = paired(pairing, 1)
    flash.cut_at = 1 + rng.randrange(3)
    try:
        if rng.random() < 0.5:
            paired(pairing, 2)
        else:
            pairing.forget(2)
            paired(pairing, 3)
    except PowerCut:
        pass
    flash.power_up()
    again = make(flash)
    assert again.check(resume(token), NONCE, 0) == 0
    assert set(again.tablets()) <= {1, 2, 3}


def test_the_pairing_token_has_a_code_that_can_be_written() -> None:
    assert code_text(PAIRING_TOKEN_CODE) == "YYYQ"
