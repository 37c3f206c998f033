"""The screens between two rounds, in the rulebook's order (§4.1): one page a section."""

from companion.screens.texts import _, count
from companion.screens.view_models import words
from companion.screens.view_models.balance import economy_section
from companion.screens.view_models.colony import status
from companion.screens.view_models.decrees import decree_section
from companion.screens.view_models.page import BlockVM, ItemVM, PageVM, bullets
from companion.screens.view_models.standing import achievement_section, ranking_section
from companion.simulation.player import PlayerView
from companion.simulation.player_report import (
    AchievementSection,
    ColonyStatusSection,
    DecreeSection,
    EconomySection,
    OccurrenceSection,
    RankingSection,
    Section,
    UpgradeSection,
    UpkeepSection,
)


def section_page(section: Section, colony: PlayerView) -> PageVM:
    match section:
        case ColonyStatusSection():
            return status_section(section)
        case OccurrenceSection():
            return occurrence_section(section)
        case EconomySection():
            return economy_section(section)
        case DecreeSection():
            return decree_section(section, colony)
        case RankingSection():
            return ranking_section(section, colony)
        case AchievementSection():
            return achievement_section(section)
        case UpgradeSection():
            return upgrade_section(section)
        case UpkeepSection():
            return upkeep_section(section, colony)


def status_section(section: ColonyStatusSection) -> PageVM:
    news = BlockVM(
        title=_("NEWS OF THE ROUND"),
        icon="information-outline",
        items=tuple(
            ItemVM(title=title, text=text, icon=words.LEVEL_ICONS[level], tone=level.value)
            for level, title, text in section.notices
        ),
        lead="" if section.notices else _("Nothing out of the ordinary."),
    )
    damaged = BlockVM(
        title=_("DAMAGED"),
        icon="meteor",
        tone="critical",
        items=bullets(section.damaged, "alert-octagon", "critical"),
        note=_("Leave these modules and their tiles where they are."),
    )
    rings = BlockVM(
        title=_("COLONY STATUS"), icon="home-city", statuses=tuple(status(view) for view in section.statuses)
    )
    return PageVM(
        title=_("COLONY STATUS"),
        subtitle=_("How the round has left the colony"),
        icon="home-city",
        columns=((rings,), (news, damaged) if section.damaged else (news,)),
    )


def occurrence_section(section: OccurrenceSection) -> PageVM:
    event = BlockVM(
        title=section.title.upper(),
        emblem="weather-night",
        tone="prisoners",
        lead=section.text,
        is_story=True,
    )
    colony = BlockVM(
        title=_("IN THE COLONY"),
        icon="home-city",
        items=bullets(section.colony_effects, "check", "accent"),
        lead="" if section.colony_effects else _("Nothing changes in the colony."),
        note=_("The app has already done this.") if section.colony_effects else "",
    )
    table = BlockVM(
        title=_("AT THE TABLE"),
        icon="hand-pointing-right",
        tone="poor",
        items=bullets(section.table_instructions, "hand-pointing-right", "poor"),
        lead="" if section.table_instructions else _("Nothing to do at the table."),
    )
    return PageVM(
        title=_("THIS ROUND'S OCCURRENCE"),
        subtitle=section.title,
        icon="weather-night",
        tone="prisoners",
        columns=((event,), (colony, table)),
    )


def upgrade_section(section: UpgradeSection) -> PageVM:
    rows = tuple(
        ItemVM(title=name, text=_("Flip its tile to tier 2"), icon="star", tone="info")
        for _instance, name in section.modules
    )
    lead = count(
        len(rows),
        _("{n} module has grown. Its light turns blue."),
        _("{n} modules have grown. Their lights turn blue."),
    )
    grown = BlockVM(title=_("TIER 2"), emblem="star", tone="info", lead=lead)
    return PageVM(
        title=_("MODULES DEVELOP"),
        subtitle=_("Flip the tiles of these modules"),
        icon="star",
        tone="info",
        columns=((grown,), (BlockVM(title=_("AT THE TABLE"), icon="hand-pointing-right", tone="poor", items=rows),)),
    )


def upkeep_section(section: UpkeepSection, colony: PlayerView) -> PageVM:
    name = words.manager_name(colony, section.governor)
    governor = BlockVM(
        title=name.upper(),
        emblem="crown",
        emblem_manager=words.portrait(colony, section.governor),
        tone="poor",
        lead=_("becomes Governor and begins the round")
        if section.governor_changed
        else _("stays Governor and begins the round"),
    )
    upkeep = BlockVM(
        title=_("BEFORE YOU BEGIN"), icon="clipboard-check-outline", items=bullets(section.lines, "check", "accent")
    )
    return PageVM(
        title=_("UPKEEP"),
        subtitle=_("The last screen before the round begins"),
        icon="clipboard-check-outline",
        columns=((governor,), (upkeep,)) if name else ((upkeep,),),
    )
