"""The virtual Bluetooth dongle of the desk: one bumble host on one HCI transport, opened while somebody uses it.

Import this only where bumble is installed: a tablet has its own Bluetooth.
"""

import asyncio
import contextlib
import os
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

from bleak.exc import BleakError
from bumble import core, hci
from bumble.device import Device, DeviceConfiguration
from bumble.pairing import PairingConfig
from bumble.transport import open_transport

RADIO_VARIABLE = "ARC_BLE"
"""Environment variable that names the radio when the caller does not, e.g. `unix-client:/run/desk/hci`."""


@contextlib.contextmanager
def in_bleaks_words(what: str) -> Iterator[None]:
    """What bumble and the system raise, as the `BleakError` that a caller of bleak expects."""
    try:
        yield
    except (core.BaseBumbleError, hci.HCI_Error, OSError, EOFError) as error:
        raise BleakError(f"{what}: {error!r}") from error
    except asyncio.CancelledError:
        if is_cancelled_from_outside():
            raise
        raise BleakError(f"{what}: the radio went away") from None


def is_cancelled_from_outside() -> bool:
    """Or else by bumble, which cancels what is under way when a link or the radio goes."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


class Dongle:
    """One opened HCI transport with a bumble device on it. `users` call `release` when done; the last one closes it."""

    _open: dict[tuple[int, str], "Dongle"] = {}  # noqa: RUF012 - one per event loop and radio, by design

    def __init__(self, key: tuple[int, str]) -> None:
        self._key = key
        self._users = 0
        self._lock = asyncio.Lock()
        self._transport: Any = None
        self._on_lost: list[Callable[[], None]] = []
        self.device: Any = None
        self.is_lost = False

    @classmethod
    async def acquire(cls, radio: str | None) -> "Dongle":
        """The dongle for `radio` (None: the environment says); `BleakError` when it cannot be opened."""
        spec = radio or os.environ.get(RADIO_VARIABLE)
        if not spec:
            raise BleakError(f"no radio given: set {RADIO_VARIABLE} or pass radio=")
        key = id(asyncio.get_running_loop()), spec
        dongle = cls._open.setdefault(key, cls(key))
        dongle._users += 1
        try:
            async with dongle._lock:
                if dongle.device is None:
                    with in_bleaks_words(f"the radio at {spec} does not answer"):
                        await dongle._power_on(spec)
        except BaseException:
            await dongle.release()
            raise
        return dongle

    @classmethod
    @contextlib.asynccontextmanager
    async def borrowed(cls, radio: str | None) -> AsyncIterator["Dongle"]:
        """A dongle for the length of a `with`, so that several scans and connections share one."""
        dongle = await cls.acquire(radio)
        try:
            yield dongle
        finally:
            await dongle.release()

    async def _power_on(self, spec: str) -> None:
        self._transport = await open_transport(spec)
        address = bytearray(secrets.token_bytes(6))
        address[5] |= 0xC0  # random static, a new one each time, as tablets change theirs
        config = DeviceConfiguration(
            name="companion",
            address=hci.Address(bytes(address), hci.AddressType.RANDOM_DEVICE),
            identity_address_type=PairingConfig.AddressType.RANDOM,
        )
        device = Device.from_config_with_hci(config, self._transport.source, self._transport.sink)
        self._transport.source.terminated.add_done_callback(lambda _: self._lost())
        await device.power_on()
        self.device = device

    async def release(self) -> None:
        """One user less; the last one unplugs the dongle."""
        self._users -= 1
        if self._users:
            return
        self._forget()
        if self._transport is not None:
            transport, self._transport = self._transport, None
            await transport.close()

    def on_lost(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` when the radio goes away; returns the way to take that back."""
        self._on_lost.append(callback)
        return lambda: self._on_lost.remove(callback) if callback in self._on_lost else None

    def _lost(self) -> None:
        self.is_lost = True
        self._forget()
        for callback in list(self._on_lost):
            callback()

    def _forget(self) -> None:
        if self._open.get(self._key) is self:
            del self._open[self._key]
