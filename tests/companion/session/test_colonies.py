"""The session on the real colony: whole games by random hands stay consistent, replay equal, and every mode begins."""

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st

from companion import catalog as catalogs
from companion.session import actions
from companion.session.colonies import Colonies
from companion.session.record import Record
from companion.session.table import Phase
from companion.simulation import commands as c, problems
from companion.simulation.words import Mode
from protocol.tag import code_number
from tests.companion.session.hands import Hands

CATALOG = catalogs.load()
RULES = Colonies(CATALOG)
MANAGERS = ("bloch", "carter", "gore")
MOST_ROUNDS, MOST_PAGES = 40, 8
SETUP = c.Setup(Mode.SEMI_COOP, MANAGERS, "verdance")


def start(setup: c.Setup = SETUP, uses_arc: bool = False) -> Hands:
    hands = Hands(rules=RULES, uses_arc=uses_arc)
    hands.act(actions.StartGame("Dawn", setup))
    assert hands.table().phase is Phase.ROUND
    return hands


def taps(hands: Hands, *ids: str) -> None:
    hands.act(*(actions.TapCard(id) for id in ids))


def test_every_code_of_the_catalog_is_found() -> None:
    for text, tagged in CATALOG.tags().items():
        found = RULES.tagged_by_code(code_number(text))
        assert found is not None
        assert (found.id, found.kind) == (tagged.id, tagged.kind)
    assert RULES.tagged_by_code(0) is None
    assert RULES.tagged_by_code(60_000) is None


def test_the_pairing_token_is_no_card_to_tap() -> None:
    hands = start()
    taps(hands, "pairing")
    assert hands.table().dialog is None
    assert "pairing" not in {card.id for card in hands.table().tray.cards}  # type: ignore[union-attr]  # played by taps


def test_a_card_in_the_last_round_is_refused_at_the_swipe() -> None:
    hands = start()
    hands.act(actions.Correct(c.CorrectValue(20, round=True)))
    taps(hands, "open-canteens")
    assert hands.table().dialog is None
    assert "No decrees or directives in the last round." in hands.texts


def test_one_decree_a_round_for_each_manager() -> None:
    hands = start()
    taps(hands, "open-canteens", "bloch", "night-patrols")
    assert hands.dialog().managers == ("carter", "gore")
    taps(hands, "bloch")
    assert hands.table().dialog is not None
    taps(hands, "gore")
    assert hands.table().dialog is None


def test_a_directive_asks_only_its_owner() -> None:
    hands = start()
    own = next(card for card in CATALOG.directives.values() if card.manager == "carter")
    foreign = next(card for card in CATALOG.directives.values() if card.manager not in MANAGERS)
    taps(hands, own.id)
    assert hands.dialog().managers == ("carter",)
    hands.choose("not_this_card")
    taps(hands, foreign.id)
    assert hands.table().dialog is None or not hands.dialog().managers


def test_a_module_outside_the_pool_is_asked_about() -> None:
    hands = Hands(rules=RULES)
    hands.act(actions.StartGame("Dawn", SETUP))
    obelisk = CATALOG.modules["obelisk"].type_id
    hands.plug(90, obelisk)
    assert hands.dialog().title == "Not part of this game"
    hands.choose("accept")
    assert hands.state().knows(90)


def test_solo_has_one_player_and_any_token() -> None:
    hands = start(c.Setup(Mode.SOLO, (), "verdance"))
    taps(hands, "open-canteens", "chen")
    assert hands.table().dialog is None
    taps(hands, "xu")
    hands.choose("confirm")
    assert [type(command) for command in hands.commands()] == [c.RegisterDecree, c.Campaign]
    taps(hands, "governor")
    assert hands.dialog().lines[0] == "Campaign of you."


@pytest.mark.parametrize("planet", CATALOG.planets)
def test_an_idle_game_runs_to_its_end_and_replays(planet: str) -> None:
    hands = start(c.Setup(Mode.CO_OP, MANAGERS, planet))
    for _ in range(MOST_ROUNDS):
        if hands.state().phase is Phase.ENDED:
            break
        hands.settle()
        hands.act(*[actions.TurnPage(1)] * MOST_PAGES)
    ending = hands.table().colony.ending  # type: ignore[union-attr]  # the game has begun
    assert ending is not None
    assert Record(hands.store, "g", RULES, lambda: "").state == hands.state()


CARDS = st.sampled_from([*CATALOG.decrees, *CATALOG.directives, *MANAGERS, *MANAGERS, "governor", "ambassador"])
ACT = st.one_of(
    CARDS.map(actions.TapCard),
    CARDS.map(actions.TapCard),
    st.sampled_from(MANAGERS).map(actions.NameManager),
    st.sampled_from([module.type_id for module in CATALOG.modules.values()]).map(actions.TapModule),
    st.sampled_from(("confirm", "cancel", "replace", "nobody", "not_this_card")).map(actions.Choose),
    st.sampled_from((actions.Next(), actions.Undo(), actions.TurnPage(1), actions.TurnPage(1))),
)


@settings(max_examples=25)
@given(st.lists(ACT, max_size=60))
def test_random_hands_keep_the_colony_consistent_and_the_journal_true(acts: list[actions.Action]) -> None:
    hands = start()
    for act in acts:
        hands.act(act)
        assert problems(hands.state().colony, CATALOG) == ()
        assert hands.table() is not None
    assert Record(hands.store, "g", RULES, lambda: "").state == hands.state()


def test_a_campaign_tells_no_number() -> None:
    hands = start()
    taps(hands, "bloch")
    hands.choose("confirm")
    assert hands.texts == ["Registered: campaign of Paul Bloch."]


def test_in_solo_the_chosen_assistants_can_be_turned_over() -> None:
    hands = start(evolve(SETUP, mode=Mode.SOLO, managers=(), assistants=("pilot", "kingpin")))
    colony = hands.table().colony
    assert colony is not None
    assert [(one.manager, one.up, one.down) for one in colony.assistants] == [
        ("bloch", "Pilot", "Quartermaster"),
        ("xu", "Kingpin", "Bailiff"),
    ]
    hands.act(actions.FlipAssistantCard("xu"))
    colony = hands.table().colony
    assert colony is not None
    assert [one.up for one in colony.assistants] == ["Pilot", "Bailiff"]
