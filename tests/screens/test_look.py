"""Figures, icons and colours as everything is written and drawn; and view models without Kivy."""

import json
import subprocess
import sys

import pytest

from companion.screens import icons, theme
from companion.screens.texts import figure, signed
from companion.simulation.words import Level


def test_view_models_need_no_kivy() -> None:
    code = (
        "import sys, pkgutil, importlib, companion.screens.view_models as v;"
        "[importlib.import_module('companion.screens.view_models.' + m.name) for m in pkgutil.iter_modules(v.__path__)];"
        "import companion.screens.controller;"
        "sys.exit(any(name.split('.')[0] == 'kivy' for name in sys.modules))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@pytest.mark.parametrize(("number", "text"), [(0, "±0"), (4, "+4"), (-3, "−3"), (1200, "+1,200")])
def test_signed(number: int, text: str) -> None:
    assert signed(number) == text


def test_figures_are_grouped() -> None:
    assert figure(15000) == "15,000"
    assert figure(-20) == "−20"


def test_every_icon_named_is_in_the_font() -> None:
    names = json.loads((theme.ASSETS / "icons.json").read_text())
    assert set((theme.ASSETS / "icon-names.txt").read_text().split()) == set(names)
    with pytest.raises(KeyError):
        icons.glyph("no-such-icon")
    assert icons.glyph("") == ""


def test_levels_differ_in_tone_word_and_icon() -> None:
    from companion.screens.view_models import words

    for table in (words.LEVEL_WORDS, words.LEVEL_ICONS):
        assert len(set(table.values())) == len(Level)
    assert len({theme.tone(level.value) for level in Level}) == len(Level)


def contrast(one: theme.Rgba, other: theme.Rgba) -> float:
    def luminance(colour: theme.Rgba) -> float:
        parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in colour[:3]]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", ["good", "poor", "alarming", "critical", "info", "accent", "muted", "text", "stock"])
def test_text_can_be_read_on_its_ground(name: str) -> None:
    assert contrast(theme.tone(name), theme.CARD) >= 4.5
    assert contrast(theme.tone(name), theme.tint(name)) >= 4.5
