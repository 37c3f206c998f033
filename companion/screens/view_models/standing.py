"""Two pages that come now and then: roughly whom the Citizens follow, and how far a scenario has come."""

from companion.screens.texts import _, figure
from companion.screens.view_models import words
from companion.screens.view_models.page import BlockVM, ItemVM, PageVM
from companion.simulation.player import PlayerView
from companion.simulation.player_report import AchievementSection, RankingSection


def ranking_section(section: RankingSection, colony: PlayerView) -> PageVM:
    rows = tuple(
        ItemVM(
            title=words.manager_name(colony, id), manager=words.portrait(colony, id), steps=steps, of=5, tone="accent"
        )
        for id, steps in section.ranks
    )
    people = BlockVM(
        title=_("WHOM THE CITIZENS FOLLOW"),
        icon="podium-gold",
        tone="poor",
        items=rows,
        note=_("Managers with as many steps are about equal."),
    )
    return PageVM(
        title=_("SUPPORT OF THE MANAGERS"),
        subtitle=_("Roughly, beside the leader; shown every six rounds"),
        icon="podium-gold",
        tone="poor",
        columns=((people,),),
    )


def achievement_rows(lines: tuple[tuple[str, int, int], ...]) -> tuple[ItemVM, ...]:
    return tuple(
        ItemVM(
            title=text,
            icon="check-circle" if reached >= needed else "target",
            tone="good" if reached >= needed else "accent",
            value=f"{figure(reached)} / {figure(needed)}",
            share=min(reached / max(needed, 1), 1),
        )
        for text, reached, needed in lines
    )


def achievement_section(section: AchievementSection) -> PageVM:
    rows = achievement_rows(section.lines)
    return PageVM(
        title=_("ACHIEVEMENTS"),
        subtitle=_("How far the scenario has come"),
        icon="target",
        columns=((BlockVM(title=_("PROGRESS"), icon="target", items=rows),),),
    )
