"""The menu's pages about the ARC: what it says of itself and can be asked, and tags of boxed cards to be taught."""

from companion.screens.controller import BoardDeed, BoardRow
from companion.screens.texts import _
from companion.screens.view_models.choices import TapVM
from companion.screens.view_models.tray import TABS, card_card
from companion.session.table import TableView, TrayCard

DEEDS = (
    TapVM(
        BoardDeed.TEST.value, _("Self-test"), _("Two seconds: it shines and beeps"), "clipboard-check-outline", "accent"
    ),
    TapVM(
        BoardDeed.REPORT.value, _("Export for a bug report"), _("Journal and logs, no hidden numbers"), "content-save",
        "info",
    ),
    TapVM(
        BoardDeed.FORGET.value, _("Forget this tablet"), _("It has to be paired again by the button"), "link-off",
        "critical",
    ),
)  # fmt: skip
KINDS = tuple(tab for tab in TABS if tab[2])
"""What can be taught: everything but modules, which know what they are."""
_ICONS = {"decrees": "gavel", "directives": "file-document-outline", "tokens": "account"}


def board_cards(board: tuple[BoardRow, ...]) -> tuple[TapVM, ...]:
    return (*(_told(number, row) for number, row in enumerate(board)), *DEEDS)


def _told(number: int, row: BoardRow) -> TapVM:
    if row.deed:
        return TapVM(row.deed.value, row.title, row.text, row.icon, row.tone)
    return TapVM(f"told-{number}", row.title, row.text, row.icon, row.tone, is_open=False, is_told=True)


def kind_cards() -> tuple[TapVM, ...]:
    text = _("The next tag without a code that lies on the ARC is this card from then on")
    return tuple(TapVM(key, name, text, _ICONS[key]) for key, name, _subjects in KINDS)


def teach_cards(cards: tuple[TrayCard, ...], kind: str, table: TableView) -> tuple[TapVM, ...]:
    subjects = next(subjects for key, _name, subjects in KINDS if key == kind)
    return tuple(card_card(card, table) for card in cards if card.subject in subjects)
