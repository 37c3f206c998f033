"""The rulebook's closed sets as players read them: word, tone and icon of each."""

from companion.screens.texts import _
from companion.session.table import ArcState, ArcView, ManagerChoice
from companion.simulation.player import ManagerView, PlayerView
from companion.simulation.words import Balance, Condition, Fill, Group, Level, Mode, Resource, Status

LEVEL_STEPS = {Level.CRITICAL: 1, Level.ALARMING: 2, Level.POOR: 3, Level.GOOD: 4}
LEVEL_WORDS = {
    Level.GOOD: _("Good"),
    Level.POOR: _("Poor"),
    Level.ALARMING: _("Alarming"),
    Level.CRITICAL: _("Critical"),
}
LEVEL_ICONS = {
    Level.GOOD: "check-circle",
    Level.POOR: "alert-circle-outline",
    Level.ALARMING: "alert",
    Level.CRITICAL: "alert-octagon",
}

STATUS_WORDS = {
    Status.HAPPINESS: _("Happiness"),
    Status.SECURITY: _("Security"),
    Status.TECHNICAL: _("Technical"),
}
STATUS_ICONS = {Status.SECURITY: "shield-half-full", Status.TECHNICAL: "wrench"}
MOOD_ICONS = {
    Level.GOOD: "emoticon-happy-outline",
    Level.POOR: "emoticon-neutral-outline",
    Level.ALARMING: "emoticon-sad-outline",
    Level.CRITICAL: "emoticon-cry-outline",
}

RESOURCE_WORDS = {
    Resource.POWER: _("Power"),
    Resource.LIFE_SUPPORT: _("Life Support"),
    Resource.GAS: _("Gas"),
    Resource.LIQUIDS: _("Liquids"),
}
RESOURCE_ICONS = {
    Resource.POWER: "lightning-bolt",
    Resource.LIFE_SUPPORT: "leaf",
    Resource.GAS: "gas-cylinder",
    Resource.LIQUIDS: "water",
}

BALANCE_WORDS = {
    Balance.DEVASTATING: _("Devastating"),
    Balance.SHORT: _("Short"),
    Balance.EVEN: _("Even"),
    Balance.SURPLUS: _("Surplus"),
    Balance.OVERFLOWING: _("Overflowing"),
}
BALANCE_TONES = {
    Balance.DEVASTATING: "critical",
    Balance.SHORT: "alarming",
    Balance.EVEN: "muted",
    Balance.SURPLUS: "good",
    Balance.OVERFLOWING: "good",
}
BALANCE_ICONS = {
    Balance.DEVASTATING: "alert-octagon",
    Balance.SHORT: "trending-down",
    Balance.EVEN: "trending-neutral",
    Balance.SURPLUS: "trending-up",
    Balance.OVERFLOWING: "trending-up",
}

FILL_WORDS = {Fill.EMPTY: _("empty"), Fill.INCOMPLETE: _("incomplete"), Fill.FULL: _("full")}
FILL_CELLS = {Fill.EMPTY: 0, Fill.INCOMPLETE: 1, Fill.FULL: 2}

GROUP_WORDS = {
    Group.COLONISTS: _("Colonists"),
    Group.SECFORCE: _("SecForce"),
    Group.SCIENTISTS: _("Scientists"),
    Group.MARINES: _("Marines"),
    Group.PRISONERS: _("Prisoners"),
}
GROUP_ICONS = {
    Group.COLONISTS: "account-hard-hat",
    Group.SECFORCE: "shield-account",
    Group.SCIENTISTS: "flask",
    Group.MARINES: "medal",
    Group.PRISONERS: "handcuffs",
}

CONDITION_WORDS = {
    Condition.AWAITING_BUILDER: _("waits for its builder"),
    Condition.UNDER_CONSTRUCTION: _("under construction"),
    Condition.WORKING: _("working"),
    Condition.DAMAGED: _("damaged"),
    Condition.UNDER_RECONSTRUCTION: _("being rebuilt"),
}
CONDITION_ICONS = {
    Condition.AWAITING_BUILDER: "help-circle-outline",
    Condition.UNDER_CONSTRUCTION: "crane",
    Condition.WORKING: "check-circle",
    Condition.DAMAGED: "alert-octagon",
    Condition.UNDER_RECONSTRUCTION: "hammer-wrench",
}
CONDITION_TONES = {
    Condition.AWAITING_BUILDER: "info",
    Condition.UNDER_CONSTRUCTION: "accent",
    Condition.WORKING: "good",
    Condition.DAMAGED: "critical",
    Condition.UNDER_RECONSTRUCTION: "alarming",
}

MODE_WORDS = {Mode.SEMI_COOP: _("semi-cooperative"), Mode.CO_OP: _("cooperative"), Mode.SOLO: _("solo")}

ACT_ICONS = {
    "decree": "gavel",
    "directive": "file-document-outline",
    "module": "office-building",
    "campaign": "bullhorn",
    "ambassador": "handshake",
    "governor": "crown",
    "correction": "pencil",
    "assistant": "flip-horizontal",
}

SUBJECT_ICONS = {
    "decree_green": ("gavel", "good"),
    "decree_red": ("gavel", "critical"),
    "directive": ("file-document-outline", "info"),
    "module": ("office-building", "accent"),
    "manager": ("account", "text"),
    "governor": ("crown", "poor"),
    "campaign": ("bullhorn", "accent"),
    "ambassador": ("handshake", "good"),
    "undo": ("undo", "poor"),
    "next": ("arrow-right", "accent"),
}
"""What a dialog or a tray card is about: (icon, tone)."""

ARC_PILLS = {
    ArcState.NONE: ("gesture-tap", _("No ARC"), "muted"),
    ArcState.SEARCHING: ("bluetooth-audio", _("Searching for the ARC"), "poor"),
    ArcState.CONNECTING: ("bluetooth-connect", _("Connecting"), "poor"),
    ArcState.PAIRING: ("bluetooth-connect", _("Press the ARC's button"), "poor"),
    ArcState.READY: ("bluetooth", _("ARC ready"), "good"),
    ArcState.LOST: ("bluetooth-off", _("ARC lost"), "alarming"),
    ArcState.REFUSED: ("lock-outline", _("ARC refused"), "critical"),
}


def arc_text(arc: ArcView) -> str:
    text = ARC_PILLS[arc.state][1]
    if arc.battery_percent is None:
        return text
    return _("{text} · {percent} %").format(text=text, percent=arc.battery_percent)


def subject_look(subject: str) -> tuple[str, str]:
    """(icon, tone); a subject without a look of its own gets a question mark."""
    return SUBJECT_ICONS.get(subject, ("help-circle-outline", "info"))


def status_icon(status: Status, level: Level) -> str:
    return MOOD_ICONS[level] if status is Status.HAPPINESS else STATUS_ICONS[status]


def find_manager(colony: PlayerView | None, id: str | None) -> ManagerView | None:
    if colony is None:
        return None
    return next((manager for manager in colony.managers if manager.id == id), None)


def portrait_of(manager: ManagerView | ManagerChoice) -> tuple[str, str, str]:
    """(id, letter, colour), as a portrait is drawn."""
    return (manager.id, manager.letter, manager.colour)


def portrait(colony: PlayerView | None, id: str | None) -> tuple[str, str, str] | None:
    """Of the manager with this id in this colony."""
    manager = find_manager(colony, id)
    return portrait_of(manager) if manager else None


def manager_name(colony: PlayerView | None, id: str | None) -> str:
    manager = find_manager(colony, id)
    return manager.name if manager else ""
