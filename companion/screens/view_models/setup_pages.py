"""The wizard's steps without cards: the ARC, and the table's checklist (rulebook §3)."""

from companion.screens.texts import _
from companion.screens.view_models import words
from companion.screens.view_models.cards import PillVM
from companion.screens.view_models.page import BlockVM, ItemVM, PageVM, bullets
from companion.screens.view_models.setup_draft import Draft, Step, seated
from companion.session.table import ArcState, ArcView, ManagerChoice, SetupView
from companion.simulation.words import Mode


def page(view: SetupView, arc: ArcView, draft: Draft) -> PageVM:
    if draft.step is Step.ARC:
        return PageVM(columns=((arc_block(arc),), (tips_block(arc),)))
    if draft.step is Step.TABLE:
        return PageVM(columns=table_columns(view, draft))
    return PageVM()


def arc_block(arc: ArcView) -> BlockVM:
    icon, text, tone = words.ARC_PILLS[arc.state]
    battery = ""
    if arc.battery_percent is not None:
        battery = _("Batteries at {n} %").format(n=arc.battery_percent)
    return BlockVM(
        title=text.upper(),
        emblem=icon,
        tone=tone,
        lead=arc.detail or battery,
        note=battery if arc.detail else "",
    )


def tips_block(arc: ArcView) -> BlockVM:
    lines: tuple[str, ...]
    if arc.state is ArcState.NONE:
        lines = (
            _("No ARC is used: you tap cards, tokens and modules on the tablet."),
            _("You can connect an ARC later, in the same game."),
        )
    else:
        lines = (
            _("The first time, press the button on the ARC to pair this tablet."),
            _("Take all modules off before a new game."),
            _("Without an ARC you can play by tapping."),
        )
    items = tuple(ItemVM(text=line, icon="information-outline", tone="info") for line in lines)
    return BlockVM(title=_("GOOD TO KNOW"), icon="information-outline", tone="info", items=items)


def table_columns(view: SetupView, draft: Draft) -> tuple[tuple[BlockVM, ...], ...]:
    people = seated(view)
    table = BlockVM(
        title=_("ON THE TABLE"),
        icon="clipboard-check-outline",
        items=bullets(view.table_setup, "check", "accent"),
        lead="" if view.table_setup else _("Something is still to be chosen on the pages before."),
    )
    seats = BlockVM(
        title=_("SEATS, CLOCKWISE"),
        icon="account-group",
        items=tuple(seat_row(manager, people) for manager in people),
    )
    return ((table,), (seats,)) if draft.mode is not Mode.SOLO else ((table,),)


def seat_row(manager: ManagerChoice, people: tuple[ManagerChoice, ...]) -> ItemVM:
    first = max(people, key=lambda one: one.order_of_command)
    pill = PillVM("crown", _("Governor"), "poor") if manager == first else PillVM()
    return ItemVM(title=manager.name, manager=words.portrait_of(manager), pill=pill)
