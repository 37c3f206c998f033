"""The setup wizard: ARC, mode, managers and seats, assistants, planet, fleet, table, start."""

from typing import Any

from attrs import evolve
from kivy.properties import ObjectProperty

from companion.screens.screen import AppScreen, Shell
from companion.screens.view_models import words
from companion.screens.view_models.cards import PillVM
from companion.screens.view_models.setup import (
    SetupVM,
    choose_mode,
    neighbour,
    pick_assistant,
    planned,
    setup_screen,
    start_action,
)
from companion.screens.view_models.setup_draft import Draft, Step
from companion.screens.widgets.loading import load_kv
from companion.session.actions import PlanGame, ToggleManager
from companion.session.table import SetupView, TableView
from companion.simulation.commands import Setup

load_kv(__file__)


class SetupScreen(AppScreen):
    vm = ObjectProperty(SetupVM(), rebind=True)
    pill = ObjectProperty(PillVM(), rebind=True)

    def __init__(self, shell: Shell, **values: Any) -> None:
        self.draft = Draft()
        self._told: Setup | None = None
        super().__init__(shell, **values)

    def on_pre_enter(self, *_: object) -> None:
        """Another new game begins at the first step."""
        self.draft, self._told = Draft(), None
        self.ids.name.fill_in("")
        self.apply(self.controller.table)

    def apply(self, table: TableView | None) -> None:
        if table is None or table.setup is None:
            return
        if self._tell_plan(table.setup):
            self.apply(self.controller.table)
            return
        icon, _text, tone = words.ARC_PILLS[table.arc.state]
        self.pill = PillVM(icon, words.arc_text(table.arc), tone)
        self.vm = setup_screen(table.setup, table.arc, self.draft)

    def _tell_plan(self, view: SetupView) -> bool:
        """Points and the table's checklist follow what is chosen. False: the session knows already."""
        plan = planned(view, self.draft)
        if plan == self._told:
            return False
        self._told = plan
        self.act(PlanGame(plan))
        return True

    def pick(self, id: str) -> None:
        table = self.controller.table
        if table is None or table.setup is None:
            return
        match self.draft.step:
            case Step.MODE:
                self.show(choose_mode(table.setup, self.draft, id))
            case Step.MANAGERS:
                self.act(ToggleManager(id))
            case Step.ASSISTANTS:
                self.show(pick_assistant(table.setup, self.draft, id))
            case Step.PLANET:
                self.change(planet=id)
            case Step.FLEET:
                self.change(fleet=id or None)

    def name_typed(self, name: str) -> None:
        if name != self.draft.name:
            self.change(name=name)

    def turn(self, forward: int) -> None:
        table = self.controller.table
        if table is None or table.setup is None:
            return
        if forward > 0 and self.vm.number == self.vm.steps:
            self.act(start_action(table.setup, self.draft))
            return
        if forward < 0 and self.vm.number == 1:
            self.shell.leave_game()
            return
        self.change(step=neighbour(table.setup, self.draft, forward))
        self.shell.page_turned()

    def change(self, **fields: Any) -> None:
        self.show(evolve(self.draft, **fields))

    def show(self, draft: Draft) -> None:
        self.draft = draft
        self.apply(self.controller.table)
