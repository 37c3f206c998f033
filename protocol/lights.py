"""A light in one byte: pattern << 4 | colour. Patterns run in the module; the byte only names them."""

DARK, STEADY, FLASH, SLOW_FLASH, ATTENTION, BLINK_ONCE = 0, 1, 2, 3, 4, 5
NO_COLOUR, GREEN, BLUE, RED, WHITE, YELLOW = 0, 1, 2, 3, 4, 5


def light(pattern: int, colour: int = NO_COLOUR) -> int:
    """The light byte of a pattern (DARK … BLINK_ONCE) and a colour (NO_COLOUR … YELLOW)."""
    return pattern << 4 | colour


def is_light(byte: int) -> bool:
    """Whether the byte names a pattern and a colour of this version."""
    return byte >= 0 and byte >> 4 <= BLINK_ONCE and byte & 0x0F <= YELLOW
