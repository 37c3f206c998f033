"""Hypothesis strategies for every message and event, made from their LAYOUT tables."""

from itertools import pairwise

from hypothesis import strategies as st

from protocol import events, messages
from protocol.message import Message

_INTEGERS = {"B": 0xFF, "H": 0xFFFF, "I": 0xFFFFFFFF}
COMMANDS = list(messages.COMMANDS.values())
ANSWERS = list(messages.ANSWERS.values())
PLAIN_BODIES = [cls for cls in events.BODIES if not issubclass(cls, events._Card)]


def field(code: str) -> st.SearchStrategy[int | bytes]:
    """Any value of one LAYOUT code."""
    if code == "*":
        return st.binary(max_size=40)
    if code.endswith("s"):
        return st.binary(min_size=int(code[:-1]), max_size=int(code[:-1]))
    return st.integers(0, _INTEGERS[code])


def message(cls: type[Message]) -> st.SearchStrategy[Message]:
    """Any message of a class."""
    return st.tuples(*(field(code) for _, code in cls.LAYOUT)).map(lambda values: cls(*values))


commands = st.sampled_from(COMMANDS).flatmap(message)
answers = st.sampled_from(ANSWERS).flatmap(message)
uids = st.sampled_from([4, 7, 10]).flatmap(lambda size: st.binary(min_size=size, max_size=size))
cards = st.builds(
    events.card_body, st.sampled_from([events.CardPresented, events.CardRemoved]), st.integers(0, 0xFFFF), uids
)
bodies = st.one_of(cards, st.sampled_from(PLAIN_BODIES).flatmap(message))
log_events = st.builds(
    events.Event, st.integers(1, 0xFFFF), st.integers(1, 0xFFFFFFFF), st.integers(0, 0xFFFFFFFF), bodies
)


def split(data: bytes, cuts: list[int]) -> list[bytes]:
    """The data in pieces, cut at these places (taken modulo its length)."""
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [data[start:end] for start, end in pairwise(places)]


cut_places = st.lists(st.integers(0, 4096), max_size=12)
