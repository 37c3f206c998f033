"""Kivy's settings, made before Kivy is imported: no arguments, no config file, few input providers, 30 frames a second."""

import logging
import os
import tempfile
from pathlib import Path

FRAMES_PER_SECOND = 30


def prepare(width: int = 1280, height: int = 800, *, fps: int = FRAMES_PER_SECOND, touch: bool = True) -> None:
    """Must run before anything of `kivy` is imported; later calls change nothing. `fps` 0: as fast as it goes (tests)."""
    os.environ.setdefault("KIVY_NO_ARGS", "1")
    os.environ.setdefault("KIVY_NO_CONFIG", "1")
    os.environ.setdefault("KIVY_NO_FILELOG", "1")
    os.environ.setdefault("KIVY_LOG_MODE", "PYTHON")  # leaves stderr and the logging of the app alone
    os.environ.setdefault("KIVY_HOME", str(Path(tempfile.gettempdir()) / "colonies-kivy"))
    if not has_display():
        os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")

    os.environ.setdefault("KIVY_CLIPBOARD", "sdl2")
    logging.getLogger("kivy").addFilter(is_news)

    from kivy.config import Config

    for key, value in {"width": width, "height": height, "maxfps": fps, "multisamples": 0}.items():
        Config.set("graphics", key, str(value))
    Config.set("kivy", "exit_on_escape", "0")
    for name, _ in list(Config.items("input")):
        Config.remove_option("input", name)
    if touch:
        # SDL itself delivers touches; only the mouse needs a provider
        Config.set("input", "mouse", "mouse,disable_multitouch")


def is_news(record: logging.LogRecord) -> bool:
    """Whether people should see this line of Kivy's; what it finds at its start, and that nobody can paste, is none."""
    return record.levelno >= logging.WARNING and "Cutbuffer" not in record.getMessage()


def has_display() -> bool:
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")) or os.name == "nt"


def is_offscreen() -> bool:
    return os.environ.get("SDL_VIDEODRIVER") == "offscreen"


def finish_each_flip() -> None:
    """Off-screen nothing ever empties the software renderer's queue (about 10 MB a frame), so each flip does."""
    from kivy.core.window import Window
    from kivy.graphics import opengl

    if is_offscreen() and not getattr(Window, "finishes_each_flip", False):
        Window.finishes_each_flip = True
        Window.bind(on_flip=lambda *_: opengl.glFinish())
