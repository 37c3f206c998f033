"""Resources, accumulators, imports, STOCK, loans (colonies-rules 1.6, 1.8, 1.9)."""

import pytest
from attrs import evolve

from companion import simulation
from companion.simulation.colony import GAS, LIFE_SUPPORT, POWER, Lasting, Settlement
from companion.simulation.player_report import EconomySection
from companion.simulation.words import Balance, Ending, Fill
from tests.companion.simulation.games import only_occurrence, settle, shipped, start, with_modules

RULES = shipped().rules


def settled(colony: simulation.Colony) -> tuple[simulation.Colony, Settlement]:
    after = settle(only_occurrence(colony))
    assert after.settlement is not None
    return after, after.settlement


def drained(**accumulators: int) -> simulation.Colony:
    return evolve(start(), accumulators=(0, 0, 0, 0))


def test_e03_arc_produces_all_four() -> None:
    _, done = settled(start())
    assert done.produced == (RULES.start.power, RULES.start.life_support, RULES.start.gas, RULES.start.liquids)


def test_e02_each_started_thousand_breathes() -> None:
    view = simulation.view(evolve(start(), groups=(1000, 1, 0, 0, 0)), shipped())
    assert view.resources[LIFE_SUPPORT].consumption == 2


def test_e04_overproduction_fills_up_to_capacity() -> None:
    after, _ = settled(start())
    assert after.accumulators[POWER] == RULES.start.capacity
    assert simulation.view(after, shipped()).resources[POWER].accumulator is Fill.FULL


def test_e05_storage_and_tanks_raise_capacity() -> None:
    colony = evolve(with_modules(start(), "storage", "tanks"), accumulators=(14, 14, 14, 14))
    view = simulation.view(colony, shipped())
    assert [resource.accumulator for resource in view.resources] == [Fill.FULL] * 4
    less = evolve(colony, accumulators=(13, 0, 13, 13))
    fills = [resource.accumulator for resource in simulation.view(less, shipped()).resources]
    assert fills == [Fill.INCOMPLETE, Fill.EMPTY, Fill.INCOMPLETE, Fill.INCOMPLETE]


def test_e04_accumulator_covers_before_import() -> None:
    hungry = with_modules(evolve(start(), accumulators=(2, 7, 7, 7)), "industrial", "landing")
    after, done = settled(hungry)
    missing = done.consumed[POWER] - done.produced[POWER] - 2
    assert done.imported[POWER] == max(0, missing)
    assert after.accumulators[POWER] == max(0, -missing)


def test_e06_the_rest_is_imported_for_stock() -> None:
    hungry = with_modules(evolve(start(), accumulators=(0, 0, 0, 0)), "industrial", "landing", "spaceport")
    _, done = settled(hungry)
    assert sum(done.imported) > 0
    assert dict(done.ledger)["imports"] == -RULES.supply.import_price * sum(done.imported)


def test_e08_balance_icons() -> None:
    industrial = simulation.view(with_modules(start(), "industrial", "landing", "spaceport"), shipped())
    assert industrial.resources[POWER].balance is Balance.SHORT
    nuclear = simulation.view(with_modules(start(), "nuclear"), shipped())
    assert nuclear.resources[POWER].balance is Balance.OVERFLOWING
    assert nuclear.resources[GAS].balance is Balance.SURPLUS


def test_lasting_production_ends_after_its_rounds() -> None:
    boosted = evolve(start(), lasting=(Lasting("resource", POWER, 5, 1, 2),))
    made = []
    for _ in range(3):
        made.append(simulation.view(boosted, shipped()).resources[POWER].production)
        boosted, _ = settled(boosted)
    assert made == [9, 9, 4]
    assert boosted.lasting == ()


def test_gap14_income_and_expenses() -> None:
    groups = (1000, 0, 200, 0, 300)
    _, done = settled(evolve(start(), groups=groups))
    ledger = dict(done.ledger)
    assert ledger["taxes"] == 1000 // RULES.economy.colonists_per_stock
    assert ledger["science"] == 200 // RULES.economy.scientists_per_stock
    assert ledger["prisoners"] == -(300 // RULES.economy.prisoners_per_cost)


def test_ledger_adds_up() -> None:
    colony = with_modules(start(), "hydro", "industrial", "laboratory")
    for seed in range(30):
        after = settle(evolve(colony, chance=seed))
        done = after.settlement
        assert done is not None
        assert done.stock_before + sum(amount for _, amount in done.ledger) == done.stock_after == after.stock


def test_n13_laboratory_trains_scientists() -> None:
    colony = evolve(start(), groups=(1000, 0, 0, 0, 0))
    plain, _ = settled(colony)
    trained, _ = settled(with_modules(colony, "laboratory"))
    assert trained.groups[2] >= plain.groups[2] + 30


def test_prisoners_are_exchanged_by_a_second_tier_prison() -> None:
    tier1 = with_modules(evolve(start(), groups=(1000, 0, 0, 0, 300)), "prison")
    tier2 = evolve(tier1, modules=(evolve(tier1.modules[0], tier=2),))
    _, without = settled(tier1)
    _, with_exchange = settled(tier2)
    assert "exchange" not in dict(without.ledger)
    assert dict(with_exchange.ledger)["exchange"] == 2


def test_surplus_is_sold_only_by_modules_that_do() -> None:
    rich = evolve(start(), accumulators=(7, 7, 7, 7))
    _, plain = settled(rich)
    assert "surplus" not in dict(plain.ledger)
    market = with_modules(rich, "market")
    _, sold = settled(evolve(market, modules=(evolve(market.modules[0], tier=2),)))
    assert dict(sold.ledger)["surplus"] == 3


def test_no_more_surplus_is_sold_than_there_is() -> None:
    market = with_modules(evolve(start(), accumulators=(4, 4, 4, 5)), "market")
    _, sold = settled(evolve(market, modules=(evolve(market.modules[0], tier=2),)))
    assert dict(sold.ledger)["surplus"] == 1  # of the liquids, 5 + 3 in room for 7


@pytest.mark.parametrize("debt", [1, 50])
def test_td1_loan_when_stock_is_below_zero_one_a_settlement(debt: int) -> None:
    poor = evolve(start(), stock=-debt - 10)
    after, done = settled(poor)
    assert done.loan
    assert (after.dependence, after.loans) == (1, 1)
    assert ("loan", 20) in done.ledger
    assert simulation.view(after, shipped()).special.terran_dependence == 1


def test_no_loan_at_exactly_zero() -> None:
    _, done = settled(start())
    exact = evolve(start(), stock=30 - done.stock_after)
    after, again = settled(exact)
    assert (after.stock, again.loan, after.dependence) == (0, False, 0)


def test_td3_the_third_level_loses() -> None:
    after, _ = settled(evolve(start(), stock=-10, dependence=2))
    assert after.endings == (Ending.TERRAN_DEPENDENCE,)


def test_con1_removed_dependence_gives_time_though_loans_are_counted() -> None:
    after, _ = settled(evolve(start(), stock=-10, dependence=1, loans=5))
    assert after.endings == ()
    assert (after.dependence, after.loans) == (2, 6)


def test_rs3_sections_name_every_line() -> None:
    colony = with_modules(evolve(start(), stock=-20), "industrial", "landing", "spaceport")
    after, done = settled(colony)
    report = simulation.report(after, shipped())
    assert report is not None
    (section,) = [section for section in report.sections if isinstance(section, EconomySection)]
    assert sum(n for _, n in (*section.income, *section.expenses)) == done.stock_after - done.stock_before
    assert all(amount > 0 for _, amount in section.income)
    assert all(amount < 0 for _, amount in section.expenses)
    assert [row[1:] for row in section.population] == list(zip(done.groups_before, done.groups_after, strict=True))


@pytest.mark.parametrize(("amount", "production", "consumption"), [(1, 1, 0), (-1, 0, 1), (5, 5, 0), (-5, 0, 5)])
def test_lasting_resources_are_made_or_used(amount: int, production: int, consumption: int) -> None:
    plain = simulation.view(start(), shipped()).resources[GAS]
    changed = evolve(start(), lasting=(Lasting("resource", GAS, amount, 1, 1),))
    gas = simulation.view(changed, shipped()).resources[GAS]
    assert (gas.production - plain.production, gas.consumption - plain.consumption) == (production, consumption)
