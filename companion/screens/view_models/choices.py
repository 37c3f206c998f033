"""Cards to tap: one of several games, managers, planets, cards of the tray, menu entries."""

from attrs import field, frozen

from companion.screens.view_models.cards import PillVM


@frozen
class TapVM:
    id: str = ""
    title: str = ""
    text: str = ""
    icon: str = ""
    tone: str = "accent"
    manager: tuple[str, str, str] | None = None
    pill: PillVM = field(factory=PillVM)
    is_chosen: bool = False
    is_open: bool = True
    """False: seen, but cannot be tapped now."""
    is_told: bool = False
    """It only says something: not to be tapped, and yet not dimmed."""


@frozen
class GroupVM:
    """Cards of one kind under a heading."""

    title: str = ""
    cards: tuple[TapVM, ...] = ()
    least_width: float = 300
    """Of a card, in sp."""
