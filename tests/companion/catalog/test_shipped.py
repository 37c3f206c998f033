"""The shipped catalog: the rulebook's facts (colonies-rules part 2) are all in it, and everything is well formed."""

import re

import pytest

from companion import catalog
from companion.catalog.loader import KINDS, SHIPPED as FOLDER
from companion.catalog.targets import GROUPS, LEVELS, RESOURCES, STATUSES
from companion.simulation.words import Group, Level, Resource, Status
from protocol import tag

SHIPPED = catalog.load()
SIGNS = {
    # module: power, life support, gas, liquids, stock (A5.3)
    "solar": "+.....", "nuclear": "+.--.", "lss": "-+--.", "atmos": "-.+..", "well": "-..+.", "tanks": ".....",
    "hydro": "-+.-+", "industrial": "----+", "landing": "-.--+", "storage": "....+", "commdome": "--..+",
    "resdome": "--...", "capsules": "--..+", "zone": ".....", "hangar": "....+", "testchamber": "....+",
    "commtower": "----+", "obelisk": ".....", "consulate": "--...", "spaceport": "---..", "laboratory": "--..-",
    "bunker": ".....", "prison": "--...", "embassy": "--...",
}  # fmt: skip
ENDORSEMENTS = {
    "solar": 0, "nuclear": 4, "lss": 1, "atmos": 0, "well": 0, "tanks": 1, "hydro": 3, "industrial": 3, "landing": 3,
    "storage": 3, "commdome": 1, "resdome": 1, "capsules": 3, "zone": 1, "hangar": 2, "testchamber": 2, "commtower": 4,
    "obelisk": 8, "consulate": 3, "spaceport": 4, "laboratory": 4, "bunker": 5, "prison": 5, "embassy": 4,
}  # fmt: skip
SHORT = {"solar", "lss", "atmos", "well", "tanks", "consulate", "prison", "embassy"}
MANAGERS = {
    "Paul Bloch": {"hangar", "testchamber"},
    "Giselle Carter": {"hangar", "laboratory"},
    "Athena Gore": {"hangar", "bunker"},
    "Boris Artyomov": {"testchamber", "laboratory"},
    "Art Chen": {"commtower", "obelisk"},
    "Ava Xu": {"commtower", "prison"},
    "Vlad Pokorny": {"commtower", "embassy"},
    "Mac McCain": {"consulate", "spaceport"},
    "Lucas Johannes": {"prison", "market"},
}


def sign(number: int) -> str:
    return "." if number == 0 else "+" if number > 0 else "-"


def test_words_are_those_of_the_simulation() -> None:
    assert [status.value for status in Status] == list(STATUSES)
    assert [resource.value for resource in Resource] == list(RESOURCES)
    assert [group.value for group in Group] == list(GROUPS)
    assert [level.value for level in Level] == list(LEVELS)


def test_module_types_in_the_rulebooks_order() -> None:
    ids = [SHIPPED.module_by_type(type_id).id for type_id in range(1, 25)]  # type: ignore[union-attr]  # all are there
    assert ids == list(ENDORSEMENTS)
    assert SHIPPED.module_by_type(25) is SHIPPED.modules["market"]
    assert SHIPPED.module_by_type(250) is None


@pytest.mark.parametrize("module", sorted(SIGNS))
def test_a53_signs_of_tier_one(module: str) -> None:
    tier = SHIPPED.modules[module].tier1
    given = (tier.power, tier.life_support, tier.gas, tier.liquids, tier.stock)
    assert "".join(map(sign, given)) == SIGNS[module][:5]


@pytest.mark.parametrize("module", sorted(ENDORSEMENTS))
def test_a53_endorsements_clock_and_set(module: str) -> None:
    entry = SHIPPED.modules[module]
    assert entry.endorsements == ENDORSEMENTS[module]
    assert (entry.build == "short") == (module in SHORT)
    assert (entry.rounds == 1) == (module in SHORT)
    listed = {name for names in MANAGERS.values() for name in names}
    assert entry.base == (module not in listed)


def test_copies_of_the_base_set() -> None:
    copies = {module.id: module.copies for module in SHIPPED.modules.values() if module.copies > 1}
    assert (copies["solar"], copies["resdome"]) == (2, 3)
    assert sum(SHIPPED.modules[name].copies for name in ENDORSEMENTS) == 27


def test_one_time_and_special_influence() -> None:
    modules = SHIPPED.modules
    assert modules["consulate"].once_stock == 30
    assert modules["embassy"].once_dependence == -1
    assert modules["storage"].tier1.capacity == {"power": 7, "life_support": 7}
    assert modules["tanks"].tier1.capacity == {"gas": 7, "liquids": 7}
    assert (modules["resdome"].tier1.housing, modules["resdome"].tier2.housing) == (2000, 3000)
    assert modules["capsules"].tier1.housing == 4000
    assert set(modules["laboratory"].tier1.trains) == {"scientists"}


def test_tier_two_is_always_an_improvement() -> None:
    for module in SHIPPED.modules.values():
        low, high = module.tier1, module.tier2
        for name in ("power", "life_support", "gas", "liquids", "stock", "happiness", "security", "technical"):
            assert getattr(high, name) >= getattr(low, name), (module.id, name)
        assert (high.immigration, high.housing) >= (low.immigration, low.housing)
        assert high != low, module.id


def test_nine_managers_and_their_modules() -> None:
    assert {m.name: set(m.modules) for m in SHIPPED.managers.values()} == MANAGERS
    assert sorted(m.order for m in SHIPPED.managers.values()) == list(range(1, 10))
    assert len({m.letter for m in SHIPPED.managers.values()}) == 9
    assert len({m.colour for m in SHIPPED.managers.values()}) == 9
    assert all(re.fullmatch("#[0-9A-F]{6}", m.colour) for m in SHIPPED.managers.values())


def test_every_manager_has_a_directive_and_letter() -> None:
    assert sorted(d.manager for d in SHIPPED.directives.values()) == sorted(SHIPPED.managers)
    for manager in SHIPPED.managers.values():
        assert manager.letter.upper() in manager.name.upper()


def test_enough_to_play() -> None:
    colours = [decree.colour for decree in SHIPPED.decrees.values()]
    assert colours.count("green") >= 12
    assert colours.count("red") >= 8
    assert len(SHIPPED.occurrences) >= 30
    assert len(SHIPPED.planets) >= 3
    assert len(SHIPPED.fleets) == 4
    assert set(SHIPPED.advisors) == {"ambassador", "board-proxy", "simstim-trainer"}


def test_every_tag_has_a_valid_code_of_its_own() -> None:
    tags = SHIPPED.tags()
    cards = len(SHIPPED.decrees) + len(SHIPPED.directives) + len(SHIPPED.managers) + len(SHIPPED.tokens)
    assert len(tags) == cards
    for code in tags:
        assert tag.code_text(tag.code_number(code)) == code


def test_tag_tells_what_it_is() -> None:
    assert SHIPPED.tag("0000") is None
    meanings = {(meaning.kind, meaning.id): meaning for meaning in SHIPPED.tags().values()}
    assert meanings["manager", "gore"].title == "Athena Gore"
    assert meanings["governor", "governor"].colour.startswith("#")
    assert meanings["ambassador", "ambassador"].title == "Ambassador"
    assert meanings["decree", "open-canteens"].colour == "green"
    assert meanings["directive", "long-haul"].colour == "blue"
    code = SHIPPED.decrees["open-canteens"].code
    assert SHIPPED.tag(code) == meanings["decree", "open-canteens"]


def test_the_pairing_token_is_the_firmwares() -> None:
    assert tag.code_number(SHIPPED.tokens["pairing"].code) == 12_167


def test_environment_conditions_and_sources() -> None:
    for kind, (attribute, _) in KINDS.items():
        for entry in getattr(SHIPPED, attribute).values():
            assert entry.source in ("rulebook", "inferred", "ours"), kind


def test_ids_are_plain() -> None:
    for attribute, _ in KINDS.values():
        for entry_id in getattr(SHIPPED, attribute):
            assert re.fullmatch("[a-z0-9]+([-_][a-z0-9]+)*", entry_id), entry_id


def test_texts_are_finished() -> None:
    for attribute, _ in KINDS.values():
        for entry in getattr(SHIPPED, attribute).values():
            text = getattr(entry, "text", "")
            assert "TODO" not in text
            assert text == text.strip()
            assert len(text) <= 600, entry.id


def test_planets_get_harder_in_their_stated_order() -> None:
    order = ["gentle", "standard", "hard", "extreme"]
    planets = sorted(SHIPPED.planets.values(), key=lambda planet: order.index(planet.difficulty))
    modifiers = [planet.vp_modifier for planet in planets]
    assert modifiers == sorted(modifiers, reverse=True)
    assert all(modifier < 0 for modifier in modifiers)


def test_players_read_one_kind_of_quotation_marks() -> None:
    lines = [
        f"{path.name}: {line}"
        for path in sorted(FOLDER.rglob("*.toml"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if not line.startswith("#") and set(line) & set("«»„‘")
    ]
    assert not lines
