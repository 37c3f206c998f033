"""Modules: connected, submitted, built, upgraded (colonies-rules 1.12), and the graph of connections."""

from attrs import evolve

from companion import simulation
from companion.simulation.commands import (
    Campaign,
    ConnectModule,
    SetConnections,
    Settle,
    SubmitModule,
    WithdrawModule,
)
from companion.simulation.words import Condition
from tests.companion.simulation.games import (
    moods,
    only_occurrence,
    play,
    refuse,
    settle,
    shipped,
    start,
    start_solo,
    type_of,
    with_modules,
)


def submitted(module: str, builder: str | None = "bloch") -> simulation.Colony:
    return play(start(), ConnectModule(101, type_of(module)), SubmitModule(101, builder))


def test_r07_connected_module_waits_for_its_builder() -> None:
    colony = play(start(), ConnectModule(101, type_of("solar")))
    (module,) = simulation.view(colony, shipped()).modules
    assert module.condition is Condition.AWAITING_BUILDER
    refusal = refuse(colony, Settle())
    assert refusal.code == "builder_missing"
    assert "Solar Power Plant" in refusal.reason


def test_m05_builder_gets_credit_and_support_at_registration() -> None:
    colony = submitted("solar", "chen")
    assert colony.built == (0, 0, 1)
    assert colony.support == (0, 0, shipped().rules.support.module)


def test_gap46_no_owner_can_be_confirmed() -> None:
    colony = submitted("solar", None)
    assert colony.built == (0, 0, 0)
    assert settle(colony).modules[0].condition is Condition.WORKING


def test_so5_any_token_builds_in_solo() -> None:
    colony = play(start_solo(), ConnectModule(7, type_of("obelisk")), SubmitModule(7, "xu"))
    assert (colony.built, colony.modules[0].builder) == ((1,), "solo")


def test_refusals_of_modules() -> None:
    colony = submitted("solar")
    assert refuse(colony, ConnectModule(101, type_of("well"))).code == "module_connected"
    assert refuse(colony, ConnectModule(0, type_of("well"))).code == "instance_reserved"
    assert refuse(colony, ConnectModule(9, 200)).code == "unknown_module"
    assert refuse(colony, SubmitModule(101, "gore")).code == "module_submitted"
    assert refuse(colony, SubmitModule(9, "gore")).code == "module_missing"
    assert refuse(colony, WithdrawModule(9)).code == "module_missing"
    assert refuse(play(colony, ConnectModule(9, 3)), SubmitModule(9, "xu")).code == "not_seated"


def test_m08_submitted_modules_stay_and_waiting_ones_may_go() -> None:
    assert refuse(submitted("solar"), WithdrawModule(101)).code == "module_stays"
    waiting = play(start(), ConnectModule(101, 1), SetConnections(((0, 101),)))
    gone = play(waiting, WithdrawModule(101))
    assert (gone.modules, gone.connections) == ((), ())


def test_m10_pool_counts_copies() -> None:
    colony, solar, bunker, spaceport = start(), type_of("solar"), type_of("bunker"), type_of("spaceport")
    assert simulation.is_in_pool(colony, bunker, shipped())
    assert not simulation.is_in_pool(colony, spaceport, shipped())
    assert not simulation.is_in_pool(colony, 200, shipped())
    two = play(colony, ConnectModule(1, solar), ConnectModule(2, solar))
    assert not simulation.is_in_pool(two, solar, shipped())


def test_connections_forget_direction_doubles_and_strangers() -> None:
    colony = play(start(), ConnectModule(5, 1), ConnectModule(3, 1))
    wired = play(colony, SetConnections(((5, 3), (3, 5), (0, 3), (3, 3), (5, 99))))
    assert wired.connections == ((0, 3), (3, 5))


def test_k06_each_round_of_construction_costs_five() -> None:
    colony = play(submitted("nuclear"), ConnectModule(102, type_of("hydro")), SubmitModule(102, "gore"))
    done = settle(colony).settlement
    assert done is not None
    assert dict(done.ledger)["construction"] == -10


def test_m06_capacity_rises_with_progress() -> None:
    colony, made = moods(submitted("nuclear")), []
    for _ in range(4):
        colony = moods(settle(only_occurrence(colony)))
        made.append(simulation.view(colony, shipped()).resources[0].production - shipped().rules.start.power)
    whole = shipped().modules["nuclear"].tier1.power
    assert made == [whole // 4, whole * 2 // 4, whole * 3 // 4, whole]


def test_gap41_partial_consumption_rounds_toward_zero() -> None:
    colony = settle(only_occurrence(moods(submitted("nuclear"))))
    view = simulation.view(colony, shipped())
    assert view.resources[2].consumption == 0  # a quarter of −1 gas


def test_k05_queue_shows_quarters() -> None:
    colony = submitted("nuclear")
    shown = []
    while queue := simulation.view(colony, shipped()).economy.queue:
        shown.append((queue[0].name, queue[0].quarters))
        colony = settle(moods(only_occurrence(colony)))
    assert shown == [("Nuclear Power Plant", quarters) for quarters in (0, 1, 2, 3)]


def test_gap04_bad_technical_status_slows_construction() -> None:
    def work(module: str, technical: int) -> int:
        colony = moods(start(), technical=technical)
        return play(colony, ConnectModule(1, type_of(module)), SubmitModule(1, "gore")).modules[0].work

    assert [work("solar", t) for t in (70_000, 50_000, 10_000)] == [1000, 2000, 2000]
    assert [work("hydro", t) for t in (70_000, 50_000, 10_000)] == [3000, 3000, 4000]


def test_k07_consulate_pays_once() -> None:
    colony = play(start(("mccain", "gore")), ConnectModule(1, type_of("consulate")), SubmitModule(1, "mccain"))
    done = settle(colony).settlement
    assert done is not None
    assert ("gifts", 30) in done.ledger


def test_gap20_embassy_at_first_completion_only() -> None:
    colony = play(start(("pokorny", "gore")), ConnectModule(1, type_of("embassy")), SubmitModule(1, "pokorny"))
    after = settle(evolve(colony, dependence=2))
    assert after.dependence == 1
    ruined = evolve(after.modules[0], condition=Condition.DAMAGED, progress=0, is_hit=True)
    rebuilt = settle(evolve(after, modules=(ruined,), dependence=2))
    assert rebuilt.modules[0].condition is Condition.WORKING
    assert rebuilt.dependence == 2


def test_m07_upgrade_after_four_good_settlements() -> None:
    colony = settle(moods(submitted("solar")))
    tiers = []
    for _ in range(5):
        colony = settle(moods(only_occurrence(evolve(colony, stock=50))))
        tiers.append(colony.modules[0].tier)
    assert tiers == [1, 1, 1, 2, 2]
    assert simulation.view(colony, shipped()).modules[0].tier == 2


def test_gap06_one_upgrade_a_round_oldest_first_and_only_in_good_order() -> None:
    two = with_modules(evolve(start(), round=9), "well", "solar")
    older = evolve(two.modules[1], since=0)
    colony = evolve(two, modules=(two.modules[0], older))
    upgraded = settle(moods(colony)).settlement
    assert upgraded is not None
    assert upgraded.upgraded == (102,)
    neglected = settle(moods(colony, technical=21_000)).settlement
    assert neglected is not None
    assert neglected.upgraded == ()


def test_rs7_flip_notice_names_the_module() -> None:
    colony = settle(moods(with_modules(evolve(start(), round=9), "well")))
    report = simulation.report(colony, shipped())
    assert report is not None
    sections = {type(section).__name__: section for section in report.sections}
    assert sections["UpgradeSection"].modules == ((101, "Automatic Well"),)  # type: ignore[union-attr]  # by its name


def test_round_goes_on_after_connecting() -> None:
    assert play(submitted("solar"), Campaign("gore")).acts[-1].kind == "campaign"
