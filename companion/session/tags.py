"""What a tag means: by its code first, then by a learned UID. A random UID never names anything (decision 4)."""

from companion.session.rules import Rules, Tagged
from protocol.tag import CODE_COUNT, code_text

PLAIN = "This tag"
"""One without a code that keeps its UID: it can be taught."""
_RANDOM_UID = 0x08
"""A four-byte UID that begins so is made anew at every field (ISO 14443-3)."""


def is_random(uid: bytes) -> bool:
    return len(uid) == 4 and uid[0] == _RANDOM_UID


def look_up(rules: Rules, learned: dict[bytes, str], code: int, uid: bytes) -> Tagged | None:
    """The card or token that lies there, or None: nothing of this game."""
    if code:
        return rules.tagged_by_code(code)
    id = None if is_random(uid) else learned.get(uid)
    return rules.tagged(id) if id else None


def may_learn(code: int, uid: bytes) -> bool:
    """Only a tag that carries no code and keeps its UID can be taught."""
    return not code and not is_random(uid)


def label(code: int, uid: bytes) -> str:
    """An unknown tag as people are told of it."""
    if code:
        return f"Card number {code_text(code)}" if code <= CODE_COUNT else f"A tag with the number {code}"
    return "A tag that changes its number, such as a phone or a bank card," if is_random(uid) else PLAIN
