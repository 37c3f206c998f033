"""The ARCs that this computer has paired with, in a file of its user's alone."""

import json
import os
import secrets
from pathlib import Path


class TokenFile:
    """`tablet` is this computer's id for all ARCs, drawn once. Every change replaces the file whole."""

    def __init__(self, path: Path) -> None:
        self._path = path
        held = json.loads(path.read_text()) if path.exists() else {}
        self.tablet: int = held.get("tablet") or secrets.randbits(32) or 1
        self._tokens: dict[str, str] = held.get("tokens", {})

    def token(self, device: str) -> bytes | None:
        held = self._tokens.get(device)
        return bytes.fromhex(held) if held else None

    def keep(self, device: str, token: bytes) -> None:
        self._tokens[device] = token.hex()
        self._path.parent.mkdir(parents=True, exist_ok=True)
        draft = self._path.with_suffix(".new")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump({"tablet": self.tablet, "tokens": self._tokens}, file)
        draft.replace(self._path)
