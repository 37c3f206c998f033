"""The last lines of the app's own log, kept in memory for a bug report."""

import logging
from collections import deque

_LINES = 400
_lines: deque[str] = deque(maxlen=_LINES)


class _Keeper(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        _lines.append(self.format(record))


def keep() -> None:
    """From now on, from INFO up for what is ours; what goes to the terminal is not changed."""
    keeper = _Keeper(logging.INFO)
    keeper.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    ours = logging.getLogger("companion")
    if not any(isinstance(handler, _Keeper) for handler in ours.handlers):
        ours.addHandler(keeper)


def text() -> str:
    return "".join(line + "\n" for line in _lines)
