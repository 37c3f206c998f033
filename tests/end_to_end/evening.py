"""A scripted game as people play it: hands that repeat a gesture until it was heard, eyes on the tablet, and somebody who
restarts what died. What was registered is read from the journal in the store."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from attrs import field, frozen

from companion.session import actions
from companion.session.journal_text import act_text
from companion.simulation.commands import Setup
from companion.simulation.words import Mode
from firmware.arc.lights import BEEP_CARD
from firmware.desk.desk import Desk
from tests.end_to_end.tablet_process import TabletProcess

MANAGERS = ("bloch", "carter", "gore")
PATIENCE_S = 75
"""No step takes longer, whatever is killed meanwhile."""
HEARD_S = 4.0
EMPTY_ROOF_S = 1.4
"""Hands wait so long before they lay the same thing down again: the ARC takes it as gone after a second."""


@frozen
class Step:
    """One act of the evening: `kind` is lay, plug or tap; `journaled` is how its row in the journal reads."""

    kind: str
    what: str
    journaled: dict[str, Any]
    action: actions.Action | None = None
    answers: str | None = None
    """The question on the tablet that this token answers: people lay it down when they see the question, not before. A
    question about a module goes with the module's power, and a token alone is a campaign."""


def lay(thing: str, answers: str | None = None) -> Step:
    return Step("lay", thing, {"act": "Swiped", "id": thing.partition(":")[2]}, answers=answers)


def plug(module: str, type_id: int) -> Step:
    return Step("plug", module, {"act": "Plugged", "type_id": type_id})


def tap(action: actions.Action) -> Step:
    return Step("tap", "", json.loads(act_text(action)), action)


SETTLED = Step("wait", "settlement", {"act": "Drained"})

EVENING: tuple[Step, ...] = (
    *(lay(f"manager:{manager}") for manager in MANAGERS),
    tap(actions.StartGame("Dawn", Setup(Mode.SEMI_COOP, MANAGERS, "verdance"))),
    plug("solar", 1),
    lay("manager:carter", answers="builder"),
    lay("decree:open-canteens"),
    lay("manager:bloch", answers="owner"),
    plug("well", 5),
    lay("manager:gore", answers="builder"),
    lay("decree:night-patrols"),
    lay("manager:gore", answers="owner"),
    tap(actions.Next()),
    tap(actions.Choose("confirm")),
    SETTLED,
    *(tap(actions.TurnPage(1)) for _ in range(5)),
    lay("manager:carter"),
    tap(actions.Choose("confirm")),
    lay("decree:free-clinics"),
    lay("manager:bloch", answers="owner"),
    tap(actions.Next()),
    tap(actions.Choose("confirm")),
    SETTLED,
)


@frozen
class Evening:
    """Plays the steps on a desk and a tablet. `before_step(number)` is where a test lets things die."""

    desk: Desk
    tablet: TabletProcess
    told: list[str] = field(factory=list)

    async def play(self, before_step: Callable[[int], Awaitable[None]] | None = None) -> None:
        """All steps; AssertionError names the first that did not get into the journal."""
        await self._play(EVENING, before_step)

    async def play_until(self, step: int) -> None:
        """The steps before `step`."""
        await self._play(EVENING[:step], None)

    async def _play(self, steps: tuple[Step, ...], before_step: Callable[[int], Awaitable[None]] | None) -> None:
        at = 0
        for number, step in enumerate(steps):
            disturbance = asyncio.ensure_future(before_step(number)) if before_step else None
            try:
                async with asyncio.timeout(PATIENCE_S):
                    at = await self._do(step, at)
            except TimeoutError:
                raise AssertionError(f"step {number} {step} never got into the journal: {self.tablet.state}") from None
            finally:
                if disturbance:
                    await disturbance

    async def _do(self, step: Step, at: int) -> int:
        """Do a step until the journal has it behind row `at`; answers the row it got."""
        while True:
            row = self._row_of(step, at)
            if row is not None:
                return row
            await self._ready(step, at)
            if self._row_of(step, at) is not None:
                continue
            match step.kind:
                case "lay":
                    await self._lay(step, at)
                case "plug":
                    if step.what not in self._plugged():
                        await self.desk.plug(step.what)
                    await self._seen(step, at, HEARD_S)
                case "tap":
                    assert step.action is not None
                    self.tablet.tap(step.action)
                    # a finger that waits for the tablet does not tap twice
                    await self._seen(step, at, PATIENCE_S)
                case "wait":
                    await self._seen(step, at, HEARD_S)

    def _row_of(self, step: Step, at: int) -> int | None:
        for row in self.tablet.journal():
            if row.number > at and step.journaled.items() <= json.loads(row.act).items():
                return row.number
        return None

    async def _seen(self, step: Step, at: int, within_s: float) -> bool:
        """Watch the tablet until the step is in the journal; False when it did not come in time or the app died."""
        starts, left = self.tablet.starts, within_s
        while left > 0 and self.tablet.starts == starts:
            if self._row_of(step, at) is not None:
                return True
            left -= 0.5
            await self.tablet.changed(0.5)
        return self._row_of(step, at) is not None

    async def _ready(self, step: Step, at: int) -> None:
        """Look at the tablet: go on when it has its ARC and asks what this step answers, or has the step already."""
        while not self._asks_for(step) and self._row_of(step, at) is None:
            if self.tablet.state.get("arc") == "pairing":
                await self.desk.press()
            # modules report one after another: their questions, and the list of those that are missing, follow them
            await self.tablet.changed(0.5)

    def _asks_for(self, step: Step) -> bool:
        state = self.tablet.state
        is_there = state.get("arc") == "ready" and state.get("phase") != "resume"
        return is_there and (step.answers is None or state.get("dialog") == step.answers)

    async def _lay(self, step: Step, at: int) -> None:
        """Lay down until the beep, look at the tablet, and only then do it again."""
        if not self.desk.supervisor.boards["arc"].is_on:
            await asyncio.sleep(0.1)
            return
        self.desk.present(step.what)
        heard = await self._beep(step, at)
        self.desk.remove(step.what)
        self.told.append(f"{step.what}: {'beep' if heard else 'nothing'}")
        if heard:
            # what was beeped for is written down: it must come, whatever dies in between
            async with asyncio.timeout(PATIENCE_S):
                while self._row_of(step, at) is None:
                    await self.tablet.changed(0.5)
            return
        await asyncio.sleep(EMPTY_ROOF_S)
        await self._ready(step, at)
        await self._seen(step, at, 1.0)

    async def _beep(self, step: Step, at: int) -> bool:
        beep = asyncio.ensure_future(self.desk.wait("beep", HEARD_S, hz=BEEP_CARD[0]))
        died = asyncio.ensure_future(self.desk.wait("stopped", HEARD_S, board="arc"))
        try:
            done, _ = await asyncio.wait((beep, died), return_when=asyncio.FIRST_COMPLETED)
            return beep in done and beep.exception() is None
        finally:
            for waiting in (beep, died):
                waiting.cancel()
            await asyncio.gather(beep, died, return_exceptions=True)

    def _plugged(self) -> set[Any]:
        return {end for a in self.desk.miniatures.plugs() for end in (a[0], a[2])}
