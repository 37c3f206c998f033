"""The decree results between two rounds: who played what, how the Citizens voted, what follows (§5.4)."""

from companion.screens.texts import _
from companion.screens.view_models import words
from companion.screens.view_models.cards import PillVM
from companion.screens.view_models.page import BlockVM, ItemVM, PageVM, bullets
from companion.simulation.player import PlayerView
from companion.simulation.player_report import DecreeResult, DecreeSection
from companion.simulation.words import Colour

KINDS = {Colour.GREEN: _("Green decree"), Colour.RED: _("Red decree"), Colour.BLUE: _("Directive")}
MOST_COLUMNS = 3


def decree_section(section: DecreeSection, colony: PlayerView) -> PageVM:
    is_roomy = len(section.results) <= MOST_COLUMNS
    blocks = tuple(decree_block(one, colony, is_roomy=is_roomy) for one in section.results) or (no_decrees(),)
    width = 2 if len(blocks) == 4 else min(len(blocks), MOST_COLUMNS)
    return PageVM(
        title=_("DECREE RESULTS"),
        subtitle=_("Carry out the table parts in this order, then discard all decrees played")
        if section.results
        else "",
        icon="vote",
        columns=tuple(blocks[start::width] for start in range(width)),
    )


def no_decrees() -> BlockVM:
    return BlockVM(
        title=_("NO DECREES"), emblem="gavel", tone="muted", lead=_("Nobody played a decree in the last round.")
    )


def decree_block(result: DecreeResult, colony: PlayerView, *, is_roomy: bool) -> BlockVM:
    """With an emblem of the verdict where there is room, else with a pill."""
    icon, tone, word = verdict(result)
    rows = [
        ItemVM(
            title=words.manager_name(colony, result.manager),
            text=KINDS[result.colour],
            manager=words.portrait(colony, result.manager),
        )
    ]
    if result.approval_tenths is not None:
        rows.append(
            ItemVM(
                title=_("Approval"),
                value=percent(result.approval_tenths),
                share=result.approval_tenths / 1000,
                mark=0.5,
                tone=tone,
            )
        )
    rows += bullets(result.colony_effects, "check", "accent")
    rows += bullets(result.table_instructions, "hand-pointing-right", "poor")
    title, items = result.title.upper(), tuple(rows)
    if is_roomy:
        return BlockVM(title=title, emblem=icon, tone=tone, lead=word, lead_tone=tone, items=items)
    return BlockVM(title=title, icon="gavel", tone=tone, pill=PillVM(icon, word, tone), items=items)


def verdict(result: DecreeResult) -> tuple[str, str, str]:
    """(icon, tone, word)"""
    if result.blocked:
        return "lock-outline", "alarming", _("Blocked")
    if not result.passed:
        return "close", "critical", _("Rejected")
    icon = "file-document-outline" if result.colour is Colour.BLUE else "gavel"
    return icon, "good", _("In force") if result.colour is Colour.BLUE else _("Passed")


def percent(tenths: int) -> str:
    return _("{whole}.{tenth} %").format(whole=tenths // 10, tenth=tenths % 10)
