"""The app's belief about the table follows the events as the ARC's pages do."""

import pytest

from companion.link.mirror import Mirror
from companion.link.news import Snapshot
from protocol import pages
from protocol.events import (
    DETACHED_ITSELF,
    MODULE_ALONE,
    MODULE_DUPLICATE_ID,
    MODULE_REBOOTED,
    Body,
    Booted,
    CardPresented,
    CardRemoved,
    ModuleAttached,
    ModuleDetached,
    ModuleMoved,
    ModuleNoticed,
)
from protocol.message import ProtocolError

UID = b"\x04\xa3\xc6\xca\xe2\x61\x80"
NOTHING = pages.state_hash(b"", b"", b"")


def hash_of(
    modules: list[tuple[int, int, int]], edges: list[tuple[int, int, int, int]], tags: list[tuple[int, bytes]]
) -> int:
    return pages.state_hash(pages.encode_modules(modules), pages.encode_edges(edges), pages.encode_tags(tags))


def after(*bodies: Body) -> Mirror:
    mirror = Mirror()
    for body in bodies:
        mirror.apply(body)
    return mirror


SOLAR = ModuleAttached(1, 0xAA000032, bytes(3), 0x21)
WELL = ModuleAttached(5, 60, b"\x32\x00\x00", 0x31)


@pytest.mark.parametrize(
    ("bodies", "expected"),
    [
        ((), NOTHING),
        ((CardPresented(7, UID),), hash_of([], [], [(7, UID)])),
        ((CardPresented(7, UID), CardRemoved(7, UID)), NOTHING),
        ((SOLAR,), hash_of([(0xAA000032, 1, 0)], [(0, 2, 0xAA000032, 1)], [])),
        (
            (SOLAR, WELL),
            hash_of(
                [(0xAA000032, 1, 0), (60, 5, 0)], [(0, 2, 0xAA000032, 1), (0xAA000032, 3, 60, 1)], []
            ),
        ),
        (
            (SOLAR, WELL, ModuleMoved(5, 60, bytes(3), 0x02)),
            hash_of([(0xAA000032, 1, 0), (60, 5, 0)], [(0, 2, 0xAA000032, 1), (0, 0, 60, 2)], []),
        ),
        ((SOLAR, WELL, ModuleDetached(60, DETACHED_ITSELF)), hash_of([(0xAA000032, 1, 0)], [(0, 2, 0xAA000032, 1)], [])),
        ((SOLAR, ModuleNoticed(0xAA000032, MODULE_DUPLICATE_ID)), hash_of([(0xAA000032, 1, 2)], [(0, 2, 0xAA000032, 1)], [])),
        ((SOLAR, ModuleNoticed(0xAA000032, MODULE_DUPLICATE_ID), ModuleNoticed(0xAA000032, MODULE_ALONE)), hash_of([(0xAA000032, 1, 0)], [(0, 2, 0xAA000032, 1)], [])),
        ((SOLAR, ModuleNoticed(0xAA000032, MODULE_REBOOTED)), hash_of([(0xAA000032, 1, 0)], [(0, 2, 0xAA000032, 1)], [])),
        ((SOLAR, WELL, CardPresented(7, UID), Booted(1, 0, 1, 0)), NOTHING),
    ],
)  # fmt: skip
def test_the_belief_follows_the_events(bodies: tuple[Body, ...], expected: int) -> None:
    assert after(*bodies).hash() == expected


def test_a_snapshot_replaces_every_belief() -> None:
    mirror = after(SOLAR, CardPresented(7, UID))
    modules, edges = pages.encode_modules([(9, 2, 0), (10, 3, 2)]), pages.encode_edges([(0, 1, 9, 1), (9, 2, 10, 0)])
    tags = pages.encode_tags([(8, UID)])
    mirror.fill(modules, edges, tags)
    # one of two modules that share a number counts
    assert mirror.snapshot() == Snapshot(((9, 2), (10, 3)), ((0, 9), (9, 10)), ((8, UID),))
    assert mirror.hash() == pages.state_hash(modules, edges, tags)


def test_the_places_of_two_modules_that_share_a_number() -> None:
    mirror = after(SOLAR)
    edges = pages.encode_edges([(0, 1, 9, 1), (0, 3, 9, 2), (0, 0, 11, 0)])
    mirror.fill(pages.encode_modules([(9, 2, pages.FLAG_DUPLICATE_ID), (11, 2, 0)]), edges, b"")
    assert mirror.twins() == ((9, 0, 1), (9, 0, 3))


def test_a_module_whose_twin_has_gone_counts_again() -> None:
    mirror = Mirror()
    entries = [(9, 2, pages.FLAG_DUPLICATE_ID), (11, 2, 0), (13, 2, pages.FLAG_FOREIGN_VERSION)]
    mirror.fill(pages.encode_modules(entries), pages.encode_edges([(0, 1, 9, 1), (0, 3, 9, 2), (0, 0, 11, 0)]), b"")
    assert mirror.modules() == ((11, 2),)
    mirror.apply(ModuleNoticed(9, MODULE_ALONE))
    assert mirror.modules() == ((9, 2), (11, 2))
    assert mirror.twins() == ()


def test_a_page_that_is_none_changes_nothing() -> None:
    mirror = after(SOLAR)
    before = mirror.hash()
    with pytest.raises(ProtocolError):
        mirror.fill(b"\x01", b"", b"")
    assert mirror.hash() == before
