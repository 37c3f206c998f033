"""What people see while they flash: lines, questions, bars. One face, so that tests can watch instead."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Protocol

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

Advance = Callable[[int], None]


class Show(Protocol):
    def say(self, text: str) -> None:
        """One line of news."""

    def warn(self, text: str) -> None:
        """One line that somebody should read."""

    def bar(self, title: str, total: int) -> contextlib.AbstractContextManager[Advance]:
        """A progress bar of `total` bytes; what it gives is called with the bytes done since."""


class Terminal:
    """On a terminal with rich; in a pipe, plain lines."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(highlight=False)

    def say(self, text: str) -> None:
        self._console.print(escape(text), soft_wrap=True)

    def warn(self, text: str) -> None:
        self._console.print(f"[yellow]{escape(text)}[/yellow]", soft_wrap=True)

    @contextlib.contextmanager
    def bar(self, title: str, total: int) -> Iterator[Advance]:
        columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
        with Progress(*columns, console=self._console, disable=not self._console.is_terminal) as progress:
            task = progress.add_task(title, total=total)
            yield lambda count: progress.advance(task, count)
