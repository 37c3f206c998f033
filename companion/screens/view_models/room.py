"""How large a page can be written, and how cards to tap share their room. Estimates alone, no layout."""

from math import ceil

from attrs import frozen

from companion.screens.view_models.page import BlockVM, ItemVM, PageVM

ZOOMS = (1.5, 1.4, 1.3, 1.2, 1.1)
FILLED = 0.94
"""A page is written as large as keeps it below this share of its room."""
LETTER = 0.56
"""Width of an average letter beside its size."""
CAPITAL = 0.62


def page_zoom(page: PageVM, width: float, height: float, *, is_wide: bool) -> float:
    """The largest of `ZOOMS` at which `page` still fits into width × height (in sp), else 1."""
    for zoom in ZOOMS:
        if needed(page, width / zoom, is_wide=is_wide) * zoom <= height * FILLED and is_wide_enough(
            page, width / zoom, is_wide=is_wide
        ):
            return zoom
    return 1.0


def needed(page: PageVM, width: float, *, is_wide: bool) -> float:
    """The page's height in sp, when its type has its normal size."""
    inner = column_width(page, width, is_wide=is_wide)
    heights = [sum(block_height(block, inner) for block in column) + 12 * (len(column) - 1) for column in page.columns]
    if is_wide or not heights:
        return max(heights, default=0)
    return sum(heights) + 12 * (len(heights) - 1)


def is_wide_enough(page: PageVM, width: float, *, is_wide: bool) -> bool:
    """No title or row is wider than its column."""
    inner = column_width(page, width, is_wide=is_wide)
    for block in (block for column in page.columns for block in column):
        head = 34 + len(block.title) * 20 * CAPITAL + pill_width(block.pill.text)
        rings = 130 * len(block.statuses)
        rows = max((150 + beside(item) for item in block.items), default=0)
        words = max((len(word) * 9.5 for item in block.items for word in item.title.split()), default=0)
        if inner < max(0 if block.emblem else head, rings, rows, words + 60):
            return False
    return True


def column_width(page: PageVM, width: float, *, is_wide: bool) -> float:
    columns = len(page.columns) if is_wide else 1
    return (width - 12 * (columns - 1)) / max(columns, 1) - 40


def block_height(block: BlockVM, width: float) -> float:
    lead_size = 20 if block.is_story else 16
    height: float = 24 + (150 + lines(block.title, 24, width, CAPITAL) * 30 if block.emblem else 40)
    height += 54 if block.big else 0
    height += lines(block.lead, lead_size, width) * lead_size * 1.35 + (20 if block.lead else 0)
    height += 240 if block.statuses else 0
    height += 90 if len(block.values) > 1 else 0
    height += sum(item_height(item, width) for item in block.items)
    return height + (lines(block.note, 14, width) * 17 + 10 if block.note else 0)


def item_height(item: ItemVM, width: float) -> float:
    inner = max(width - beside(item), 60)
    height = 12 + lines(item.title, 16, inner) * 20 + lines(item.text, 14 if item.title else 15, inner) * 18.5
    height += 14 if item.of or item.share >= 0 else 0
    if item.is_entry:
        return height - 2
    return max(height, 58 if item.is_result else 44)


def beside(item: ItemVM) -> float:
    """What stands left and right of a row's words."""
    taken = 48.0 if item.icon or item.manager else 0.0
    taken += len(item.value) * 17 * LETTER + 12 if item.value else 0
    taken += 50 if item.cells >= 0 else 0
    return taken + pill_width(item.pill.text)


def pill_width(text: str) -> float:
    return len(text) * 14 * LETTER + 60 if text else 0


def lines(text: str, size: float, width: float, letter: float = LETTER) -> int:
    return sum(ceil(max(len(part), 1) * size * letter / max(width, 1)) for part in text.split("\n")) if text else 0


FEW = 4
"""So many cards to tap become posters side by side, or wide rows one below the other."""


@frozen
class GridShape:
    columns: int
    row_height: float
    """At least, in sp."""
    zoom: float = 1.0
    is_poster: bool = False
    """The icon above the words instead of beside them."""


def grid_shape(cards: int, width: float, height: float, least_width: float) -> GridShape:
    """For `cards` that are to fill width × height (in sp) without becoming clumsy."""
    if 0 < cards <= FEW and width >= 270 * cards and width >= 800:
        return GridShape(cards, min(height, 420), 1.3, True)
    if 0 < cards <= FEW and width < 800:
        return GridShape(1, min((height - 12 * cards) / cards, 200), 1.4 if width >= 600 else 1.0)
    columns = max(1, int((width + 12) // (least_width + 12)))
    rows = max(1, ceil(cards / columns))
    row = min((height - 12 * rows) / rows, 168)
    return GridShape(columns, row, 1.25 if row >= 130 and width / columns >= 380 else 1.0)
