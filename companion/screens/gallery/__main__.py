"""Draws the screens as pictures: `python -m companion.screens.gallery [FOLDER] [NAME …]`."""

import asyncio
import sys
from pathlib import Path

from companion.screens.environment import prepare

prepare(fps=0, touch=False)

from companion.screens.gallery.studio import draw_all  # noqa: E402 - the environment comes before Kivy

if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "build/gallery")
    asyncio.run(draw_all(folder, set(sys.argv[2:])))
