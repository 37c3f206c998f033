"""`python -m firmware.desk.window CONTROL`: draw the table of the desk that listens at this control socket.

With `--picture FILE` it is drawn once, without a window on the screen.
"""

import argparse
import asyncio
import logging
import os
import sys
import tempfile
from pathlib import Path

FRAMES_PER_SECOND = 30


def _prepare() -> None:
    """Kivy reads these when it is imported: no arguments, no files of the user's, one input provider."""
    os.environ.setdefault("KIVY_NO_ARGS", "1")
    os.environ.setdefault("KIVY_NO_CONFIG", "1")
    os.environ.setdefault("KIVY_NO_FILELOG", "1")
    os.environ.setdefault("KIVY_LOG_MODE", "PYTHON")
    os.environ.setdefault("KIVY_CLIPBOARD", "sdl2")  # its search for others ends in tracebacks
    logging.getLogger("kivy").addFilter(_is_news)
    os.environ.setdefault("KIVY_HOME", str(Path(tempfile.gettempdir()) / "colonies-desk-kivy"))
    from kivy.config import Config

    for key, value in {"width": 1280, "height": 800, "maxfps": FRAMES_PER_SECOND, "multisamples": 0}.items():
        Config.set("graphics", key, str(value))
    Config.set("kivy", "exit_on_escape", "0")
    for name, _ in list(Config.items("input")):
        Config.remove_option("input", name)
    Config.set("input", "mouse", "mouse,disable_multitouch")


def _is_news(record: logging.LogRecord) -> bool:
    """What Kivy finds at its start, and that nobody can paste, is no news."""
    return record.levelno >= logging.WARNING and "Cutbuffer" not in record.getMessage()


async def _run(control: str, picture: str | None) -> int:
    from firmware.desk.window.app import TableApp

    app = TableApp(control)
    window = asyncio.create_task(app.async_run("asyncio"))
    while not app.root_window and not window.done():
        await asyncio.sleep(0)
    try:
        await app.watch()
    except OSError as error:
        print(f"desk window: no desk listens at {control}: {error}", file=sys.stderr)
        app.stop()
        await window
        return 1
    if picture:
        await app.draw_to(picture)
        app.stop()
    await window
    await app.client.close()
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m firmware.desk.window", description="The drawn table.")
    parser.add_argument("control", metavar="CONTROL", help="the desk's control socket")
    parser.add_argument("--picture", metavar="FILE", help="draw once into this PNG file and end")
    arguments = parser.parse_args()
    if arguments.picture or not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")):
        os.environ["SDL_VIDEODRIVER"] = "offscreen"
    _prepare()
    return asyncio.run(_run(arguments.control, arguments.picture))


if __name__ == "__main__":
    sys.exit(main())
