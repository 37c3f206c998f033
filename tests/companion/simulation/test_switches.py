"""Choices where the rulebook is silent can be changed in the catalog (simulation/README.md names each switch)."""

from typing import Any

from attrs import evolve

from companion import catalog, simulation
from companion.catalog.curve import Curve
from companion.simulation.commands import RegisterDirective, Settle
from companion.simulation.words import Condition, Ending, Mode
from tests.companion.simulation.games import finished, moods, only_occurrence, shipped, start, with_modules


def shelf_with(section: str, **values: Any) -> catalog.Catalog:
    rules = shipped().rules
    return evolve(shipped(), rules=evolve(rules, **{section: evolve(getattr(rules, section), **values)}))


def settled(colony: simulation.Colony, shelf: catalog.Catalog, *commands: Any) -> simulation.Colony:
    for command in (*commands, Settle()):
        answer = simulation.step(colony, command, shelf)
        assert isinstance(answer, simulation.Stepped), answer
        colony = answer.colony
    return colony


def quiet(colony: simulation.Colony) -> simulation.Colony:
    return only_occurrence(moods(colony))


def ledger(colony: simulation.Colony) -> dict[str, int]:
    assert colony.settlement is not None
    return dict(colony.settlement.ledger)


def test_con1_loans_instead_of_active_dependence() -> None:
    colony = quiet(evolve(start(), stock=-30, dependence=0, loans=2))
    assert settled(colony, shipped()).endings == ()
    by_count = shelf_with("endings", dependence_counts_loans=True)
    assert settled(colony, by_count).endings == (Ending.TERRAN_DEPENDENCE,)


def test_con2_con3_other_goals() -> None:
    assert settled(quiet(with_modules(start(), "solar")), shelf_with("endings", modules=1)).endings == (
        Ending.FIFTEEN_MODULES,
    )
    assert Ending.FIFTEEN_THOUSAND in settled(quiet(start()), shelf_with("endings", citizens=900)).endings


def test_gap56_no_warning_or_a_longer_one() -> None:
    angry = only_occurrence(evolve(moods(start(), 0, 0), imported=(9,) * 4))
    assert settled(angry, shelf_with("riot", warning_rounds=0)).riot_stage == 1
    assert settled(evolve(angry, riot_warnings=1), shelf_with("riot", warning_rounds=2)).riot_stage == 0


def test_gap39_quicker_reconstruction() -> None:
    ruin = evolve(finished("hydro", 1), condition=Condition.DAMAGED, progress=0, is_hit=True)
    half = settled(quiet(evolve(start(), modules=(ruin,))), shelf_with("construction", rebuild_percent=50))
    assert half.modules[0].work == 1500


def test_interest_of_active_dependence() -> None:
    colony = quiet(evolve(start(), dependence=2))
    assert "interest" not in ledger(settled(colony, shipped()))
    assert ledger(settled(colony, shelf_with("economy", interest=3)))["interest"] == -6


def test_upkeep_by_managers_and_rounds() -> None:
    plain = ledger(settled(quiet(start()), shipped()))["upkeep"]
    more = shelf_with("economy", managers=Curve(((1, 0), (3, 4))), upkeep_growth=Curve(((0, 0), (1, 2))))
    assert ledger(settled(quiet(start()), more))["upkeep"] == plain - 6


def test_arrows_of_cards_by_number_of_managers() -> None:
    double = shelf_with("moods", card_arrows=Curve(((2, 100), (3, 200))), noise=0, pace=1)
    gains = []
    for managers in (("gore", "chen"), ("gore", "chen", "bloch")):
        begun = quiet(moods(start(managers), 50_000, 50_000, 50_000))
        begun = evolve(begun, statuses=(50_000,) * 3)
        after = settled(begun, double, RegisterDirective("state-of-siege", "gore"))
        gains.append(after.statuses[1] - settled(begun, double).statuses[1])
    assert 1.9 < gains[1] / gains[0] < 2.1


def test_gap10_gap12_support_and_ranking() -> None:
    often = shelf_with("support", ranking_every=2, ranking_steps=3)
    done = settled(quiet(evolve(start(), round=4, support=(30, 10, 29))), often).settlement
    assert done is not None
    assert done.ranks == (("bloch", 3), ("chen", 3), ("gore", 1))


def test_gap16_no_spread_and_no_early_catastrophe() -> None:
    wreck = only_occurrence(moods(with_modules(start(), "solar", "well"), technical=0))
    calm = shelf_with("catastrophe", first_round=3, critical=1000)
    hits = [settled(evolve(wreck, round=r), calm).settlement for r in (1, 2, 3)]
    assert [bool(done and done.hit) for done in hits] == [False, False, True]
    alone = shelf_with("catastrophe", spread_permille=0, critical=1000)
    for seed in range(30):
        done = settled(evolve(wreck, chance=seed), alone).settlement
        assert done is not None
        assert len(done.hit) == 1


def test_gap06_more_upgrades_a_settlement() -> None:
    colony = quiet(with_modules(evolve(start(), round=9), "solar", "well", "atmos"))
    done = settled(colony, shelf_with("upgrade", most=2)).settlement
    assert done is not None
    assert len(done.upgraded) == 2


def test_gap13_emigrants_at_least() -> None:
    sad = only_occurrence(moods(start(), 5_000, 5_000, 5_000))
    sad = evolve(sad, groups=(100, 0, 0, 0, 0))
    few, many = (settled(sad, shelf_with("population", emigrants=n, noise_percent=0)) for n in (0, 60))
    assert sum(many.arrivals) == -60 < sum(few.arrivals) < 0


def test_planet_modifier_by_managers() -> None:
    scaled = shelf_with("scoring", planet_percent=Curve(((2, 50), (3, 100))))
    modifier = shipped().planets["rustfall"].vp_modifier
    two, three = (start(managers, mode=Mode.CO_OP).setup for managers in (("gore", "chen"), ("gore", "chen", "xu")))
    assert simulation.planet_modifier(three, scaled) == modifier
    assert simulation.planet_modifier(two, scaled) in (modifier // 2, modifier // 2 + 1)


def test_players_see_the_numbers_of_their_game() -> None:
    """Costs on a card's page and the President's points are those of this game."""
    assert simulation.view(start(), shelf_with("construction", cost=7)).economy.construction_cost == 7
    assert simulation.view(start(), shelf_with("economy", loan=11)).special.loan == 11
    over = evolve(start(), endings=(Ending.LAST_ROUND,))
    ending = simulation.view(over, shelf_with("scoring", presidency=30)).ending
    assert ending is not None
    assert ending.presidency == 30
