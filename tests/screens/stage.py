"""The shell on a window without a loop: time stands still unless a test lets it pass, nothing is drawn to the screen."""

from collections.abc import Callable, Iterator
from typing import Any

from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.lang import Builder
from kivy.metrics import Metrics
from kivy.tests.common import UnitTestTouch
from PIL import Image

from companion.screens import theme
from companion.screens.controller import Settings
from companion.screens.gallery.puppet import Puppet
from companion.screens.gallery.scenes import STILL, Scene
from companion.screens.shell import AppShell
from companion.session.table import TableView

WIDE, TALL = (1280, 800), (800, 1280)


def clear_window() -> None:
    for child in Window.children[:]:
        Window.remove_widget(child)
    write_in(1.0)


def write_in(scale: float) -> None:
    """Each setting, the same one too, asks all letters of all shells for their size: half of these tests' time."""
    if Metrics.fontscale != scale:
        Metrics.fontscale = scale


_shells: dict[tuple[tuple[int, int], Settings], tuple[Puppet, AppShell]] = {}
"""One for each size and setting: screens are built once and shown table after table, as in a game."""


class Stage:
    def __init__(self) -> None:
        self.shell: AppShell
        self.puppet: Puppet

    def play(self, scene: Scene, size: tuple[int, int] = WIDE, *, is_fresh: bool = False) -> "Stage":
        """Shows a scene as the gallery would; `is_fresh`: on screens built for it alone, pixel for pixel the same."""
        clear_window()
        Window.size = size
        write_in(scene.settings.text_size.value / 100)
        key = (size, scene.settings)
        if is_fresh or key not in _shells:
            puppet = Puppet(scene.table, scene.saved, scene.settings)
            _shells[key] = (puppet, AppShell(puppet))
            puppet.subscribe(_shells[key][1].refresh)
        self.puppet, self.shell = _shells[key]
        self.puppet.begin(scene.table, scene.saved, scene.settings)
        Window.add_widget(self.shell)
        self.shell.back()
        self.settle(2)
        scene.taps(self.shell)
        self.settle()
        return self

    def show(self, table: TableView | None, size: tuple[int, int] = WIDE) -> "Stage":
        return self.play(Scene("", table, settings=STILL), size)

    def leave(self) -> None:
        EventLoop.touch_down = False

    def settle(self, ticks: int = 6) -> None:
        """Lets layouts, textures and triggers come to rest."""
        for _ in range(ticks):
            Clock.tick()
            Clock.tick_draw()
            Builder.sync()

    def walk(self) -> Iterator[Any]:
        """Every widget that can be seen now, below a screen and in the sheets and toasts over it."""
        return visible_below(self.shell)

    def texts(self) -> list[str]:
        return [widget.text for widget in self.walk() if getattr(widget, "text", "")]

    def find(self, **attributes: object) -> Any:
        found = [
            one for one in self.walk() if all(getattr(one, name, None) == value for name, value in attributes.items())
        ]
        assert len(found) == 1, (attributes, found)
        return found[0]

    def find_where(self, fits: Callable[[Any], bool]) -> Any:
        found = [one for one in self.walk() if fits(one)]
        assert len(found) == 1, found
        return found[0]

    def tap(self, widget: Any) -> None:
        """A finger in the middle of it."""
        self.lift(self.finger_on(widget))

    def finger_on(self, widget: Any) -> UnitTestTouch:
        """It came down in the middle of it, and is still there."""
        finger = UnitTestTouch(*widget.to_window(*widget.center))
        finger.touch_down()
        self.settle(2)
        return finger

    def lift(self, finger: UnitTestTouch) -> None:
        finger.touch_up()
        self.settle()

    def tap_text(self, text: str) -> None:
        self.tap(self.find(text=text))

    def picture(self) -> Image.Image:
        texture = self.shell.export_as_image().texture
        image = Image.frombytes("RGBA", texture.size, texture.pixels)
        ground = Image.new("RGBA", image.size, tuple(int(part * 255) for part in theme.GROUND))
        return Image.alpha_composite(ground, image).convert("RGB")


def visible_below(widget: Any) -> Iterator[Any]:
    """It and its children, without those that have no room or are faded out."""
    if not has_room(widget):
        return
    yield widget
    for child in reversed(widget.children):
        yield from visible_below(child)


def has_room(widget: Any) -> bool:
    return bool(widget.opacity and widget.width > 0 and widget.height > 0)
