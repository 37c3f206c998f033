"""A page as blocks in columns, a block as rows: what details, summaries, histories and endings are drawn from."""

from attrs import field, frozen

from companion.screens.view_models.cards import PillVM, StatusVM


@frozen
class ItemVM:
    """One row: who or what on the left, words in the middle, a value or badge on the right."""

    title: str = ""
    text: str = ""
    icon: str = ""
    tone: str = "muted"
    manager: tuple[str, str, str] | None = None
    """(id, letter, colour): a portrait instead of the icon."""
    value: str = ""
    value_tone: str = "text"
    pill: PillVM = field(factory=PillVM)
    steps: int = 0
    of: int = 0
    """Cells under the words, `steps` of them lit; 0: none."""
    share: float = -1.0
    """A bar under the words, for numbers that players may know; below 0: none."""
    mark: float = -1.0
    cells: int = -1
    """An accumulator's icon before the value; below 0: none."""
    is_entry: bool = False
    """A line of an account: closer together than other rows."""
    is_sum: bool = False
    """A hairline above it, as under the lines of an account."""
    is_result: bool = False
    """Larger than the rows above it."""


@frozen
class BlockVM:
    title: str = ""
    icon: str = ""
    tone: str = "accent"
    pill: PillVM = field(factory=PillVM)
    big: str = ""
    """A number or a word in large type above the rows."""
    big_tone: str = "text"
    emblem: str = ""
    """A large icon in a tinted disc, title and lead centred below it; takes the place of `icon`."""
    emblem_manager: tuple[str, str, str] | None = None
    """A portrait instead of the emblem's icon."""
    lead: str = ""
    lead_tone: str = "muted"
    is_story: bool = False
    """The lead is read aloud: larger, brighter."""
    statuses: tuple[StatusVM, ...] = ()
    values: tuple[int, ...] = ()
    """A history to draw; only of numbers that players may know."""
    items: tuple[ItemVM, ...] = ()
    note: str = ""


@frozen
class PageVM:
    """`columns` stand side by side where there is room, else below each other."""

    title: str = ""
    subtitle: str = ""
    icon: str = ""
    tone: str = "accent"
    columns: tuple[tuple[BlockVM, ...], ...] = ()


def bullets(lines: tuple[str, ...], icon: str, tone: str) -> tuple[ItemVM, ...]:
    return tuple(ItemVM(text=line, icon=icon, tone=tone) for line in lines)
