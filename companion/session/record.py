"""A game's journal in the store: acts are played, written, and only then believed. Opening is replaying."""

from collections.abc import Callable

from companion.session import acts
from companion.session.actions import StartGame
from companion.session.continuing import is_new_round, snapshot_text
from companion.session.journal_text import JournalError, act_text, commands_text, read_act
from companion.session.playing import Outcome, play
from companion.session.rules import Rules
from companion.session.state import State
from companion.session.table import Phase
from companion.storage.records import Cursor, GameSummary, JournalRow, Snapshot, Store

Source = tuple[int, int]
"""(epoch, sequence) of an event."""


class Record:
    """The state of one game and its journal, always equal to what replaying gives."""

    def __init__(self, store: Store, game: str, rules: Rules, timestamp: Callable[[], str]) -> None:
        """Replays the journal; `JournalError` when it cannot be read or does not replay as it was written."""
        self._store, self._game, self._rules, self._timestamp = store, game, rules, timestamp
        saved = store.game(game)
        self._seed = saved.seed
        self.catalog_version = saved.catalog_version
        self.cursor = saved.cursor
        self.is_as_it_was = True
        """False: with this catalog the journal gives another colony than people saw."""
        self.kept: Snapshot | None = None
        """With another catalog: what the newest snapshot would be with this one."""
        self.state = State()
        self._rows = 0
        kept = store.snapshot(game) if saved.catalog_version != rules.version else None
        for row in store.journal(game):
            self._replay(row)
            if kept and kept.row == row.number:
                self.kept = Snapshot(kept.row, snapshot_text(self.state, rules))
                self.is_as_it_was = self.kept == kept

    def _replay(self, row: JournalRow) -> None:
        try:
            act = read_act(row.act)
            outcome = self._play(act, row.link, row.sequence)
        except JournalError as error:
            raise JournalError(f"game {self._game}, row {row.number}: {error}") from error
        except Exception as error:  # whatever other cards make the rules stumble over
            reason = f"{type(error).__name__}: {error}"
            raise JournalError(f"game {self._game}, row {row.number}: {row.act} cannot be played: {reason}") from error
        if isinstance(act, StartGame) and outcome.state.setup is None:
            reasons = " ".join(told.text for told in outcome.told)
            raise JournalError(
                f"game {self._game}, row {row.number}: the game cannot begin with these cards: {reasons}"
            )
        if commands_text(outcome.commands) != row.commands:
            raise JournalError(
                f"game {self._game}, row {row.number}: {row.act} led to {row.commands} when it was played, and to "
                f"{commands_text(outcome.commands)} now (cards then: {self.catalog_version}, now: {self._rules.version})."
            )
        self.state = outcome.state
        self._rows = row.number

    def _play(self, act: acts.Act, link: str, sequence: int | None) -> Outcome:
        return play(self.state, act, self._rules, link=link, seed=self._seed, sequence=sequence)

    def write(self, act: acts.Act, link: str, source: Source | None = None) -> Outcome:
        """Plays the act and writes it down; an act that changes nothing leaves at most the cursor behind.

        When this raises, nothing happened.
        """
        outcome = self._play(act, link, source[1] if source else None)
        cursor = self._moved(source)
        if outcome.state is self.state:
            if cursor != self.cursor:
                self._store.append(self._game, (), cursor)
        else:
            row = JournalRow(
                self._rows + 1, act_text(act), commands_text(outcome.commands), link, *(source or (None, None))
            )
            kept = None
            if is_new_round(self.state, outcome.state):
                kept = Snapshot(row.number, snapshot_text(outcome.state, self._rules))
            self._store.append(self._game, (row,), cursor, self._summary(outcome.state), self._timestamp(), kept)
            self._rows += 1
        self.state, self.cursor = outcome.state, cursor
        return outcome

    def skip(self, source: Source) -> None:
        """Moves the cursor over events that mean nothing, or that are lost."""
        self.bind(self._moved(source))

    def bind(self, cursor: Cursor | None) -> None:
        """From here on the game follows this place in this ARC's log."""
        self._store.rebind(self._game, cursor)
        self.cursor = cursor

    def adopt(self) -> None:
        """The game goes on with this catalog, and with what its journal gives with it."""
        if self.catalog_version != self._rules.version:
            self._store.adopt(self._game, self._rules.version, self.kept)

    def _moved(self, source: Source | None) -> Cursor | None:
        if source is None or self.cursor is None:
            return self.cursor
        return Cursor(self.cursor.arc, *source)

    def _summary(self, state: State) -> GameSummary | None:
        if state.colony is None:
            return None
        view = self._rules.view(state.colony, state.name)
        return GameSummary(view.colony_name, view.planet_name, view.round, view.max_rounds, state.phase is Phase.ENDED)
