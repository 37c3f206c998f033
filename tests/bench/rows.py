"""One row of the bench: a measured value beside its peer and its budget; the table and the JSON made of rows."""

from collections.abc import Iterable, Sequence
from typing import TypedDict

from attrs import frozen


class RowJson(TypedDict):
    """A row as it stands in `build/bench.json`."""

    name: str
    value: float
    unit: str
    peer: str
    peer_value: float | None
    ratio: float | None
    budget: float | None
    ok: bool


@frozen
class Row:
    """What was measured (a median unless the name says otherwise), and with what it is compared.

    `budget` is the greatest value that is still right, or with `at_least` the smallest; None where there is no
    promise. A promise relative to the peer is computed by the bench: `budget=1.8 * peer_value`.
    """

    name: str
    value: float
    unit: str
    peer: str = ""
    peer_value: float | None = None
    budget: float | None = None
    at_least: bool = False

    @property
    def ratio(self) -> float | None:
        """Our value in multiples of the peer's."""
        return self.value / self.peer_value if self.peer_value else None

    @property
    def ok(self) -> bool:
        """Whether the budget is kept."""
        if self.budget is None:
            return True
        return self.value >= self.budget if self.at_least else self.value <= self.budget

    def to_json(self) -> RowJson:
        """The row as `build/bench.json` holds it."""
        return {
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            "peer": self.peer,
            "peer_value": self.peer_value,
            "ratio": self.ratio,
            "budget": self.budget,
            "ok": self.ok,
        }


def table(rows: Sequence[Row]) -> str:
    """The rows as aligned text, one line each, a broken budget marked."""
    head = ("what", "ours", "peer", "ratio", "budget", "")
    lines = [head, *(_cells(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    return "\n".join(_aligned(line, widths) for line in lines)


def _cells(row: Row) -> tuple[str, ...]:
    return (
        row.name,
        f"{_number(row.value)} {row.unit}",
        f"{_number(row.peer_value)} {row.unit} ({row.peer})" if row.peer_value is not None else row.peer,
        f"{row.ratio:.2f} x" if row.ratio is not None else "",
        f"{'>=' if row.at_least else '<='} {_number(row.budget)}" if row.budget is not None else "",
        "" if row.ok else "OVER BUDGET",
    )


def _aligned(cells: Iterable[str], widths: Sequence[int]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
