"""Kivy's environment before Kivy, and a stage: the shell in a window that is laid out but never drawn."""

import gc
import os
from collections.abc import Iterator

import pytest

os.environ["KIVY_METRICS_DENSITY"] = "1"
os.environ["KIVY_METRICS_FONTSCALE"] = "1"

from companion.screens.environment import prepare

prepare(fps=0, touch=False)

from companion.screens.widgets import sheet  # noqa: E402 - the environment comes before Kivy
from tests.screens.stage import Stage, clear_window  # noqa: E402 - as above

# thousands of widgets live until the end: walking through them again and again was a third of these tests' time
gc.set_threshold(100_000, 50, 1_000)


@pytest.fixture(autouse=True)
def quick_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test waits until a question counts as read."""
    monkeypatch.setattr(sheet, "UNREAD_S", 0.0)


@pytest.fixture
def stage() -> Iterator[Stage]:
    stage = Stage()
    yield stage
    stage.leave()
    clear_window()
