"""A curve as a table of whole numbers: the colony knows no floats, so that every machine plays the same game."""

from itertools import pairwise

from attrs import field, frozen


def _check_points(_: object, __: object, points: tuple[tuple[int, int], ...]) -> None:
    if not points:
        raise ValueError("a curve needs at least one [x, y] pair")
    for (x0, _y0), (x1, _y1) in pairwise(points):
        if x1 <= x0:
            raise ValueError(f"the x values of a curve must rise: {x1} comes after {x0}")


@frozen
class Curve:
    """Pairs (x, y) with rising x; straight lines between them, level outside."""

    points: tuple[tuple[int, int], ...] = field(validator=_check_points)

    def at(self, x: int) -> int:
        """y at x; between two points rounded down."""
        before_x, before_y = self.points[0]
        if x <= before_x:
            return before_y
        for after_x, after_y in self.points:
            if x <= after_x:
                return before_y + (after_y - before_y) * (x - before_x) // (after_x - before_x)
            before_x, before_y = after_x, after_y
        return before_y
