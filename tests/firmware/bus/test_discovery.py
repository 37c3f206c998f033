"""Finding modules and edges: every size and shape, with and without noise, whole frames and single bytes."""

import pytest
from hypothesis import given, settings, strategies as st

from firmware.bus.discovery import REFUSED_GONE_MS
from firmware.bus.node import ADDRESSED
from firmware.bus.words import BUS_FULL
from firmware.desk.wire import PORTS
from protocol import events
from tests.firmware.bus.play import Play, of_kind

Link = tuple[str, int, str, int]


@st.composite
def plugs(draw: st.DrawFn, most: int = 20) -> tuple[int, list[Link]]:
    """How many modules, and how they are plugged: connected, with loops."""
    count = draw(st.integers(1, most))
    free = {"arc": list(range(PORTS))}
    links: list[Link] = []
    for index in range(count):
        name = f"m{index}"
        parent = draw(st.sampled_from([board for board, ports in free.items() if ports]))
        port = draw(st.sampled_from(free[parent]))
        own = draw(st.integers(0, PORTS - 1))
        free[parent].remove(port)
        free[name] = [p for p in range(PORTS) if p != own]
        links.append((parent, port, name, own))
    for _ in range(draw(st.integers(0, 5))):
        ends = [board for board, ports in free.items() if ports]
        if len(ends) < 2:
            break
        one, other = draw(st.permutations(ends))[:2]
        links.append((one, free[one].pop(), other, free[other].pop()))
    return count, links


def play(count: int, links: list[Link], **options: bool) -> Play:
    table = Play(**options)
    table.box(count)
    for link in links:
        table.table.plug(*link)
    return table


@given(plugs())
@settings(max_examples=60, deadline=None)
def test_any_way_of_plugging_is_found_as_it_is(plugged: tuple[int, list[Link]]) -> None:
    table = play(*plugged, slow=True)
    table.run_ms(1000)
    assert table.found() == {table.instance(f"m{index}") for index in range(plugged[0])}
    assert set(table.bus.edges()) == table.wired_edges()
    assert not of_kind(table.events, events.ModuleNoticed)
    assert not of_kind(table.events, events.FaultFound)


@given(plugs(most=8))
@settings(max_examples=25, deadline=None)
def test_whole_frames_equal_single_bytes(plugged: tuple[int, list[Link]]) -> None:
    whole, single = play(*plugged), play(*plugged, every_byte=True)
    for table in (whole, single):
        table.run_ms(1000)
        table.table.unplug("m0")
        table.run_ms(3500)
    assert whole.events == single.events
    assert whole.bus.statistics() == single.bus.statistics()
    assert whole.table.wire.now_us == single.table.wire.now_us


@pytest.mark.parametrize("every_byte", [False, True])
@pytest.mark.parametrize("count", [0, 1, 2, 8, 16, 31])
def test_so_many_modules_are_found_in_two_cycles(count: int, every_byte: bool) -> None:
    table = Play(slow=True, every_byte=every_byte)
    table.box(count)
    table.plug_tree(count)
    table.cycle()
    table.cycle()
    assert len(table.found()) == count
    assert len(of_kind(table.events, events.ModuleAttached)) == count
    assert [m.address for m in table.bus.coordinator.members()] == list(range(1, count + 1))


def test_parents_are_told_before_their_children() -> None:
    table = Play()
    table.box(31)
    table.plug_tree(31)
    table.run_ms(1000)
    known = {0}
    for body in of_kind(table.events, events.ModuleAttached):
        assert isinstance(body, events.ModuleAttached)
        assert int.from_bytes(body.parent, "little") in known
        known.add(body.instance & 0xFFFFFF)


def test_attached_names_type_parent_and_ports() -> None:
    table = Play()
    table.box(2)
    table.table.plug("arc", 3, "m0", 1)
    table.table.plug("m0", 2, "m1", 0)
    table.cycle()
    first, second = table.events
    low = (table.instance("m0") & 0xFFFFFF).to_bytes(3, "little")
    assert first == events.ModuleAttached(1, table.instance("m0"), bytes(3), 0x31)
    assert second == events.ModuleAttached(2, table.instance("m1"), low, 0x20)


def test_a_chain_of_sixteen_is_found_to_its_end() -> None:
    table = Play(slow=True)
    table.box(16)
    table.plug_chain([f"m{index}" for index in range(16)])
    table.run_ms(1000)
    assert len(table.found()) == 16
    assert set(table.bus.edges()) == table.wired_edges()


def test_the_thirty_second_module_is_refused_until_there_is_room() -> None:
    table = Play()
    modules = table.box(32)
    table.plug_tree(32)
    told = table.run_ms(1000)
    assert len(table.found()) == 31
    left_out = next(module for module in modules if module.node.identity.instance not in table.found())
    assert of_kind(told, events.FaultFound) == [
        events.FaultFound(events.FAULT_BUS_FULL, left_out.node.identity.instance)
    ]
    assert left_out.light.byte == 0x34, "slow white"
    assert table.bus.coordinator.discovery.refused == {left_out.node.identity.instance: BUS_FULL}
    assert not of_kind(table.run_ms(6000), events.FaultFound), "told once"
    table.table.unplug("m30")
    table.run_ms(10_000)
    assert left_out.node.identity.instance in table.found()
    assert table.bus.coordinator.discovery.refused == {}


def without_a_line(count: int) -> Play:
    """So many modules as a tree; no select line reaches the last of them."""
    table = Play()
    table.box(count)
    table.plug_tree(count)
    table.table.wire.cut_select(f"m{count - 1}", 0)
    return table


def test_a_refused_module_that_no_line_reaches_is_asked_again_too() -> None:
    table = without_a_line(32)
    table.run_ms(8_000)
    instance = table.instance("m31")
    assert table.bus.coordinator.discovery.refused == {instance: BUS_FULL}
    assert not of_kind(table.run_ms(30_000), events.FaultFound), "told once"
    table.table.unplug("m30")
    table.run_ms(10_000)
    assert table.table.modules["m31"].node.state == ADDRESSED
    assert table.bus.coordinator.discovery.refused == {}


def test_a_refused_module_that_is_pulled_does_not_leave_the_bus_full() -> None:
    table = without_a_line(32)
    table.run_ms(8_000)
    table.table.unplug("m31")
    table.run_ms(REFUSED_GONE_MS + 1_000)
    assert table.bus.coordinator.discovery.refused == {}


def test_of_two_refused_modules_at_one_port_the_one_that_was_pulled_is_forgotten() -> None:
    """Changed by hand faster than the link is seen to open."""
    table = Play()
    table.box(33)
    table.plug_tree(32)
    table.run_ms(1_000)
    (first,) = table.bus.coordinator.discovery.refused
    left_out = next(name for name in table.table.modules if table.instance(name) == first)
    near = table.table.wire.boards[left_out].edges[0]
    table.table.unplug(left_out)
    table.table.plug(*near, "m32", 0)
    table.run_ms(12_000)
    assert table.bus.coordinator.discovery.refused == {table.instance("m32"): BUS_FULL}


@pytest.mark.parametrize("error_rate", [1e-4, 1e-3, 5e-3, 1e-2])
@pytest.mark.parametrize("count", [1, 8, 31])
def test_byte_errors_delay_and_change_nothing(count: int, error_rate: float) -> None:
    table = Play(slow=True)
    table.box(count)
    table.plug_tree(count)
    table.table.wire.medium.byte_error_rate = error_rate
    table.run_ms(20_000)
    assert table.found() == {table.instance(f"m{index}") for index in range(count)}
    assert set(table.bus.edges()) == table.wired_edges()
    for kind in (events.ModuleDetached, events.ModuleMoved):
        assert not of_kind(table.events, kind)


def test_byte_errors_at_single_bytes() -> None:
    table = Play(slow=True, every_byte=True)
    table.box(8)
    table.plug_tree(8)
    table.table.wire.medium.byte_error_rate = 5e-3
    table.run_ms(10_000)
    assert len(table.found()) == 8
    assert not of_kind(table.events, events.ModuleDetached)
    assert table.bus.statistics()["crc_errors"] > 0


def test_a_triangle_and_a_double_link_are_edges_too() -> None:
    table = Play()
    table.box(3)
    table.table.plug("arc", 0, "m0", 0)
    table.table.plug("arc", 1, "m1", 0)
    table.table.plug("m0", 1, "m1", 1)
    table.table.plug("m0", 2, "m1", 2)
    table.table.plug("m1", 3, "m2", 0)
    told = table.run_ms(1000)
    assert set(table.bus.edges()) == table.wired_edges()
    assert of_kind(told, events.TopologyChanged) == [events.TopologyChanged(5)]


def test_a_loop_between_two_ports_of_the_arc() -> None:
    table = Play()
    table.box(1)
    table.table.plug("arc", 0, "m0", 0)
    table.table.plug("arc", 1, "m0", 1)
    table.run_ms(1000)
    assert len(table.found()) == 1
    assert set(table.bus.edges()) == table.wired_edges()


def test_old_addresses_are_preferred_for_a_minute() -> None:
    table = Play()
    table.box(3)
    for index in range(3):
        table.table.plug("arc", index, f"m{index}", 0)
    table.run_ms(500)
    addresses = {m.instance: m.address for m in table.bus.coordinator.members()}
    table.table.unplug("m0")
    table.table.unplug("m1")
    table.run_ms(5000)
    table.table.plug("arc", 0, "m1", 0)
    table.run_ms(1000)
    table.table.plug("arc", 1, "m0", 0)
    table.run_ms(1000)
    assert {m.instance: m.address for m in table.bus.coordinator.members()} == addresses


def test_a_wrong_edge_out_of_one_probe_is_not_reported() -> None:
    table = Play()
    table.box(2)
    table.table.plug("arc", 0, "m0", 0)
    table.cycle()
    topology = table.bus.coordinator.topology
    topology.connect(1, 8 << 3 | 2)  # as if noise had shown a neighbour at the ARC's port 1
    table.run_ms(1000)
    assert set(table.bus.edges()) == table.wired_edges()
    assert topology.other_end(1) is None
