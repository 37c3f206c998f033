"""A whole evening over the real stacks, undisturbed: the measure for the disturbed ones."""

import os

import pytest

from tests.end_to_end.evening import EVENING, Evening
from tests.end_to_end.registered import colony_text, keep_journal, registered, undisturbed_journal


@pytest.mark.desk
@pytest.mark.parametrize("desk_link", ["ble", "serial"])
async def test_every_act_is_registered_once_and_in_order(evening: Evening, desk_link: str) -> None:
    await evening.play()
    journal = evening.tablet.journal()
    if os.environ.get("BLESS") and desk_link == "ble":
        keep_journal(journal)
    assert registered(journal) == [step.journaled for step in EVENING]
    assert colony_text(journal) == colony_text(undisturbed_journal())
