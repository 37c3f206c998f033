"""Tables that have their room from the start: to grow they would need one large piece of memory in the middle of a game.

MicroPython keeps the room of a dict or set when its entries are deleted one by one.
"""

from firmware.bus.frame import MAX_ADDRESS

EDGES = 64
"""More than 31 modules with four ports can have between them."""


def roomy_dict(entries: int = MAX_ADDRESS) -> "dict":
    """An empty dict with room for so many entries."""
    table = dict.fromkeys(range(entries))
    for entry in range(entries):
        del table[entry]
    return table


def roomy_set(entries: int = EDGES) -> "set":
    """An empty set with room for so many entries."""
    table = set(range(entries))
    for entry in range(entries):
        table.discard(entry)
    return table
