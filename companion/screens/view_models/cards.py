"""What each card of the main screen draws: finished strings, tones, icon names, steps."""

from attrs import frozen


@frozen
class PillVM:
    icon: str = ""
    text: str = ""
    tone: str = "muted"


@frozen
class HeaderVM:
    title: str = ""
    subtitle: str = ""
    round: int = 0
    rounds: int = 0
    arc: PillVM = PillVM()
    can_undo: bool = False
    has_tray: bool = False


@frozen
class StatusVM:
    name: str = ""
    icon: str = ""
    word: str = ""
    tone: str = "muted"
    steps: int = 0
    """1 … 4 lit segments: the level, never the number."""
    change_icon: str = ""
    change: str = ""
    history: tuple[int, ...] = ()
    """Steps of the past rounds and of this one."""


@frozen
class StatusCardVM:
    pill: PillVM = PillVM()
    statuses: tuple[StatusVM, ...] = ()


@frozen
class ResourceVM:
    name: str = ""
    icon: str = ""
    tone: str = "muted"
    makes: str = ""
    uses: str = ""
    made_share: float = 0.0
    used_share: float = 0.0
    balance: PillVM = PillVM()
    net: str = ""
    cells: int = 0
    """Lit cells of the accumulator's icon: 0 empty, 1 incomplete, 2 full."""
    accumulator: str = ""
    accumulator_tone: str = "muted"


@frozen
class ResourcesCardVM:
    pill: PillVM = PillVM()
    resources: tuple[ResourceVM, ...] = ()


@frozen
class GroupVM:
    name: str = ""
    icon: str = ""
    tone: str = "muted"
    size: int = 0
    text: str = ""


@frozen
class PopulationCardVM:
    pill: PillVM = PillVM()
    total: str = ""
    caption: str = ""
    housing: str = ""
    housing_tone: str = "muted"
    groups: tuple[GroupVM, ...] = ()
    history: tuple[int, ...] = ()


@frozen
class SpecialRowVM:
    title: str = ""
    text: str = ""
    icon: str = ""
    tone: str = "dim"
    badge: str = ""
    badge_icon: str = ""
    share: float = -1.0
    """A bar instead of the text, for a scenario's progress; below 0: none."""


@frozen
class SpecialCardVM:
    rows: tuple[SpecialRowVM, ...] = ()
    icon: str = "check-circle-outline"
    tone: str = "good"


@frozen
class BuildVM:
    name: str = ""
    icon: str = "crane"
    tone: str = "accent"
    quarters: int = 0
    text: str = ""


@frozen
class EconomyCardVM:
    pill: PillVM = PillVM()
    stock: str = ""
    tone: str = "text"
    caption: str = ""
    change: str = ""
    history: tuple[int, ...] = ()
    queue: tuple[BuildVM, ...] = ()
    more: str = ""
    is_idle: bool = True


@frozen
class ActsVM:
    title: str = ""
    text: str = ""
    managers: tuple[tuple[str, str, str], ...] = ()
    """(id, letter, colour) of those who registered something, newest last."""
