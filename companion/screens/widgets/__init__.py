"""Drawn parts that every screen uses. Importing this loads the fonts and the shared kv rules."""

from companion.screens.widgets import gauges, page, panels, rows, sheet, tapping, text, toast
from companion.screens.widgets.loading import load_kv, register_fonts

__all__ = ["gauges", "load_kv", "page", "panels", "rows", "sheet", "tapping", "text", "toast"]

register_fonts()
load_kv(__file__, "text", "panels", "gauges", "page", "sheet", "toast", "tapping")
