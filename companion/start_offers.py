"""What the start screen says and offers beside the saved games: ways on for a game that does not open, the ARC's own game."""

from companion.opening import Trouble
from companion.screens.controller import Offer
from companion.visit import Found, Kinship, Visit

LOOK = "look"
_LOOK = Offer(
    LOOK, "Take over the game on the ARC", "When another tablet has died, or stayed at home", "swap-horizontal"
)
_STOP = Offer("stop", "Do not look any further", "Back to this tablet's own games", "close")
_WHERE = {
    Kinship.NEW: "Round {n} of {all} on {planet}, left there by another tablet",
    Kinship.AHEAD: "Round {n} of {all} on {planet}: further than this tablet's own",
    Kinship.APART: "Round {n} of {all} on {planet}: another course than this tablet's own, which stays",
}


class StartOffers:
    """One thing at a time: a trouble, or a look at the ARC."""

    def __init__(self, *, has_arc: bool) -> None:
        self._has_arc = has_arc
        self.clear()

    def clear(self) -> None:
        self.message = ""
        self.trouble: Trouble | None = None
        self.found: Found | None = None
        self._is_looking = False

    def show_trouble(self, trouble: Trouble) -> None:
        self.clear()
        self.trouble, self.message = trouble, trouble.text

    def show_visit(self, visit: Visit) -> None:
        self.clear()
        self.message, self._is_looking = visit.text, not visit.is_over
        if visit.found and visit.found.can_be_taken:
            self.found = visit.found

    @property
    def offers(self) -> tuple[Offer, ...]:
        offered = []
        if self.trouble:
            offered += _ways_on(self.trouble)
        if self.found:
            offered.append(_take(self.found))
        if self._has_arc:
            offered.append(_STOP if self._is_looking else _LOOK)
        return tuple(offered)


def _ways_on(trouble: Trouble) -> list[Offer]:
    summary, ways = trouble.game.summary, []
    if trouble.can_continue:
        ways.append(
            Offer(
                "continue",
                f"Go on with “{summary.name}” from the beginning of its last round",
                "The colony as it was kept then, with this app's cards; what was registered since is registered again",
                "play",
            )
        )
    if trouble.can_work_out_anew:
        text = "Everything that was registered, with this app's cards and numbers"
        ways.append(Offer("anew", f"Work “{summary.name}” out anew", text, "history"))
    return ways


def _take(found: Found) -> Offer:
    s = found.copy.game.summary
    text = _WHERE[found.kinship].format(n=s.round, all=s.max_rounds, planet=s.planet)
    return Offer("take", f"Take over “{s.name}”", text, "swap-horizontal")
