"""The app's window on one asyncio loop: `run(controller)` draws what the controller says until it is closed."""

import gc
from typing import Any

from companion.screens.controller import Controller
from companion.screens.environment import finish_each_flip, prepare

prepare()

from kivy.app import App  # noqa: E402 - Kivy reads its settings when it is imported
from kivy.core.window import Window  # noqa: E402 - as above
from kivy.uix.widget import Widget  # noqa: E402 - as above

from companion.screens import theme  # noqa: E402 - as above
from companion.screens.keys import act_for_key  # noqa: E402 - as above
from companion.screens.shell import AppShell  # noqa: E402 - as above

__all__ = ["ColoniesApp", "Controller", "run"]


class ColoniesApp(App):
    """`shell` is there after the loop has begun to run."""

    title = "Colonies"
    use_kivy_settings = False

    def __init__(self, controller: Controller, **values: Any) -> None:
        super().__init__(**values)
        self.controller = controller
        self.shell: AppShell | None = None

    def load_kv(self, filename: str | None = None) -> None:
        """Screens load their own files."""

    def build(self) -> Widget:
        Window.clearcolor = theme.GROUND
        Window.allow_screensaver = False
        finish_each_flip()
        gc.freeze()  # what was imported stays until the end: the collector need not walk through it while we build
        self.shell = AppShell(self.controller)
        self.controller.subscribe(self.refresh)
        Window.bind(on_key_down=self._key_down)
        return self.shell

    def refresh(self) -> None:
        if self.shell is not None:
            self.shell.refresh()

    def on_stop(self) -> None:
        Window.unbind(on_key_down=self._key_down)

    def on_pause(self) -> bool:
        """Everything is in the journal already."""
        return True

    def _key_down(self, _window: object, key: int, _scan: int, text: str | None, modifiers: list[str]) -> bool:
        return self.shell is not None and act_for_key(self.shell, key, text or "", modifiers)


async def run(controller: Controller) -> None:
    """Until the window is closed."""
    await ColoniesApp(controller).async_run("asyncio")
