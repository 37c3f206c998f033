"""Samples of what comes between: saved games and offers, questions, notices, the tray, the ARC's page."""

from attrs import evolve

from companion.screens.controller import BoardDeed, BoardRow, Offer, SavedGame
from companion.screens.gallery.samples import COLONY, NO_ARC, TABLE
from companion.session.table import (
    Choice,
    ChoiceStyle,
    Dialog,
    DialogKind,
    MissingModule,
    Notice,
    NoticeKind,
    Phase,
    TableView,
    TrayCard,
    TrayModule,
    TrayView,
)

SAVED = (
    SavedGame("g1", "New Helvetia", "Proxima b", 14, 20, "today, 21:07"),
    SavedGame("g2", "Port Amara", "Kepler-442 b", 6, 20, "Saturday, 23:40"),
    SavedGame("g3", "Last Harbour", "TRAPPIST-1 e", 17, 20, "3 November", is_ended=True),
)

ALL = ("bloch", "gore", "xu", "mccain")

CONFIRM = Choice("confirm", "Confirm", ChoiceStyle.PRIMARY)

NOT_THIS = Choice("not_this_card", "Not this card", ChoiceStyle.PLAIN)

CANCEL = Choice("cancel", "Cancel", ChoiceStyle.PLAIN)

DIALOGS = {
    "owner": Dialog(
        DialogKind.OWNER, "Whose decree is “Water rationing”?", ("Fee: 2 CR. The vote is taken when the round ends.",),
        "Lay your manager token on the ARC.", ALL, (NOT_THIS,), "decree_green",
    ),
    "builder": Dialog(
        DialogKind.BUILDER, "Landing Pad is connected: who built it?", ("Its light flashes green on the table.",),
        "Lay the builder's token on the ARC.", ALL, (Choice("nobody", "Nobody: take it off", ChoiceStyle.PLAIN),), "module",
    ),
    "campaign": Dialog(
        DialogKind.CAMPAIGN, "Campaign by Ava Xu?", ("Put the token on the campaign socket afterwards.",),
        "", (), (CANCEL, CONFIRM), "campaign",
    ),
    "ambassador": Dialog(
        DialogKind.AMBASSADOR, "Who sends the Ambassador?", ("One step of Terran Dependence is taken back.",),
        "Lay your manager token on the ARC.", ALL, (CANCEL,), "ambassador",
    ),
    "undo": Dialog(
        DialogKind.UNDO, "Take back the newest act?", ("Water rationing, a decree of Athena Gore, round 14.",),
        "Tap, or lay the Governor token on the ARC once more.", (), (CANCEL, Choice("confirm", "Undo it", ChoiceStyle.DANGER)), "undo",
    ),
    "replace_card": Dialog(
        DialogKind.REPLACE_CARD, "Drop “Water rationing”?", ("“Curfew” was laid down while it waits for its owner.",),
        "", (), (Choice("keep", "Keep the first", ChoiceStyle.PLAIN), Choice("replace", "Take the second", ChoiceStyle.PRIMARY)), "decree_red",
    ),
    "foreign_module": Dialog(
        DialogKind.FOREIGN_MODULE, "Obelisk is not in this game's pool", ("None of the managers at the table brings it.",),
        "Take it off, or build it all the same.", (), (Choice("accept", "Accept anyway", ChoiceStyle.PLAIN),), "module",
    ),
    "next": Dialog(
        DialogKind.NEXT, "End round 14?", ("4 acts are registered. Afterwards nothing of this round can be changed.",),
        "", (), (CANCEL, Choice("confirm", "End the round", ChoiceStyle.PRIMARY)), "next",
    ),
    "settle_without_arc": Dialog(
        DialogKind.SETTLE_WITHOUT_ARC, "The ARC does not answer", ("Cards laid on it since 21:02 may be missing.",),
        "Bring the tablet nearer to the ARC.", (),
        (Choice("wait", "Wait for it", ChoiceStyle.PRIMARY), Choice("settle", "Settle without it", ChoiceStyle.DANGER)), "next",
    ),
}  # fmt: skip


def dialog_table(name: str) -> TableView:
    return evolve(TABLE, dialog=DIALOGS[name], waiting_dialogs=2 if name == "owner" else 0)


NOTICES = evolve(
    TABLE,
    notices=(
        Notice(1, NoticeKind.DONE, "Water rationing is registered for Athena Gore. Pay 2 CR.", "gore", can_undo=True),
        Notice(2, NoticeKind.REFUSED, "Curfew was not registered: one decree a manager and round.", "xu"),
    ),
)

RESUME = evolve(
    TABLE,
    phase=Phase.RESUME,
    missing=(
        MissingModule(11, "Solar Power Plant", "bloch"),
        MissingModule(14, "Residential Dome", "mccain"),
        MissingModule(22, "Nuclear Power Plant", None),
    ),
)

TRAY = TrayView(
    cards=(
        TrayCard("water", "Water rationing", "decree_green", "Liquids consumption falls. Fee: 2 CR."),
        TrayCard("relief", "Tax relief", "decree_green", "Happiness rises, taxes fall. Fee: 1 CR."),
        TrayCard("curfew", "Curfew", "decree_red", "Security rises, Happiness falls. Fee: 1 TG."),
        TrayCard("draft", "General draft", "decree_red", "Colonists become Marines. Fee: 2 TG."),
        TrayCard("martial", "Martial order", "directive", "Security rises for good.", "xu"),
        TrayCard("bloch", "Paul Bloch", "manager", "Campaign, or the answer to a question", "bloch"),
        TrayCard("gore", "Athena Gore", "manager", "Campaign, or the answer to a question", "gore"),
        TrayCard("governor", "Governor token", "governor", "Takes back the newest act"),
        TrayCard("ambassador", "Ambassador token", "ambassador", "One step of Terran Dependence less"),
    ),
    modules=(
        TrayModule(1, "Solar Power Plant", 1), TrayModule(2, "Nuclear Power Plant", 0), TrayModule(3, "Life Support System", 1),
        TrayModule(12, "Residential Dome", 1), TrayModule(13, "Temporary Residential Capsules", 1), TrayModule(19, "Community Tower", 1),
    ),
)  # fmt: skip

TAPPED = evolve(TABLE, arc=NO_ARC, tray=TRAY, colony=evolve(COLONY, registered=()), undo_text=None)

OFFERS = (
    Offer("take", "Take over “Dawn”", "Round 5 of 20 on Verdance, left there by another tablet", "swap-horizontal"),
    Offer("stop", "Do not look any further", "Back to this tablet's own games", "close"),
)

OTHER_CATALOG = (
    Offer(
        "continue",
        "Go on with “Port Amara” from the beginning of its last round",
        "The colony as it was kept then, with this app's cards; what was registered since is registered again",
        "play",
    ),
    Offer(
        "anew",
        "Work “Port Amara” out anew",
        "Everything that was registered, with this app's cards and numbers",
        "history",
    ),
)

BOARD = (
    BoardRow("Firmware", "1.4.0, protocol 1.0, board 4f2a90c1", "chip", "good"),
    BoardRow("Battery", "18 %", "battery", "poor"),
    BoardRow(
        "Two modules have one number",
        "One of them is not counted. Tap here to give it a number of its own, for good.",
        "alert-circle-outline",
        "critical",
        BoardDeed.PART,
    ),
    BoardRow(
        "Since it was switched on",
        "12 starts, 312 cards read, 4 sessions, 71 KiB of memory free, at least 52",
        "chart-timeline-variant",
    ),
    BoardRow(
        "Troubles counted", "4 frames not understood (reader); 2 frames repeated (bus)", "alert-circle-outline", "poor"
    ),
    BoardRow("Last crash", "none kept", "check", "good"),
    BoardRow("Card reader", "answers", "clipboard-check-outline", "good"),
)
