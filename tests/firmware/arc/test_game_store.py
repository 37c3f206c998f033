"""The game on the board: the copy before stays until the new one is whole, whatever the power does."""

import random
from binascii import crc32

import pytest

from firmware.arc.game_store import GameStore
from firmware.desk.chips.flash import Flash, PowerCut
from protocol.messages import MALFORMED, MAX_GAME, NO_SPACE, WRITE_FAILED, GameHead

BLOCK = 4096
SIZE = 2 * 17 * BLOCK
CHUNK = 238


def make_flash(seed: int = 0) -> Flash:
    return Flash(SIZE, BLOCK, random.Random(seed).randrange)


def leave(store: GameStore, game: bytes, sequence: int = 1, chunk: int = CHUNK) -> int:
    """Leave a game as a link does."""
    reason = store.begin(len(game), crc32(game), 0xBEEF, sequence)
    for at in range(0, len(game), chunk):
        reason = reason or store.add(at, game[at : at + chunk])
    return reason or store.commit()


def kept(store: GameStore, count: int = 200) -> tuple[GameHead, bytes] | None:
    """What a link reads."""
    data = b""
    while part := store.read(len(data), count):
        data += part
    return (GameHead.unpack(data[:18], 0), data[18:]) if data else None


def game_of(seed: int, length: int) -> bytes:
    return random.Random(seed).randbytes(length)


@pytest.mark.parametrize("length", [1, 237, 238, 239, BLOCK, BLOCK + 1, MAX_GAME])
def test_a_game_comes_back_whole_after_a_restart(length: int) -> None:
    flash = make_flash()
    game = game_of(1, length)
    assert leave(GameStore(flash), game, 42) == 0
    found = kept(GameStore(flash))
    assert found is not None
    assert found == (GameHead(1, length, crc32(game), 0xBEEF, 42), game)
    assert flash.dirty_programs == 0


def test_nothing_kept_is_nothing_to_read() -> None:
    store = GameStore(make_flash())
    assert store.head() is None
    assert kept(store) is None


def test_the_newest_of_many_counts() -> None:
    flash = make_flash()
    for number in range(1, 6):
        assert leave(GameStore(flash), game_of(number, 500), number) == 0
    found = kept(GameStore(flash), count=18)
    assert found is not None
    assert (found[0].counter, found[0].sequence, found[1]) == (5, 5, game_of(5, 500))


def test_games_longer_than_a_block_are_written_over_older_ones_cleanly() -> None:
    flash = make_flash()
    for number in range(6):
        game = game_of(number, 9_000 + 100 * number)
        assert leave(GameStore(flash), game) == 0
        found = kept(GameStore(flash))
        assert found is not None
        assert found[1] == game
    assert flash.dirty_programs == 0


@pytest.mark.parametrize("length", [0, MAX_GAME + 1])
def test_what_does_not_fit_is_refused(length: int) -> None:
    assert GameStore(make_flash()).begin(length, 0, 1, 1) == NO_SPACE


def test_a_begin_that_is_refused_ends_nothing_that_was_under_way() -> None:
    store = GameStore(make_flash())
    assert store.begin(6, crc32(b"before"), 1, 1) == 0
    assert store.add(0, b"bef") == 0
    assert store.begin(MAX_GAME + 1, 0, 1, 1) == NO_SPACE
    assert store.add(3, b"ore") == 0
    assert store.commit() == 0


def test_out_of_order_is_refused_and_the_copy_before_stays() -> None:
    store = GameStore(make_flash())
    leave(store, b"before")
    assert store.add(0, b"x") == MALFORMED
    assert store.commit() == MALFORMED
    store.begin(10, crc32(b"0123456789"), 1, 1)
    assert store.add(5, b"x") == MALFORMED
    assert store.add(0, b"01234567890") == MALFORMED
    assert store.add(0, b"012345678") == 0
    assert store.commit() == MALFORMED
    assert store.add(9, b"9") == 0
    assert store.commit() == 0
    found = kept(store)
    assert found is not None
    assert found[1] == b"0123456789"


def test_a_wrong_checksum_is_refused_and_the_copy_before_stays() -> None:
    flash = make_flash()
    store = GameStore(flash)
    leave(store, b"before")
    store.begin(3, 123, 1, 1)
    store.add(0, b"new")
    assert store.commit() == WRITE_FAILED
    for again in (store, GameStore(flash)):
        found = kept(again)
        assert found is not None
        assert found[1] == b"before"


def test_a_spoilt_copy_gives_way_to_the_one_before() -> None:
    flash = make_flash()
    leave(GameStore(flash), b"before" * 100)
    leave(GameStore(flash), b"after" * 100)
    flash.cells[17 * BLOCK + BLOCK + 7] ^= 1
    found = kept(GameStore(flash))
    assert found is not None
    assert found[1] == b"before" * 100


def test_both_copies_take_turns_so_that_the_newest_is_never_erased() -> None:
    flash = make_flash()
    for number in range(4):
        leave(GameStore(flash), bytes((number,)) * 300)
    assert flash.erases[0] == flash.erases[17] == 2


def leave_with_cut(flash: Flash, game: bytes, cut_at: int) -> bool:
    """Whether the commit returned."""
    flash.cut_at = cut_at
    try:
        return leave(GameStore(flash), game) == 0
    except PowerCut:
        return False
    finally:
        flash.power_up()


def test_a_cut_at_every_operation_leaves_the_old_or_the_new_game() -> None:
    old, new = game_of(1, 700), game_of(2, 6_000)
    cut_at, finished = 1, False
    while not finished:
        flash = make_flash(cut_at)
        leave(GameStore(flash), old)
        finished = leave_with_cut(flash, new, cut_at)
        found = kept(GameStore(flash))
        assert found is not None
        assert found[1] == new if finished else found[1] in (old, new)
        assert leave(GameStore(flash), old) == 0
        cut_at += 1
    assert cut_at > 25


@pytest.mark.parametrize("seed", range(30))
def test_two_cuts_leave_a_game_that_was_left(seed: int) -> None:
    rng = random.Random(seed)
    flash = make_flash(seed)
    leave(GameStore(flash), b"first")
    may_be = {b"first"}
    for number in range(2):
        game = game_of(number, 3_000)
        if leave_with_cut(flash, game, 1 + rng.randrange(20)):
            may_be = {game}
        else:
            may_be.add(game)
        found = kept(GameStore(flash))
        assert found is not None
        assert found[1] in may_be
        may_be = {found[1]}
