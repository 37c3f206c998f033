"""What can end the colony, and a scenario's bars beside it, as the rows of the card of special states."""

from companion.screens.texts import _, count, figure
from companion.screens.view_models.cards import SpecialCardVM, SpecialRowVM
from companion.simulation.player import PlayerView, SpecialView

SPECIAL_ROWS = 4
"""As many as the card has room for."""


def riot_row(view: SpecialView) -> SpecialRowVM:
    if view.riot_stage:
        text = _("SecForce make arrests") if view.riot_stage == 1 else _("Marines are in the streets")
        badge = _("STAGE {n}").format(n=view.riot_stage)
        return SpecialRowVM(_("Riot"), text, "fire", "critical", badge)
    if view.riot_warning:
        return SpecialRowVM(_("Riot"), _("Unrest is in the air"), "fire", "alarming", _("WARNING"))
    return SpecialRowVM(_("Riot"), _("The streets are calm"), "fire", badge_icon="check-circle-outline")


def terran_row(view: SpecialView) -> SpecialRowVM:
    title = _("Terran Dependence")
    if not view.terran_dependence:
        return SpecialRowVM(title, _("No loan from Earth"), "earth", badge_icon="check-circle-outline")
    text = _("A third loan ends the colony") if view.terran_dependence > 1 else _("Earth lent the colony STOCK")
    tone = "critical" if view.terran_dependence > 1 else "alarming"
    return SpecialRowVM(title, text, "earth", tone, _("{n} OF 3").format(n=view.terran_dependence))


def crowding_row(view: SpecialView) -> SpecialRowVM:
    if view.is_overcrowded:
        return SpecialRowVM(_("Overcrowded"), _("More Citizens than beds"), "home-alert", "alarming", _("ACTIVE"))
    return SpecialRowVM(_("Overcrowded"), _("Everybody has a bed"), "home-group", badge_icon="check-circle-outline")


def damage_row(view: SpecialView) -> SpecialRowVM:
    if view.damaged:
        text = count(len(view.damaged), _("{n} module damaged"), _("{n} modules damaged"))
        return SpecialRowVM(_("Catastrophe"), text, "meteor", "critical", _("REPAIRS"))
    return SpecialRowVM(_("Catastrophe"), _("No module is damaged"), "meteor", badge_icon="check-circle-outline")


def progress_rows(colony: PlayerView) -> tuple[SpecialRowVM, ...]:
    return tuple(
        SpecialRowVM(
            text,
            icon="check-circle" if reached >= needed else "target",
            tone="good" if reached >= needed else "accent",
            badge=f"{figure(reached)} / {figure(needed)}",
            share=min(reached / max(needed, 1), 1),
        )
        for text, reached, needed in colony.achievements
    )


def special_rows(view: SpecialView) -> tuple[SpecialRowVM, ...]:
    return (riot_row(view), terran_row(view), crowding_row(view), damage_row(view))


def special_card(colony: PlayerView) -> SpecialCardVM:
    """A scenario's bars stand first; calm states make room for them."""
    rows = special_rows(colony.special)
    tones = {row.tone for row in rows}
    tone = "critical" if "critical" in tones else "alarming" if "alarming" in tones else "good"
    bars = progress_rows(colony)
    if bars:
        rows = tuple(sorted(rows, key=lambda row: ("critical", "alarming", "dim").index(row.tone)))
    shown = (*bars, *rows)[:SPECIAL_ROWS]
    return SpecialCardVM(shown, "alert-octagon" if tone != "good" else "check-circle-outline", tone)
