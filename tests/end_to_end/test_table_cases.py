"""What goes wrong on a real table, over the real desk and the real app: each time the right thing is said, and only what
people meant is registered."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from attrs import frozen

from companion.session import actions
from companion.simulation.commands import Setup
from companion.simulation.words import Mode
from firmware.arc.lights import BEEP_CARD, BEEP_REFUSED
from firmware.module.settings import Settings, read_settings, write_settings
from protocol.events import CardPresented, CardRemoved
from tests.end_to_end.evening import MANAGERS, Evening
from tests.end_to_end.event_log import bodies, written

pytestmark = pytest.mark.desk

WITHIN_S = 30.0
SHORT_UID = bytes((0x88, 0x12, 0x34, 0x56))
"""Four bytes of which the first reads like a cascade tag."""
LONG_UID = bytes((0x04, 0xA3, 0x88, 0xCA, 0xE2, 0x61, 0x80))
SETUP = Setup(Mode.SEMI_COOP, MANAGERS, "verdance")


@frozen
class Hands:
    """Lays, plugs and taps, and looks at the tablet."""

    evening: Evening

    @property
    def state(self) -> dict[str, Any]:
        return self.evening.tablet.state

    async def until(self, holds: Callable[[], bool]) -> None:
        """Watch the tablet until something holds."""
        try:
            async with asyncio.timeout(WITHIN_S):
                while not holds():
                    await self.evening.tablet.changed(0.2)
        except TimeoutError:
            raise AssertionError(f"it never came: {self.state}") from None

    async def told(self, text: str) -> None:
        await self.until(lambda: any(text in notice for notice in self.state.get("notices", ())))

    async def asked(self, dialog: str | None) -> None:
        await self.until(lambda: self.state.get("dialog") == dialog)

    async def pair(self) -> None:
        async with asyncio.timeout(WITHIN_S):
            while self.state.get("arc") != "ready":
                if self.state.get("arc") == "pairing":
                    await self.evening.desk.press()
                await self.evening.tablet.changed(1.0)

    async def begin_round(self) -> None:
        await self.pair()
        self.tap(*(actions.ToggleManager(manager) for manager in MANAGERS), actions.StartGame("Dawn", SETUP))
        await self.until(lambda: self.state["phase"] == "round")

    def tap(self, *taps: actions.Action) -> None:
        for action in taps:
            self.evening.tablet.tap(action)

    async def lay(self, *things: str, uid: bytes | None = None, tone: tuple[int, int] = BEEP_CARD) -> None:
        """Lay things down together, wait for the ARC's answer and until the app knows of it, and take them off."""
        cursor = self.state["cursor"]
        heard = asyncio.ensure_future(self.evening.desk.wait("beep", WITHIN_S, hz=tone[0]))
        for thing in things:
            self.evening.desk.present(thing, uid=uid)
        await heard
        for thing in things:
            self.evening.desk.remove(thing)
        await self.until(lambda: self.state["cursor"] > cursor)

    async def empty_roof(self) -> None:
        """Wait until the ARC takes everything that lay there as gone: what comes next has newly come."""
        told = bodies(self.evening.desk)
        await written(self.evening.desk, CardRemoved, sum(isinstance(body, CardPresented) for body in told))

    def acts(self, kind: str) -> list[dict[str, Any]]:
        """What the journal has of a kind of act."""
        acts = [json.loads(row.act) for row in self.evening.tablet.journal()]
        return [act for act in acts if act["act"] == kind]

    def commands(self, kind: str) -> int:
        """How often the colony was given a command of this kind."""
        return sum(row.commands.count(f'"command":"{kind}"') for row in self.evening.tablet.journal())


@pytest.fixture
def hands(evening: Evening) -> Hands:
    return Hands(evening)


async def test_tags_that_cannot_be_taken_are_said_and_both_kinds_of_uid_are_read(hands: Hands) -> None:
    await hands.pair()
    await hands.lay("manager:bloch", "manager:carter", tone=BEEP_REFUSED)
    await hands.told("Several cards at once")
    await hands.lay("foreign")
    await hands.told("This tag is not part of this game")
    await hands.lay("damaged", tone=BEEP_REFUSED)
    await hands.told("That card could not be read")
    assert hands.acts("Swiped") == []

    await hands.lay("manager:chen", uid=LONG_UID)
    await hands.told("Art Chen sits down")
    # a boxed token without a code of ours, taught by its UID, which is looked at whole
    hands.tap(actions.TeachTag("carter"))
    await hands.lay("classic", uid=SHORT_UID)
    await hands.told("This tag is “Giselle Carter” from now on")
    await hands.lay("manager:bloch")
    await hands.empty_roof()
    await hands.lay("classic", uid=SHORT_UID)
    await hands.told("Giselle Carter sits down")
    assert [act["id"] for act in hands.acts("Swiped")] == ["chen", "bloch", "carter"]


async def test_next_is_called_off_by_a_swipe_and_waits_for_a_question(hands: Hands) -> None:
    await hands.begin_round()
    hands.tap(actions.Next())
    await hands.asked("next")
    await hands.lay("decree:open-canteens")
    await hands.told("NEXT was called off")
    await hands.asked("owner")

    hands.tap(actions.Next())
    await hands.told("Before NEXT: ")
    assert (hands.state["phase"], hands.state["dialog"]) == ("round", "owner")
    await hands.lay("manager:bloch")
    await hands.asked(None)

    hands.tap(actions.Next(), actions.Choose("confirm"))
    await hands.until(lambda: hands.state["phase"] == "summary")
    await hands.lay("decree:night-patrols")
    await hands.told("Finish the summary first")
    assert hands.commands("RegisterDecree") == 1
    assert hands.commands("Settle") == 1


async def test_a_module_that_was_pulled_comes_back_anywhere_as_the_same(hands: Hands) -> None:
    await hands.begin_round()
    desk = hands.evening.desk
    await desk.plug("solar", port=0)
    await hands.asked("builder")
    await hands.lay("manager:carter")
    await hands.asked(None)
    for port in (0, 2):
        await desk.unplug("solar")
        await hands.until(lambda: hands.state["missing"] == 1)
        await hands.told("Solar Power Plant lost its connection")
        await desk.plug("solar", port=port)
        await hands.until(lambda: hands.state["missing"] == 0)
        await hands.told("Solar Power Plant is on the ARC again")
    # quicker than the grace: it only moved, and from one port of the ARC to another is no act
    cursor = hands.state["cursor"]
    await desk.unplug("solar")
    await desk.plug("solar", port=3)
    await hands.until(lambda: hands.state["cursor"] > cursor)
    assert (hands.commands("ConnectModule"), hands.commands("SubmitModule")) == (1, 1)
    assert hands.acts("Unplugged")[2:] == []
    assert hands.state["dialog"] is None


async def test_two_modules_with_one_id_are_said_and_credited_once(hands: Hands) -> None:
    await hands.begin_round()
    desk = hands.evening.desk
    for module in ("solar", "solar:2"):
        await desk.plug(module)
        await desk.unplug(module)
    original, copy = (desk.supervisor.boards[name] for name in ("solar", "solar:2"))
    copy.chip_id = original.chip_id
    settings = read_settings(f"{original.files}/")
    assert settings is not None
    write_settings(f"{copy.files}/", Settings(settings.type_id, settings.salt))
    await desk.plug("solar")
    await hands.asked("builder")
    await hands.lay("manager:gore")
    await hands.asked(None)
    await desk.plug("solar:2")
    await hands.told("Two modules have the same number")
    assert (hands.commands("ConnectModule"), hands.commands("SubmitModule")) == (1, 1)
    await desk.unplug("solar:2")
    await hands.lay("decree:open-canteens")
    await hands.asked("owner")


async def test_a_card_that_rests_is_one_swipe_and_a_hint(hands: Hands) -> None:
    await hands.begin_round()
    hands.evening.desk.present("manager:bloch")
    await hands.asked("campaign")
    cursor = hands.state["cursor"]
    await hands.told("Take the card or token off the ARC")
    assert hands.state["cursor"] == cursor
    hands.evening.desk.remove()
    await hands.until(lambda: hands.state["cursor"] == cursor + 1)
    assert len(hands.acts("Swiped")) == 1
    assert hands.state["dialog"] == "campaign"


@pytest.mark.soak
async def test_a_card_that_rests_for_a_minute_is_one_swipe(hands: Hands) -> None:
    await hands.begin_round()
    loop, began = asyncio.get_running_loop(), asyncio.get_running_loop().time()
    hands.evening.desk.present("manager:bloch")
    await hands.asked("campaign")
    while loop.time() < began + 60:
        await hands.evening.tablet.changed(1.0)
    assert len(hands.acts("Swiped")) == 1
