"""A whole evening over the real stacks, undisturbed: the measure for the disturbed ones."""

import pytest

from tests.end_to_end.evening import EVENING, Evening
from tests.end_to_end.registered import colony_text, registered


@pytest.mark.desk
@pytest.mark.parametrize("desk_link", ["ble", "serial"])
async def test_every_act_is_registered_once_and_in_order(evening: Evening) -> None:
    await evening.play()
    assert registered(evening.tablet.journal()) == [step.journaled for step in EVENING]
    assert len({colony_text(evening.tablet) for _ in range(2)}) == 1
