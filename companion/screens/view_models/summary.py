"""The screens between two rounds, in the rulebook's order (§4.1): one page a section."""

from companion.screens.texts import _, count, figure, signed
from companion.screens.view_models import words
from companion.screens.view_models.cards import PillVM
from companion.screens.view_models.colony import status
from companion.screens.view_models.page import BlockVM, ItemVM, PageVM
from companion.simulation.player import (
    AchievementSection,
    ColonyStatusSection,
    DecreeResult,
    DecreeSection,
    EconomySection,
    OccurrenceSection,
    PlayerView,
    RankingSection,
    Section,
    UpgradeSection,
    UpkeepSection,
)
from companion.simulation.words import Colour

NOTICE_ICONS = words.LEVEL_ICONS


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


def bullets(lines: tuple[str, ...], icon: str, tone: str) -> tuple[ItemVM, ...]:
    return tuple(ItemVM(text=line, icon=icon, tone=tone) for line in lines)


def portrait(colony: PlayerView, id: str | None) -> tuple[str, str, str] | None:
    manager = words.find_manager(colony, id)
    return (manager.id, manager.letter, manager.colour) if manager else None


def manager_name(colony: PlayerView, id: str | None) -> str:
    manager = words.find_manager(colony, id)
    return manager.name if manager else ""


def status_section(section: ColonyStatusSection) -> PageVM:
    news = BlockVM(
        title=_("NEWS OF THE ROUND"),
        icon="information-outline",
        items=tuple(
            ItemVM(title=title, text=text, icon=words.LEVEL_ICONS[level], tone=level.value)
            for level, title, text in section.notices
        ),
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
        title=section.title.upper(), icon="weather-night", tone="prisoners", lead=section.text, is_story=True
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


def money(lines: tuple[tuple[str, int], ...], icon: str, tone: str) -> tuple[ItemVM, ...]:
    return tuple(
        ItemVM(title=label, value=signed(amount), value_tone=tone, icon=icon, tone=tone) for label, amount in lines
    )


def economy_section(section: EconomySection) -> PageVM:
    income = BlockVM(title=_("INCOME"), icon="plus", tone="good", items=money(section.income, "", "good"))
    expenses = BlockVM(
        title=_("EXPENSES"), icon="minus", tone="alarming", items=money(section.expenses, "", "alarming")
    )
    stock = BlockVM(
        title=_("STOCK"),
        icon="bank",
        tone="stock",
        big=figure(section.stock_after),
        big_tone="critical" if section.stock_after < 0 else "text",
        lead=_("{before} before, {change} in this settlement").format(
            before=figure(section.stock_before), change=signed(section.stock_after - section.stock_before)
        ),
    )
    resources = BlockVM(
        title=_("RESOURCES"),
        icon="lightning-bolt",
        tone="power",
        items=tuple(
            ItemVM(
                title=words.RESOURCE_WORDS[kind],
                icon=words.RESOURCE_ICONS[kind],
                tone=kind.value,
                text=_("made {made}, used {used}").format(made=figure(made), used=figure(used)),
                value=_("{n} imported").format(n=figure(imported)) if imported else "",
                value_tone="alarming",
            )
            for kind, made, used, imported in section.resources
        ),
    )
    people = BlockVM(
        title=_("POPULATION"),
        icon="account-group",
        tone="prisoners",
        items=tuple(
            ItemVM(
                title=words.GROUP_WORDS[group],
                icon=words.GROUP_ICONS[group],
                tone=group.value,
                text=_("{before} before").format(before=figure(before)),
                value=figure(after),
                pill=change_pill(after - before),
            )
            for group, before, after in section.population
        ),
    )
    return PageVM(
        title=_("COLONY ECONOMY"),
        subtitle=_("What came in, what went out"),
        icon="package-variant-closed",
        tone="stock",
        columns=((stock, income, expenses), (resources,), (people,)),
    )


def change_pill(change: int) -> PillVM:
    if change == 0:
        return PillVM("trending-neutral", signed(0), "muted")
    return (
        PillVM("trending-up", signed(change), "good")
        if change > 0
        else PillVM("trending-down", signed(change), "alarming")
    )


COLOUR_LOOKS = {
    Colour.GREEN: ("gavel", "good"),
    Colour.RED: ("gavel", "critical"),
    Colour.BLUE: ("file-document-outline", "info"),
}


def verdict(result: DecreeResult) -> PillVM:
    if result.blocked:
        return PillVM("lock-outline", _("Blocked"), "alarming")
    if result.passed:
        return PillVM("check-circle", _("Passed"), "good")
    return PillVM("close", _("Rejected"), "critical")


def percent(tenths: int) -> str:
    return _("{whole}.{tenth} %").format(whole=tenths // 10, tenth=tenths % 10)


def decree_block(result: DecreeResult, colony: PlayerView) -> BlockVM:
    icon, tone = COLOUR_LOOKS[result.colour]
    kind = {Colour.GREEN: _("Green decree"), Colour.RED: _("Red decree"), Colour.BLUE: _("Directive")}[result.colour]
    rows = [ItemVM(title=manager_name(colony, result.manager), text=kind, manager=portrait(colony, result.manager))]
    if result.approval_tenths is not None:
        rows.append(
            ItemVM(
                title=_("Approval"),
                value=percent(result.approval_tenths),
                share=result.approval_tenths / 1000,
                mark=0.5,
                tone="good" if result.passed else "critical",
            )
        )
    rows += bullets(result.colony_effects, "check", "accent")
    rows += bullets(result.table_instructions, "hand-pointing-right", "poor")
    return BlockVM(title=result.title.upper(), icon=icon, tone=tone, pill=verdict(result), items=tuple(rows))


def decree_section(section: DecreeSection, colony: PlayerView) -> PageVM:
    blocks = tuple(decree_block(result, colony) for result in section.results)
    if not blocks:
        blocks = (
            BlockVM(title=_("NO DECREES"), icon="gavel", tone="muted", lead=_("Nobody played a decree last round.")),
        )
    columns = tuple(blocks[start :: min(len(blocks), 3)] for start in range(min(len(blocks), 3)))
    return PageVM(
        title=_("DECREE RESULTS"),
        subtitle=_("Carry out the table parts in this order, then discard all decrees played"),
        icon="vote",
        columns=columns,
    )


def ranking_section(section: RankingSection, colony: PlayerView) -> PageVM:
    rows = tuple(
        ItemVM(title=manager_name(colony, id), manager=portrait(colony, id), steps=steps, of=5, tone="accent")
        for id, steps in section.ranks
    )
    return PageVM(
        title=_("SUPPORT OF THE MANAGERS"),
        subtitle=_("Roughly, beside the leader; shown every six rounds"),
        icon="podium-gold",
        tone="poor",
        columns=(
            (
                BlockVM(
                    title=_("WHOM THE CITIZENS FOLLOW"),
                    icon="podium-gold",
                    tone="poor",
                    items=rows,
                    note=_("Managers with as many steps are about equal."),
                ),
            ),
        ),
    )


def achievement_section(section: AchievementSection) -> PageVM:
    rows = tuple(
        ItemVM(
            title=text,
            icon="check-circle" if reached >= needed else "target",
            tone="good" if reached >= needed else "accent",
            value=f"{figure(reached)} / {figure(needed)}",
            share=min(reached / max(needed, 1), 1),
        )
        for text, reached, needed in section.lines
    )
    return PageVM(
        title=_("ACHIEVEMENTS"),
        subtitle=_("How far the scenario has come"),
        icon="target",
        columns=((BlockVM(title=_("PROGRESS"), icon="target", items=rows),),),
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
    return PageVM(
        title=_("MODULES DEVELOP"),
        subtitle=_("Flip the tiles of these modules"),
        icon="star",
        tone="info",
        columns=((BlockVM(title=_("TIER 2"), icon="star", tone="info", lead=lead, items=rows),),),
    )


def upkeep_section(section: UpkeepSection, colony: PlayerView) -> PageVM:
    name = manager_name(colony, section.governor)
    governor = BlockVM(
        title=_("THE GOVERNOR"),
        icon="crown",
        tone="poor",
        items=(
            ItemVM(
                title=name,
                text=_("takes over and begins the round")
                if section.governor_changed
                else _("stays and begins the round"),
                manager=portrait(colony, section.governor),
            ),
        ),
    )
    upkeep = BlockVM(
        title=_("BEFORE YOU BEGIN"), icon="clipboard-check-outline", items=bullets(section.lines, "check", "accent")
    )
    return PageVM(
        title=_("UPKEEP"),
        subtitle=_("The last screen before the round begins"),
        icon="clipboard-check-outline",
        columns=((governor, upkeep),) if name else ((upkeep,),),
    )
