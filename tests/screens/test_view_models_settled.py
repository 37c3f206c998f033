"""View models of the summary, the ends and the history, without Kivy."""

from attrs import evolve

from companion.screens.gallery import samples, samples_settled as settled
from companion.screens.view_models.decrees import percent
from companion.screens.view_models.ending import ending_screen
from companion.screens.view_models.history import history_page
from companion.screens.view_models.summary import section_page
from companion.session.table import TableView
from companion.simulation.player_report import DecreeSection, EconomySection
from companion.simulation.words import Ending


def test_every_section_has_its_page() -> None:
    titles = [section_page(section, samples.COLONY).title for section in settled.SECTIONS]
    assert titles == [
        "COLONY STATUS", "THIS ROUND'S OCCURRENCE", "COLONY ECONOMY", "DECREE RESULTS", "SUPPORT OF THE MANAGERS",
        "ACHIEVEMENTS", "MODULES DEVELOP", "UPKEEP",
    ]  # fmt: skip


def test_decree_results() -> None:
    blocks = [block for column in section_page(settled.SECTIONS[3], samples.COLONY).columns for block in column]
    verdicts = {block.title: block.pill.text for block in blocks}
    assert verdicts == {
        "WATER RATIONING": "Passed", "CURFEW": "Rejected", "MARTIAL ORDER": "In force", "TAX RELIEF": "Blocked",
    }  # fmt: skip
    (first,) = section_page(DecreeSection(settled.SECTIONS[3].results[:1]), samples.COLONY).columns[0]
    assert (first.emblem, first.lead) == ("gavel", "Passed")
    assert percent(734) == "73.4 %"
    empty = section_page(DecreeSection(()), samples.COLONY)
    assert empty.columns[0][0].title == "NO DECREES"


def test_many_newcomers_are_explained() -> None:
    def note(table: TableView) -> str:
        assert table.report is not None
        (economy,) = (one for one in table.report.sections if isinstance(one, EconomySection))
        return section_page(economy, samples.COLONY).columns[1][1].note

    assert "draw so many at once" in note(settled.FIRST_MONTH)
    assert note(settled.summary_table(2)) == ""


def test_endings() -> None:
    assert ending_screen(settled.ENDED.colony).page.title == "SUCCESS ON PROXIMA B"  # type: ignore[arg-type]  # a table with a colony
    for ending in settled.DEFEATS:
        vm = ending_screen(settled.defeat_table(ending).colony)  # type: ignore[arg-type]  # a table with a colony
        assert vm.page.title == "DEFEAT ON PROXIMA B"
        assert len(vm.page.columns) == 1
    counting = ending_screen(settled.COUNTING.colony)  # type: ignore[arg-type]  # a table with a colony
    assert [one.manager for one in counting.points] == ["xu", "mccain"]
    table = counting.page.columns[1][0]
    assert "Wins" not in [one.pill.text for one in table.items]
    assert {ending.is_positive for ending in Ending} == {True, False}


def test_history_is_newest_first() -> None:
    acts = history_page(samples.TABLE, samples.COLONY).columns[0][0]
    assert acts.items[0].title == "Claims the Governor's seat"
    assert acts.items[0].text == "Governor · Athena Gore · From the next round"


def test_the_presidents_points_are_those_of_the_game() -> None:
    colony = evolve(samples.COLONY, ending=evolve(settled.VICTORY, presidency=30))
    story = ending_screen(colony).page.columns[0][0]
    assert [item.pill.text for item in story.items if item.text == "Colony President"] == ["30 VP"]


def test_a_colony_that_stands_is_won_or_lost_by_its_points() -> None:
    """Where all score together; nobody has won before the points of the table are there."""
    common = settled.COMMON.colony
    assert common is not None
    assert common.ending is not None
    stands, score = common.ending, common.ending.scores[0]

    def title(missing: tuple[None, ...], *, wins: bool) -> str:
        ending = evolve(stands, points_missing=missing, scores=(evolve(score, is_winner=wins),))
        return ending_screen(evolve(common, ending=ending)).page.title

    assert title((None,), wins=True) == "STILL STANDING ON PROXIMA B"
    assert title((), wins=True) == "SUCCESS ON PROXIMA B"
    assert title((), wins=False) == "DEFEAT ON PROXIMA B"


def test_an_end_after_the_first_round_says_so() -> None:
    assert (
        ending_screen(evolve(samples.COLONY, round=1, ending=settled.VICTORY)).page.subtitle
        == "New Helvetia, after 1 round"
    )
