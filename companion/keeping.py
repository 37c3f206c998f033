"""Leaves the open game with the ARC at the beginning and the end of each round, so that a dead tablet ends no game.

What the ARC keeps is looked at first: a game that another tablet has gone on with is not overwritten.
"""

import logging
from binascii import crc32

from companion.link import news
from companion.link.conversations import NO_LINK, Conversations
from companion.link.talks import KeptGame, leave_game, read_game, read_game_head
from companion.session.continuing import first_row
from companion.session.sitting import Session
from companion.session.table import NoticeKind, Phase
from companion.storage.game_copy import CopyError, GameCopy, NewerCopyError, is_continued_by, pack, unpack
from companion.storage.records import Store, StoreError
from protocol.messages import MAX_GAME, GameHead

log = logging.getLogger(__name__)
_KEPT_PHASES = (Phase.ROUND, Phase.SUMMARY, Phase.ENDED)
WENT_ON = (
    "Another tablet has gone on with this game, up to round {round}. To go on from there leave the game and take it "
    "over from the ARC; until then the ARC keeps what it has."
)
OTHER_GAME = "The ARC kept another game, “{name}”: this one takes its place."
NEWER = (
    "A newer app left a game on the ARC, and this app does not write over it: update this app. Until then your game is on "
    "this tablet alone."
)
TOO_LARGE = "This game has become too large for the ARC to keep: it is on this tablet alone."


class Keeping:
    """Of one session with one ARC. `handle` gets the link's news after `talk` did, `look` is called after every change."""

    def __init__(self, store: Store, game: str, session: Session, talk: Conversations) -> None:
        self._store, self._game, self._session, self._talk = store, game, session, talk
        self._device = b""
        self._is_free = self._is_busy = False
        self._left: tuple[Phase, object] | None = None
        self._crc: int | None = None

    def handle(self, message: news.News) -> None:
        match message:
            case news.Resumed(device, _, _):
                self._device, self._is_free, self._is_busy, self._left = device, False, False, None
                self._talk.begin(read_game_head(), self._looked, self._failed)
            case news.LinkChanged(state, _) if state is not news.LinkState.READY:
                self._is_free = self._is_busy = False

    @property
    def is_up_to_date(self) -> bool:
        """The ARC keeps the game as it was when this round began or ended."""
        return self._crc is not None and self._is_free and not self._is_busy and self._was_seen_to()

    def _was_seen_to(self) -> bool:
        """Compared by identity: a colony is as large as a game."""
        state = self._session.state
        return self._left is not None and self._left[0] is state.phase and self._left[1] is state.round_start

    def look(self) -> None:
        """Leaves the game when a round has begun or ended since."""
        state, cursor = self._session.state, self._session.cursor
        if state.phase not in _KEPT_PHASES or not self._is_free or self._is_busy or cursor is None:
            return
        if self._was_seen_to():
            return
        place = (state.phase, state.round_start)
        try:
            data = pack_for_board(self._store, self._game)
        except StoreError as error:
            log.warning("the game was not left with the ARC: %s", error)
            return
        if data is None:
            self._left = place
            self._session.tell(NoticeKind.WARNING, TOO_LARGE)
        elif crc32(data) == self._crc:
            self._left = place
        else:
            self._leave(data, (cursor.epoch, cursor.sequence), place)

    def _leave(self, data: bytes, cursor: tuple[int, int], place: tuple[Phase, object]) -> None:
        def done(crc: int) -> None:
            self._is_busy, self._crc, self._left = False, crc, place
            self._remember(crc)
            self.look()

        self._is_busy = True
        self._talk.begin(leave_game(data, *cursor), done, self._failed)

    def _looked(self, head: GameHead | None) -> None:
        self._crc = head.crc if head else None
        if head is None or self._store.setting(self._key()) == str(head.crc):
            self._free()
        else:
            self._talk.begin(read_game(), self._compare, self._unreadable)

    def _compare(self, kept: KeptGame | None) -> None:
        try:
            copy = unpack(kept.data) if kept else None
        except NewerCopyError:
            # it may be this very game, taken over from this tablet
            self._session.tell(NoticeKind.WARNING, NEWER)
            return
        except CopyError as error:
            log.warning("%s", error)
            copy = None
        if copy is None:
            self._free()
        elif copy.game.id != self._game:
            self._session.tell(NoticeKind.INFO, OTHER_GAME.format(name=copy.game.summary.name))
            self._free()
        elif is_continued_by(copy.rows, self._store.journal(self._game)):
            self._free()
        else:
            self._session.tell(NoticeKind.WARNING, WENT_ON.format(round=copy.game.summary.round))

    def _unreadable(self, why: str) -> None:
        """A copy that cannot be read protects nothing; a link that broke asks again by itself."""
        log.info("the game on the ARC: %s", why)
        if why != NO_LINK:
            self._free()

    def _free(self) -> None:
        self._is_free = True
        self.look()

    def _failed(self, why: str) -> None:
        """Tried again at the next change of round, or when the link is back."""
        log.info("the game was not left with the ARC: %s", why)
        self._is_busy, self._crc = False, None
        self._left = (self._session.state.phase, self._session.state.round_start)

    def _remember(self, crc: int) -> None:
        try:
            self._store.keep_setting(self._key(), str(crc))
        except StoreError as error:
            log.warning("%s", error)

    def _key(self) -> str:
        return f"left:{self._device.hex()}"


def pack_for_board(store: Store, id: str, limit: int = MAX_GAME) -> bytes | None:
    """The game as the ARC keeps it: with its journal, or, when that is too long, from its last round on. None: too large."""
    snapshot = store.snapshot(id)
    copy = GameCopy(store.game(id), store.journal(id), snapshot, store.learned_tags())
    data = pack(copy)
    if len(data) > limit and snapshot:
        data = pack(GameCopy(copy.game, (first_row(snapshot),), None, copy.learned_tags))
    return data if len(data) <= limit else None
