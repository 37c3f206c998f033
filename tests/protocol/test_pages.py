"""State pages: one order for every way to collect them, and a hash that sees every difference."""

from typing import Any

import pytest
from hypothesis import example, given, strategies as st

from protocol import pages, reading
from protocol.events import short_uid
from protocol.message import ProtocolError
from tests.protocol.strategies import uids

instances = st.integers(1, 0xFFFFFFFF)
bytes_ = st.integers(0, 0xFF)
module_lists = st.lists(st.tuples(instances, bytes_, bytes_), max_size=31, unique_by=lambda entry: entry[0])
edge_sets = st.sets(st.tuples(st.integers(0, 0xFFFFFFFF), bytes_, st.integers(0, 0xFFFFFFFF), bytes_), max_size=40)
tag_sets = st.sets(st.tuples(st.integers(0, 0xFFFF), uids), max_size=3)
whole_tables = st.tuples(module_lists, edge_sets, tag_sets)

Table = tuple[list[tuple[int, int, int]], set[tuple[int, int, int, int]], set[tuple[int, bytes]]]


def encode(table: Table) -> tuple[bytes, bytes, bytes]:
    modules, edges, tags = table
    return pages.encode_modules(modules), pages.encode_edges(edges), pages.encode_tags(tags)


@given(whole_tables)
def test_order_and_direction_do_not_matter(table: Table) -> None:
    modules, edges, tags = table
    turned = {(other, other_port, one, port) for one, port, other, other_port in edges}
    assert encode((modules[::-1], turned, tags)) == encode(table)
    assert pages.encode_tags(sorted(tags)) == pages.encode_tags(sorted(tags, reverse=True))


@given(whole_tables)
def test_pages_come_back(table: Table) -> None:
    modules_page, edges_page, tags_page = encode(table)
    assert reading.decode_modules(modules_page) == sorted(table[0])
    edges = reading.decode_edges(edges_page)
    assert all((one, port) <= (other, other_port) for one, port, other, other_port in edges)
    assert pages.encode_edges(edges) == edges_page
    assert set(reading.decode_tags(tags_page)) == {(code, short_uid(uid)) for code, uid in table[2]}


@given(whole_tables, whole_tables)
def test_the_hash_tells_tables_apart(left: Table, right: Table) -> None:
    same = encode(left) == encode(right)
    assert (pages.state_hash(*encode(left)) == pages.state_hash(*encode(right))) == same


@given(st.binary(max_size=20), st.binary(max_size=20))
def test_the_hash_sees_where_a_page_ends(left: bytes, right: bytes) -> None:
    if left:
        assert pages.state_hash(left, right, b"") != pages.state_hash(left[:-1], left[-1:] + right, b"")


@given(st.binary(max_size=60))
def test_any_bytes_are_a_page_or_a_protocol_error(page: bytes) -> None:
    codecs: tuple[tuple[Any, Any], ...] = (
        (reading.decode_modules, pages.encode_modules),
        (reading.decode_edges, pages.encode_edges),
        (reading.decode_tags, pages.encode_tags),
    )
    for decode, encode_again in codecs:
        try:
            entries = decode(page)
        except ProtocolError:
            continue
        assert encode_again(entries) == page


@given(st.binary(max_size=300), st.integers(1, 60))
@example(b"", 20)
def test_chunks_make_the_page(page: bytes, size: int) -> None:
    count = pages.page_chunk(page, 0, size)[0]
    assert count >= 1, "an empty page has one chunk, too"
    chunks = [pages.page_chunk(page, index, size)[1] for index in range(count)]
    assert b"".join(chunks) == page
    assert all(len(chunk) <= size for chunk in chunks)
    assert all(chunks[1:])
    assert pages.page_chunk(page, count, size) == (count, b"")


def test_values_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ProtocolError):
        pages.encode_modules([(1 << 32, 1, 0)])
    with pytest.raises(ProtocolError, match="twice"):
        pages.encode_modules([(7, 1, 0), (7, 2, 0)])
