"""The end: which ending, the president, the table of victory points, and points still to be typed in (rulebook §6)."""

from attrs import field, frozen

from companion.screens.texts import _, signed
from companion.screens.view_models import words
from companion.screens.view_models.cards import PillVM
from companion.screens.view_models.page import BlockVM, ItemVM, PageVM
from companion.simulation.player import EndingView, ManagerScore, PlayerView
from companion.simulation.words import Ending, Mode

LOOKS = {
    Ending.LAST_ROUND: ("flag-checkered", "good", _("The last round is over")),
    Ending.FIFTEEN_MODULES: ("office-building", "good", _("Fifteen modules stand")),
    Ending.FIFTEEN_THOUSAND: ("account-group", "good", _("15,000 Citizens live here")),
    Ending.RIOT: ("fire", "critical", _("The riot has won")),
    Ending.TERRAN_DEPENDENCE: ("earth", "critical", _("Earth takes over")),
    Ending.DEPOPULATION: ("skull", "critical", _("Nobody is left")),
    Ending.SCENARIO_WON: ("trophy", "good", _("The scenario is won")),
    Ending.SCENARIO_LOST: ("skull", "critical", _("The scenario is lost")),
}


@frozen
class PointsVM:
    """One number to be typed in; `manager` "" is the whole group."""

    manager: str = ""
    title: str = ""
    portrait: tuple[str, str, str] | None = None


@frozen
class EndingVM:
    page: PageVM = field(factory=PageVM)
    points: tuple[PointsVM, ...] = ()
    points_hint: str = ""


def ending_screen(colony: PlayerView) -> EndingVM:
    ending = colony.ending
    assert ending is not None
    missing = tuple(points_row(id, colony) for id in ending.points_missing)
    is_common = None in ending.points_missing
    hint = (
        _("Add up goals, artifacts and abilities of all and type in the sum.")
        if is_common
        else _("Goals, artifacts and abilities lie on the table: type in their points.")
    )
    icon, tone, _title = LOOKS[ending.endings[0]]
    outcome = _("VICTORY") if ending.is_victory else _("DEFEAT")
    scores = tuple(score_block(score, colony, is_final=not missing) for score in ending.scores)
    per_column = max(1, -(-len(scores) // 3))
    columns = [scores[start : start + per_column] for start in range(0, len(scores), per_column)]
    return EndingVM(
        page=PageVM(
            title=_("{outcome} ON {planet}").format(outcome=outcome, planet=colony.planet_name.upper()),
            subtitle=_("{colony}, after {n} rounds").format(colony=colony.colony_name, n=colony.round),
            icon=icon,
            tone=tone,
            columns=((story_block(ending, colony),), *columns),
        ),
        points=missing,
        points_hint=hint if missing else "",
    )


def story_block(ending: EndingView, colony: PlayerView) -> BlockVM:
    rows = [ItemVM(title=LOOKS[one][2], icon=LOOKS[one][0], tone=LOOKS[one][1]) for one in ending.endings]
    president = words.find_manager(colony, ending.president)
    if president is not None:
        rows.append(
            ItemVM(
                title=president.name,
                text=_("Colony President"),
                manager=(president.id, president.letter, president.colour),
                pill=PillVM("bank", _("20 VP"), "poor"),
            )
        )
    return BlockVM(
        title=ending.title.upper(),
        icon=LOOKS[ending.endings[0]][0],
        tone=LOOKS[ending.endings[0]][1],
        lead=ending.text,
        items=tuple(rows),
    )


def score_block(score: ManagerScore, colony: PlayerView, *, is_final: bool) -> BlockVM:
    manager = words.find_manager(colony, score.manager)
    rows = tuple(ItemVM(title=line.label, value=signed(line.points) if line.points else "0") for line in score.lines)
    pill = PillVM()
    if is_final and score.is_winner:
        pill = PillVM("trophy", _("Wins"), "good")
    elif score.is_president:
        pill = PillVM("bank", _("President"), "poor")
    return BlockVM(
        title=(manager.name if manager else _("The colony")).upper(),
        icon="account" if manager else "account-group",
        tone=manager.colour if manager else "accent",
        pill=pill,
        big=_("{n} VP").format(n=str(score.total).replace("-", "−")),
        big_tone="good" if is_final and score.is_winner else "text",
        items=rows,
        note="" if is_final else _("Table points are still missing."),
    )


def points_row(id: str | None, colony: PlayerView) -> PointsVM:
    manager = words.find_manager(colony, id)
    if manager is None:
        title = _("All table points") if colony.mode is not Mode.SEMI_COOP else _("Table points")
        return PointsVM("", title)
    return PointsVM(manager.id, manager.name, (manager.id, manager.letter, manager.colour))
