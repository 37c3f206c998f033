"""The rig's driven clock sits the exam, at its beginning and just before it wraps; the board's own sits it on MicroPython."""

from collections.abc import Callable

import pytest

from tests.conformance.clocks import EXAM
from tests.firmware.reader.rig import RigClock


@pytest.mark.parametrize("start_us", [0, (1 << 30) - 300])
@pytest.mark.parametrize("check", EXAM, ids=lambda check: check.__name__.removeprefix("check_"))
def test_clock(check: Callable[[RigClock], None], start_us: int) -> None:
    check(RigClock(start_us))
