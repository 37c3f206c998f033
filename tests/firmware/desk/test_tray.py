"""The tray: every card and token of the catalog, its tag with its code, and things that are nobody's."""

import pytest

from companion import catalog
from firmware.desk.chips.tag_kinds import Classic1K, Ntag213
from firmware.desk.things import DamagedTag, Tray
from protocol.tag import NO_CODE, code_number, find_code


@pytest.fixture(scope="module")
def tray() -> Tray:
    return Tray(catalog.load())


def test_every_tag_holds_its_things_code_and_none_its_neighbours_uid(tray: Tray) -> None:
    uids = set()
    for thing in tray.things.values():
        tag = tray.tag_of(thing.name)
        uids.add(tag.uid)
        if thing.code:
            assert isinstance(tag, Ntag213)
            assert find_code(tag.memory[16:]) == code_number(thing.code)
    assert len(uids) == len(tray.things)


def test_a_thing_keeps_its_tag_and_another_uid_is_another_copy(tray: Tray) -> None:
    assert tray.tag_of("manager:bloch") is tray.tag_of("manager:bloch")
    copy = tray.tag_of("manager:bloch", bytes((4, 1, 2, 3, 4, 5, 6)))
    assert copy is not tray.tag_of("manager:bloch")
    assert copy.uid == bytes((4, 1, 2, 3, 4, 5, 6))


def test_what_belongs_to_nobody(tray: Tray) -> None:
    classic, foreign, damaged = (tray.tag_of(name) for name in ("classic", "foreign", "damaged"))
    assert isinstance(classic, Classic1K)
    assert (len(classic.uid), classic.uid[0]) == (4, 0x88)
    assert isinstance(foreign, Ntag213)
    assert find_code(foreign.memory[16:]) == NO_CODE
    assert isinstance(damaged, DamagedTag)


def test_an_unknown_thing_names_its_neighbours(tray: Tray) -> None:
    with pytest.raises(ValueError, match="nothing on the tray is called token:bloch; there is manager:bloch"):
        tray.tag_of("token:bloch")
