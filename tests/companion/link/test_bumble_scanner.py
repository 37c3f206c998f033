"""A scan on the desk's radio that does not begin: what was wrong is told, not what went wrong as it was given up."""

import asyncio
from typing import Any

import pytest
from bleak.exc import BleakError

from companion.link.bumble_dongle import Dongle
from companion.link.bumble_scanner import BumbleScanner


class LostDongle:
    """Its radio goes as the scan is to begin."""

    is_lost = False
    released = 0

    def __init__(self) -> None:
        self.device = self
        self.asked = asyncio.Event()
        self.failure: Exception | None = None

    def on(self, *_: Any) -> None: ...

    def remove_listener(self, *_: Any) -> None: ...

    async def start_scanning(self, active: bool) -> None:
        self.is_lost = True
        self.asked.set()
        if self.failure:
            raise self.failure
        await asyncio.Event().wait()

    async def release(self) -> None:
        self.released += 1


@pytest.fixture
async def dongle(monkeypatch: pytest.MonkeyPatch) -> LostDongle:
    made = LostDongle()

    async def acquire(radio: str | None) -> Any:
        return made

    monkeypatch.setattr(Dongle, "acquire", acquire)
    return made


async def test_why_it_did_not_begin_is_told(dongle: LostDongle) -> None:
    dongle.failure = EOFError("nobody there")
    with pytest.raises(BleakError, match=r"the scan did not begin: .*nobody there"):
        await BumbleScanner().start()
    assert dongle.released == 1


async def test_who_gives_up_has_given_up(dongle: LostDongle) -> None:
    starting = asyncio.create_task(BumbleScanner().start())
    await dongle.asked.wait()
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert dongle.released == 1
