"""The ARCs that this computer has paired with, in a file of its user's alone."""

import json
import os
import secrets
from pathlib import Path

from firmware.flash.errors import FlashError


class TokenFile:
    """`tablet` is this computer's id for all ARCs, drawn once. Every change replaces the file whole.

    `FlashError` when the file cannot be read, is no such file, or cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            held = json.loads(path.read_text()) if path.exists() else {}
            self.tablet = int(held.get("tablet") or secrets.randbits(32) or 1)
            self._tokens = {device: bytes.fromhex(token) for device, token in held.get("tokens", {}).items()}
        except (OSError, ValueError, TypeError, AttributeError) as error:
            raise FlashError(
                f"{path}, where pairings are kept, cannot be read ({error})",
                "delete that file, and press the ARC's button when you are asked to",
            ) from error

    def token(self, device: str) -> bytes | None:
        return self._tokens.get(device)

    def keep(self, device: str, token: bytes) -> None:
        self._tokens[device] = token
        draft = self._path.with_suffix(".new")
        tokens = {device: token.hex() for device, token in self._tokens.items()}
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w") as file:
                json.dump({"tablet": self.tablet, "tokens": tokens}, file)
            draft.replace(self._path)
        except OSError as error:
            raise FlashError(
                f"{self._path}, where pairings are kept, cannot be written ({error})",
                "make room there, or make it yours",
            ) from error
