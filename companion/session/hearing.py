"""From events of the ARC to acts of the journal, and to notices for what is no act. Pure."""

from companion.session import acts
from companion.session.table import NoticeKind
from companion.session.turn import Told
from protocol import events

FAULTS = {
    events.FAULT_READER_UNSURE: "The ARC's reader chip is of an unknown kind: if it misses cards, have it replaced.",
    events.FAULT_READER_DEAD: "The ARC's reader does not answer: switch the ARC off and on.",
    events.FAULT_BUS_NOISY: "The connections between the modules are unreliable: push them in again.",
    events.FAULT_BUS_STUCK: "A module blocks the others: take off the last one that was plugged in.",
    events.FAULT_BUS_FULL: "No more modules fit on the ARC: the last one is not counted.",
    events.FAULT_BUS_OPEN: "A module has power but no data: push it in again.",
    events.FAULT_BUS_OVERCURRENT: "The modules take too much current: take off the last one that was plugged in.",
    events.FAULT_LOG_DAMAGED: "The ARC's log was damaged: compare the last acts with the list of the round.",
}
MODULE_NOTICES = {
    events.MODULE_DUPLICATE_ID: "Two modules have the same number: only one of them is counted. Take one off.",
    events.MODULE_UNPLACED: "A module is connected at an unknown place: push it in again.",
    events.MODULE_FOREIGN_VERSION: "A module speaks another version: it has to be flashed again.",
}
UNREADABLE = {
    events.UNREADABLE_DAMAGED: "That card could not be read: lay it down again, flat and alone.",
    events.UNREADABLE_RANDOM_UID: "That is no card of the game: it changes its number each time.",
}
SAFE_MODE = (
    "The ARC crashed five times in a row and reads nothing now: wait a minute, then switch it off and on."
    " If this comes back, flash it anew and play by tapping."
)
BROWN_OUT = "The ARC restarted because its batteries were too weak for a moment: change them. Nothing is lost."
_BATTERY = {
    events.BATTERY_LOW: "The ARC's batteries run low.",
    events.BATTERY_VERY_LOW: "The ARC's batteries are nearly empty: change them soon. Nothing will be lost.",
    events.BATTERY_EMPTY: "The ARC's batteries are empty: change them, or plug in USB and press its button. Nothing is lost.",
}


def act_of(body: events.Body) -> acts.ArcAct | None:
    """What an event changes in the game; cards are looked up by the caller. None: nothing."""
    if isinstance(body, events.ModuleAttached | events.ModuleMoved):
        return acts.Plugged(body.instance, body.type_id, int.from_bytes(body.parent, "little"))
    if isinstance(body, events.ModuleDetached):
        return acts.Unplugged(body.instance, body.cause == events.DETACHED_WITH_PARENT)
    return acts.ArcStarted() if isinstance(body, events.Booted) else None


def notice_of(body: events.Body) -> Told | None:
    """What people are told of an event that is no act."""
    text = _text_of(body)
    return Told(NoticeKind.WARNING, text) if text else None


def _text_of(body: events.Body) -> str | None:
    if isinstance(body, events.CardsTogether):
        # The event carries a count and no UIDs, and none of the tags was taken: a decree and its manager's token that
        # arrive together (HZ-1) cannot be told from two decrees, so there is no pair to show for confirmation.
        return "Several cards at once: lay them down one after another."
    if isinstance(body, events.Booted):
        return SAFE_MODE if body.safe_mode else BROWN_OUT if body.cause == events.BROWN_OUT else None
    if isinstance(body, events.CardUnreadable):
        return UNREADABLE.get(body.reason, UNREADABLE[events.UNREADABLE_DAMAGED])
    if isinstance(body, events.ModuleNoticed):
        return MODULE_NOTICES.get(body.code)
    if isinstance(body, events.BatteryMeasured):
        return _BATTERY.get(body.state)
    return FAULTS.get(body.code) if isinstance(body, events.FaultFound) else None


def is_low(battery: events.BatteryMeasured) -> bool:
    return battery.state in _BATTERY
