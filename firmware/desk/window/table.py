"""The felt: the ARC, the plugged miniatures with their corridors and lights, and what lies on the roof."""

from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, SmoothLine
from kivy.metrics import dp
from kivy.uix.widget import Widget

from firmware.desk.window import look
from firmware.desk.window.places import ARC, PORTS, STEPS, Cell, Loop, Place, Spot
from firmware.desk.window.scene import Scene

LARGEST_CELL, SMALLEST_CELL = 190, 56
CROWDED_CELL = 105
CARD_ON_ROOF = (108, 44)
SPOT_ROOM = 1.25
"""Cells left free round the miniatures, for the free ports' places."""


class TableView(Widget):  # type: ignore[misc]  # Kivy ships no types
    """Draws a scene and says what lies at a point. `offer` shows the free ports while a miniature is in the hand."""

    def __init__(self, scene: Scene, **values: Any) -> None:
        super().__init__(**values)
        self._scene = scene
        self.offer = False
        self.near: Spot | None = None
        self.redraw: Callable[..., None] = Clock.create_trigger(self._draw_anew, -1)
        self.bind(pos=self.redraw, size=self.redraw)

    # where things are

    def board_at(self, x: float, y: float) -> str | None:
        """The board drawn at a window point."""
        for name, place in self._scene.places.items():
            centre = self._centre(place.cell)
            half = self._half(name)
            if abs(x - centre[0]) <= half and abs(y - centre[1]) <= half:
                return name
        return None

    def is_over_roof(self, x: float, y: float) -> bool:
        """The reader's field is a little larger than the roof."""
        centre, half = self._centre((0, 0)), self._half(ARC) * 1.15
        return abs(x - centre[0]) <= half and abs(y - centre[1]) <= half

    def spot_at(self, x: float, y: float) -> Spot | None:
        """The free port nearest to a window point, when it is near enough."""
        reach = self._cell * 0.75
        best = min(self._scene.spots, key=lambda spot: self._distance(spot, x, y), default=None)
        return best if best and self._distance(best, x, y) <= reach else None

    def loop_at(self, x: float, y: float) -> Loop | None:
        for loop in self._scene.loops:
            at = self._between(loop)
            if abs(x - at[0]) <= dp(24) and abs(y - at[1]) <= dp(24):
                return loop
        return None

    # drawing

    @property
    def _cell(self) -> float:
        cells = [place.cell for place in self._scene.places.values()]
        columns, rows = (max(c[axis] for c in cells) - min(c[axis] for c in cells) + 1 for axis in (0, 1))
        fits = min(self.width / (columns + SPOT_ROOM), self.height / (rows + SPOT_ROOM))
        return float(max(dp(SMALLEST_CELL), min(dp(LARGEST_CELL), fits)))

    def _centre(self, cell: Cell) -> tuple[float, float]:
        cells, size = [place.cell for place in self._scene.places.values()], self._cell
        middle = [(max(c[axis] for c in cells) + min(c[axis] for c in cells)) / 2 for axis in (0, 1)]
        return self.center_x + (cell[0] - middle[0]) * size, self.center_y + (cell[1] - middle[1]) * size

    @property
    def _is_crowded(self) -> bool:
        """So many miniatures that their names need all of their room."""
        return bool(self._cell < dp(CROWDED_CELL))

    def _half(self, board: str) -> float:
        closer = 0.06 if self._is_crowded else 0
        return self._cell * ((0.42 if board == ARC else 0.37) + closer)

    def _spot_centre(self, spot: Spot) -> tuple[float, float]:
        """Nearer to its board than a plugged miniature, so that the felt need not be a whole cell larger."""
        place = self._scene.places[spot.board]
        step, centre = STEPS[place.direction(spot.port)], self._centre(place.cell)
        return centre[0] + step[0] * self._cell * 0.8, centre[1] + step[1] * self._cell * 0.8

    def _distance(self, spot: Spot, x: float, y: float) -> float:
        centre = self._spot_centre(spot)
        return float(((centre[0] - x) ** 2 + (centre[1] - y) ** 2) ** 0.5)

    def _between(self, loop: Loop) -> tuple[float, float]:
        a, b = (self._centre(self._scene.places[board].cell) for board in (loop.board, loop.other))
        return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2

    def _draw_anew(self, *_: object) -> None:
        self.canvas.clear()
        with self.canvas:
            look.block(self.x, self.y, self.width, self.height, look.FELT)
            for plug in self._scene.plugs:
                self._draw_corridor(*plug)
            if self.offer:
                for spot in self._scene.spots:
                    self._draw_spot(spot)
            for loop in self._scene.loops:
                self._draw_loop(loop)
            for name, place in self._scene.places.items():
                if name == ARC:
                    self._draw_arc(place)
                else:
                    self._draw_module(name, place)
            if len(self._scene.places) == 1 and not self.offer:
                hint = "Drag a miniature to a port of the ARC, a card or token onto its roof"
                look.write(hint, self.center_x, self.y + dp(22), look.MUTED)

    def _port(self, board: str, port: int) -> tuple[float, float]:
        place = self._scene.places[board]
        step, centre, half = STEPS[place.direction(port)], self._centre(place.cell), self._half(board)
        return centre[0] + step[0] * half, centre[1] + step[1] * half

    def _draw_corridor(self, board: str, port: int, other: str, other_port: int) -> None:
        if board not in self._scene.places or other not in self._scene.places:
            return
        ends = (*self._port(board, port), *self._port(other, other_port))
        is_alive = board in self._scene.powered and other in self._scene.powered
        for width, colour in ((9, look.HAIRLINE), (4, look.rgba("#3E5680") if is_alive else look.PANEL)):
            Color(*colour)
            SmoothLine(points=ends, width=dp(width) / 2 * self._cell / dp(120), cap="round")

    def _draw_spot(self, spot: Spot) -> None:
        x, y = self._spot_centre(spot)
        half, is_near = self._cell * 0.24, spot == self.near
        Color(*(look.ACCENT if is_near else look.HAIRLINE))
        SmoothLine(rounded_rectangle=(x - half, y - half, 2 * half, 2 * half, dp(12)), width=dp(2 if is_near else 1))

    def _draw_loop(self, loop: Loop) -> None:
        x, y = self._between(loop)
        look.disc(x, y, dp(11), look.PANEL)
        look.write("+", x, y + dp(1), look.MUTED, font=look.STRONG, size=16)

    def _draw_ports(self, name: str) -> None:
        for port in range(PORTS):
            look.disc(*self._port(name, port), self._cell * 0.045, look.HAIRLINE)

    def _draw_module(self, name: str, place: Place) -> None:
        (x, y), half = self._centre(place.cell), self._half(name)
        is_on = name in self._scene.powered
        self._draw_ports(name)
        look.block(x - half, y - half, 2 * half, 2 * half, look.PIECE if is_on else look.PANEL)
        light = self._scene.lights.get(name, (0, 0, 0))
        title, colour = self._scene.title_of(name), look.TEXT if is_on else look.DIM
        width = half * 1.88
        if self._is_crowded:
            look.glow(x, y + half * 0.52, half * 0.2, light)
            size = look.fitting_size(title, width, 12)
            look.write(title, x, y - half * 0.36, colour, size=size, width=width, lines=3)
        else:
            look.glow(x, y + half * 0.25, half * 0.32, light)
            look.write(title, x, y - half * 0.58, colour, size=14, width=width, lines=2)

    def _draw_arc(self, place: Place) -> None:
        (x, y), half = self._centre(place.cell), self._half(ARC)
        is_on = self._scene.is_arc_on
        self._draw_ports(ARC)
        look.block(x - half, y - half, 2 * half, 2 * half, look.rgba("#243453") if is_on else look.PANEL, radius=20)
        for share in (0.42, 0.56, 0.70):
            Color(*(look.ACCENT[:3] if is_on else look.DIM[:3]), 0.9 - share)
            SmoothLine(circle=(x, y + half * 0.08, half * share), width=dp(1.2))
        look.glow(x, y + half * 0.08, half * 0.2, self._scene.lights.get(ARC, (0, 0, 0)))
        look.write("ARC", x, y - half * 0.78, look.TEXT, font=look.TITLE, size=18)
        for index, thing in enumerate(self._scene.roof):
            shift = (len(self._scene.roof) - 1) / 2 - index
            self._draw_on_roof(thing, x + shift * dp(8), y + half * 0.1 + shift * dp(CARD_ON_ROOF[1] + 4))

    def _draw_on_roof(self, thing: str, x: float, y: float) -> None:
        width, height = (dp(side) for side in CARD_ON_ROOF)
        look.block(x - width / 2, y - height / 2, width, height, look.rgba("#EEF3FB"), look.ACCENT, radius=8)
        title = self._scene.title_of(thing)
        look.write(title, x, y, look.GROUND, font=look.STRONG, size=13, width=width * 0.92, lines=2)
