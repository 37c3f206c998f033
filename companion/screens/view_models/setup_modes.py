"""The wizard's step «how do you play»: three modes, below them scenarios and tutorials with the beginning of their story."""

import re

from companion.screens.texts import _
from companion.screens.view_models.cards import PillVM
from companion.screens.view_models.choices import GroupVM, TapVM
from companion.screens.view_models.setup_draft import Draft
from companion.session.table import ScenarioChoice, SetupView
from companion.simulation.words import Mode

MODES = (
    (
        Mode.SEMI_COOP,
        _("Semi-Coop"),
        _("Survive together, win alone: most victory points. 2–5 players."),
        "podium-gold",
    ),
    (Mode.CO_OP, _("Co-op"), _("Everybody wins or loses against the planet. 2–5 players."), "handshake"),
    (Mode.SOLO, _("Solo"), _("One player leads all nine managers."), "account"),
)
MODE_WIDTH, STORY_WIDTH = 230, 520
TASTE = 100
"""A story's whole sentences up to about this many characters; the rest is told when the game begins."""


def mode_groups(view: SetupView, draft: Draft) -> tuple[GroupVM, ...]:
    scenarios = tuple(one for one in view.scenarios if not one.is_tutorial)
    tutorials = tuple(one for one in view.scenarios if one.is_tutorial)
    groups = (
        GroupVM("", mode_cards(draft), MODE_WIDTH),
        GroupVM(_("SCENARIOS"), story_cards(scenarios, draft, "book-open-variant", "prisoners"), STORY_WIDTH),
        GroupVM(_("TUTORIALS"), story_cards(tutorials, draft, "hand-pointing-right", "info"), STORY_WIDTH),
    )
    return tuple(group for group in groups if group.cards)


def mode_cards(draft: Draft) -> tuple[TapVM, ...]:
    return tuple(
        TapVM(mode.value, name, text, icon, is_chosen=draft.scenario is None and draft.mode is mode)
        for mode, name, text, icon in MODES
    )


def story_cards(stories: tuple[ScenarioChoice, ...], draft: Draft, icon: str, tone: str) -> tuple[TapVM, ...]:
    return tuple(
        TapVM(
            story.id,
            story.name,
            first_sentences(story.text),
            icon,
            tone,
            pill=PillVM("", story.difficulty, "muted"),
            is_chosen=draft.scenario == story.id,
        )
        for story in stories
    )


def first_sentences(text: str, room: int = TASTE) -> str:
    """As many whole sentences as fit into `room` characters, and the first in any case."""
    taken, *others = re.split(r"(?<=[.!?…])\s+", text.strip())
    for sentence in others:
        if len(taken) + 1 + len(sentence) > room:
            break
        taken += " " + sentence
    return taken
