"""Which pictures the gallery makes: a name, the table, and what was tapped to get there."""

from collections.abc import Callable, Iterator
from typing import Any

from attrs import frozen

from companion.screens.controller import SavedGame, Settings, TextSize
from companion.screens.gallery import (
    samples,
    samples_between as between,
    samples_firmware as firmware,
    samples_scenario as scenario,
    samples_settled as settled,
    samples_setup as wizard,
)
from companion.screens.view_models.details import CARD_ORDER
from companion.screens.view_models.setup_draft import Step
from companion.screens.view_models.tray import TABS
from companion.session.table import TableView
from companion.simulation.words import Mode

STILL = Settings(reduce_motion=True)


@frozen
class Scene:
    name: str
    table: TableView | None
    taps: Callable[[Any], object] = lambda shell: None
    """Given the shell once the table is shown."""
    saved: tuple[SavedGame, ...] = between.SAVED
    settings: Settings = STILL


def scenes() -> Iterator[Scene]:
    yield Scene("start", None)
    yield Scene("start-empty", None, saved=())
    yield Scene("start-take-over", None, told(offers=between.OFFERS, message="This ARC keeps a game."))
    text = "“Port Amara” was begun with other cards: 3 are not in this app."
    yield Scene("start-other-catalog", None, told(offers=between.OTHER_CATALOG, message=text))
    yield Scene("resume", between.RESUME)
    yield Scene("colony", samples.TABLE)
    yield Scene("colony-first", samples.FIRST_ROUND)
    yield Scene("colony-worst", samples.WORST)
    yield Scene("colony-tapped", between.TAPPED)
    yield Scene("toasts", between.NOTICES)
    yield Scene("attention", samples.TABLE, lambda shell: shell.go("attention"))
    for card in CARD_ORDER:
        yield Scene(f"detail-{card}", samples.TABLE, open_card(card))
    yield Scene("detail-special-worst", samples.WORST, open_card("special"))
    for name in between.DIALOGS:
        yield Scene(f"dialog-{name}", between.dialog_table(name))
    for page in range(len(settled.SECTIONS)):
        yield Scene(f"summary-{page + 1}", settled.summary_table(page))
    yield Scene("summary-first-month", settled.FIRST_MONTH)
    yield Scene("summary-quiet", settled.QUIET)
    yield Scene("review", settled.REVIEW)
    yield from setup_scenes()
    yield Scene("ending", settled.ENDED)
    yield Scene("ending-points", settled.COUNTING)
    yield Scene("ending-common", settled.COMMON)
    for ending in settled.DEFEATS:
        yield Scene(f"ending-{ending.value}", settled.defeat_table(ending))
    yield from scenario_scenes()
    yield Scene("history", samples.TABLE, lambda shell: shell.go("history"))
    for part in ("", "governor", "assistant", "correct"):
        yield Scene(f"menu{'-' if part else ''}{part}", settled.REVIEW, open_menu(part))
    yield Scene("menu-board", settled.REVIEW, told(open_menu("board"), board=between.BOARD))
    yield from firmware_scenes()
    yield Scene("menu-teach", settled.REVIEW, open_menu("teach"))
    yield Scene("menu-decrees", settled.REVIEW, told(open_menu("decrees"), teachable=between.TRAY.cards))
    yield Scene("menu-word", samples.TABLE, lambda shell: shell.go("menu", part="correct", wrong="technical"))
    yield Scene("menu-stepper", samples.TABLE, open_stepper)
    for tab, _name, _kinds in TABS:
        yield Scene(f"tray-{tab}", between.TAPPED, open_tray(tab))
    yield Scene("tray-where", between.TAPPED, pick_module)
    for name, table in (("colony", samples.TABLE), ("summary-3", settled.summary_table(2))):
        yield Scene(f"{name}-huge", table, settings=Settings(TextSize.HUGE, reduce_motion=True))


def scenario_scenes() -> Iterator[Scene]:
    yield Scene("introduction", scenario.INTRODUCED)
    yield Scene("introduction-table", scenario.HINTED, lambda shell: shell.go("introduction", part="table"))
    yield Scene("colony-hint", scenario.HINTED)
    yield Scene("colony-hint-late", scenario.HINTED_LATE)
    yield Scene("colony-progress", scenario.PROGRESS)
    yield Scene("detail-special-progress", scenario.PROGRESS, open_card("special"))
    yield Scene("menu-scenario", scenario.PUT_AWAY, open_menu(""))
    yield Scene("setup-checklist", scenario.CHECKLIST, at_step(Step.TABLE))
    yield Scene("ending-goals", scenario.COUNTING)
    yield Scene("goals", scenario.COUNTING, pick_goals("own", "streets"))
    yield Scene("goals-common", scenario.COMMON, pick_goals())
    yield Scene("goals-judged", scenario.COUNTING, judge_goals("own", "small", "collector"))
    yield Scene("goals-figures", scenario.COUNTING, judge_goals())
    yield Scene("goals-judged-common", scenario.COMMON, judge_goals("streets", "small", "chest"))


def firmware_scenes() -> Iterator[Scene]:
    for name, view in firmware.VIEWS.items():
        yield Scene(f"firmware-{name}", samples.TABLE, told(lambda shell: shell.go("firmware"), firmware=view))
    modules = told(lambda shell: shell.go("firmware"), firmware=firmware.VIEWS["modules"])
    yield Scene("firmware-huge", samples.TABLE, modules, settings=Settings(TextSize.HUGE, reduce_motion=True))
    sending = firmware.VIEWS["sending"]
    yield Scene("colony-updating", samples.TABLE, told(firmware=sending))
    yield Scene("menu-updating", settled.REVIEW, told(open_menu(""), firmware=sending))
    yield Scene("menu-leaving", samples.TABLE, told(leave_from_menu, firmware=sending))


def pick_goals(*ids: str) -> Callable[[Any], object]:
    def tap(shell: Any) -> None:
        shell.go("goals")
        for id in ids:
            shell.screens.get_screen("goals").pick(id)

    return tap


def judge_goals(*ids: str) -> Callable[[Any], object]:
    def tap(shell: Any) -> None:
        pick_goals(*ids)(shell)
        shell.screens.get_screen("goals").judge()

    return tap


def setup_scenes() -> Iterator[Scene]:
    for step in Step:
        yield Scene(f"setup-{step.value}", wizard.SETUP, at_step(step))
    yield Scene("setup-solo", wizard.SETUP, at_step(Step.ASSISTANTS, mode=Mode.SOLO, picked=("pilot",)))
    yield Scene("setup-planet-coop", wizard.SETUP, at_step(Step.PLANET, mode=Mode.CO_OP))


def at_step(step: Step, **fields: object) -> Callable[[Any], object]:
    def tap(shell: Any) -> None:
        screen = shell.screens.get_screen("setup")
        screen.change(step=step, planet="proxima", name="", **fields)

    return tap


def told(taps: Callable[[Any], object] = lambda shell: None, **facts: object) -> Callable[[Any], object]:
    """The puppet has these to show, then `taps`."""

    def tap(shell: Any) -> None:
        for name, fact in facts.items():
            setattr(shell.controller, name, fact)
        shell.refresh()
        taps(shell)

    return tap


def open_card(card: str) -> Callable[[Any], object]:
    return lambda shell: shell.go("detail", card=card)


def open_menu(part: str) -> Callable[[Any], object]:
    return lambda shell: shell.go("menu", part=part)


def leave_from_menu(shell: Any) -> None:
    shell.go("menu")
    shell.screens.get_screen("menu").pick("leave")


def open_stepper(shell: Any) -> None:
    shell.go("menu", part="correct")
    shell.screens.get_screen("menu").pick("stock")


def open_tray(tab: str) -> Callable[[Any], object]:
    def tap(shell: Any) -> None:
        shell.go("tray")
        shell.screens.get_screen("tray").show(tab)

    return tap


def pick_module(shell: Any) -> None:
    open_tray("modules")(shell)
    shell.screens.get_screen("tray").pick("12")
