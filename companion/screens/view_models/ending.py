"""The end: which ending, the president, the table of victory points, and points still to be typed in (rulebook §6)."""

from attrs import field, frozen

from companion.screens.texts import _, count, signed
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
    start: int = 0
    """What was entered before."""


@frozen
class EndingVM:
    page: PageVM = field(factory=PageVM)
    points: tuple[PointsVM, ...] = ()
    points_hint: str = ""
    can_judge: bool = False
    """Goals can be picked, and their points entered with the table's."""
    entered: tuple[PointsVM, ...] = ()
    """All points are there: what can be put right."""


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
    outcome, tone = outcome_of(ending, tone, is_final=not missing)
    scores = score_columns(ending, colony, is_final=not missing)
    return EndingVM(
        page=PageVM(
            title=_("{outcome} ON {planet}").format(outcome=outcome, planet=colony.planet_name.upper()),
            subtitle=f"{colony.colony_name}, {count(colony.round, _('after {n} round'), _('after {n} rounds'))}",
            icon=icon,
            tone=tone,
            columns=((story_block(ending, colony),), *scores),
        ),
        points=missing,
        points_hint=hint if missing else "",
        can_judge=bool(missing and ending.goals),
        entered=() if missing else tuple(points_row(one.manager, colony, one.on_table or 0) for one in ending.scores),
    )


def outcome_of(ending: EndingView, tone: str, *, is_final: bool) -> tuple[str, str]:
    """(word, tone). Where all score together, a colony that stands is won or lost by its points (A2.2.4)."""
    if not ending.is_victory:
        return _("DEFEAT"), tone
    if ending.scores and ending.scores[0].manager is None:
        if not is_final:
            return _("STILL STANDING"), tone
        if not ending.scores[0].is_winner:
            return _("DEFEAT"), "alarming"
    return _("SUCCESS"), tone


def story_block(ending: EndingView, colony: PlayerView) -> BlockVM:
    rows = [ItemVM(title=LOOKS[one][2], icon=LOOKS[one][0], tone=LOOKS[one][1]) for one in ending.endings]
    president = words.find_manager(colony, ending.president)
    if president is not None:
        rows.append(
            ItemVM(
                title=president.name,
                text=_("Colony President"),
                manager=words.portrait_of(president),
                pill=PillVM("bank", points(ending.presidency), "poor"),
            )
        )
    return BlockVM(
        title=ending.title.upper(),
        icon=LOOKS[ending.endings[0]][0],
        tone=LOOKS[ending.endings[0]][1],
        lead=ending.text,
        is_story=True,
        items=tuple(rows),
    )


def score_columns(ending: EndingView, colony: PlayerView, *, is_final: bool) -> tuple[tuple[BlockVM, ...], ...]:
    if not ending.scores:
        return ()
    if len(ending.scores) == 1 and ending.scores[0].manager is None:
        return ((common_block(ending.scores[0], is_final=is_final),),)
    best_first = sorted(ending.scores, key=lambda score: -score.total)
    table = BlockVM(
        title=_("VICTORY POINTS"),
        icon="podium-gold",
        tone="poor",
        items=tuple(score_row(score, colony, is_final=is_final) for score in best_first),
        note=_("Most points win; equal points share the victory.")
        if is_final
        else _("Table points are still missing."),
    )
    return ((table,),)


def points(number: int) -> str:
    return _("{n} VP").format(n=str(number).replace("-", "−"))


def score_row(score: ManagerScore, colony: PlayerView, *, is_final: bool) -> ItemVM:
    manager = words.find_manager(colony, score.manager)
    pill = PillVM()
    if is_final and score.is_winner:
        pill = PillVM("trophy", _("Wins"), "good")
    elif score.is_president:
        pill = PillVM("bank", _("President"), "poor")
    return ItemVM(
        title=manager.name if manager else _("The colony"),
        text=" · ".join(f"{line.label} {signed(line.points)}" for line in score.lines),
        manager=words.portrait(colony, score.manager),
        value=points(score.total),
        value_tone="good" if is_final and score.is_winner else "text",
        pill=pill,
    )


def common_block(score: ManagerScore, *, is_final: bool) -> BlockVM:
    lead = _("More than zero wins.")
    if is_final:
        lead = _("The sum is above zero: you win.") if score.is_winner else _("The sum is not above zero: you lose.")
    return BlockVM(
        title=_("VICTORY POINTS"),
        icon="podium-gold",
        tone="poor",
        big=points(score.total),
        big_tone="good" if is_final and score.is_winner else "text",
        lead=lead,
        items=tuple(ItemVM(title=line.label, value=signed(line.points)) for line in score.lines),
        note="" if is_final else _("Table points are still missing."),
    )


def points_row(id: str | None, colony: PlayerView, start: int = 0) -> PointsVM:
    manager = words.find_manager(colony, id)
    if manager is None:
        title = _("All table points") if colony.mode is not Mode.SEMI_COOP else _("Table points")
        return PointsVM("", title, start=start)
    return PointsVM(manager.id, manager.name, words.portrait_of(manager), start)
