"""What lies on the tray beside the ARC: the catalog's cards and tokens, and tags that belong to nobody.

Names are `manager:bloch`, `token:governor`, `decree:…`, `directive:…`; `blank` (a new tag), `foreign` (somebody else's
record), `classic` (a 4-byte MIFARE Classic card), `phone` (another UID each time), `damaged` (its answers come out wrong).
"""

import hashlib

from attrs import frozen

from companion.catalog import Catalog
from firmware.desk.chips.tag_kinds import Classic1K, Ntag213, Phone
from firmware.desk.chips.tags import Tag
from protocol import tag as tag_codes

_FOREIGN_RECORD = bytes((0x03, 0x10, 0xD1, 0x01, 0x0C, 0x55, 0x01)) + b"example.com" + bytes((0xFE,))


@frozen
class Thing:
    """One thing as the tray shows it. `code` is empty where no tag code is written."""

    name: str
    kind: str
    title: str
    code: str = ""
    colour: str = ""


class DamagedTag(Ntag213):
    """A tag that wakes and then garbles whatever it says of itself."""

    def receive(self, value: int, bits: int, encrypted: bool) -> tuple[int, int] | None:
        reply = super().receive(value, bits, encrypted)
        if reply is None or reply[1] <= 16:
            return reply
        return reply[0] ^ 1 << 9, reply[1]


class Tray:
    """Every thing there is, and its tag: made once, so that what is written on it stays."""

    def __init__(self, catalog: Catalog) -> None:
        things = [Thing(f"manager:{m.id}", "manager", m.name, m.code, m.colour) for m in catalog.managers.values()]
        things += [Thing(f"token:{t.id}", "token", t.name, t.code, t.colour) for t in catalog.tokens.values()]
        things += [Thing(f"decree:{d.id}", "decree", d.title, d.code, d.colour) for d in catalog.decrees.values()]
        things += [Thing(f"directive:{d.id}", "directive", d.title, d.code) for d in catalog.directives.values()]
        things += [
            Thing("blank", "tag", "A new tag"),
            Thing("foreign", "tag", "Somebody else's tag"),
            Thing("classic", "tag", "An old 4-byte card"),
            Thing("phone", "tag", "A telephone"),
            Thing("damaged", "tag", "A damaged tag"),
        ]
        self.things = {thing.name: thing for thing in things}
        self._tags: dict[tuple[str, bytes], Tag] = {}

    def tag_of(self, name: str, uid: bytes | None = None) -> Tag:
        """The tag in a thing; another `uid` makes it another copy of the thing. `ValueError` when there is none."""
        if name not in self.things:
            near = [known for known in self.things if name.split(":")[-1] in known][:5]
            raise ValueError(
                f"nothing on the tray is called {name}" + (f"; there is {', '.join(near)}" if near else "")
            )
        key = name, uid or b""
        if key not in self._tags:
            self._tags[key] = self._make(self.things[name], uid)
        return self._tags[key]

    def _make(self, thing: Thing, uid: bytes | None) -> Tag:
        digest = hashlib.sha256(thing.name.encode()).digest()
        # 0x04: NXP, as the tags people buy
        uid = uid or bytes((0x04, *digest[:6]))
        if thing.code:
            return Ntag213(uid, tag_codes.memory_for(tag_codes.code_number(thing.code)))
        match thing.name:
            case "foreign":
                return Ntag213(uid, _FOREIGN_RECORD)
            case "classic":
                # a first byte of 0x88 is legal here, and has misled readers that look for cascades by it
                return Classic1K(uid if len(uid) == 4 else bytes((0x88, *digest[:3])))
            case "phone":
                return Phone(digest[0])
            case "damaged":
                return DamagedTag(uid)
        return Ntag213(uid)
