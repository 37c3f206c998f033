"""Draws the screens as pictures: `python -m companion.screens.gallery [FOLDER] [NAME …]`."""

import argparse
import asyncio
from pathlib import Path

from companion.screens.environment import prepare

prepare(fps=0, touch=False)

from companion.screens.gallery.studio import draw_all  # noqa: E402 - the environment comes before Kivy

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m companion.screens.gallery", description="The screens as pictures.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path("build/gallery"))
    parser.add_argument("names", nargs="*", metavar="NAME", help="of scenes; none: all")
    given = parser.parse_args()
    asyncio.run(draw_all(given.folder, set(given.names)))
