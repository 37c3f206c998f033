"""`python -m firmware.desk.window CONTROL`: draw the table of the desk that listens at this control socket."""

import asyncio
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
    os.environ.setdefault("KIVY_HOME", str(Path(tempfile.gettempdir()) / "colonies-desk-kivy"))
    from kivy.config import Config

    for key, value in {"width": 1280, "height": 800, "maxfps": FRAMES_PER_SECOND, "multisamples": 0}.items():
        Config.set("graphics", key, str(value))
    Config.set("kivy", "exit_on_escape", "0")
    for name, _ in list(Config.items("input")):
        Config.remove_option("input", name)
    Config.set("input", "mouse", "mouse,disable_multitouch")


async def _run(control: str) -> int:
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
    await window
    await app.client.close()
    return 0


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: python -m firmware.desk.window CONTROL", file=sys.stderr)
        return 2
    _prepare()
    return asyncio.run(_run(sys.argv[1]))


if __name__ == "__main__":
    sys.exit(main())
