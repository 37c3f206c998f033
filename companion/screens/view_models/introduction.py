"""A scenario's story and changed rules, and the table's checklist of round 1: read before play, and again from the menu."""

from companion.screens.texts import _
from companion.screens.view_models.page import BlockVM, PageVM, bullets
from companion.simulation.player import PlayerView

STORY, TABLE = "story", "table"


def introduction_page(part: str, colony: PlayerView) -> PageVM:
    return table_page(colony) if part == TABLE else story_page(colony)


def story_page(colony: PlayerView) -> PageVM:
    story = BlockVM(
        title=colony.scenario_name.upper(),
        emblem="book-open-variant",
        tone="prisoners",
        lead=colony.scenario_text,
        is_story=True,
    )
    rules = BlockVM(
        title=_("CHANGED RULES"),
        icon="gavel",
        tone="poor",
        items=bullets(colony.scenario_rules, "alert-circle-outline", "poor"),
        lead="" if colony.scenario_rules else _("The rules are those of the rulebook."),
        note=_("These go before the rulebook.") if colony.scenario_rules else "",
    )
    blocks = (rules, target_block(colony)) if colony.achievements else (rules,)
    return PageVM(
        title=_("THE STORY"),
        subtitle=_("Read it aloud, then the rules that change"),
        icon="book-open-variant",
        tone="prisoners",
        columns=((story,), blocks),
    )


def target_block(colony: PlayerView) -> BlockVM:
    lines = tuple(_("{what}: {needed}").format(what=text, needed=needed) for text, _done, needed in colony.achievements)
    return BlockVM(title=_("WHAT COUNTS HERE"), icon="target", items=bullets(lines, "target", "accent"))


def table_page(colony: PlayerView) -> PageVM:
    lines = colony.table_setup
    half = (len(lines) + 1) // 2
    first = BlockVM(
        title=_("ON THE TABLE"), icon="clipboard-check-outline", items=bullets(lines[:half], "check", "accent")
    )
    second = BlockVM(title=_("AND THEN"), icon="account-group", items=bullets(lines[half:], "check", "accent"))
    return PageVM(
        title=_("SET THE TABLE"),
        subtitle=_("What lies ready before round 1"),
        icon="clipboard-check-outline",
        columns=((first,), (second,)),
    )
