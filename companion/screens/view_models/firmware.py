"""The firmware page: what the ARC and its modules run, what is at hand, and the update that runs."""

from attrs import field, frozen

from companion.screens.controller import FirmwareDeed, FirmwareView, ModuleFirmware, UpdateStage, UpdateView
from companion.screens.texts import _, count, figure
from companion.screens.view_models.cards import PillVM
from companion.screens.view_models.dialogs import CLOSE, ChoiceVM, SheetVM
from companion.screens.view_models.page import BlockVM, ItemVM, PageVM
from companion.session.table import ChoiceStyle

LOOKS = {
    UpdateStage.SENDING: ("arrow-up", "info", _("Sending")),
    UpdateStage.CHECKING: ("clipboard-check-outline", "info", _("Reading back")),
    UpdateStage.WAITING: ("link-off", "alarming", _("Waiting for the ARC")),
    UpdateStage.RESTARTING: ("clock-outline", "info", _("Starting again")),
    UpdateStage.DONE: ("check-circle", "good", _("Updated")),
    UpdateStage.FAILED: ("alert-octagon", "critical", _("Not updated")),
    UpdateStage.AWAY: ("link-off", "critical", _("Not back yet")),
    UpdateStage.STOPPED: ("minus-circle-outline", "poor", _("Stopped")),
}
MODULE_LOOKS = {
    "": PillVM(),
    "due": PillVM("arrow-up", _("Older"), "poor"),
    "next": PillVM("clock-outline", _("Next"), "muted"),
    "now": PillVM("arrow-up", _("Its turn"), "info"),
    "restarts": PillVM("clock-outline", _("Starts again"), "info"),
    "done": PillVM("check", _("Updated"), "good"),
    "failed": PillVM("alert-octagon", _("Not updated"), "critical"),
}
UP_TO_DATE = PillVM("check", _("Up to date"), "good")
NOT_KNOWN = PillVM("help-circle-outline", _("Not known"), "muted")
SAFE = _(
    "Whatever stops it (the link, the power, this tablet), it goes on where it stopped. "
    "Until everything is checked the old firmware runs."
)
LEAVE = "leave"
"""The key of the choice to leave the game, whatever update runs."""
ENDS = _(
    "It ends with the game's link. What was sent is kept: begun again in this or another game it goes on where it stopped. "
    "Where the new firmware is not whole the old one runs until then."
)
RESTARTS = _("The ARC restarts into its new firmware by itself, and keeps it once a game is opened again.")
GOES_ON = _("You can leave this page and play on. The update goes on.")
UNKNOWN = _("What is not known is being asked: a module that has just come takes a few seconds.")


@frozen
class ButtonVM:
    """`deed` is what a tap asks for; without a text there is no button."""

    text: str = ""
    icon: str = ""
    style: str = "plain"
    is_open: bool = False
    deed: FirmwareDeed = FirmwareDeed.LOOK


@frozen
class FirmwareVM:
    page: PageVM = field(factory=PageVM)
    left: ButtonVM = field(factory=ButtonVM)
    right: ButtonVM = field(factory=ButtonVM)


def firmware_screen(view: FirmwareView | None) -> FirmwareVM:
    """None: no ARC is used, and the page says so."""
    blocks = (arc_block(view), modules_block(view)) if view else (no_arc_block(),)
    page = PageVM(
        title=_("FIRMWARE"),
        subtitle=_("Of the ARC and its modules, over the link they have"),
        icon="arrow-up",
        columns=tuple((block,) for block in blocks),
    )
    if view is None:
        return FirmwareVM(page)
    if view.update and view.update.is_running:
        can_stop = view.update.is_for_modules or view.update.stage is not UpdateStage.RESTARTING
        return FirmwareVM(page, right=ButtonVM(_("Stop the update"), "close", "danger", can_stop, FirmwareDeed.STOP))
    return FirmwareVM(page, modules_button(view), arc_button(view))


def arc_button(view: FirmwareView) -> ButtonVM:
    if view.arc_blocked:
        return ButtonVM(_("Update the ARC"), "chip", deed=FirmwareDeed.UPDATE_ARC)
    text = _("Update the ARC to {version}").format(version=view.arc_at_hand)
    return ButtonVM(text, "chip", "primary", True, FirmwareDeed.UPDATE_ARC)


def modules_button(view: FirmwareView) -> ButtonVM:
    text = count(view.due, _("Update {n} module"), _("Update {n} modules")) if view.due else _("Update the modules")
    return ButtonVM(text, "puzzle-outline", "plain", not view.modules_blocked, FirmwareDeed.UPDATE_MODULES)


def no_arc_block() -> BlockVM:
    lead = _("This game is played without an ARC, so there is nothing to update.")
    return BlockVM(title=_("No ARC"), tone="muted", emblem="chip", lead=lead)


def arc_block(view: FirmwareView) -> BlockVM:
    update = view.update if view.update and not view.update.is_for_modules else None
    is_due = bool(view.arc_at_hand) and view.arc_at_hand != view.arc_version
    tone = "accent" if is_due else "good" if view.arc_at_hand else "muted"
    is_away = update is not None and update.stage is UpdateStage.AWAY
    items = update_rows(update, "") if update else ()
    if (is_due or not view.arc_at_hand) and not is_away:
        items += why_not(view.arc_blocked, view.update)
    title = _("The ARC ran {version}") if is_away else _("The ARC runs {version}")
    return BlockVM(
        title=title.format(version=view.arc_version) if view.arc_version else _("The ARC"),
        tone=LOOKS[update.stage][1] if update else tone,
        emblem="chip",
        lead=at_hand_text(view),
        lead_tone=tone,
        items=items,
        note=SAFE if is_due or update else "",
    )


def at_hand_text(view: FirmwareView) -> str:
    if not view.arc_version:
        return _("It was not reached yet.")
    if not view.arc_at_hand:
        return _("No other is at hand.")
    if view.arc_at_hand == view.arc_version:
        return _("It is up to date.")
    return _("{version} is at hand").format(version=view.arc_at_hand)


def modules_block(view: FirmwareView) -> BlockVM:
    update = view.update if view.update and view.update.is_for_modules else None
    items = update_rows(update, update.name) if update else ()
    if view.due or not view.modules_at_hand:
        items += why_not(view.modules_blocked, view.update)
    note = UNKNOWN if any(not row.version for row in view.modules) else ""
    return BlockVM(
        title=_("MODULES"),
        icon="puzzle-outline",
        pill=update_pill(update) if update and update.is_running else modules_pill(view),
        lead=modules_text(view),
        items=(*items, *(module_row(row, view.modules_at_hand) for row in view.modules)),
        note=GOES_ON if update and update.is_running else note,
    )


def modules_text(view: FirmwareView) -> str:
    number = sum(row.count for row in view.modules)
    if not number:
        return _("None is connected.")
    text = count(number, _("{n} module on the bus"), _("{n} modules on the bus"))
    if not view.modules_at_hand:
        return text
    return _("{modules}; {version} is at hand").format(modules=text, version=view.modules_at_hand)


def why_not(text: str, update: UpdateView | None) -> tuple[ItemVM, ...]:
    """What stands in the way; that an update runs can be seen."""
    if not text or (update and update.is_running):
        return ()
    return (ItemVM(_("Not now"), text, "information-outline", "poor"),)


def update_rows(update: UpdateView, name: str) -> tuple[ItemVM, ...]:
    """How far it is as a bar, or how it ended."""
    icon, tone, title = LOOKS[update.stage]
    if update.done and update.stage is UpdateStage.FAILED:
        title = _("Not all were updated")
    if not update.is_running:
        return (ItemVM(title, update.text, icon, tone),)
    if update.of > 1 and name:
        title = _("{stage}: {name}, {number} of {of}").format(
            stage=title, name=name, number=update.number, of=update.of
        )
    text = update.text or bytes_text(update)
    return (ItemVM(title, text, icon, tone, value=f"{update.percent} %", share=update.percent / 100),)


def bytes_text(update: UpdateView) -> str:
    sent = _("{sent} of {size} bytes").format(sent=figure(update.sent), size=figure(update.size))
    left = time_left(update.seconds_left)
    return f"{sent} · {left}" if left else sent


def time_left(seconds: int | None) -> str:
    """Rounded up, so that it does not jump; empty while nobody can tell."""
    if seconds is None:
        return ""
    if seconds < 60:
        return _("about {n} s left").format(n=-(-seconds // 5) * 5)
    return _("about {n} min left").format(n=-(-seconds // 60))


def update_pill(update: UpdateView) -> PillVM:
    icon, tone, title = LOOKS[update.stage]
    return PillVM(icon, title, tone)


def modules_pill(view: FirmwareView) -> PillVM:
    if view.due:
        return PillVM("arrow-up", count(view.due, _("{n} to update"), _("{n} to update")), "accent")
    return UP_TO_DATE if view.modules and view.modules_at_hand else PillVM()


def module_row(row: ModuleFirmware, at_hand: str) -> ItemVM:
    pill = MODULE_LOOKS[row.state]
    if row.state == "due" and not row.version:
        pill = NOT_KNOWN
    elif row.state == "" and row.version and row.version == at_hand:
        pill = UP_TO_DATE
    title = _("{name} × {n}").format(name=row.name, n=row.count) if row.count > 1 else row.name
    return ItemVM(title, row.text, "puzzle-outline", pill.tone, value=row.version, value_tone="muted", pill=pill)


def is_arc_restarting(update: UpdateView) -> bool:
    """It has everything: leaving takes nothing from it."""
    return update.stage is UpdateStage.RESTARTING and not update.is_for_modules


def leaving_sheet(update: UpdateView) -> SheetVM:
    """The question before a game is left in which an update runs."""
    return SheetVM(
        icon="arrow-up",
        tone="alarming",
        title=_("An update runs. Leave the game?"),
        lines=(RESTARTS if is_arc_restarting(update) else ENDS,),
        choices=(
            ChoiceVM(CLOSE, _("Stay"), ChoiceStyle.PRIMARY.value),
            ChoiceVM(LEAVE, _("Leave the game"), ChoiceStyle.DANGER.value),
        ),
    )


def sign(update: UpdateView | None) -> PillVM | None:
    """For a header, instead of the ARC's own word: an update runs. None: nothing to tell that the ARC's word does not."""
    if update is None or not update.is_running or update.stage is UpdateStage.WAITING:
        return None
    if is_arc_restarting(update):
        return PillVM("clock-outline", _("The ARC restarts"), "info")
    return PillVM("arrow-up", _("Updating · {percent} %").format(percent=update.percent), "info")
