"""Writing a deck: which card next, what a tag on the roof means, what is remembered. A scripted ARC."""

from collections import deque
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from companion import catalog
from firmware.flash.deck import ALL, DECKS, Card, Deck, Verdict, cards_of
from firmware.flash.errors import FlashError, PortGoneError, RefusedError
from firmware.flash.ledger import Ledger
from firmware.flash.tags import TagWriter, done_numbers
from protocol.events import Body, CardPresented, CardRemoved, CardsTogether, CardUnreadable, Event
from protocol.messages import BUSY, IN_USE, NO_TAG, Message, WriteTag
from protocol.tag import code_text
from tests.firmware.flash.conftest import Watch

CATALOG = catalog.load()
TOKENS = cards_of(CATALOG, "tokens")
UID = bytes((4, 1, 2, 3, 4, 5, 6))


class ScriptedArc:
    """Gives the events of a script; each WRITE_TAG is answered by the next of `answers`, a reason or 0."""

    def __init__(self, *bodies: Body | None, answers: tuple[int, ...] = ()) -> None:
        self.bodies, self.answers = deque(bodies), deque(answers)
        self.written: list[int] = []

    def next_event(self, within_s: float) -> Event | None:
        if not self.bodies:
            raise PortGoneError("gone", "plug")
        body = self.bodies.popleft()
        return Event(1, 1, 0, body) if body else None

    def ask(self, command: Message, within_s: float) -> bytes:
        assert isinstance(command, WriteTag)
        reason = self.answers.popleft() if self.answers else 0
        if reason:
            raise RefusedError(reason, "the ARC refuses", "lay it flat")
        self.written.append(command.code)
        return b""


def laid(number: int = 0, uid: bytes = UID) -> CardPresented:
    return CardPresented(number, uid)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "tags.jsonl")


def writer(
    arc: ScriptedArc, ledger: Ledger, watch: Watch, *, overwrite: bool = False, verify: bool = False
) -> TagWriter:
    return TagWriter(arc, CATALOG, ledger, watch, overwrite=overwrite, only_verify=verify)


def numbers(cards: list[Card]) -> list[int]:
    return [card.number for card in cards]


def test_blank_tags_are_written_in_the_decks_order(ledger: Ledger, watch: Watch) -> None:
    arc = ScriptedArc(laid(), CardRemoved(0, UID), laid(), None, laid())
    deck = writer(arc, ledger, watch).run(Deck.of(TOKENS, ()))
    assert deck.wanted is None
    assert arc.written == numbers(TOKENS)
    assert "all 3 tags are written" in watch.text
    assert [entry["id"] for entry in ledger.entries()] == ["governor", "ambassador", "pairing"]


def test_a_deck_goes_on_where_the_cable_was_pulled(ledger: Ledger, watch: Watch) -> None:
    with pytest.raises(PortGoneError):
        writer(ScriptedArc(laid()), ledger, watch).run(Deck.of(TOKENS, ()))
    arc = ScriptedArc(laid(), laid())
    deck = writer(arc, ledger, watch).run(Deck.of(TOKENS, done_numbers(ledger, "written")))
    assert deck.wanted is None
    assert arc.written == numbers(TOKENS)[1:]
    assert "1 of 3 are done already" in watch.text


@pytest.mark.parametrize("reason", [NO_TAG, BUSY])
def test_a_tag_that_was_not_written_is_asked_for_again(ledger: Ledger, watch: Watch, reason: int) -> None:
    arc = ScriptedArc(laid(), laid(), laid(), laid(), answers=(reason, 0, 0, 0))
    writer(arc, ledger, watch).run(Deck.of(TOKENS, ()))
    assert arc.written == numbers(TOKENS)
    assert "lay it down again" in watch.text


def test_a_refusal_that_no_card_mends_ends_it(ledger: Ledger, watch: Watch) -> None:
    with pytest.raises(RefusedError):
        writer(ScriptedArc(laid(), answers=(IN_USE,)), ledger, watch).run(Deck.of(TOKENS, ()))
    assert ledger.entries() == []


def test_a_card_written_earlier_is_counted_not_overwritten(ledger: Ledger, watch: Watch) -> None:
    last = TOKENS[2]
    arc = ScriptedArc(laid(last.number), laid(), laid())
    deck = writer(arc, ledger, watch).run(Deck.of(TOKENS, ()))
    assert deck.wanted is None
    assert arc.written == numbers(TOKENS)[:2]
    assert "“Pairing” (pairing, #E8E8E8) already" in watch.text


def test_a_card_of_another_deck_is_left_alone_unless_told_so(ledger: Ledger, watch: Watch) -> None:
    gore = cards_of(CATALOG, "managers")[0].number
    arc = ScriptedArc(laid(gore))
    with pytest.raises(PortGoneError):
        writer(arc, ledger, watch).run(Deck.of(TOKENS, ()))
    assert arc.written == []
    assert "(manager)" in watch.text
    arc = ScriptedArc(laid(gore), laid(gore), laid(gore))
    writer(arc, ledger, watch, overwrite=True).run(Deck.of(TOKENS, ()))
    assert arc.written == numbers(TOKENS)


def test_a_card_just_written_is_not_made_the_next_one(ledger: Ledger, watch: Watch) -> None:
    """Whoever overwrites an old deck lays the same card down twice."""
    uids = [UID[:6] + bytes((n,)) for n in range(len(TOKENS))]
    old = cards_of(CATALOG, "managers")[0].number
    first = TOKENS[0].number
    bodies = [laid(old, uids[0]), laid(first, uids[0]), *(laid(first, uid) for uid in uids[1:])]
    arc = ScriptedArc(*bodies)
    writer(arc, ledger, watch, overwrite=True).run(Deck.of(TOKENS, ()))
    assert arc.written == numbers(TOKENS)
    assert {entry["code"]: entry["uid"] for entry in ledger.entries()} == {
        code_text(card.number): uid.hex() for card, uid in zip(TOKENS, uids, strict=True)
    }
    assert "put it on its pile" in watch.text


def test_a_ledger_with_codes_that_are_none_counts_the_others(ledger: Ledger) -> None:
    good = code_text(TOKENS[0].number)
    for code in ("ZZZZ", "", good):
        ledger.add(code=code, act="written")
    with ledger.path.open("a") as file:
        file.write('{"act": "written", "code": 5}\n{"act": "written"}\n')
    assert done_numbers(ledger, "written") == {TOKENS[0].number}


def test_several_tags_and_broken_ones_are_named(ledger: Ledger, watch: Watch) -> None:
    arc = ScriptedArc(CardsTogether(2), CardUnreadable(1), laid(), laid(), laid())
    writer(arc, ledger, watch).run(Deck.of(TOKENS, ()))
    assert "one at a time" in watch.text
    assert "cannot be read" in watch.text


def test_verifying_ticks_off_in_any_order_and_writes_nothing(ledger: Ledger, watch: Watch) -> None:
    foreign = cards_of(CATALOG, "managers")[0].number
    order = [TOKENS[2].number, foreign, 0, TOKENS[0].number, TOKENS[0].number, TOKENS[1].number]
    arc = ScriptedArc(*(laid(number) for number in order))
    deck = writer(arc, ledger, watch, verify=True).run(Deck.of(TOKENS, ()))
    assert deck.wanted is None
    assert arc.written == []
    assert done_numbers(ledger, "verified") == set(numbers(TOKENS))
    assert done_numbers(ledger, "written") == set()


def test_every_tagged_thing_is_in_exactly_one_deck() -> None:
    every = [card.number for deck in DECKS for card in cards_of(CATALOG, deck)]
    assert sorted(every) == sorted(numbers(cards_of(CATALOG, ALL)))
    assert len(set(every)) == len(every) == len(CATALOG.tags())
    with pytest.raises(FlashError, match="there is no deck tarot"):
        cards_of(CATALOG, "tarot")


@given(st.lists(st.sampled_from([0, *numbers(cards_of(CATALOG, "managers")), *numbers(TOKENS), 9_999]), max_size=30))
def test_whatever_is_laid_down_only_wanted_cards_are_written(order: list[int]) -> None:
    deck = Deck.of(TOKENS, ())
    for number in order:
        wanted, verdict = deck.wanted, deck.judge(number, overwrite=False)
        if wanted is None:
            break
        assert (verdict is Verdict.WRITE) == (number == 0)
        assert (verdict is Verdict.IS_WANTED) == (number == wanted.number)
        if verdict in (Verdict.WRITE, Verdict.IS_WANTED):
            deck = deck.with_done(wanted.number)
            assert deck.done > {wanted.number} or deck.done == {wanted.number}
