"""Plays a script of steps through the same session without a window: by taps, or with hands on a desk.

One step a line, `#` begins a comment:
    start NAME MODE PLANET MANAGER …    manager ID      card ID [MANAGER]      module ID [MANAGER]
    choose KEY      ask      next      page      undo      points COUNT [MANAGER]      listen COUNT (registered acts)
"""

import asyncio
import shlex
from collections.abc import Awaitable, Callable, Iterable

from attrs import frozen

from companion.catalog import Catalog
from companion.desk_process import DeskFailed, Hands
from companion.session import actions
from companion.session.actions import Action
from companion.session.acts import ArcAct, Continued
from companion.session.journal_text import read_act
from companion.session.sitting import Session
from companion.session.table import ArcState, DialogKind, Phase
from companion.simulation.commands import Setup
from companion.simulation.words import Mode
from companion.storage.records import Store
from companion.tablet import Tablet

STEP_S = 30.0
PRESS_AGAIN_S = 5.0
"""A press that a busy board missed is made again."""


class ScriptError(ValueError):
    """A step that cannot be done; names the line."""


@frozen
class Step:
    line: int
    verb: str
    words: tuple[str, ...]


def parse(text: str) -> list[Step]:
    """The steps of a script; `ScriptError` for a line that is none."""
    steps = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            verb, *words = shlex.split(line, comments=True) or [""]
        except ValueError as error:
            raise ScriptError(f"line {number}: {error}") from error
        if verb and verb not in _STEPS:
            raise ScriptError(f"line {number}: no step is called {verb}; there are {', '.join(_STEPS)}")
        if verb:
            steps.append(Step(number, verb, tuple(words)))
    return steps


class Player:
    """Plays steps on a tablet. With `hands` cards and modules go over the desk, else they are tapped."""

    def __init__(self, tablet: Tablet, catalog: Catalog, hands: Hands | None = None) -> None:
        self._tablet, self._catalog, self._hands = tablet, catalog, hands

    async def play(self, steps: Iterable[Step]) -> None:
        """All of them, in order; `ScriptError` names the line of the first that fails."""
        try:
            await self._until(self._is_ready, "the ARC")
        except TimeoutError as error:
            raise ScriptError(f"{error}. {self._session.table.arc.detail}") from error
        for step in steps:
            try:
                await _STEPS[step.verb](self, *step.words)
            except (TypeError, ValueError, KeyError, DeskFailed, TimeoutError) as error:
                what = " ".join((step.verb, *step.words))
                raise ScriptError(f"line {step.line}: {what}: {error}") from error

    def _is_ready(self) -> bool:
        return self._session.table.arc.state in (ArcState.NONE, ArcState.READY)

    @property
    def _session(self) -> Session:
        if self._tablet.session is None:
            raise ScriptError(self._tablet.message or "no game is open")
        return self._tablet.session

    async def _until(self, holds: Callable[[], bool], what: str) -> None:
        """Waits for a condition that the app brings about; bounded."""
        press_at = 0.0
        clock = asyncio.get_running_loop().time
        try:
            async with asyncio.timeout(STEP_S):
                while not holds():
                    if self._hands and self._is_pairing() and clock() >= press_at:
                        press_at = clock() + PRESS_AGAIN_S
                        await self._hands.do("press")
                    await asyncio.sleep(0.02)
        except TimeoutError:
            raise TimeoutError(f"waited {STEP_S:.0f} s for {what}") from None

    def _is_pairing(self) -> bool:
        return self._session.table.arc.state is ArcState.PAIRING

    def _act(self, action: Action) -> None:
        """A tap; a refusal is an error in a script."""
        before = {notice.id for notice in self._session.table.notices}
        self._tablet.act(action)
        fresh = [notice for notice in self._session.table.notices if notice.id not in before]
        for notice in fresh:
            if notice.kind.value == "refused":
                raise ValueError(notice.text)

    async def start(self, name: str, mode: str, planet: str, *managers: str) -> None:
        seated = self._session.state.seated
        self._act(actions.StartGame(name, Setup(Mode(mode), managers or seated, planet)))

    async def manager(self, id: str) -> None:
        """Takes a seat, or gives an answer."""
        await self._lay(id)

    async def card(self, id: str, manager: str = "") -> None:
        await self._lay(id)
        if manager:
            await self._lay(manager)

    async def module(self, id: str, manager: str = "") -> None:
        connected = len(self._session.state.connected)
        if self._hands:
            await self._hands.do("plug", module=id)
        else:
            self._act(actions.TapModule(self._catalog.modules[id.partition(":")[0]].type_id))
        await self._until(lambda: len(self._session.state.connected) > connected, f"{id} on the bus")
        if manager:
            await self._lay(manager)

    async def _lay(self, id: str) -> None:
        if self._hands is None:
            self._act(actions.TapCard(id))
            return
        before = self._sequence()
        await self._hands.present(self._thing(id))
        await self._until(lambda: self._sequence() >= before + 2, f"{id} laid down and taken off")

    def _sequence(self) -> int:
        cursor = self._session.cursor
        return cursor.sequence if cursor else 0

    def _thing(self, id: str) -> str:
        catalog = self._catalog
        places = {"manager": catalog.managers, "decree": catalog.decrees, "directive": catalog.directives}
        kinds = [kind for kind, entries in places.items() if id in entries]
        return f"{kinds[0] if kinds else 'token'}:{id}"

    async def listen(self, count: str) -> None:
        """Other hands play: until so many acts are registered in this round and nothing is asked."""
        while self._registered() < int(count) or self._session.state.dialogs:
            await asyncio.sleep(0.05)

    def _registered(self) -> int:
        return sum(entry.is_undoable for entry in self._session.state.registered)

    async def choose(self, key: str) -> None:
        self._act(actions.Choose(key))

    async def ask(self) -> None:
        """NEXT, not yet confirmed."""
        self._act(actions.Next())

    async def next(self) -> None:
        """NEXT, confirmed, up to the summary."""
        if self._session.table.dialog is None or self._session.table.dialog.kind is not DialogKind.NEXT:
            await self.ask()
        self._act(actions.Choose("confirm"))
        await self._until(lambda: self._session.state.phase is Phase.SUMMARY, "the settlement")

    async def page(self) -> None:
        """Through all pages of the summary."""
        while self._session.state.phase is Phase.SUMMARY:
            self._act(actions.TurnPage(1))

    async def undo(self) -> None:
        self._act(actions.Undo())
        self._act(actions.Choose("confirm"))

    async def points(self, count: str, manager: str | None = None) -> None:
        self._act(actions.EnterPoints(manager, int(count)))


_STEPS: dict[str, Callable[..., Awaitable[None]]] = {
    "start": Player.start,
    "manager": Player.manager,
    "card": Player.card,
    "module": Player.module,
    "listen": Player.listen,
    "choose": Player.choose,
    "ask": Player.ask,
    "next": Player.next,
    "page": Player.page,
    "undo": Player.undo,
    "points": Player.points,
}


def journal_lines(store: Store, game: str) -> list[str]:
    """The journal for people: number, where it came from, what was done, what it led to."""
    lines = []
    for row in store.journal(game):
        by = "app" if isinstance(read_act(row.act), ArcAct) else "tap"
        source = f"{row.epoch}:{row.sequence}" if row.sequence is not None else by
        led_to = "" if row.commands == "[]" else f"  → {row.commands}"
        act = row.act if not isinstance(read_act(row.act), Continued) else '{"act":"Continued"}'
        lines.append(f"{row.number:4}  {source:>12}  {act}{led_to}")
    return lines
