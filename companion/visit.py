"""A look at the ARC from the start screen: which game does it keep, and does this tablet take it over?"""

from collections.abc import Callable
from enum import Enum

from attrs import evolve, frozen

from companion.link import news
from companion.link.conversations import NO_LINK, Conversations
from companion.link.talks import KeptGame, read_game
from companion.storage.game_copy import CopyError, GameCopy, is_continued_by, unpack
from companion.storage.records import Game, Store, StoreError
from protocol.messages import Info, Message

NOTHING = "This ARC keeps no game."
_SEARCHING = "Looking for the ARC…"
_OWN_IS_NEWER = "The ARC's copy of “{name}” is older than this tablet's own (round {there} there, round {here} here): open your own."
_OWN_IS_EQUAL = "This tablet has all of “{name}” that the ARC keeps: open it from the list."
FROM_THE_ARC = "{name} (from the ARC)"


class Kinship(Enum):
    """How the ARC's copy stands to what this tablet has."""

    NEW = "new"
    AHEAD = "ahead"
    """This tablet's own is the beginning of it."""
    EQUAL = "equal"
    BEHIND = "behind"
    APART = "apart"
    """Both went on: one does not contain the other."""


@frozen
class Found:
    copy: GameCopy
    kinship: Kinship
    own: Game | None

    @property
    def can_be_taken(self) -> bool:
        return self.kinship in (Kinship.NEW, Kinship.AHEAD, Kinship.APART)

    @property
    def text(self) -> str:
        """Why there is nothing to take over; empty when there is."""
        name, there = self.copy.game.summary.name, self.copy.game.summary.round
        if self.kinship is Kinship.BEHIND and self.own:
            return _OWN_IS_NEWER.format(name=name, there=there, here=self.own.summary.round)
        return _OWN_IS_EQUAL.format(name=name) if self.kinship is Kinship.EQUAL else ""


class Visit:
    """What the link is given instead of a session: events are passed over, the kept game is read. `changed` after each change."""

    def __init__(self, store: Store, send: Callable[[Message], bool], changed: Callable[[], None]) -> None:
        self._store, self._changed = store, changed
        self._talk = Conversations(send)
        self.text = _SEARCHING
        self.found: Found | None = None
        self.is_over = False
        """Nothing more is asked: the link can be ended."""

    def resume_point(self, info: Info) -> tuple[int, int]:
        """What happened is for the game that is taken over, from the cursor in its copy on."""
        return info.epoch, info.newest

    def deliver(self, message: news.News) -> None:
        self._talk.handle(message)
        match message:
            case news.LinkChanged(state, detail) if state is not news.LinkState.READY and not self.is_over:
                self.text = f"{_SEARCHING} {detail}".strip()
                self._changed()
            case news.Resumed():
                self._talk.begin(read_game(), self._read, self._failed)

    def _read(self, kept: KeptGame | None) -> None:
        self.is_over, self.text = True, NOTHING
        if kept:
            try:
                copy = unpack(kept.data)
                self.found = compare(self._store, copy)
                self.text = self.found.text
            except (CopyError, StoreError) as error:
                self.text = str(error)
        self._changed()

    def _failed(self, why: str) -> None:
        if why == NO_LINK:
            return  # it is tried again
        self.is_over, self.text = True, why
        self._changed()


def compare(store: Store, copy: GameCopy) -> Found:
    own = next((game for game in store.games() if game.id == copy.game.id), None)
    if own is None:
        return Found(copy, Kinship.NEW, None)
    rows = store.journal(own.id)
    if rows == copy.rows:
        kinship = Kinship.EQUAL
    elif is_continued_by(rows, copy.rows):
        kinship = Kinship.AHEAD
    else:
        kinship = Kinship.BEHIND if is_continued_by(copy.rows, rows) else Kinship.APART
    return Found(copy, kinship, own)


def take_over(store: Store, found: Found, new_id: str) -> str:
    """Writes the copy into the store and gives the id to open. What this tablet had stays, or is the beginning of it."""
    copy, learned = found.copy, store.learned_tags()
    for uid, id in copy.learned_tags.items():
        if uid not in learned:
            store.learn_tag(uid, id)
    if found.kinship is Kinship.AHEAD:
        return _go_on(store, copy)
    game = copy.game
    if found.kinship is Kinship.APART:
        name = FROM_THE_ARC.format(name=game.summary.name)
        game = evolve(game, id=new_id, summary=evolve(game.summary, name=name))
    store.create_game(game, copy.rows, copy.snapshot)
    return game.id


def _go_on(store: Store, copy: GameCopy) -> str:
    game, own = copy.game, store.journal(copy.game.id)
    rest = copy.rows[len(own) :]
    store.append(game.id, rest, game.cursor, game.summary, game.saved_at, copy.snapshot)
    return game.id
