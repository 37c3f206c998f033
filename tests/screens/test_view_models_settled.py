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
