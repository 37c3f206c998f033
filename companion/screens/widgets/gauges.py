"""Small drawings of what players may know: levels in steps, shares of allowed numbers, histories."""

from math import cos, radians, sin
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, SmoothEllipse, SmoothLine, SmoothRoundedRectangle
from kivy.graphics.vertex_instructions import Mesh
from kivy.metrics import dp
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.screens import theme
from companion.screens.view_models.cards import StatusVM

DRAWN_FROM = ("pos", "size")


class Gauge(Widget):
    """Draws itself anew, once a frame at most, when one of `drawn_from` changes."""

    drawn_from: tuple[str, ...] = ()

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        self._redraw = Clock.create_trigger(self._draw_anew, -1)
        for name in (*DRAWN_FROM, *self.drawn_from):
            self.fbind(name, self._redraw)
        self._redraw()

    def _draw_anew(self, *_: object) -> None:
        self.canvas.clear()
        with self.canvas:
            self.draw()

    def draw(self) -> None:
        raise NotImplementedError


class StepRing(Gauge):
    """An open ring of four segments: as many are lit as the level has steps."""

    steps = NumericProperty(0)
    tone = StringProperty("muted")
    drawn_from = ("steps", "tone")
    segments, opening, seam = 4, 84, 15

    def draw(self) -> None:
        thick = max(dp(9), self.height * 0.07)
        radius = min(self.width, self.height) / 2 - thick / 2
        span = (360 - self.opening - self.seam * (self.segments - 1)) / self.segments
        for index in range(self.segments):
            start = 180 + self.opening / 2 + index * (span + self.seam)
            Color(*(theme.tone(self.tone) if index < self.steps else theme.TRACK))
            self._arc(radius, thick, start, start + span)

    def _arc(self, radius: float, thick: float, start: float, end: float) -> None:
        SmoothLine(circle=(self.center_x, self.center_y, radius, start, end, 40), width=thick / 2, cap="none")
        for angle in (start, end):
            x = self.center_x + radius * sin(radians(angle))
            y = self.center_y + radius * cos(radians(angle))
            SmoothEllipse(pos=(x - thick / 2, y - thick / 2), size=(thick, thick))


class Bar(Gauge):
    """A track with a filled share; `mark` draws a tick at another share. Only for numbers that players may know."""

    share = NumericProperty(0.0)
    mark = NumericProperty(-1.0)
    tone = StringProperty("accent")
    drawn_from = ("share", "mark", "tone")

    def draw(self) -> None:
        radius = self.height / 2
        Color(*theme.TRACK)
        SmoothRoundedRectangle(pos=self.pos, size=self.size, radius=[radius])
        if self.share > 0:
            Color(*theme.tone(self.tone))
            width = max(self.width * min(self.share, 1), self.height)
            SmoothRoundedRectangle(pos=self.pos, size=(width, self.height), radius=[radius])
        if self.mark >= 0:
            x = self.x + self.width * min(self.mark, 1) - dp(1.5)
            Color(*theme.CARD)
            SmoothRoundedRectangle(pos=(x - dp(2), self.y - dp(3)), size=(dp(7), self.height + dp(6)), radius=[dp(3)])
            Color(*theme.TEXT)
            SmoothRoundedRectangle(pos=(x, self.y - dp(3)), size=(dp(3), self.height + dp(6)), radius=[dp(1.5)])


class StepBar(Gauge):
    """Equal cells, some of them lit: construction in quarters, loans out of three, support in steps."""

    steps = NumericProperty(0)
    of = NumericProperty(4)
    tone = StringProperty("accent")
    drawn_from = ("steps", "of", "tone")

    def draw(self) -> None:
        gap = dp(4)
        width = (self.width - gap * (self.of - 1)) / self.of
        for index in range(int(self.of)):
            Color(*(theme.tone(self.tone) if index < self.steps else theme.TRACK))
            x = self.x + index * (width + gap)
            SmoothRoundedRectangle(pos=(x, self.y), size=(max(width, 1), self.height), radius=[self.height / 2])


class StackBar(Gauge):
    """Shares of a whole side by side: `parts` are objects with `size` and `tone`."""

    parts = ObjectProperty(())
    drawn_from = ("parts",)

    def draw(self) -> None:
        parts = [part for part in self.parts if part.size > 0]
        total = sum(part.size for part in parts)
        gap, x = dp(3), self.x
        room = self.width - gap * (len(parts) - 1)
        for part in parts:
            Color(*theme.tone(part.tone))
            width = max(room * part.size / total, dp(4))
            SmoothRoundedRectangle(pos=(x, self.y), size=(width, self.height), radius=[dp(3)])
            x += width + gap


class Spark(Gauge):
    """The course of a number that players may know, or of a level's steps with `is_stepped`."""

    values = ObjectProperty(())
    tone = StringProperty("accent")
    is_stepped = BooleanProperty(False)
    least = NumericProperty(0)
    low = NumericProperty(None, allownone=True)
    high = NumericProperty(None, allownone=True)
    drawn_from = ("values", "tone", "is_stepped", "low", "high")

    def draw(self) -> None:
        if len(self.values) < 2:
            return
        points = self._points()
        colour = theme.tone(self.tone)
        Color(*theme.mix(colour, 0.16, theme.CARD))
        corners = [value for x, y in points for value in (x, y, 0, 0, x, self.y, 0, 0)]
        Mesh(vertices=corners, indices=list(range(len(corners) // 4)), mode="triangle_strip")
        Color(*colour)
        SmoothLine(points=[value for point in points for value in point], width=dp(1.1))
        x, y = points[-1]
        SmoothEllipse(pos=(x - dp(4), y - dp(4)), size=(dp(8), dp(8)))

    def _points(self) -> list[tuple[float, float]]:
        low = min(self.values) if self.low is None else self.low
        high = max(self.values) if self.high is None else self.high
        height, width = self.height - dp(8), self.width - dp(4)
        across = width / (len(self.values) - 1)
        points: list[tuple[float, float]] = []
        for index, value in enumerate(self.values):
            point = (self.x + across * index, self.y + dp(4) + height * (value - low) / max(high - low, 1))
            if self.is_stepped and points:
                points.append((point[0], points[-1][1]))
            points.append(point)
        return points


class Pips(Gauge):
    """One dot a round, grouped by six; the lit one is the round being played."""

    done = NumericProperty(0)
    total = NumericProperty(20)
    drawn_from = ("done", "total")

    def draw(self) -> None:
        gap, seam, total = dp(3), dp(5), int(self.total)
        if total < 1:
            return
        seams = (total - 1) // 6
        width = min((self.width - gap * (total - 1) - seam * seams) / total, dp(18))
        x = self.center_x - (width * total + gap * (total - 1) + seam * seams) / 2
        for index in range(total):
            now = index == self.done - 1
            Color(*(theme.TEXT if now else theme.ACCENT if index < self.done else theme.TRACK))
            SmoothRoundedRectangle(pos=(x, self.y), size=(width, self.height), radius=[self.height / 2])
            x += width + gap + (seam if index % 6 == 5 else 0)


class StepPips(Gauge):
    """Pages of a carousel: equal dashes, those behind us lit."""

    done = NumericProperty(0)
    total = NumericProperty(1)
    drawn_from = ("done", "total")

    def draw(self) -> None:
        gap = dp(5)
        width = (self.width - gap * (self.total - 1)) / max(self.total, 1)
        for index in range(int(self.total)):
            Color(*(theme.TEXT if index == self.done - 1 else theme.ACCENT if index < self.done else theme.TRACK))
            SmoothRoundedRectangle(
                pos=(self.x + index * (width + gap), self.y),
                size=(max(width, 1), self.height),
                radius=[self.height / 2],
            )


class Cells(Gauge):
    """An accumulator's icon: a cell with none, one or both halves lit (empty, incomplete, full)."""

    lit = NumericProperty(0)
    tone = StringProperty("accent")
    drawn_from = ("lit", "tone")

    def draw(self) -> None:
        rim, colour = dp(2), theme.tone(self.tone) if self.lit else theme.tone("alarming")
        body = (self.width - dp(4), self.height)
        Color(*colour)
        SmoothRoundedRectangle(pos=self.pos, size=body, radius=[dp(5)])
        SmoothRoundedRectangle(
            pos=(self.x + body[0] - dp(1), self.center_y - self.height * 0.2),
            size=(dp(4), self.height * 0.4),
            radius=[dp(1.5)],
        )
        Color(*theme.CARD)
        SmoothRoundedRectangle(
            pos=(self.x + rim, self.y + rim), size=(body[0] - 2 * rim, body[1] - 2 * rim), radius=[dp(3.5)]
        )
        half = (body[0] - 2 * rim - dp(6)) / 2
        Color(*colour)
        for index in range(int(self.lit)):
            SmoothRoundedRectangle(
                pos=(self.x + rim + dp(2) + index * (half + dp(2)), self.y + rim + dp(2)),
                size=(half, body[1] - 2 * rim - dp(4)),
                radius=[dp(2)],
            )


class LevelRing(Widget):
    """The ring with icon and word inside, for one status."""

    icon = StringProperty("")
    word = StringProperty("")
    tone = StringProperty("muted")
    steps = NumericProperty(0)


class StatusColumn(BoxLayout):
    """A status as ring, word, change and course."""

    vm = ObjectProperty(StatusVM(), rebind=True)
    zoom = NumericProperty(1.0)
