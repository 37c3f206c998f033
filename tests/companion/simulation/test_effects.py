"""Every verb of the catalog's vocabulary: what it does, within which limits, and how it is said to players."""

from typing import Any

import pytest
from attrs import evolve

from companion import simulation
from companion.catalog import effects as verbs
from companion.catalog.conditions import Condition as When
from companion.catalog.effects import VERBS, Effect
from companion.catalog.reading import read_entry
from companion.simulation.draft import Draft
from companion.simulation.effects import Cause, apply_effects
from companion.simulation.wording import effect_text
from companion.simulation.words import Condition
from tests.companion.simulation.games import finished, settle, shipped, start, start_solo, with_modules

SAMPLES: dict[str, dict[str, Any]] = {
    "status": {"of": "all", "steps": -2},
    "stock": {"by": 7},
    "resource": {"of": "power", "by": 4, "rounds": 2},
    "accumulator": {"of": "gas", "by": -2},
    "capacity": {"of": "all", "by": 3},
    "people": {"of": "all", "by": 100},
    "people_share": {"of": "colonists", "percent": -10},
    "convert": {"from": "colonists", "to": "marines", "by": 60},
    "immigration": {"of": "scientists", "percent": 50, "rounds": 2},
    "housing": {"by": 300},
    "dependence": {"by": -1},
    "break_riot": {},
    "governor": {},
    "block_decrees": {},
    "support": {"of": "others", "points": 2},
    "approval": {"of": "owner", "percent": 20},
    "construction": {"percent": 100},
    "construction_cost": {"by": -2, "rounds": 2},
    "upkeep": {"by": 3},
    "import_price": {"by": 1},
    "tax": {"percent": -50},
    "catastrophe": {"module": ["solar"]},
    "catastrophe_risk": {"percent": 100},
    "upgrade": {},
    "max_rounds": {"by": 2},
    "counter": {"of": "bar", "by": 3},
}


def effect(verb: str, **changes: Any) -> Effect:
    return read_entry(Effect, {"do": verb, **SAMPLES[verb], **changes})


def applied(colony: simulation.Colony, *effects: Effect, seat: int = 0) -> tuple[Draft, int]:
    draft = Draft(colony, shipped())
    return draft, apply_effects(draft, effects, Cause("decrees", seat))


def colony() -> simulation.Colony:
    return evolve(with_modules(start(), "solar", "well"), dependence=1, riot_stage=2)


def test_there_is_a_sample_of_every_verb() -> None:
    assert set(SAMPLES) == set(VERBS)


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_every_verb_is_carried_out_and_said(verb: str) -> None:
    site = evolve(
        finished("hydro", 200), condition=Condition.UNDER_CONSTRUCTION, progress=0, was_finished=False, since=0
    )
    begun = colony()
    begun = evolve(begun, modules=(*begun.modules, site))
    draft, done = applied(begun, effect(verb))
    assert done == 1
    assert simulation.problems(draft.freeze(), shipped()) == ()
    text = effect_text(effect(verb))
    assert text[0].isupper() or text[0] in "+−0123456789"
    if verb not in ("block_decrees",):
        assert draft.freeze() != begun


@pytest.mark.parametrize("verb", ["dependence", "break_riot", "catastrophe", "upgrade", "convert", "construction"])
def test_what_finds_nothing_to_do_is_not_reported_as_done(verb: str) -> None:
    empty = evolve(start(), groups=(0, 9, 0, 0, 0))
    draft, done = applied(empty, effect(verb))
    assert done == 0
    assert draft.freeze() == empty


def test_conditions_are_looked_at_one_by_one() -> None:
    rich = verbs.ChangeStock(by=5, when=When(stock_min=1000))
    poor = verbs.ChangeStock(by=5, when=When(stock_max=1000))
    draft, done = applied(start(), rich, poor, rich)
    assert (done, draft.stock) == (0b010, start().stock + 5)


def test_later_effects_see_earlier_ones() -> None:
    draft, done = applied(
        evolve(start(), stock=0), verbs.ChangeStock(by=50), verbs.ChangeHousing(by=9, when=When(stock_min=50))
    )
    assert (done, draft.extra_housing) == (0b11, 9)


def test_status_arrows_stay_on_the_scale() -> None:
    low = evolve(start(), statuses=(1000, 99_000, 50_000))
    draft, _ = applied(low, verbs.ChangeStatus(of="happiness", steps=-3), verbs.ChangeStatus(of="security", steps=3))
    assert draft.statuses[:2] == [0, 100_000]
    assert draft.statuses[2] == 50_000


def test_accumulators_take_what_fits_and_give_what_is_there() -> None:
    draft, _ = applied(start(), verbs.FillAccumulator(of="all", by=50))
    assert draft.accumulators == [shipped().rules.start.capacity] * 4
    draft, _ = applied(start(), verbs.FillAccumulator(of="gas", by=-50))
    assert draft.accumulators[2] == 0


def test_less_capacity_spills() -> None:
    draft, _ = applied(evolve(start(), accumulators=(7, 7, 7, 7)), verbs.ChangeCapacity(of="power", by=-4))
    assert draft.accumulators == [3, 7, 7, 7]


def test_people_are_never_fewer_than_none() -> None:
    draft, _ = applied(evolve(start(), groups=(5, 5, 0, 0, 0)), verbs.ChangePeople(of="all", by=-4000))
    assert draft.groups == [0, 0, 0, 0, 0]
    draft, _ = applied(evolve(start(), groups=(50, 0, 0, 0, 0)), effect("convert"))
    assert draft.groups == [0, 0, 0, 50, 0]


def test_support_of_owner_others_all() -> None:
    for who, expected in (("owner", [0, 2, 0]), ("others", [2, 0, 2]), ("all", [2, 2, 2])):
        draft, _ = applied(start(), verbs.ChangeSupport(of=who, points=2), seat=1)
        assert draft.support == expected


def test_approval_counts_in_the_next_vote() -> None:
    draft, _ = applied(start(), verbs.ChangeApproval(of="owner", percent=20, rounds=2), seat=1)
    seen = []
    for draft.round in range(1, 5):
        seen.append((draft.last_of("approval", 0), draft.last_of("approval", 1)))
    assert seen == [(0, 0), (0, 20), (0, 20), (0, 0)]


def test_lasting_stock_pays_at_once_and_again() -> None:
    draft, _ = applied(start(), verbs.ChangeStock(by=6, rounds=3))
    begun = draft.freeze()
    paid = [begun.stock - start().stock]
    for _ in range(4):
        begun = settle(begun)
        assert begun.settlement is not None
        paid.append(dict(begun.settlement.ledger).get("agreements", 0))
    # the draft stands before the settlement of round 1, which the first payment belongs to
    assert paid == [6, 0, 6, 6, 0]


def test_construction_moves_the_queue_within_its_work() -> None:
    site = evolve(
        finished("hydro", 200), condition=Condition.UNDER_CONSTRUCTION, progress=2000, was_finished=False, since=0
    )
    draft, _ = applied(evolve(start(), modules=(site,)), effect("construction", percent=300))
    assert draft.modules[0].progress == draft.modules[0].work
    draft, _ = applied(evolve(start(), modules=(site,)), effect("construction", percent=-100))
    assert draft.modules[0].progress == 1000


def test_catastrophe_hits_the_named_kind_only() -> None:
    for _ in range(20):
        draft, _ = applied(evolve(colony(), connections=()), effect("catastrophe", module=["well"]))
        assert draft.hit == [102]


def test_upgrade_takes_the_longest_working() -> None:
    two = evolve(start(), modules=(finished("well", 1, since=5), finished("solar", 2, since=3)))
    draft, _ = applied(two, effect("upgrade"))
    assert [module.tier for module in draft.modules] == [1, 2]


def test_solo_has_no_governor_to_change() -> None:

    draft, _ = applied(start_solo(), effect("governor"))
    assert draft.next_governor is None


def test_reading_gives_the_class_of_the_verb() -> None:
    for verb, kind in VERBS.items():
        assert type(effect(verb)) is kind


@pytest.mark.parametrize(
    ("by", "text"), [(1, "lasts 1 round longer"), (-1, "lasts 1 round less"), (2, "lasts 2 rounds longer")]
)
def test_one_round_is_one_round(by: int, text: str) -> None:
    assert text in effect_text(verbs.ChangeRounds(by=by))


@pytest.mark.parametrize(("count", "text"), [(1, "1 Citizen lost their life."), (2, "2 Citizens lost their lives.")])
def test_one_citizen_is_one_citizen(count: int, text: str) -> None:
    colony = settle(with_modules(start(), "solar"))
    assert colony.settlement is not None
    hit = evolve(colony.settlement, hit=(colony.modules[0].instance,), casualties=count)
    report = simulation.report(evolve(colony, settlement=hit), shipped())
    assert report is not None
    assert text in str(report.sections[0])
