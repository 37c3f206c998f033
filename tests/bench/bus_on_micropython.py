"""Runs on MicroPython: what a frame costs a module's reader, its own and somebody else's, as one line of JSON in µs."""

import json
import time

from firmware.bus import words
from firmware.bus.frame import ALL, REPLY, FrameReader, encode

ROUNDS = 31
CALLS = 300

_OWN = encode(9, words.POLL, bytes(9))
_FOREIGN = encode(8, words.POLL, bytes(9))
_FOREIGN_REPLY = encode(8, REPLY | words.STATUS, bytes(9))


def accepts(address: int, control: int) -> bool:
    return address in (9, ALL) and not control & REPLY


def feed_us(frame: bytes) -> float:
    reader = FrameReader(accepts)
    begun = time.ticks_us()
    for at in range(CALLS):
        reader.feed(frame, at * 3000)
    return time.ticks_diff(time.ticks_us(), begun) / CALLS


def median(values: "list[float]") -> float:
    return sorted(values)[len(values) // 2]


frames = {"own": _OWN, "foreign": _FOREIGN, "foreign_reply": _FOREIGN_REPLY}
times: "dict[str, list[float]]" = {name: [] for name in frames}
for _ in range(ROUNDS):
    for name, frame in frames.items():
        times[name].append(feed_us(frame))
print(json.dumps({name: median(values) for name, values in times.items()}))
