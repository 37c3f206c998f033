"""Questions: their order, their answers, their time; the hazards round the reader."""

import pytest
from attrs import evolve

from companion.session import actions
from companion.session.acts import TimedOut
from companion.session.journal_text import read_act
from companion.session.table import DialogKind, Phase
from companion.session.waiting import QUESTION_MS, RESTING_MS
from companion.simulation import commands as c
from companion.simulation.words import Mode
from protocol import events
from protocol.tag import CODE_COUNT
from tests.companion.session.hands import UID, Hands
from tests.companion.session.small_rules import CODE, UNKNOWN_CODE


@pytest.fixture
def hands() -> Hands:
    return Hands().start()


def test_questions_come_in_the_order_of_arrival(hands: Hands) -> None:
    hands.plug(50)
    hands.swipe("rations")
    hands.plug(60, type_id=2)
    assert (hands.dialog().title, hands.table().waiting_dialogs) == ("Solar Power Plant", 2)
    hands.swipe("ava")
    assert hands.dialog().title == "Ration cards"
    hands.swipe("mac")
    assert hands.dialog().title == "Storage"
    hands.swipe("vlad")
    assert hands.table().dialog is None
    assert [act for act in hands.commands() if not isinstance(act, c.ConnectModule | c.SetConnections)] == [
        c.SubmitModule(50, "ava"),
        c.RegisterDecree("rations", "mac"),
        c.SubmitModule(60, "vlad"),
    ]


def test_not_this_card_leaves_no_trace(hands: Hands) -> None:
    before = hands.state().colony
    hands.swipe("rations")
    hands.choose("not_this_card")
    assert hands.table().dialog is None
    assert hands.state().colony == before
    hands.swipe("rations", "ava")
    assert hands.commands() == [c.RegisterDecree("rations", "ava")]


def test_a_second_card_asks_before_it_replaces(hands: Hands) -> None:
    hands.swipe("rations", "curfew")
    assert hands.dialog().title == "“Curfew” instead?"
    hands.choose("replace")
    hands.swipe("ava")
    assert hands.commands() == [c.RegisterDecree("curfew", "ava")]


def test_the_first_card_can_stay(hands: Hands) -> None:
    hands.swipe("rations", "curfew")
    hands.choose("keep")
    hands.swipe("ava")
    assert hands.commands() == [c.RegisterDecree("rations", "ava")]


def test_the_same_card_again_asks_nothing_new(hands: Hands) -> None:
    hands.swipe("rations", "rations")
    assert [dialog.kind for dialog in hands.state().dialogs] == [DialogKind.OWNER]


def test_a_card_twice_in_a_round_is_refused_at_the_swipe(hands: Hands) -> None:
    hands.swipe("rations", "ava", "rations")
    assert hands.table().dialog is None
    assert "This card was registered in this round already." in hands.texts


def test_a_directive_takes_only_its_manager(hands: Hands) -> None:
    hands.swipe("embargo")
    assert hands.dialog().managers == ("mac",)
    hands.swipe("ava")
    assert "This directive belongs to another manager." in hands.texts
    assert hands.table().dialog is not None
    hands.swipe("mac")
    assert hands.commands() == [c.RegisterDirective("embargo", "mac")]


def test_a_manager_who_does_not_play_answers_nothing(hands: Hands) -> None:
    hands.swipe("rations", "bloch")
    assert hands.table().dialog is not None
    assert "Paul Bloch does not take part in this game." in hands.texts
    hands.choose("not_this_card")
    hands.wait(20_000)
    hands.swipe("bloch")
    assert hands.table().dialog is None
    assert hands.texts == ["Paul Bloch does not take part in this game."]
    hands.swipe("ava")
    hands.wait(20_000)
    hands.swipe("bloch")
    assert hands.dialog().title == "Campaign by Ava Xu?"
    assert "Paul Bloch does not take part in this game." in hands.texts


def test_a_tap_on_a_portrait_is_a_token(hands: Hands) -> None:
    hands.swipe("rations")
    hands.act(actions.NameManager("vlad"))
    assert hands.commands() == [c.RegisterDecree("rations", "vlad")]
    hands.act(actions.NameManager("vlad"))
    assert len(hands.commands()) == 1


def test_registered_shows_whose_it_is_with_undo_at_hand(hands: Hands) -> None:
    hands.swipe("rations", "ava")
    hands.plug(50)
    hands.swipe("ava")
    assert [(notice.manager, notice.can_undo) for notice in hands.table().notices] == [("ava", True), ("ava", True)]
    notice = hands.table().notices[-1]
    hands.wait(2_000)
    assert hands.table().notices[-1] == notice


def test_a_campaign_needs_a_tap(hands: Hands) -> None:
    hands.swipe("ava", "ava")
    assert hands.commands() == []
    hands.swipe("mac")
    hands.choose("confirm")
    assert hands.commands() == [c.Campaign("mac")]


def test_a_tap_on_the_campaigns_portrait_confirms_it(hands: Hands) -> None:
    hands.swipe("ava")
    hands.act(actions.NameManager("mac"))
    assert hands.commands() == []
    hands.act(actions.NameManager("ava"))
    assert hands.commands() == [c.Campaign("ava")]


def test_solo_takes_any_token_as_the_player() -> None:
    hands = Hands()
    hands.act(actions.StartGame("Alone", c.Setup(Mode.SOLO, ("ava",), "Tethys")))
    hands.swipe("rations", "bloch")
    hands.swipe("vlad")
    hands.choose("confirm")
    assert hands.commands() == [c.RegisterDecree("rations", "ava"), c.Campaign("ava")]


def test_a_card_question_times_out_and_is_given_to_nobody(hands: Hands) -> None:
    hands.swipe("rations")
    hands.wait(QUESTION_MS - 1)
    assert hands.table().dialog is not None
    hands.wait(1)
    assert hands.table().dialog is None
    assert hands.commands() == []
    assert isinstance(read_act(hands.rows()[-1].act), TimedOut)
    assert "“Ration cards” was not registered." in hands.texts


def test_two_questions_that_read_the_same_have_numbers_of_their_own(hands: Hands) -> None:
    hands.plug(50)
    hands.plug(60)
    first = hands.table().dialog
    hands.swipe("ava")
    second = hands.table().dialog
    assert first is not None
    assert second is not None
    assert evolve(first, number=0) == evolve(second, number=0)
    assert first.number != second.number


def test_a_module_waits_for_its_builder_for_ever(hands: Hands) -> None:
    hands.plug(50)
    hands.wait(100 * QUESTION_MS)
    assert hands.table().dialog is not None


def test_no_time_runs_while_the_arc_is_out_of_reach(hands: Hands) -> None:
    hands.swipe("rations")
    hands.lose_link()
    hands.wait(10 * QUESTION_MS)
    hands.connect()
    hands.wait(QUESTION_MS - 1)
    assert hands.table().dialog is not None


def test_the_next_question_gets_its_own_time(hands: Hands) -> None:
    hands.plug(50)
    hands.swipe("rations")
    hands.wait(QUESTION_MS - 1)
    hands.swipe("ava")
    hands.wait(QUESTION_MS - 1)
    assert hands.dialog().title == "Ration cards"


def test_several_cards_at_once_are_not_guessed(hands: Hands) -> None:
    hands.event(events.CardsTogether(2))
    assert hands.table().dialog is None
    assert any("one after another" in text for text in hands.texts)
    assert hands.store.game("g").cursor.sequence == hands.sequence  # type: ignore[union-attr]  # it is played on an ARC


def test_a_damaged_read_changes_nothing(hands: Hands) -> None:
    rows = hands.rows()
    hands.event(events.CardUnreadable(events.UNREADABLE_DAMAGED))
    assert hands.rows() == rows
    assert any("could not be read" in text for text in hands.texts)


def test_an_unknown_number_is_named(hands: Hands) -> None:
    hands.present(UNKNOWN_CODE)
    assert "Card number 6DMJ is not part of this game: nothing was registered." in hands.texts


def test_the_pairing_token_is_nothing_to_the_game(hands: Hands) -> None:
    hands.present(CODE_COUNT)
    assert hands.texts == []
    assert hands.state().dialogs == ()


def test_a_resting_token_is_pointed_at(hands: Hands) -> None:
    hands.present(CODE["governor"])
    hands.wait(RESTING_MS)
    assert "Take the card or token off the ARC." in hands.texts


def test_a_token_that_nobody_can_see_any_more_is_not_pointed_at(hands: Hands) -> None:
    hands.present(CODE["governor"])
    hands.lose_link()
    hands.wait(RESTING_MS)
    assert "Take the card or token off the ARC." not in hands.texts
    hands.connect()
    hands.present(CODE["governor"])
    hands.event(events.CardRemoved(CODE["governor"], UID))
    hands.wait(RESTING_MS)
    assert "Take the card or token off the ARC." not in hands.texts


def test_a_learned_tag_is_its_card_from_then_on(hands: Hands) -> None:
    hands.act(actions.TeachTag("rations"))
    hands.present(0, b"\x04\x01\x02\x03\x04\x05\x06")
    assert hands.table().dialog is None
    assert hands.texts[-1] == "This tag is “Ration cards” from now on."
    hands.present(0, b"\x04\x01\x02\x03\x04\x05\x06")
    assert hands.dialog().title == "Ration cards"
    other = Hands(hands.store)
    assert other.session.table == hands.table() or other.table().dialog == hands.table().dialog


def test_a_code_beats_a_learned_uid(hands: Hands) -> None:
    hands.store.learn_tag(UID, "rations")
    hands.sit_down()
    hands.present(CODE["ambassador"], UID)
    assert hands.dialog().kind is DialogKind.AMBASSADOR


def test_a_changing_uid_is_never_learned(hands: Hands) -> None:
    hands.act(actions.TeachTag("rations"))
    hands.present(0, b"\x08\x01\x02\x03")
    assert hands.store.learned_tags() == {}
    assert hands.state().teaching == "rations"


def test_a_four_byte_uid_that_looks_like_a_cascade_tag_can_be_learned(hands: Hands) -> None:
    hands.act(actions.TeachTag("curfew"))
    hands.present(0, b"\x88\x01\x02\x03")
    assert hands.store.learned_tags() == {b"\x88\x01\x02\x03": "curfew"}


def test_seats_by_token_toggle() -> None:
    hands = Hands()
    hands.swipe("ava", "mac", "ava", "vlad")
    assert hands.texts == [
        "Ava Xu sits down.",
        "Mac McCain sits down.",
        "Ava Xu left the table.",
        "Vlad Pokorny sits down.",
    ]
    assert hands.table().phase is Phase.SETUP
    assert hands.state().seated == ("mac", "vlad")
    hands.act(actions.ToggleManager("ava"))
    assert hands.state().seated == ("mac", "vlad", "ava")
    hands.act(actions.ToggleManager("rations"), actions.ToggleManager("nobody"))
    assert hands.state().seated == ("mac", "vlad", "ava")
    hands.start()
    hands.act(actions.ToggleManager("bloch"))
    assert hands.state().seated == ("mac", "vlad", "ava")
    assert "Seats are taken before round 1." in hands.texts


def test_a_card_that_nobody_can_register_now_drops_none_that_waits(hands: Hands) -> None:
    hands.swipe("rations", "mac", "curfew", "rations")
    assert hands.dialog().title == "Curfew"
    assert any("already" in text for text in hands.texts)


def test_a_card_that_waits_further_behind_is_asked_about_once(hands: Hands) -> None:
    hands.plug(50)
    hands.swipe("rations", "curfew", "ava", "curfew")
    assert hands.dialog().title == "Ration cards"
    assert [dialog.subject for dialog in hands.state().dialogs] == ["rations", "curfew"]


def test_a_number_that_no_tag_has_stops_nothing(hands: Hands) -> None:
    hands.present(0xFFFF)
    assert any("is not part of this game" in text for text in hands.texts)
    hands.swipe("rations")
    assert hands.dialog().title == "Ration cards"


def test_no_time_runs_for_a_question_behind_the_list_of_missing_modules() -> None:
    hands = Hands().start()
    hands.plug(50)
    hands.swipe("ava", "rations")
    hands.sit_down(connect=False)
    hands.connect(behind=1)
    hands.event(events.Booted(events.POWER_ON, 0, 1, 0))
    assert hands.table().phase is Phase.RESUME
    hands.wait(QUESTION_MS + 1)
    assert len(hands.state().dialogs) == 1
    hands.act(actions.LeaveResume())
    assert hands.dialog().title == "Ration cards"
    hands.wait(QUESTION_MS + 1)
    assert hands.state().dialogs == ()
