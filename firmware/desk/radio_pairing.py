"""Pairing and encryption of one board's connections. Nothing of ours needs it; a firmware that asks for it gets it."""

import asyncio
import struct
from collections.abc import Callable
from typing import Any

from bumble.pairing import PairingConfig, PairingDelegate

IDENTITY = PairingConfig.AddressType.RANDOM
"""Boards have random static addresses. bumble would file their keys under the public one and not find them again."""

_IO_CAPABILITIES = (
    PairingDelegate.DISPLAY_OUTPUT_ONLY,
    PairingDelegate.DISPLAY_OUTPUT_AND_YES_NO_INPUT,
    PairingDelegate.KEYBOARD_INPUT_ONLY,
    PairingDelegate.NO_OUTPUT_NO_INPUT,
    PairingDelegate.DISPLAY_OUTPUT_AND_KEYBOARD_INPUT,
)
_PASSKEY_INPUT, _PASSKEY_DISPLAY = 2, 3
_KEY_SIZE = 16


class Pairing:
    """What a board is told of pairing; `authenticated` holds the connections that were paired against eavesdroppers."""

    def __init__(self, send: Callable[[bytes, bytes], None]) -> None:
        self._send = send
        self._settings: dict[str, Any] = {}
        self._device: Any = None
        self._passkey: asyncio.Future[int] | None = None
        self.authenticated: set[int] = set()

    def attach(self, device: Any, settings: dict[str, Any]) -> None:
        """Let the board's settings (live: they may change) decide how `device` pairs."""
        self._device, self._settings = device, settings
        device.pairing_config_factory = self._config

    def watch(self, connection: Any) -> None:
        """Tell the board of everything about this connection's encryption."""
        connection.on(connection.EVENT_CONNECTION_ENCRYPTION_CHANGE, lambda: self._on_encryption(connection))
        connection.on(connection.EVENT_PAIRING, lambda keys: self._on_paired(connection, keys))
        connection.on(connection.EVENT_PAIRING_FAILURE, lambda _reason: self._forget(connection))

    def give_passkey(self, number: int) -> None:
        """The firmware's answer to the question for a passkey."""
        if self._passkey and not self._passkey.done():
            self._passkey.set_result(number)

    async def ask_passkey(self, connection: Any, action: int) -> int:
        """The number the firmware displays, or has had typed in."""
        self._passkey = asyncio.get_running_loop().create_future()
        self._send(b"p", struct.pack("<HBI", connection.handle, action, 0))
        return await self._passkey

    def _config(self, connection: Any) -> PairingConfig:
        return PairingConfig(
            sc=self._settings.get("le_secure", True),
            mitm=self._settings.get("mitm", False),
            bonding=self._settings.get("bond", False),
            delegate=_Delegate(self, connection, _IO_CAPABILITIES[self._settings.get("io", 3)]),
            identity_address_type=IDENTITY,
        )

    def _on_paired(self, connection: Any, keys: Any) -> None:
        # bumble calls every encrypted link authenticated; the keys know
        if keys and keys.ltk and keys.ltk.authenticated:
            self.authenticated.add(connection.handle)
        self._tell(connection)

    def _on_encryption(self, connection: Any) -> None:
        # while pairing runs, its end tells: a report from the key before it would be wrong
        if connection.encryption and connection.handle not in self._device.smp_manager.sessions:
            self._tell(connection)

    def _tell(self, connection: Any) -> None:
        is_authenticated = connection.handle in self.authenticated
        is_bonded = bool(self._settings.get("bond", False))
        self._send(b"e", struct.pack("<HBBBB", connection.handle, True, is_authenticated, is_bonded, _KEY_SIZE))

    def _forget(self, connection: Any) -> None:
        # bumble keeps a failed session until the link drops, and a second attempt would wait for it
        self._device.smp_manager.sessions.pop(connection.handle, None)


class _Delegate(PairingDelegate):
    def __init__(self, pairing: Pairing, connection: Any, capability: Any) -> None:
        super().__init__(capability)
        self._pairing, self._connection = pairing, connection

    async def generate_passkey(self) -> int:
        return await self._pairing.ask_passkey(self._connection, _PASSKEY_DISPLAY)

    async def get_number(self) -> int | None:
        return await self._pairing.ask_passkey(self._connection, _PASSKEY_INPUT)
