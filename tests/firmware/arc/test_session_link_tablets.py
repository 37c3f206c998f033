"""Who may resume: pairing, tokens, wrong answers, a second tablet."""

from firmware.arc.session_link import RESUMED
from protocol.messages import (
    IN_USE,
    LOCKED,
    NOT_PAIRING,
    TOO_MANY_TABLETS,
    WRONG_MAC,
    Mark,
    Ok,
    Pair,
    Refused,
    Resume,
    session_mac,
)
from tests.firmware.arc.link_board import OTHER, TABLET, Board, resumed, sequences


def test_a_nonce_serves_once() -> None:
    board = Board()
    token = board.pair()
    peer = board.connect()
    mac = session_mac(token, peer.hello(), TABLET, 0xBEEF, 0)
    assert isinstance(peer.ask(Resume(2, TABLET, 0xBEEF, 0, mac)), Ok)
    assert peer.refusal(Resume(2, TABLET, 0xBEEF, 0, mac)) == WRONG_MAC
    assert peer.link.state == RESUMED
    again = board.connect()
    again.hello()
    assert again.refusal(Resume(2, TABLET, 0xBEEF, 0, mac)) == WRONG_MAC


def test_a_forged_field_is_refused() -> None:
    board = Board()
    token = board.pair()
    peer = board.connect()
    mac = session_mac(token, peer.hello(), TABLET, 0xBEEF, 5)
    assert peer.refusal(Resume(2, TABLET, 0xBEEF, 4, mac)) == WRONG_MAC


def test_five_wrong_answers_lock_everybody_for_30_s() -> None:
    board = Board()
    token = board.pair()
    for _ in range(5):
        peer = board.connect()
        peer.hello()
        assert peer.refusal(Resume(2, OTHER, 0xBEEF, 0, bytes(8))) == WRONG_MAC
    peer = board.connect()
    mac = session_mac(token, peer.hello(), TABLET, 0xBEEF, 0)
    answer = peer.ask(Resume(2, TABLET, 0xBEEF, 0, mac), 10_000)
    assert answer == Refused(2, LOCKED, bytes((20,)))
    mac = session_mac(token, peer.hello(), TABLET, 0xBEEF, 0)
    assert isinstance(peer.ask(Resume(2, TABLET, 0xBEEF, 0, mac), 30_000), Ok)


def test_a_right_answer_sets_the_count_of_wrong_ones_back() -> None:
    board = Board()
    token = board.pair()
    for _ in range(3):
        peer = board.connect()
        for _ in range(4):
            peer.hello()
            assert peer.refusal(Resume(2, TABLET, 0xBEEF, 0, bytes(8))) == WRONG_MAC
        assert isinstance(peer.resume(token), Ok)


def test_a_second_tablet_is_told_that_the_arc_is_in_use() -> None:
    board = Board()
    other = board.pair(OTHER)
    first = resumed(board)
    second = board.connect()
    answer = second.resume(other, tablet=OTHER)
    assert answer == Refused(2, IN_USE, b"")
    first.link.disconnect()
    assert isinstance(second.resume(other, tablet=OTHER), Ok)


def test_the_same_tablet_takes_its_session_over_and_the_old_connection_closes() -> None:
    board = Board()
    token = board.pair()
    old, new = board.connect(), board.connect()
    assert isinstance(old.resume(token), Ok)
    assert isinstance(new.resume(token), Ok)
    assert old.link.must_close
    board.happen(1)
    assert sequences(old) == []
    assert sequences(new) == [1]
    old.link.disconnect()
    assert board.seat.holder is new.link


def test_pairing_needs_the_window_and_gives_a_token_that_resumes() -> None:
    board = Board()
    peer = board.connect()
    peer.hello()
    assert peer.refusal(Pair(3, TABLET), 0) == NOT_PAIRING
    board.pairing.open_window(0)
    answer = peer.ask(Pair(3, TABLET), 59_999)
    assert isinstance(answer, Ok)
    assert isinstance(peer.resume(answer.data), Ok)
    assert peer.refusal(Pair(3, TABLET), 60_000) == NOT_PAIRING


def test_a_fifth_tablet_is_refused_and_a_forgotten_one_makes_room() -> None:
    board = Board()
    for tablet in range(1, 5):
        board.pair(tablet)
    board.pairing.open_window(0)
    peer = board.connect()
    peer.hello()
    assert peer.ask(Pair(3, 5)) == Refused(3, TOO_MANY_TABLETS, bytes((4,)))
    assert board.pairing.forget(1)
    assert not board.pairing.forget(1)
    assert isinstance(peer.ask(Pair(3, 5)), Ok)


def test_a_displaced_connection_keeps_nothing_of_its_session() -> None:
    board = Board()
    board.happen(2)
    token = board.pair()
    old, new = board.connect(), board.connect()
    assert isinstance(old.resume(token), Ok)
    old.say(Mark(5))
    assert isinstance(new.resume(token), Ok)
    assert list(old.hear()) == []


def test_a_refused_resume_has_used_its_nonce_up_whatever_it_was_refused_for() -> None:
    board = Board()
    other = board.pair(OTHER)
    first = resumed(board)
    second = board.connect()
    mac = session_mac(other, second.hello(), OTHER, 0xBEEF, 0)
    resume = Resume(2, OTHER, 0xBEEF, 0, mac)
    assert second.refusal(resume) == IN_USE
    first.link.disconnect()
    assert second.refusal(resume) == WRONG_MAC, "HELLO has to come again"


def test_who_has_resumed_is_told_wrong_mac_whichever_tablet_it_names() -> None:
    board = Board()
    peer = resumed(board)
    assert peer.refusal(Resume(2, OTHER, 0xBEEF, 0, bytes(8))) == WRONG_MAC
    assert peer.link.state == RESUMED
