"""Runs on MicroPython: median times of a card event to bytes and back, in the protocol and in json, as one line of JSON.

Both begin and end with the same `Event` object; rounds of the four alternate, so that all see the same machine.
"""

import gc
import json
import time
from binascii import hexlify, unhexlify

from protocol.events import CardPresented, Event, card_body
from protocol.reading import decode_event

ROUNDS = 41
CALLS = 200

EVENT = Event(48879, 987654, 12345678, card_body(CardPresented, 1234, b"\x04\xa3\xc6\xca\xe2\x61\x80"))


def to_json() -> str:
    event, body = EVENT, EVENT.body
    return json.dumps(
        {
            "kind": "card_presented",
            "epoch": event.epoch,
            "sequence": event.sequence,
            "time_ms": event.time_ms,
            "code": body.code,
            "uid": str(hexlify(body.uid), "ascii"),
        }
    )


DATA = EVENT.encode()
TEXT = to_json()
_KINDS = {"card_presented": CardPresented}


def from_json() -> Event:
    fields = json.loads(TEXT)
    body = _KINDS[fields["kind"]](fields["code"], unhexlify(fields["uid"]))
    return Event(fields["epoch"], fields["sequence"], fields["time_ms"], body)


def from_bytes() -> Event:
    return decode_event(DATA)


def microseconds(call) -> float:
    """The mean over one round."""
    gc.collect()
    begun = time.ticks_us()
    for _ in range(CALLS):
        call()
    return time.ticks_diff(time.ticks_us(), begun) / CALLS


CALLS_BY_NAME = {"encode": EVENT.encode, "decode": from_bytes, "json_encode": to_json, "json_decode": from_json}

assert from_json() == EVENT == from_bytes()
times = {name: [] for name in CALLS_BY_NAME}
for _ in range(ROUNDS):
    for name, call in CALLS_BY_NAME.items():
        times[name].append(microseconds(call))
result = {name: sorted(values)[ROUNDS // 2] for name, values in times.items()}
result["bytes"] = len(DATA)
result["json_bytes"] = len(TEXT)
print(json.dumps(result))
