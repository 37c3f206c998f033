"""Every screen and sheet in both sizes: nothing cut off, nothing too small to read or to tap, nothing over the edge."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from kivy.core.window import Window
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.label import Label
from kivy.uix.scrollview import ScrollView
from PIL import ImageFont

from companion.screens import theme
from companion.screens.gallery.scenes import scenes
from companion.screens.widgets.panels import Card, Surface
from companion.screens.widgets.text import Words
from tests.screens.stage import TALL, WIDE, Stage, has_room

pytestmark = pytest.mark.screens

ALL = {scene.name: scene for scene in scenes()}
LEAST_TEXT, LEAST_TAP = 14, 48
SLACK = 1.5
"""Textures are whole pixels."""


@pytest.fixture(params=[WIDE, TALL], ids=["wide", "tall"])
def size(request: pytest.FixtureRequest) -> tuple[int, int]:
    result: tuple[int, int] = request.param
    return result


LIKE_ANOTHER = {f"dialog-{name}" for name in ("ambassador", "campaign", "undo", "next", "settle_without_arc")} | {
    "ending-depopulation", "ending-terran_dependence", "setup-fleet", "tray-directives", "menu-assistant",
    "firmware-battery", "firmware-checking", "firmware-waiting", "firmware-done", "firmware-alone",
}  # fmt: skip
"""The same widgets as another scene, with other words: wide is enough."""
CASES = [pytest.param(name, WIDE, id=f"{name}-wide") for name in ALL] + [
    pytest.param(name, TALL, id=f"{name}-tall") for name in ALL if name not in LIKE_ANOTHER
]


def labels(stage: Stage) -> list[Any]:
    return [widget for widget in stage.walk() if isinstance(widget, Label) and widget.text]


@pytest.mark.parametrize(("name", "size"), CASES)
def test_everything_fits_and_can_be_read_and_tapped(stage: Stage, name: str, size: tuple[int, int]) -> None:
    """And nothing hidden is shown: each scene is laid out once, and looked at for everything."""
    stage.play(ALL[name], size)
    seen = labels(stage)
    faults = [fault for label in seen for fault in (*label_faults(label), *edge_faults(stage, label))]
    faults += [fault for widget in stage.walk() if isinstance(widget, ButtonBehavior) for fault in tap_faults(widget)]
    faults += [fault for widget in stage.walk() if isinstance(widget, Surface) for fault in panel_faults(widget)]
    faults += [f"hidden: {label.text!r}" for label in seen if tells_a_hidden_number(label.text)]
    assert seen
    assert not faults


def tells_a_hidden_number(text: str) -> bool:
    """Beside the words for a status or a manager's support stands no number (rules, part 4)."""
    return bool(re.search(r"(?i)(happiness|security|technical|support)\D{0,12}\d", text))


def test_the_guard_sees_a_leak() -> None:
    assert tells_a_hidden_number("Happiness: 72")


def label_faults(label: Any) -> list[str]:
    faults = []
    wide, high = label.texture_size
    if wide > label.width + SLACK or high > label.height + SLACK:
        faults.append(f"cut: {label.text!r} needs {label.texture_size}, has {label.size}")
    if label.font_size < LEAST_TEXT and label.font_name != theme.ICONS:
        faults.append(f"small: {label.text!r} in {label.font_size}")
    faults += [
        f"not in {label.font_name}: {one!r}"
        for one in set("".join(label.text.split()))
        if not is_in_font(label.font_name, one)
    ]
    if label.text_size[0] is not None:
        longest = max(label._label.get_extents(word)[0] for word in label.text.split())
        if longest > label.width + SLACK:
            faults.append(f"broken word: {label.text!r} in {label.width}")
    return faults


@cache
def pillow_font(name: str) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(theme.ASSETS / theme.FONT_FILES[name], 24)


@cache
def is_in_font(font: str, sign: str) -> bool:
    """Kivy has no fallback: a character that the font lacks is drawn as a box or not at all."""
    drawn, lacking = (pillow_font(font).getmask(one) for one in (sign, "\uffff"))
    return (drawn.size, bytes(drawn)) != (lacking.size, bytes(lacking))


def tap_faults(widget: Any) -> list[str]:
    if widget.width >= LEAST_TAP and widget.height >= LEAST_TAP:
        return []
    return [f"too small to tap: {widget} {widget.size}"]


def panel_faults(panel: Any) -> list[str]:
    """What is drawn on a panel lies on it; only what scrolls may be longer."""
    return [
        f"off its panel: {getattr(part, 'text', '') or type(part).__name__!r} at {part.pos}, {part.size}; {panel.pos}, {panel.size}"
        for part in parts(panel)
        if part.x < panel.x - SLACK
        or part.y < panel.y - SLACK
        or part.right > panel.right + SLACK
        or part.top > panel.top + SLACK
    ]


def parts(panel: Any) -> Iterator[Any]:
    for child in panel.children:
        if not has_room(child):
            continue
        yield child
        if not isinstance(child, ScrollView):
            yield from parts(child)


def edge_faults(stage: Stage, label: Any) -> list[str]:
    """Sideways nothing scrolls, so all letters lie inside the window and inside their card."""
    faults = []
    left, right = label.to_window(label.x, 0)[0], label.to_window(label.right, 0)[0]
    if left < -SLACK or right > stage.shell.width + SLACK:
        faults.append(f"over the edge: {label.text!r} from {left} to {right}")
    parent = label.parent
    if parent is not None and label.right > parent.right + SLACK and parent.parent is not None:
        faults.append(f"out of its box: {label.text!r} ends at {label.right}, box at {parent.right}")
    return faults


def test_a_cut_text_is_noticed(stage: Stage) -> None:
    stage.play(ALL["colony"])
    label = Words(text="COLONY STATUS")
    stage.settle(2)
    assert not label_faults(label)
    label.width = 40
    assert label_faults(label)


def test_a_heading_above_its_panel_is_noticed(stage: Stage) -> None:
    stage.play(ALL["colony"])
    panel = Card(size=(400, 100))
    panel.add_widget(Words(text="COLONY STATUS"))
    stage.settle(2)
    assert not panel_faults(panel)
    panel.add_widget(Words(text="SPECIAL STATES", size_hint=(None, None), font_size=90))
    stage.settle(2)
    assert panel_faults(panel)


@pytest.mark.parametrize("name", ["start", "colony", "detail-economy", "summary-8", "setup-mode"])
def test_a_turned_tablet_is_laid_out_anew(stage: Stage, name: str) -> None:
    """And comes back to where it was: no part keeps a size of the other way round."""
    stage.play(ALL[name], is_fresh=True)
    before = boxes(stage)
    for size in (TALL, WIDE):
        Window.size = size
        stage.settle(10)
        assert not [fault for one in stage.walk() if isinstance(one, Surface) for fault in panel_faults(one)]
    assert boxes(stage) == before


def boxes(stage: Stage) -> list[tuple[str, int, int]]:
    return [(one.text, *(round(part) for part in one.to_window(*one.pos))) for one in labels(stage)]


@pytest.mark.parametrize("name", ["colony", "colony-hint-late", "goals-judged"])
def test_lines_do_not_lie_over_each_other(stage: Stage, name: str, size: tuple[int, int]) -> None:
    stage.play(ALL[name], size)
    boxes = [(one.text, *one.to_window(*one.pos), *one.texture_size) for one in labels(stage)]
    for index, (text, x, y, wide, high) in enumerate(boxes):
        for other, ox, oy, owide, ohigh in boxes[index + 1 :]:
            across = min(x + wide, ox + owide) - max(x, ox)
            down = min(y + high, oy + ohigh) - max(y, oy)
            # the line box of a font is higher than its letters
            assert across < 2 or down < 0.45 * min(high, ohigh), (text, other)
