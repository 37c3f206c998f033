"""Which screen a table calls for. What people opened by hand lies on top until the sitting moves on."""

from companion.session.table import Phase, TableView

PHASE_SCREENS = {
    Phase.SETUP: "setup",
    Phase.RESUME: "resume",
    Phase.ROUND: "colony",
    Phase.SETTLING: "colony",
    Phase.SUMMARY: "summary",
    Phase.ENDED: "ending",
}
OVERLAYS = ("detail", "history", "menu", "tray", "introduction", "goals", "firmware")


def base_screen(table: TableView | None) -> str:
    if table is None:
        return "start"
    if table.is_reviewing:
        return "summary"
    if table.is_introducing:
        return "introduction"
    return PHASE_SCREENS[table.phase]


def screen_for(table: TableView | None, opened: str | None) -> str:
    """`opened` is an overlay that people opened; it stays only where the colony can be looked at."""
    base = base_screen(table)
    if opened in ("menu", "firmware") and base != "start":
        return opened
    if opened == "goals":
        return "goals" if base == "ending" else base
    return opened if opened and base == "colony" else base
