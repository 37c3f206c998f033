"""Fonts and kv files, each loaded once."""

from pathlib import Path

from kivy.core.text import LabelBase
from kivy.lang import Builder

from companion.screens import theme

_loaded: set[str] = set()


def register_fonts() -> None:
    for name, file in theme.FONT_FILES.items():
        LabelBase.register(name, str(theme.ASSETS / file))


def load_kv(beside: str, *names: str) -> None:
    """Load `NAME.kv` from the folder of the module file `beside`; without names, the module's own."""
    folder = Path(beside).parent
    for name in names or (Path(beside).stem,):
        path = str(folder / f"{name}.kv")
        if path not in _loaded:
            _loaded.add(path)
            Builder.load_file(path)
