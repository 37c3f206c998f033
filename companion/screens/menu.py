"""The menu: a grid of entries, and behind some of them a grid of managers or values."""

from typing import Any

from attrs import evolve
from kivy.properties import ObjectProperty, StringProperty

from companion.screens.controller import BoardDeed, UpdateView
from companion.screens.screen import AppScreen
from companion.screens.texts import _
from companion.screens.view_models import board, corrections, menu
from companion.screens.view_models.introduction import STORY, TABLE
from companion.screens.widgets.loading import load_kv
from companion.screens.widgets.tapping import Stepper
from companion.session.actions import ClaimGovernor, Correct, FlipAssistantCard, ReviewSummary, ShowHint, TeachTag
from companion.session.table import TableView

load_kv(__file__)

TITLES = {
    "": (_("MENU"), _("What the ARC cannot see, and how this tablet behaves")),
    "governor": (_("WHO BECOMES GOVERNOR?"), _("From the next round's upkeep on; the last claim of a round counts")),
    "assistant": (_("WHOSE ASSISTANT?"), _("Occurrences depend on the side that lies up")),
    "correct": (_("WHAT IS WRONG?"), _("Numbers by steps, a status or an accumulator by its word")),
    "board": (_("THE ARC"), _("What it says of itself, and what it can be asked")),
    "teach": (_("WHICH CARD OR TOKEN?"), _("A boxed card without a code is known by its tag once it was taught")),
    **{key: (name.upper(), _("Choose it, then lay it on the ARC")) for key, name, _kinds in board.KINDS},
}
TAUGHT = tuple(key for key, _name, _kinds in board.KINDS)


class MenuScreen(AppScreen):
    cards = ObjectProperty(())
    part = StringProperty("")
    wrong = StringProperty("")
    """The status or accumulator to be corrected."""
    heading = StringProperty("")
    lead = StringProperty("")

    def open(self, **how: Any) -> None:
        self.part, self.wrong = how.get("part", ""), how.get("wrong", "")
        self.ids.stepper.clear_widgets()

    def apply(self, table: TableView | None) -> None:
        if table is None:
            return
        self.heading, self.lead = TITLES[self.part]
        colony = table.colony
        if self.part == "board":
            self.cards = board.board_cards(self.controller.board)
        elif self.part == "teach":
            self.cards = board.kind_cards()
        elif self.part in TAUGHT:
            self.cards = board.teach_cards(self.controller.teachable, self.part, table)
        elif self.part == "" or colony is None:
            self.cards = menu.menu_cards(table, self.controller.settings, self.update)
        elif self.part == "governor":
            self.cards = menu.governor_cards(colony)
        elif self.part == "assistant":
            self.cards = menu.assistant_cards(colony)
        else:
            self.cards = (
                corrections.word_cards(colony, self.wrong) if self.wrong else corrections.correction_cards(colony)
            )

    @property
    def update(self) -> UpdateView | None:
        """The one that runs, or has ended."""
        firmware = self.controller.firmware
        return firmware.update if firmware else None

    def up(self) -> None:
        if self.wrong:
            self.go("menu", part="correct")
        elif self.part:
            self.go("menu", part="teach" if self.part in TAUGHT else "")
        else:
            self.back()

    def pick(self, id: str) -> None:
        if self.part == "governor":
            self._done(ClaimGovernor(id))
        elif self.part == "assistant":
            self._done(FlipAssistantCard(id))
        elif self.wrong:
            self._done(Correct(corrections.word_command(self.wrong, id)))
        elif self.part == "correct" and id in corrections.BY_WORD:
            self.go("menu", part="correct", wrong=id)
        elif self.part == "correct":
            self._ask_value(id)
        elif self.part == "board":
            self.controller.ask_board(BoardDeed(id))
        elif self.part in TAUGHT:
            self._done(TeachTag(id))
        else:
            self._enter(id)

    def _enter(self, id: str) -> None:
        """An entry of the menu itself, or of its part that leads to further ones."""
        if id in TITLES:
            self.go("menu", part=id)
            if id == "board":
                self.controller.ask_board(BoardDeed.READ)
        elif id == "review":
            self._done(ReviewSummary())
        elif id in ("tray", "firmware"):
            self.go(id)
        elif id in (STORY, TABLE):
            self.go("introduction", part=id)
        elif id == "hint":
            self._done(ShowHint(True))
        elif id == "leave":
            self.shell.leave_game()
        else:
            self._change_setting(id)

    def _done(self, action: Any) -> None:
        self.back()
        self.act(action)

    def _change_setting(self, id: str) -> None:
        settings = self.controller.settings
        if id == "text_size":
            settings = evolve(settings, text_size=menu.next_size(settings.text_size))
        elif id == "motion":
            settings = evolve(settings, reduce_motion=not settings.reduce_motion)
        else:
            settings = evolve(settings, is_flipped=not settings.is_flipped)
        self.controller.keep_settings(settings)

    def _ask_value(self, id: str) -> None:
        table = self.controller.table
        if table is None or table.colony is None:
            return
        colony = table.colony
        wrong = next(one for one in corrections.corrections(colony) if one.id == id)
        box = self.ids.stepper
        box.clear_widgets()
        stepper = Stepper(title=wrong.title, start=wrong.value, step=wrong.step, asks_anyway=False)
        stepper.done = lambda value: self._done(Correct(wrong.command(value, colony)))
        box.add_widget(stepper)
