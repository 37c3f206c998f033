"""Scripted hands: a file of steps, one a line, played on the desk. See README.md for the steps.

Hands repeat a gesture until its beep, as people do: `present` waits for the tone of a taken card, and lays the thing on
the roof again when none comes.
"""

import asyncio
import shlex
from collections.abc import Iterable

from attrs import frozen

from firmware.arc.lights import BEEP_CARD
from firmware.desk.desk import ARC, Desk

BEEP_WITHIN_S = 1.5
TRIES = 5
LIFTED_S = 1.3
"""Longer than it takes the ARC to see that the roof is empty."""

_STEPS = {
    "present": (1, 2),
    "lay": (1, 2),
    "remove": (0, 1),
    "plug": (1, 4),
    "unplug": (1, 1),
    "press": (0, 1),
    "cut": (0, 2),
    "power": (0, 1),
    "kill": (1, 1),
    "battery": (1, 1),
    "usb": (1, 1),
    "wait": (1, 2),
}


class ScriptError(ValueError):
    """A step that cannot be done; names the line."""


@frozen
class Step:
    """One line of a script."""

    line: int
    verb: str
    words: tuple[str, ...]


def parse(text: str) -> list[Step]:
    """The steps of a script; `ScriptError` for the first line that is none."""
    steps = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            words = shlex.split(line, comments=True)
        except ValueError as error:
            raise ScriptError(f"line {number}: {error}") from error
        if not words:
            continue
        verb, *rest = words
        if verb not in _STEPS:
            raise ScriptError(f"line {number}: no step is called {verb}; there are {', '.join(_STEPS)}")
        least, most = _STEPS[verb]
        if not least <= len(rest) <= most:
            wanted = str(least) if least == most else f"{least} to {most}"
            raise ScriptError(f"line {number}: {verb} takes {wanted} words, not {len(rest)}")
        steps.append(Step(number, verb, tuple(rest)))
    return steps


async def play(desk: Desk, steps: Iterable[Step]) -> None:
    """Do the steps one after another; `ScriptError` for the first that fails."""
    for step in steps:
        try:
            await _do(desk, step)
        except (ValueError, RuntimeError, TimeoutError) as error:
            what = " ".join((step.verb, *step.words))
            raise ScriptError(f"line {step.line}: {what}: {error or 'nothing came'}") from error


async def _do(desk: Desk, step: Step) -> None:
    words = step.words
    match step.verb:
        case "present":
            await present(desk, words[0], bytes.fromhex(words[1]) if words[1:] else None)
        case "lay":
            desk.present(words[0], uid=bytes.fromhex(words[1]) if words[1:] else None)
        case "remove":
            desk.remove(*words)
        case "plug":
            ports = [int(word) if word != "-" else None for word in words[2:]]
            await desk.plug(words[0], words[1] if words[1:] else ARC, *ports)
        case "unplug":
            await desk.unplug(words[0])
        case "press":
            await desk.press(how=words[0] if words else "short")
        case "cut":
            await desk.cut_power(*words[:1], operations=int(words[1]) if words[1:] else 0)
        case "power":
            await desk.give_power(*words)
        case "kill":
            desk.kill(words[0])
        case "battery":
            desk.set_battery_mv(int(words[0]))
        case "usb":
            desk.set_usb_power(words[0] == "in")
        case "wait":
            await _wait(desk, *words)


async def present(desk: Desk, thing: str, uid: bytes | None = None) -> None:
    """Lay a thing on the roof until the ARC beeps; lift it and try again when it does not. `TimeoutError` in the end."""
    for _ in range(TRIES):
        # other tones, of a refusal or the pairing window, are no sign that a card was taken
        beep = asyncio.ensure_future(desk.wait("beep", BEEP_WITHIN_S, hz=BEEP_CARD[0]))
        await asyncio.sleep(0)
        desk.present(thing, uid=uid)
        try:
            await beep
            return
        except TimeoutError:
            desk.remove(thing)
            await asyncio.sleep(LIFTED_S)
    raise TimeoutError(f"no beep for {thing}")


async def _wait(desk: Desk, what: str, who: str = "") -> None:
    if what.replace(".", "", 1).isdigit():
        await asyncio.sleep(float(what))
    elif who:
        await desk.wait(what, 30.0, board=who)
    else:
        await desk.wait(what, 30.0)
