"""RIOT, catastrophe and occurrences (colonies-rules 1.9, 1.10)."""

from collections import Counter
from typing import Any

from attrs import evolve

from companion import simulation
from companion.catalog.conditions import Condition as When
from companion.catalog.model import Occurrence
from companion.simulation.commands import RegisterDirective, Settle
from companion.simulation.conditions import holds
from companion.simulation.damage import strike
from companion.simulation.draft import Draft
from companion.simulation.player_report import ColonyStatusSection, OccurrenceSection
from companion.simulation.settlement.occurrences import draw_occurrence
from companion.simulation.words import Condition, Ending, Level
from tests.companion.simulation.games import moods, only_occurrence, play, settle, shipped, start, with_modules

DEEP = 1_000
"""So low that no step of the statuses leaves Critical in one settlement."""


def sections(colony: simulation.Colony, kind: type) -> Any:
    """The section of this kind."""
    report = simulation.report(colony, shipped())
    assert report is not None
    return next(section for section in report.sections if isinstance(section, kind))


def angry(
    stage: int = 0, warnings: int = 0, groups: tuple[int, ...] = (1000, 0, 0, 0, 0), seed: int = 1
) -> simulation.Colony:
    colony = moods(start(), happiness=DEEP, security=DEEP)
    return only_occurrence(
        evolve(colony, riot_stage=stage, riot_warnings=warnings, groups=groups, chance=seed, imported=(9,) * 4)
    )


def test_ri1_a_red_warning_precedes_a_riot() -> None:
    warned = settle(angry())
    assert (warned.riot_stage, warned.riot_warnings) == (0, 1)
    assert simulation.view(warned, shipped()).special.riot_warning
    assert "Unrest" in [title for _, title, _ in sections(warned, ColonyStatusSection).notices]
    broken_out = settle(evolve(moods(warned, DEEP, DEEP), recent=angry().recent))
    assert broken_out.riot_stage == 1
    assert not simulation.view(broken_out, shipped()).special.riot_warning


def test_ri1_one_of_the_two_statuses_is_enough() -> None:
    colony = evolve(angry(warnings=1), statuses=(DEEP, 70_000, 70_000))
    assert settle(colony).riot_stage == 1
    assert settle(evolve(colony, statuses=(70_000, DEEP, 70_000))).riot_stage == 1
    assert settle(evolve(colony, statuses=(70_000, 70_000, DEEP))).riot_stage == 0


def successes(stage: int, groups: tuple[int, ...]) -> int:
    return sum(settle(angry(stage, groups=groups, seed=seed)).riot_stage == 0 for seed in range(200))


def test_ri2_secforce_share_decides_stage_one() -> None:
    none, some, many = (successes(1, (1000 - n, n, 0, 0, 0)) for n in (0, 100, 250))
    assert none < some < many
    assert many > 180


def test_ri2_arrests_make_prisoners() -> None:
    arrested = settle(angry(stage=1))
    assert arrested.groups[4] > 20


def test_ri3_marines_shoot_and_citizens_die() -> None:
    assert successes(2, (1000, 0, 0, 0, 0)) < successes(2, (880, 0, 0, 120, 0))
    calm, shooting = settle(angry(stage=1)), settle(angry(stage=2))
    assert sum(shooting.groups) < sum(calm.groups) - 50


def test_ri4_stage_three_loses() -> None:
    lost = next(c for seed in range(50) if (c := settle(angry(2, seed=seed))).riot_stage == 3)
    assert Ending.RIOT in lost.endings
    ending = simulation.view(lost, shipped()).ending
    assert ending is not None
    assert (ending.is_victory, ending.scores) == (False, ())


def test_ri5_better_statuses_end_a_riot() -> None:
    colony = settle(evolve(angry(stage=2), statuses=(60_000, 60_000, 60_000)))
    assert colony.riot_stage == 0
    assert "Order restored" in [title for _, title, _ in sections(colony, ColonyStatusSection).notices]


def test_ri5_breaking_the_riot_restarts_the_counter() -> None:
    colony = evolve(angry(stage=2), governor="gore")
    after = settle(play(colony, RegisterDirective("state-of-siege", "gore")))
    assert (after.riot_stage, after.riot_warnings) == (0, 1)


def test_co3_riot_rounds_are_counted_while_it_lasts() -> None:
    assert settle(angry(warnings=1)).riot_rounds == 1
    assert settle(evolve(angry(stage=2), statuses=(60_000,) * 3)).riot_rounds == 0


def rate(technical: int, planet: str = "rustfall") -> float:
    hits = 0
    for seed in range(400):
        colony = moods(with_modules(start(planet=planet), "solar", "well", "hydro"), technical=technical)
        done = settle(only_occurrence(evolve(colony, chance=seed))).settlement
        assert done is not None
        hits += bool(done.hit)
    return hits / 400


def test_c1_low_technical_status_causes_catastrophes() -> None:
    good, alarming, critical = rate(90_000), rate(30_000), rate(0)
    assert good < 0.06 < alarming < critical
    assert rate(30_000, "cinderhome") > rate(30_000, "verdance")


def struck(colony: simulation.Colony, index: int = 0, seed: int = 1) -> Draft:
    draft = Draft(evolve(colony, chance=seed), shipped())
    strike(draft, index)
    return draft


def test_c2_spreads_only_along_connections_and_one_hop() -> None:
    row = with_modules(start(), "solar", "well", "atmos", "tanks")
    hit = [set(struck(row, seed=seed).hit) for seed in range(300)]
    assert {101} in hit
    assert {101, 102} in hit
    assert not any(103 in instances for instances in hit)
    alone = evolve(row, connections=((0, 101), (0, 102)))
    assert all(set(struck(alone, seed=seed).hit) == {101} for seed in range(100))


def test_gap55_two_links_count_once_and_the_arc_is_immune() -> None:
    ring = evolve(with_modules(start(), "solar", "well"), connections=((0, 101), (0, 102), (101, 102)))
    rates = sum(102 in struck(ring, seed=seed).hit for seed in range(1000))
    assert 200 < rates < 300


def test_c3_c4_damage_is_announced_and_told_not_to_remove() -> None:
    draft = struck(with_modules(start(), "hydro"))
    assert draft.modules[0].condition is Condition.DAMAGED
    ruined = draft.freeze()
    assert simulation.view(ruined, shipped()).special.damaged == (101,)
    done = settle_until_hit()
    section = sections(done, ColonyStatusSection)
    assert section.damaged
    assert any(level is Level.CRITICAL and "Do not remove" in text for level, _, text in section.notices)


def settle_until_hit() -> simulation.Colony:
    for seed in range(200):
        colony = settle(only_occurrence(evolve(moods(with_modules(start(), "hydro"), technical=0), chance=seed)))
        if colony.settlement and colony.settlement.hit:
            return colony
    raise AssertionError("no catastrophe in 200 settlements of a wreck")


def test_c5_reconstruction_goes_through_the_queue() -> None:
    colony = moods(struck(with_modules(evolve(start(), stock=90), "hydro")).freeze())
    seen = [colony.modules[0].condition]
    while colony.modules[0].condition is not Condition.WORKING:
        (entry,) = simulation.view(colony, shipped()).economy.queue
        assert entry.is_rebuilding
        colony = moods(only_occurrence(settle(only_occurrence(colony))))
        seen.append(colony.modules[0].condition)
    assert seen == [
        Condition.DAMAGED,
        Condition.UNDER_RECONSTRUCTION,
        Condition.UNDER_RECONSTRUCTION,
        Condition.WORKING,
    ]
    assert simulation.view(colony, shipped()).special.damaged == ()


def test_c5_a_ruin_gives_nothing_and_costs_construction() -> None:
    colony = struck(with_modules(start(), "solar")).freeze()
    assert simulation.view(colony, shipped()).resources[0].production == shipped().rules.start.power
    done = settle(only_occurrence(colony)).settlement
    assert done is not None
    assert dict(done.ledger)["construction"] == -5


def test_gap38_construction_starts_anew() -> None:
    built = with_modules(start(), "hydro").modules[0]
    site = evolve(built, condition=Condition.UNDER_CONSTRUCTION, progress=2000, was_finished=False, since=0)
    draft = struck(evolve(start(), modules=(site,)))
    assert draft.modules[0].progress == 0
    again = settle(only_occurrence(draft.freeze())).modules[0]
    assert (again.condition, again.progress) == (Condition.UNDER_CONSTRUCTION, 1000)


def test_gap39_tier_is_kept() -> None:
    colony = with_modules(start(), "solar")
    tier2 = evolve(colony, modules=(evolve(colony.modules[0], tier=2),))
    assert struck(tier2).modules[0].tier == 2


def test_gap40_housing_is_lost_until_rebuilt() -> None:
    colony = with_modules(evolve(start(), groups=(3000, 0, 0, 0, 0)), "resdome")
    assert simulation.view(struck(colony).freeze(), shipped()).population.housing == shipped().rules.start.housing


def test_c6_casualties_by_kind_of_module() -> None:
    groups = (1000, 1000, 1000, 1000, 1000)
    lost = {
        module: [1000 - n for n in struck(with_modules(evolve(start(), groups=groups), module)).groups]
        for module in ("solar", "laboratory", "bunker", "prison", "resdome")
    }
    assert lost == {
        "solar": [20, 0, 0, 0, 0],
        "laboratory": [0, 0, 20, 0, 0],
        "bunker": [0, 20, 0, 20, 0],
        "prison": [0, 0, 0, 0, 20],
        "resdome": [20, 20, 20, 20, 20],
    }


def occurrences_of(colony: simulation.Colony, count: int = 5000) -> set[str]:
    """What is drawn here in so many months that the rarest of a deck of hundreds comes up."""
    draft = Draft(colony, shipped())
    return {draw_occurrence(draft) for _ in range(count)}


def test_o3_occurrences_fit_the_colony() -> None:
    catalog, colony = shipped(), moods(start(planet="cinderhome"), 30_000, 30_000, 30_000)
    draft = Draft(evolve(colony, groups=(900, 20, 30, 20, 30)), catalog)
    assert not holds(When(planet=("verdance",)), draft)
    for name in occurrences_of(colony):
        card = catalog.occurrences[name].when
        assert not card.environment or set(card.environment) & set(catalog.planets["cinderhome"].environment)
        assert "good" not in card.happiness
        assert not card.manager or set(card.manager) & set(colony.setup.managers)
        assert not card.module


def test_o3_every_factor_of_the_rulebook_brings_its_own() -> None:
    """Planet, environment, managers, assistants, modules, statuses, bank (§5.6)."""
    colony = evolve(with_modules(start(("xu", "gore"), assistants=("kingpin",)), "laboratory"), stock=80)
    colony = moods(colony, 30_000, 70_000, 70_000)
    fitting = {
        "planet": When(planet=("rustfall",)),
        "environment": When(environment=("dust",)),
        "manager": When(manager=("gore",)),
        "assistant": When(assistant=("kingpin",)),
        "module": When(module=("laboratory",)),
        "status": When(happiness=("alarming",)),
        "bank": When(stock_min=60),
    }
    missing = {
        "other planet": When(planet=("verdance",)),
        "other environment": When(environment=("volcanic",)),
        "other manager": When(manager=("chen",)),
        "other assistant": When(assistant=("pilot",)),
        "other module": When(module=("prison",)),
        "other status": When(happiness=("good",)),
        "poor bank": When(stock_max=60),
    }
    cards = [card(name, 10, when=when) for name, when in {**fitting, **missing}.items()]
    assert set(drawn(cards, 200, colony)) == set(fitting)


def test_the_same_occurrence_stays_away_for_a_while() -> None:
    colony, apart = start(), shipped().rules.occurrences.apart
    last: dict[str, int] = {}
    for _ in range(19):
        colony = evolve(settle(evolve(colony, stock=60, statuses=(60_000,) * 3)), dependence=0, riot_stage=0)
        assert colony.settlement is not None
        name, now = colony.settlement.occurrence, colony.settlement.round
        assert now - last.get(name, -99) >= apart
        last[name] = now


def test_rs2_names_the_event_and_what_it_did() -> None:
    colony = settle(start())
    assert colony.settlement is not None
    card = shipped().occurrences[colony.settlement.occurrence]
    section = sections(colony, OccurrenceSection)
    assert (section.title, section.text, section.table_instructions) == (card.title, card.text, card.table)
    assert len(section.colony_effects) == colony.settlement.applied.bit_count()


def test_a_calm_month_says_so() -> None:
    colony = settle(only_occurrence(moods(start())))
    assert [title for _, title, _ in sections(colony, ColonyStatusSection).notices] == ["A calm month"]
    assert sections(colony, OccurrenceSection).title == "An uneventful month"


def card(name: str, weight: int, **more: object) -> Occurrence:
    return Occurrence(id=name, title=name, text=name, weight=weight, **more)  # type: ignore[arg-type]  # fields of an occurrence


def drawn(cards: list[Occurrence], count: int, colony: simulation.Colony | None = None) -> Counter[str]:
    shelf = evolve(shipped(), occurrences={each.id: each for each in cards})
    found: Counter[str] = Counter()
    for seed in range(count):
        found[draw_occurrence(Draft(evolve(colony or start(), chance=seed), shelf))] += 1
    return found


def test_fitting_occurrences_come_by_weight_however_many_do_not_fit() -> None:
    others = [card(f"other{i}", 60, when=When(stock_min=900)) for i in range(20)]
    found = drawn([*others, card("rare", 10), card("common", 30), card("called", 0)], 2000)
    assert set(found) == {"rare", "common"}
    assert 0.21 < found["rare"] / 2000 < 0.29


def test_nothing_fits() -> None:
    assert drawn([card("never", 10, when=When(stock_min=900))], 5) == {"": 5}
    assert drawn([card("called", 0)], 5) == {"": 5}


def test_once_is_once_a_game() -> None:
    shelf = evolve(shipped(), occurrences={"a": card("a", 10, once=True), "b": card("b", 10)})
    colony = evolve(start(), chance=1)
    names = []
    for _ in range(19):
        answer = simulation.step(evolve(colony, stock=60, statuses=(60_000,) * 3), Settle(), shelf)
        assert isinstance(answer, simulation.Stepped)
        colony = evolve(answer.colony, dependence=0, riot_stage=0)
        assert colony.settlement is not None
        names.append(colony.settlement.occurrence)
    assert names.count("a") == 1
    assert names.count("b") == 3  # not more often than every eighth settlement
