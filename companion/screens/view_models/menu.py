"""The menu: what can be claimed, turned over or put right by hand, and the tablet's settings."""

from companion.screens.controller import Settings, TextSize, UpdateView
from companion.screens.texts import _
from companion.screens.view_models.cards import PillVM
from companion.screens.view_models.choices import TapVM
from companion.screens.view_models.firmware import is_arc_restarting
from companion.session.table import ArcState, Phase, TableView
from companion.simulation.player import ManagerView, PlayerView
from companion.simulation.words import Mode

ON, OFF = PillVM("check", _("On"), "good"), PillVM("", _("Off"), "muted")
SIZES = {TextSize.NORMAL: _("Normal"), TextSize.LARGE: _("Large"), TextSize.HUGE: _("Very large")}


def menu_cards(table: TableView, settings: Settings, update: UpdateView | None = None) -> tuple[TapVM, ...]:
    in_round = table.phase is Phase.ROUND and table.colony is not None
    cards = []
    if in_round:
        cards += entered_cards(table)
        if table.report is not None:
            cards.append(TapVM("review", _("Last summary"), _("All pages once more"), "book-open-variant", "accent"))
        cards += reading_cards(table)
        if table.tray is not None:
            cards.append(
                TapVM(
                    "tray", _("Play by tapping"), _("Cards, tokens and modules without an ARC"), "gesture-tap", "accent"
                )
            )
    return (*cards, *arc_cards(table, update), *settings_cards(settings), leave_card(table, update))


def entered_cards(table: TableView) -> list[TapVM]:
    """What the ARC cannot see; solo has no Governor, and a catalog perhaps no assistants."""
    colony = table.colony
    assert colony is not None
    cards = []
    if colony.mode is not Mode.SOLO:
        text = _("Somebody claimed the seat at the table")
        cards.append(TapVM("governor", _("Change of Governor"), text, "crown", "poor"))
    if colony.assistants:
        text = _("The other side lies up now")
        cards.append(TapVM("assistant", _("Assistant turned over"), text, "flip-horizontal", "info"))
    text = _("Logged, and Undo takes it back")
    return [*cards, TapVM("correct", _("Correct a value"), text, "pencil", "alarming")]


def reading_cards(table: TableView) -> list[TapVM]:
    """What was read before, for those who want to read it again."""
    colony = table.colony
    cards = []
    if colony is not None and colony.scenario_name:
        cards.append(TapVM("story", _("The story"), _("And the rules it changes"), "book-open-variant", "prisoners"))
    if colony is not None and colony.hint and not table.hint:
        cards.append(TapVM("hint", _("This round's hint"), _("Shows it once more"), "help-circle-outline", "info"))
    if colony is not None and colony.table_setup:
        text = _("What lies ready before round 1")
        cards.append(TapVM("table", _("Set the table"), text, "clipboard-check-outline", "accent"))
    return cards


def arc_cards(table: TableView, update: UpdateView | None) -> tuple[TapVM, ...]:
    if table.arc.state is ArcState.NONE:
        return ()
    return (
        TapVM("board", _("The ARC"), _("Battery, counters, self-test, bug report"), "chip", "info"),
        TapVM(
            "firmware",
            _("Firmware"),
            _("Update the ARC and its modules"),
            "arrow-up",
            "info",
            pill=PillVM("", f"{update.percent} %", "info") if update and update.is_running else PillVM(),
        ),
        TapVM("teach", _("Teach a tag"), _("Reuse a boxed card or token that has no code"), "cards-outline", "info"),
    )


def settings_cards(settings: Settings) -> tuple[TapVM, ...]:
    size = PillVM("", SIZES[settings.text_size], "accent")
    return (
        TapVM("text_size", _("Text size"), _("Normal, large, very large"), "format-size", "muted", pill=size),
        TapVM(
            "motion", _("Reduce motion"), _("Screens change without sliding"), "motion-outline", "muted",
            pill=ON if settings.reduce_motion else OFF,
        ),
        TapVM(
            "flip", _("Turn the screen"), _("For those on the other side of the table"), "screen-rotation", "muted",
            pill=ON if settings.is_flipped else OFF,
        ),
    )  # fmt: skip


def leave_card(table: TableView, update: UpdateView | None) -> TapVM:
    text = (
        _("Nothing is kept of an unfinished setup") if table.phase is Phase.SETUP else _("Everything is saved already")
    )
    if update and update.is_running and not is_arc_restarting(update):
        text = _("The update stops, and goes on later where it stopped")
    return TapVM("leave", _("Leave the game"), text, "door-open", "critical")


def governor_cards(colony: PlayerView) -> tuple[TapVM, ...]:
    return tuple(
        manager_card(manager, PillVM("crown", _("Governor"), "poor") if manager.is_governor else PillVM())
        for manager in colony.managers
    )


def assistant_cards(colony: PlayerView) -> tuple[TapVM, ...]:
    """Of those who play, in turn order; in solo the cards that were chosen."""
    order = [manager.id for manager in colony.managers]
    cards = sorted(colony.assistants, key=lambda one: order.index(one.manager) if one.manager in order else len(order))
    return tuple(
        TapVM(
            one.manager,
            one.manager_name,
            _("{up} lies up · other side: {down}").format(up=one.up, down=one.down),
            tone=one.colour,
            manager=(one.manager, one.letter, one.colour),
        )
        for one in cards
    )


def manager_card(manager: ManagerView, pill: PillVM) -> TapVM:
    look = (manager.id, manager.letter, manager.colour)
    return TapVM(manager.id, manager.name, tone=manager.colour, manager=look, pill=pill)


def next_size(size: TextSize) -> TextSize:
    order = list(TextSize)
    return order[(order.index(size) + 1) % len(order)]
