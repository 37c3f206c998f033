"""What colour a board shows: one WS2812 pixel, or red, green and blue on PWM pins."""

from firmware.desk.board import Board
from firmware.desk.pins import DARK, Pixel


def colour_of(board: Board) -> Pixel:
    """Red, green, blue as people see them now."""
    for colour in board.pins.pixels.values():
        return colour
    return DARK
