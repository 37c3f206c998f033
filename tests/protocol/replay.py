"""Replays the golden vectors of `protocol/vectors`; runs on CPython and on MicroPython.

Each function takes one case and returns what this implementation makes of its inputs; the other direction is asserted
on the way. `differences` compares that with what the case says.
"""

import json
from binascii import hexlify, unhexlify

from protocol import crc, events, frame, gatt, mac, messages, pages, reading, statistics, tag, update, update_image
from protocol.message import Message, ProtocolError, UnknownKind
from tests.protocol.resuming import replay_resuming

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    Case = dict[str, Any]

INSIDE = (messages.ResumeAnswer, messages.HashAnswer, messages.ModuleStatus, messages.ReaderCheck, messages.GameHead)


def specified_name(cls: "type") -> str:
    """The name of a class in README.md: LIGHT_MODULE for LightModule."""
    name = ""
    for character in cls.__name__:
        name += "_" + character if name and character.isupper() else character
    return name.upper()


def message_classes() -> "dict[str, type[Message]]":
    """Every message but the events, by its name in README.md."""
    classes = list(messages.COMMANDS.values()) + list(messages.ANSWERS.values()) + list(INSIDE)
    return {specified_name(cls): cls for cls in classes}


def body_classes() -> "dict[str, type[events.Body]]":
    """Every event body by its name in README.md."""
    return {specified_name(cls): cls for cls in events.BODIES}


def replay_command(case: "Case") -> "Case":
    return _replay_message(case, messages.decode_command)


def replay_answer(case: "Case") -> "Case":
    if case.get("inside"):
        cls = message_classes()[case["message"]]
        return _replay_message(case, lambda data: cls.unpack(data, 0), inside=True)
    return _replay_message(case, _only_part)


def replay_event(case: "Case") -> "Case":
    if "fields" not in case:
        return {"error": _error(reading.decode_event, unhexlify(case["bytes"]))}
    event = _event(case["message"], case["fields"])
    data = event.encode()
    assert len(data) <= events.RECORD_SIZE
    assert reading.decode_event(data) == event
    assert reading.record_length(data[0]) == len(data)
    return {"bytes": _hex(data)}


def replay_unit(case: "Case") -> "Case":
    data = unhexlify(case["bytes"])
    try:
        parts = reading.decode_notification(data)
    except ProtocolError as error:
        return {"error": _name(error)}
    assert b"".join([part.encode() for part in parts]) == data
    return {"parts": [_described(part) for part in parts]}


def replay_frames(case: "Case") -> "Case":
    reader = frame.FrameReader()
    bodies: "list[bytes]" = []
    for chunk in case["chunks"]:
        bodies += reader.feed(unhexlify(chunk))
    if case.get("flush"):
        bodies += reader.flush()
    stream = b"".join([unhexlify(chunk) for chunk in case["chunks"]])
    assert all([frame.encode_frame(body) in stream for body in bodies])
    return {
        "bodies": [_hex(body) for body in bodies],
        "skipped_bytes": reader.skipped_bytes,
        "bad_frames": reader.bad_frames,
    }


def replay_crc16(case: "Case") -> "Case":
    return {"crc16": "%04x" % crc.crc16(unhexlify(case["data"]))}


def replay_mac(case: "Case") -> "Case":
    if "token" in case:
        session = messages.session_mac(
            unhexlify(case["token"]), unhexlify(case["nonce"]), case["tablet"], case["epoch"], case["sequence"]
        )
        return {"mac": _hex(session)}
    full = _hex(mac.hmac_sha256(unhexlify(case["key"]), unhexlify(case["data"])))
    return {"hmac_sha256": full[: case.get("digits", 64)]}


def replay_tag(case: "Case") -> "Case":
    memory = unhexlify(case["memory"])
    code = tag.find_code(memory)
    if case.get("written"):
        assert tag.memory_for(code) == memory
    if not code:
        return {"code": 0, "text": ""}
    assert tag.code_number(tag.code_text(code)) == code
    return {"code": code, "text": tag.code_text(code)}


def replay_pages(case: "Case") -> "Case":
    decoders = {"modules": reading.decode_modules, "edges": reading.decode_edges, "tags": reading.decode_tags}
    if "page" in case:
        return {"error": _error(decoders[case["which"]], unhexlify(case["page"]))}
    modules = pages.encode_modules([(entry[0], entry[1], entry[2]) for entry in case["modules"]])
    edges = pages.encode_edges([(entry[0], entry[1], entry[2], entry[3]) for entry in case["edges"]])
    tags = pages.encode_tags([(entry[0], unhexlify(entry[1])) for entry in case["tags"]])
    assert pages.encode_modules(reading.decode_modules(modules)) == modules
    assert pages.encode_edges(reading.decode_edges(edges)) == edges
    assert pages.encode_tags(reading.decode_tags(tags)) == tags
    return {
        "modules_page": _hex(modules),
        "edges_page": _hex(edges),
        "tags_page": _hex(tags),
        "hash": "%08x" % pages.state_hash(modules, edges, tags),
    }


def replay_advertisement(case: "Case") -> "Case":
    device = unhexlify(case["device"])
    return {"advertisement": _hex(gatt.advertisement(device)), "scan_response": _hex(gatt.scan_response(device))}


def replay_statistics(case: "Case") -> "Case":
    data = statistics.pack_counters(case["group"], case["counts"])
    assert reading.unpack_counters(case["group"], data + bytes(4)) == case["counts"]
    return {"bytes": _hex(data)}


def replay_update(case: "Case") -> "Case":
    manifest = unhexlify(case["manifest"])
    if "error" in case:
        return {"error": _error(update_image.unpack_manifest, manifest)}
    head, rows = update_image.unpack_manifest(manifest)
    packed = [update.pack_entry(size, digest, name) for name, size, digest in rows]
    assert head.pack() + b"".join(packed) == manifest
    digest = update.digest_of(manifest)
    return {
        "board": head.board,
        "version": list(head.version),
        "mpy": head.mpy,
        "files": [[name, size, _hex(sha)] for name, size, sha in rows],
        "digest": _hex(digest),
        "mac": _hex(update.update_mac(unhexlify(case["token"]), digest)),
    }


REPLAYS: "dict[str, Callable[[Case], Case]]" = {
    "commands": replay_command,
    "answers": replay_answer,
    "events": replay_event,
    "units": replay_unit,
    "frames": replay_frames,
    "crc16": replay_crc16,
    "mac": replay_mac,
    "tags": replay_tag,
    "pages": replay_pages,
    "advertisements": replay_advertisement,
    "statistics": replay_statistics,
    "resuming": replay_resuming,
    "updates": replay_update,
}
"""The files of `protocol/vectors` and what replays a case of each."""


def load(folder: str, name: str) -> "list[Case]":
    """The cases of one file."""
    with open("%s/%s.json" % (folder, name)) as file:
        cases: "list[Case]" = json.load(file)
    return cases


def differences(name: str, case: "Case") -> "list[str]":
    """What this implementation makes otherwise than the case says; empty when all is well."""
    made = REPLAYS[name](case)
    return ["%s: %s is %r, not %r" % (case["name"], k, made[k], case.get(k)) for k in made if made[k] != case.get(k)]


def _replay_message(case: "Case", decode: "Callable[[bytes], Any]", inside: bool = False) -> "Case":
    if "fields" not in case:
        return {"error": _error(decode, unhexlify(case["bytes"]))}
    message = _message(message_classes()[case["message"]], case["fields"])
    data = message.pack() if inside else message.encode()
    assert decode(data) == message
    return {"bytes": _hex(data)}


def _message(cls: "type[Message]", fields: "Case") -> Message:
    values = []
    for name, code in cls.LAYOUT:
        value = fields[name]
        values.append(unhexlify(value) if code[-1] in "*s" else value)
    return cls(*values)


def _event(name: str, fields: "Case") -> events.Event:
    cls = body_classes()[name]
    if cls is events.CardPresented:
        body: "events.Body" = events.card_body(events.CardPresented, fields["code"], unhexlify(fields["uid"]))
    elif cls is events.CardRemoved:
        body = events.card_body(events.CardRemoved, fields["code"], unhexlify(fields["uid"]))
    else:
        body = cls(*[unhexlify(fields[n]) if code[-1] == "s" else fields[n] for n, code in cls.LAYOUT])
    return events.Event(fields["epoch"], fields["sequence"], fields["time_ms"], body)


def _described(part: "events.Event | Message") -> "Case":
    if isinstance(part, events.Event):
        fields: "Case" = {"epoch": part.epoch, "sequence": part.sequence, "time_ms": part.time_ms}
        message: Message = part.body
    else:
        fields, message = {}, part
    for name, code in message.LAYOUT:
        value = getattr(message, name)
        fields[name] = _hex(value) if code[-1] in "*s" else value
    return {"message": specified_name(type(message)), "fields": fields}


def _only_part(data: bytes) -> "events.Event | Message":
    parts = reading.decode_notification(data)
    if len(parts) != 1:
        raise ProtocolError("%d parts" % len(parts))
    return parts[0]


def _error(decode: "Callable[[bytes], Any]", data: bytes) -> str:
    try:
        found = decode(data)
    except ProtocolError as error:
        return _name(error)
    raise AssertionError("accepted as %r" % (found,))


def _name(error: ProtocolError) -> str:
    return "UNSUPPORTED" if isinstance(error, UnknownKind) else "MALFORMED"


def _hex(data: bytes) -> str:
    return str(hexlify(data), "ascii")
