"""`python -m companion --update`: brings an ARC and the modules on its bus to the firmware at hand, without a window."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable

from attrs import frozen

from companion.arc_line import ArcLine
from companion.catalog import Catalog
from companion.link import news
from companion.link.updating import Outcome, Version
from companion.screens.controller import UpdateStage
from companion.updates.course import Updates
from companion.updates.folder import AtHand, OnHand
from companion.updates.page import NO_MODULES, UNKNOWN_TYPE, arc_needs_none, due_modules, modules_need_none
from companion.updates.run import Status, text_of, version_of

TICK_S = 0.1
LINK_S = 120.0
"""Until there is a session, time to walk to the ARC and press its button among it."""
STILL_S = 180.0
"""Without anything new: longer than a lost link, or a restart that fails three times, takes."""
BACK_S = 15.0
"""After an ARC has started again, until it has found its modules."""
READ_S = 10.0
PRESS_AGAIN_S = 5.0
STEPS = 10
"""A line for so many percent."""
NONE_OF_THESE = "None of these modules is connected."
STILL = "Nothing has moved for minutes. Run this again: it goes on where it stopped."
PRESS = "Press the button on the ARC to pair it with this computer."


class UpdateError(ValueError):
    """What cannot be done, in a sentence."""


@frozen
class Wanted:
    """`types` None: modules of all types."""

    arc: bool
    modules: bool
    types: frozenset[int] | None = None


def wanted_of(words: Iterable[str], catalog: Catalog) -> Wanted:
    """`arc`, `modules`, ids of module types; nothing means the ARC and all modules. `UpdateError` names what is none of these."""
    named = set(words) or {"arc", "modules"}
    types = {catalog.modules[word].type_id for word in named if word in catalog.modules}
    unknown = sorted(named - {"arc", "modules"} - set(catalog.modules))
    if unknown:
        raise UpdateError(f"--update {unknown[0]}: there are arc, modules, and {', '.join(catalog.modules)}")
    has_modules = "modules" in named or bool(types)
    return Wanted("arc" in named, has_modules, None if "modules" in named else frozenset(types))


class Updater:
    """Carries it out over `line`. `say` gets a line for people; `press` presses the ARC's button where hands can (a desk).

    `anyway`: also when the same or a newer version runs.
    """

    def __init__(
        self,
        line: ArcLine,
        catalog: Catalog,
        say: Callable[[str], None],
        press: Callable[[], Awaitable[object]] | None = None,
        *,
        anyway: bool = False,
    ) -> None:
        self._line, self._catalog, self._say, self._press = line, catalog, say, press
        self._anyway = anyway
        self._link: news.LinkChanged | None = None
        self._last_told = ""
        self._types: dict[int, int] = {}
        """Of all modules that were named: one that is gone keeps its name."""
        self._updates: Updates = line.carry_updates(self._told)

    async def run(self, wanted: Wanted, at_hand: AtHand) -> bool:
        """True: everything wanted runs what is at hand."""
        if not await self._is_reached(LINK_S):
            return False
        self._say(f"The ARC is connected and runs {text_of(self._runs)}.")
        is_well = True
        if wanted.arc:
            is_well = await self._update_arc(at_hand.arc)
        if not wanted.modules:
            return is_well
        return await self._is_reached(BACK_S) and await self._update_modules(at_hand.modules, wanted.types) and is_well

    async def _is_reached(self, within_s: float) -> bool:
        return await self._until(lambda: self._line.arc.connection.is_settled, within_s, "The ARC")

    async def _update_arc(self, at_hand: OnHand) -> bool:
        if at_hand.image is None:
            self._say(at_hand.trouble)
            return False
        if (done := arc_needs_none(self._runs, at_hand.version)) and not self._anyway:
            self._say(done)
            return True
        modules = len(self._line.modules)
        self._say(f"The ARC: {text_of(self._runs)} → {text_of(at_hand.version)}, {len(at_hand.image.data):,} bytes.")
        self._updates.update_arc(at_hand.image)
        is_well = await self._follow()
        await self._until(lambda: len(self._line.modules) >= modules, BACK_S, "")
        return is_well

    async def _update_modules(self, at_hand: OnHand, types: frozenset[int] | None) -> bool:
        if at_hand.image is None:
            self._say(at_hand.trouble)
            return False
        on_bus = {instance: type_id for instance, type_id in self._line.modules if types is None or type_id in types}
        if not on_bus:
            self._say(NONE_OF_THESE if self._line.modules else NO_MODULES)
            return types is None
        self._updates.look()
        await self._until(lambda: set(on_bus) <= set(self._updates.versions), READ_S, "")
        due = tuple(on_bus) if self._anyway else due_modules(on_bus, self._updates.versions, at_hand.version)
        if not due:
            self._say(modules_need_none(on_bus, due, at_hand.version))
            return True
        for instance in due:
            runs = text_of(self._updates.versions.get(instance)) or "?"
            self._say(
                f"{self._name(instance)}: {runs} → {text_of(at_hand.version)}, {len(at_hand.image.data):,} bytes."
            )
        self._updates.update_modules(at_hand.image, due)
        return await self._follow()

    async def _follow(self) -> bool:
        """Says how it goes until it is over."""
        clock = asyncio.get_running_loop().time
        shown: tuple[object, ...] = ()
        told: list[Outcome] = []
        moved_at = clock()
        while (status := self._updates.status) and status.is_running and clock() < moved_at + STILL_S:
            shown = self._show(status, shown)
            await self._tick()
            if self._updates.status and _place(self._updates.status) != _place(status):
                moved_at = clock()
            self._tell_outcomes(told)
        if status and status.is_running:
            self._say(STILL)
            self._updates.stop()
            return False
        self._say(status.text if status else "")
        return status is not None and status.stage is UpdateStage.DONE

    def _show(self, status: Status, shown: tuple[object, ...]) -> tuple[object, ...]:
        """A line when there is something to say that was not `shown` last; what it was."""
        step = (status.stage, status.text) if status.text else self._step(status)
        if step != shown:
            self._say(status.text or self._progress(status))
        return step

    def _tell_outcomes(self, told: list[Outcome]) -> None:
        for outcome in self._updates.status.outcomes[len(told) :] if self._updates.status else ():
            self._say(f"{self._name(outcome.instance)}: {outcome.why or 'runs the new firmware.'}")
            told.append(outcome)

    @staticmethod
    def _step(status: Status) -> tuple[object, ...]:
        return status.instance, status.stage, status.sent * 100 // max(1, status.size) // STEPS

    def _progress(self, status: Status) -> str:
        name = self._name(status.instance) if status.instance is not None else "The ARC"
        if status.stage is UpdateStage.CHECKING:
            return f"{name}: reads back what it was sent."
        left = f", about {status.seconds_left} s left" if status.seconds_left is not None else ""
        return f"{name}: {status.sent * 100 // max(1, status.size):3} %, {status.sent:,} bytes{left}"

    def _name(self, instance: int) -> str:
        """With the serial that is on its label."""
        self._types.update(self._line.modules)
        type_id = self._types.get(instance, 0)
        module = self._catalog.module_by_type(type_id)
        name = module.name if module else UNKNOWN_TYPE.format(type_id=type_id)
        return f"{name} {instance >> 16:04X}-{instance & 0xFFFF:04X}"

    @property
    def _runs(self) -> Version | None:
        return version_of(self._line.info)

    # waiting

    async def _until(self, holds: Callable[[], bool], within_s: float, what: str) -> bool:
        """False when it did not come; `what` is then told to be missing."""
        clock = asyncio.get_running_loop().time
        ends, press_at = clock() + within_s, 0.0
        while not holds():
            if clock() > ends:
                if what:
                    self._say(
                        f"{what} was not reached within {within_s:.0f} s. {self._link.detail if self._link else ''}"
                    )
                return False
            if self._press and self._is_pairing() and clock() >= press_at:
                press_at = clock() + PRESS_AGAIN_S
                await self._press()
            await self._tick()
        return True

    async def _tick(self) -> None:
        await asyncio.sleep(TICK_S)
        self._updates.tick(int(asyncio.get_running_loop().time() * 1000))

    def _is_pairing(self) -> bool:
        return self._link is not None and self._link.state is news.LinkState.PAIRING

    def _told(self, message: news.News) -> None:
        if isinstance(message, news.LinkChanged) and message != self._link:
            self._link = message
            text = PRESS if self._is_pairing() else message.detail
            if text and text != self._last_told:
                self._say(text)
            # tried again and again, it fails for the same reason: said once until it was reached
            if text or message.state is news.LinkState.READY:
                self._last_told = text


def _place(status: Status) -> tuple[object, ...]:
    """Where an update is; what it still takes is a guess, and changes without end when nothing moves."""
    return status.stage, status.text, status.instance, status.sent, status.outcomes
