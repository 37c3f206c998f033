"""Cards and tokens during a round (colonies-rules 1.2, 1.11, 1.14)."""

from attrs import evolve

from companion import simulation
from companion.simulation.commands import (
    Campaign,
    ChangeGovernor,
    FlipAssistant,
    RegisterDecree,
    RegisterDirective,
    UseAmbassador,
)
from tests.companion.simulation.games import play, refuse, settle, shipped, start, start_solo

DECREE, OTHER = "open-canteens", "night-patrols"
BLOCKING, OF_GORE = "state-of-siege", "gore"


def test_d01_one_card_a_manager_and_round() -> None:
    colony = play(start(), RegisterDecree(DECREE, "bloch"))
    assert refuse(colony, RegisterDecree(OTHER, "bloch")).code == "one_card"
    assert refuse(colony, RegisterDirective("long-haul", "bloch")).code == "one_card"
    assert [act.kind for act in play(colony, RegisterDecree(OTHER, "chen")).acts] == ["decree", "decree"]


def test_d01_directive_instead_of_decree() -> None:
    colony = play(start(), RegisterDirective("long-haul", "bloch"))
    assert refuse(colony, RegisterDecree(DECREE, "bloch")).code == "one_card"


def test_hz24_one_physical_card_a_round() -> None:
    colony = play(start(), RegisterDecree(DECREE, "bloch"))
    assert refuse(colony, RegisterDecree(DECREE, "gore")).code == "decree_twice"


def test_gap29_a_decree_may_come_again_in_a_later_round() -> None:
    colony = settle(play(start(), RegisterDecree(DECREE, "bloch")))
    assert play(colony, RegisterDecree(DECREE, "gore")).acts


def test_r06_directive_only_by_its_owner() -> None:
    assert refuse(start(), RegisterDirective(BLOCKING, "bloch")).code == "not_owner"
    assert "Athena Gore" in refuse(start(), RegisterDirective(BLOCKING, "bloch")).reason


def test_d10_directives_are_single_use() -> None:
    colony = settle(play(start(), RegisterDirective("long-haul", "bloch")))
    assert colony.spent == ("long-haul",)
    assert refuse(colony, RegisterDirective("long-haul", "bloch")).code == "directive_spent"


def test_con14_blocking_directive_refuses_later_decrees_of_others() -> None:
    colony = play(start(), RegisterDirective(BLOCKING, OF_GORE))
    assert refuse(colony, RegisterDecree(DECREE, "bloch")).code == "decrees_blocked"


def test_p12_last_round_has_no_cards() -> None:
    last = evolve(start(), round=20)
    assert refuse(last, RegisterDecree(DECREE, "bloch")).code == "last_round"
    assert refuse(last, RegisterDirective("long-haul", "bloch")).code == "last_round"
    assert play(last, Campaign("bloch")).acts


def test_unknown_cards_and_people() -> None:
    assert refuse(start(), RegisterDecree("no-such", "bloch")).code == "unknown_decree"
    assert refuse(start(), RegisterDirective("no-such", "bloch")).code == "unknown_directive"
    assert refuse(start(), RegisterDecree(DECREE, "xu")).code == "not_seated"
    assert refuse(start(), Campaign("xu")).code == "not_seated"
    assert refuse(start(), UseAmbassador("nobody")).code == "not_seated"
    assert refuse(start(), ChangeGovernor("xu")).code == "not_seated"


def test_gv04_campaign_raises_support_of_one() -> None:
    before, after = start(), play(start(), Campaign("gore"), Campaign("gore"))
    gained = [b - a for a, b in zip(before.support, after.support, strict=True)]
    assert gained == [0, 2 * shipped().rules.support.campaign, 0]


def test_r09_ambassador_removes_one_dependence_at_once() -> None:
    indebted = evolve(start(), dependence=2, loans=2)
    after = play(indebted, UseAmbassador("chen"))
    assert (after.dependence, after.loans) == (1, 2)
    assert after.ambassadors == (0, 0, 1)
    assert after.support[2] > indebted.support[2]


def test_gap19_ambassador_without_dependence_pays_too() -> None:
    after = play(start(), UseAmbassador("chen"))
    assert (after.dependence, after.ambassadors) == (0, (0, 0, 1))
    (line,) = simulation.view(after, shipped()).registered
    assert line.detail == "There was no Terran Dependence to remove"


def test_gv01_last_claim_wins_in_the_next_upkeep() -> None:
    claimed = play(start(), ChangeGovernor("bloch"), ChangeGovernor("chen"))
    assert claimed.governor == "gore"
    assert [m.id for m in simulation.view(claimed, shipped()).managers if m.becomes_governor] == ["chen"]
    settled = settle(claimed)
    assert (settled.governor, settled.next_governor) == ("chen", None)
    report = simulation.report(settled, shipped())
    assert report is not None
    assert report.sections[-1].governor_changed  # type: ignore[union-attr]  # the last one is the upkeep reminder


def test_gap32_a_passed_decree_is_the_last_claim() -> None:
    colony = evolve(start(), support=(500, 0, 0), statuses=(100_000,) * 3)
    claimed = play(colony, RegisterDecree("citizens-assembly", "bloch"), ChangeGovernor("chen"))
    settled = settle(claimed)
    assert settled.settlement is not None
    assert settled.settlement.votes[0].passed
    assert settled.governor == "bloch"


def test_x05_flip_assistant() -> None:
    one_sided = start()
    assert refuse(one_sided, FlipAssistant("xu")).code == "no_assistant"


def test_so5_any_token_is_the_players_in_solo() -> None:
    colony = play(start_solo(), Campaign("xu"), Campaign("mccain"), RegisterDecree(DECREE, "gore"))
    assert colony.support == (2 * shipped().rules.support.campaign,)
    assert {act.manager for act in colony.acts} == {"solo"}


def test_so6_so9_solo_has_no_directives_and_one_decree() -> None:
    colony = play(start_solo(), RegisterDecree(DECREE, "gore"))
    assert refuse(colony, RegisterDecree(OTHER, "xu")).code == "one_card"
    assert refuse(start_solo(), RegisterDirective("long-haul", "bloch")).code == "solo_directive"
    assert refuse(start_solo(), ChangeGovernor("bloch")).code == "solo_governor"


def test_r02_every_act_is_in_the_rounds_list() -> None:
    colony = play(start(), RegisterDecree(DECREE, "bloch"), Campaign("gore"), ChangeGovernor("chen"))
    lines = simulation.view(colony, shipped()).registered
    assert [(line.kind, line.manager) for line in lines] == [
        ("decree", "bloch"),
        ("campaign", "gore"),
        ("governor", "chen"),
    ]
    assert lines[0].detail == "Fee: 1 CR"
    assert simulation.view(settle(colony), shipped()).registered == ()
