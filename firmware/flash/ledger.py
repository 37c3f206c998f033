"""What has been done, a line each, in a file that is only ever appended to: so that a row or a deck goes on where it stopped."""

import json
from pathlib import Path

import platformdirs

from firmware.flash.errors import FlashError


def default_path(name: str) -> Path:
    """Where this computer keeps such things for its user."""
    return platformdirs.user_state_path("colonies-arc") / name


class Ledger:
    """Entries are flat JSON objects. What is none, such as a torn line that a crash has left, is skipped."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def entries(self) -> list[dict[str, str]]:
        try:
            lines = self.path.read_bytes().splitlines() if self.path.exists() else []
        except OSError as error:
            raise FlashError(f"{self.path} cannot be read ({error})", "choose another file with --ledger") from error
        return [entry for line in lines if (entry := _parsed(line)) is not None]

    def add(self, **entry: str) -> None:
        """Written before it returns. A torn line before it is closed first."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a+b") as file:
                if file.tell():
                    file.seek(-1, 2)
                    if file.read(1) != b"\n":
                        file.write(b"\n")
                file.write(json.dumps(entry, ensure_ascii=False).encode() + b"\n")
        except OSError as error:
            raise FlashError(f"{self.path} cannot be written ({error})", "choose another file with --ledger") from error


def _parsed(line: bytes) -> dict[str, str] | None:
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    return entry if isinstance(entry, dict) else None
