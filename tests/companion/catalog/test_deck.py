"""The whole deck: as many of each as the box has, each with an id, a code and words of its own."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from companion import catalog
from companion.catalog.loader import KINDS
from companion.simulation.words import Ending

SHIPPED = catalog.load()
TITLE_FITS, TEXT_FITS, LINE_FITS = 32, 220, 220
STORY_FITS = 330
"""An introduction has a page of its own."""
LONGEST_ECHO = 8
"""Words in a row that two entries may not share."""


def entries() -> Iterator[tuple[str, Any]]:
    for kind, (attribute, _) in KINDS.items():
        for entry in getattr(SHIPPED, attribute).values():
            yield kind, entry


def title_of(entry: Any) -> str:
    return str(getattr(entry, "title", "") or entry.name)


def lines_of(entry: Any) -> list[str]:
    """Everything printed besides the title."""
    found = [entry.text, *getattr(entry, "table", ()), *getattr(entry, "commands", ())]
    for part in ("levels", "hints", "events", "endings", "progress"):
        found += [inner.text for inner in getattr(entry, part, ())]
    return [line for line in (*found, *getattr(entry, "rules_text", ()), getattr(entry, "look", "")) if line]


def words_of(text: str) -> list[str]:
    return re.findall(r"[\w'’]+", text.lower())


EVERY = [pytest.param(kind, entry, id=f"{kind}-{entry.id}") for kind, entry in entries()]
OF_KIND = {kind: [entry for k, entry in entries() if k == kind] for kind in KINDS}


@pytest.mark.parametrize(
    ("attribute", "count"),
    [
        ("decrees", 60), ("directives", 9), ("artifacts", 40), ("abilities", 15), ("assistants", 18), ("advisors", 3),
        ("managers", 9), ("planets", 8), ("fleets", 4), ("goals", 25 + 9 + 15), ("scenarios", 6 + 3),
    ],
)  # fmt: skip
def test_as_many_as_the_box_has(attribute: str, count: int) -> None:
    assert len(getattr(SHIPPED, attribute)) == count


def test_colours_kinds_and_sides() -> None:
    assert Counter(decree.colour for decree in OF_KIND["decree"]) == {"green": 36, "red": 24}
    assert Counter(goal.kind for goal in OF_KIND["goal"]) == {"semi-coop": 25, "private": 9, "co-op": 15}
    assert Counter(scenario.tutorial for scenario in OF_KIND["scenario"]) == {False: 6, True: 3}
    assert Counter((card.manager, card.side) for card in OF_KIND["assistant"]) == {
        (manager, side): 1 for manager in SHIPPED.managers for side in "ab"
    }
    assert Counter(goal.manager for goal in OF_KIND["goal"] if goal.kind == "private") == Counter(
        list(SHIPPED.managers)
    )
    assert len(OF_KIND["occurrence"]) >= 300


def test_planets_span_the_stated_difficulties() -> None:
    modifiers = [planet.vp_modifier for planet in OF_KIND["planet"]]
    assert len(set(modifiers)) == len(modifiers)
    assert {planet.difficulty for planet in OF_KIND["planet"]} == {"gentle", "standard", "hard", "extreme"}


def test_yellow_goals_have_two_results_and_a_penalty() -> None:
    for goal in OF_KIND["goal"]:
        assert goal.failed_vp < 0, goal.id
        assert [level.vp for level in goal.levels] == sorted({level.vp for level in goal.levels}), goal.id
        assert len(goal.levels) == (2 if goal.kind == "co-op" else 1), goal.id
        assert (goal.manager is not None) == (goal.kind == "private"), goal.id


def test_every_ending_has_its_words() -> None:
    assert set(SHIPPED.endings) == {ending.value for ending in Ending}


def test_tutorials_lead_through_the_first_rounds() -> None:
    for scenario in OF_KIND["scenario"]:
        if scenario.tutorial:
            assert {hint.round for hint in scenario.hints} >= {1, 2, 3, 4}, scenario.id
        else:
            assert scenario.rules_text, scenario.id
            assert scenario.progress, scenario.id
            assert scenario.events, scenario.id


@pytest.mark.parametrize(("kind", "entry"), EVERY)
def test_words_fit_the_screens(kind: str, entry: Any) -> None:
    assert len(title_of(entry)) <= TITLE_FITS, title_of(entry)
    assert len(entry.text) <= (STORY_FITS if kind == "scenario" else TEXT_FITS)
    for line in lines_of(entry)[1:]:
        assert len(line) <= LINE_FITS, line
    for line in lines_of(entry):
        assert line == line.strip()
        assert "  " not in line
        assert line[-1] in ".?!" or kind in ("goal", "scenario"), line


def test_titles_are_told_apart() -> None:
    for kind in KINDS:
        titles = Counter(title_of(entry).lower() for entry in OF_KIND[kind])
        assert [title for title, times in titles.items() if times > 1] == []


def test_no_two_entries_share_a_sentence() -> None:
    owners: dict[tuple[str, ...], str] = {}
    shared = []
    for kind, entry in entries():
        for line in lines_of(entry):
            words = words_of(line)
            for start in range(len(words) - LONGEST_ECHO + 1):
                run = tuple(words[start : start + LONGEST_ECHO])
                if owners.setdefault(run, entry.id) != entry.id:
                    shared.append((owners[run], kind, entry.id, " ".join(run)))
    assert shared == []


def test_no_two_cards_do_the_same() -> None:
    """Filler shows in equal effects under equal conditions."""
    for kind in ("decree", "directive", "occurrence"):
        cards = Counter(
            (str(getattr(c, "when", "")), str(c.effects), str(c.table), str(getattr(c, "cost", "")), _arrows(c))
            for c in OF_KIND[kind]
        )
        doubles = [card for card, times in cards.items() if times > 1]
        assert doubles == []


def _arrows(card: Any) -> str:
    return str([getattr(card, status, 0) for status in ("happiness", "security", "technical")])


def test_occurrences_look_at_all_that_the_rulebook_lists() -> None:
    """§5.6: planet, environment, managers, assistants, modules, statuses, bank; and what special states there are."""
    asked = Counter(key for card in OF_KIND["occurrence"] for key, _ in card.when.given)
    listed = ("planet", "environment", "manager", "assistant", "module", "happiness", "security", "technical")
    for key in (*listed, "stock_min", "stock_max"):
        assert asked[key] >= 8, key
    for key in (
        "riot",
        "overcrowded",
        "dependence_min",
        "shortage",
        "accumulator_empty",
        "accumulator_full",
        "building",
    ):
        assert asked[key] >= 3, key


@pytest.mark.parametrize(
    ("key", "attribute"),
    [("planet", "planets"), ("manager", "managers"), ("assistant", "assistants"), ("module", "modules")],
)
def test_something_can_happen_to_each(key: str, attribute: str) -> None:
    named = {name for card in OF_KIND["occurrence"] for name in getattr(card.when, key)}
    assert named == set(getattr(SHIPPED, attribute))


def test_every_environment_has_its_weather() -> None:
    tags = {tag for planet in OF_KIND["planet"] for tag in planet.environment}
    for tag in tags:
        assert sum(tag in card.when.environment for card in OF_KIND["occurrence"]) >= 3, tag


TABLE_WORDS = re.compile(r"\b(CR|TG|PA|XP|DEC|Managers?|Decrees?|expedition fields?|research fields?)\b")


def test_the_hands_are_told_what_to_do() -> None:
    """A story that names what lies on the table has a line of instruction, and instructions are whole sentences."""
    for kind in ("occurrence", "decree", "directive"):
        for card in OF_KIND[kind]:
            touches = TABLE_WORDS.search(card.text) is not None
            assert not touches or card.table, card.id
            for line in card.table:
                assert line[0].isupper(), card.id


def test_every_occurrence_does_something() -> None:
    idle = [card.id for card in OF_KIND["occurrence"] if not card.effects and not card.table]
    assert idle == ["quiet-month"]


def test_bad_and_good_months_keep_a_balance() -> None:
    """Over the whole deck the months are a little worse than none: −0.4 to 0 arrows, −1 to 1 STOCK."""
    weights = sum(card.weight for card in OF_KIND["occurrence"])
    arrows = stock = 0
    for card in OF_KIND["occurrence"]:
        for effect in card.effects:
            if type(effect).__name__ == "ChangeStatus":
                arrows += card.weight * effect.steps * (3 if effect.of == "all" else 1)
            if type(effect).__name__ == "ChangeStock":
                stock += card.weight * effect.by * effect.rounds
    assert -0.4 <= arrows / weights <= 0
    assert -1 <= stock / weights <= 1
