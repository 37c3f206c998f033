"""Two modules of one instance: which of them counts, and how one gets an instance of its own."""

import pytest
from attrs import evolve

from firmware.arc.module_salt import ModuleSalt
from firmware.bus import words
from firmware.desk.wire import PASS, Answer, Delivery
from protocol import events
from protocol.messages import BUSY, UNKNOWN_MODULE, WRITE_FAILED, ModuleStatus
from protocol.pages import FLAG_DUPLICATE_ID
from tests.firmware.bus.play import Play, game_events, of_kind

TYPE = 4
PLACES = {"m0": ("arc", 0), "m1": ("arc", 1)}


def twins(**options: bool) -> Play:
    """Two of one identity at ports 0 and 1 of the ARC; m0 was there first."""
    table = Play(**options)
    for name, (parent, port) in PLACES.items():
        table.table.add(name, type_id=TYPE, chip=b"same one", salt=1)
        table.table.plug(parent, port, name, 0)
        table.run_ms(1000)
    return table


def rewrite(table: Play, instance: int, neighbour: int, port: int, cycles: int = 20) -> bytes | int:
    """As an app does it: again and again while it is BUSY."""
    for _ in range(cycles):
        answer = table.bus.salt.rewrite(instance, neighbour, port)
        if answer != BUSY:
            return answer
        table.cycle()
    return BUSY


def new_instance(answer: bytes | int) -> int:
    assert isinstance(answer, bytes), answer
    assert len(answer) == 4
    return int.from_bytes(answer, "little")


@pytest.mark.parametrize("every_byte", [False, True])
def test_the_one_that_came_later_gets_an_instance_of_its_own(every_byte: bool) -> None:
    table = twins(every_byte=every_byte)
    old = table.instance("m0")
    status = table.bus.read(old)
    assert isinstance(status, bytes)
    assert ModuleStatus.unpack(status, 0).sharers == 2
    table.events.clear()
    new = new_instance(rewrite(table, old, 0, 1))
    table.run_ms(3000)
    assert game_events(table.events) == [
        events.ModuleAttached(TYPE, new, bytes(3), 0x10),
        events.TopologyChanged(2),  # the edge between the ARC's port and the old instance is no more
    ]
    assert of_kind(table.events, events.ModuleNoticed) == [events.ModuleNoticed(old, events.MODULE_ALONE)]
    assert (table.instance("m0"), table.instance("m1")) == (old, new)
    assert set(table.bus.edges()) == table.wired_edges()
    assert table.table.modules["m0"].salt == 1
    assert words.instance_of(b"same one", table.table.modules["m1"].salt) == new


def test_the_one_that_counts_may_be_named_too_and_the_other_takes_its_part() -> None:
    table = twins()
    old = table.instance("m0")
    table.events.clear()
    new = new_instance(rewrite(table, old, 0, 0))
    table.run_ms(3000)
    assert sorted(map(repr, game_events(table.events))) == sorted(
        map(
            repr,
            [
                events.ModuleMoved(TYPE, old, bytes(3), 0x10),
                events.ModuleAttached(TYPE, new, bytes(3), 0x00),
            ],
        )
    )
    assert set(table.bus.edges()) == table.wired_edges()


def test_it_keeps_its_new_instance_through_a_restart() -> None:
    table = twins()
    new = new_instance(rewrite(table, table.instance("m0"), 0, 1))
    table.run_ms(3000)
    table.table.reset("m1")
    assert table.run_ms(3000) == [events.ModuleNoticed(new, events.MODULE_REBOOTED)]


def test_what_hangs_on_it_stays() -> None:
    table = twins()
    table.table.add("m2", type_id=7)
    table.table.plug("m1", 2, "m2", 3)
    table.run_ms(1000)
    child = table.instance("m2")
    table.events.clear()
    new = new_instance(rewrite(table, table.instance("m0"), 0, 1))
    table.run_ms(5000)
    assert not of_kind(table.events, events.ModuleDetached)
    assert of_kind(table.events, events.TopologyChanged)
    assert set(table.bus.edges()) == table.wired_edges()
    assert {new, child} < table.found()


def test_a_twin_behind_another_module_is_named_by_that_one() -> None:
    table = twins()
    table.table.unplug("m1")
    table.run_ms(3000)
    table.table.add("m2", type_id=7)
    table.table.plug("arc", 2, "m2", 0)
    table.table.plug("m2", 3, "m1", 1)
    table.run_ms(1000)
    old = table.instance("m0")
    assert rewrite(table, old, table.instance("m2"), 2) == UNKNOWN_MODULE, "that port is free"
    new = new_instance(rewrite(table, old, table.instance("m2"), 3))
    table.run_ms(3000)
    assert {old, new, table.instance("m2")} == table.found()
    assert table.table.modules["m1"].salt != 1


def test_a_module_that_shares_its_instance_with_nobody_keeps_it() -> None:
    table = twins()
    old = table.instance("m0")
    table.table.unplug("m1")
    table.run_ms(3000)
    assert rewrite(table, old, 0, 0) == UNKNOWN_MODULE
    assert table.table.modules["m0"].salt == 1


def test_an_answer_that_was_lost_with_the_link_is_given_again() -> None:
    table = twins()
    old = table.instance("m0")
    answer = rewrite(table, old, 0, 1)
    table.run_ms(3000)
    assert rewrite(table, old, 0, 1) == answer
    assert rewrite(table, old, 0, 2) == UNKNOWN_MODULE


def test_a_third_of_the_same_identity_at_the_same_place_is_another_module() -> None:
    table = twins()
    old = table.instance("m0")
    first = new_instance(rewrite(table, old, 0, 1))
    table.run_ms(1000)
    table.table.unplug("m1")
    table.table.add("m3", type_id=TYPE, chip=b"same one", salt=1)
    table.table.plug("arc", 1, "m3", 0)
    table.run_ms(3000)
    second = new_instance(rewrite(table, old, 0, 1))
    table.run_ms(3000)
    assert second not in (old, first)
    assert table.found() == {old, second}


def test_a_salt_that_cannot_be_kept_is_refused_and_can_be_tried_again() -> None:
    table = twins()
    old, module = table.instance("m0"), table.table.modules["m1"]
    module.node._resalt = lambda salt: False
    assert rewrite(table, old, 0, 1) == WRITE_FAILED
    module.node._resalt = module._resalt
    assert new_instance(rewrite(table, old, 0, 1)) != old


@pytest.mark.parametrize("lost", range(1, 9))
def test_lost_acknowledgements_cost_nothing(lost: int) -> None:
    table = twins()
    old, module = table.instance("m0"), table.table.modules["m1"]
    deliver, left = module.deliver, [lost]

    def lossy(delivery: Delivery) -> Answer:
        answer = deliver(delivery)
        if delivery.data[3] & 0x3F == words.RESALT and left[0]:
            left[0] -= 1
            answer = evolve(answer, kind=PASS)
        return answer

    module.deliver = lossy  # type: ignore[method-assign]
    new = new_instance(rewrite(table, old, 0, 1))
    assert not left[0] or lost > 4, "after four tries the module itself says who it is"
    table.run_ms(3000)
    assert table.instance("m1") == new
    assert table.found() == {old, new}


def test_nobody_is_resalted_for_a_place_that_was_never_asked_for() -> None:
    table = twins()
    assert table.bus.salt.rewrite(0, 0, 0) == UNKNOWN_MODULE
    assert table.bus.salt.rewrite(table.instance("m0"), 0, 1) == BUSY
    assert table.bus.salt.rewrite(0, 0, 0) == UNKNOWN_MODULE
    table.cycle()
    assert table.bus.salt.rewrite(0, 0, 0) == UNKNOWN_MODULE


def test_another_pair_asked_for_while_the_wire_is_busy_gets_its_own_answer() -> None:
    table = twins()
    for port, name in ((2, "m2"), (3, "m3")):
        table.table.add(name, type_id=TYPE, chip=b"other 1s", salt=1)
        table.table.plug("arc", port, name, 0)
        table.run_ms(1000)
    others = table.instance("m2")
    module = table.table.modules["m1"]
    deliver = module.deliver

    def deliver_and_ask(delivery: Delivery) -> Answer:
        if delivery.data[3] & 0x3F == words.RESALT:
            assert table.bus.salt.rewrite(others, 0, 3) == BUSY
        return deliver(delivery)

    module.deliver = deliver_and_ask  # type: ignore[method-assign]
    assert table.bus.salt.rewrite(table.instance("m0"), 0, 1) == BUSY
    table.cycle()
    new = new_instance(rewrite(table, others, 0, 3))
    table.run_ms(3000)
    assert table.instance("m3") == new != others
    assert table.found() == {table.instance(name) for name in ("m0", "m1", "m2", "m3")}
    assert len(table.found()) == 4


def test_one_that_is_refused_does_not_end_the_one_under_way() -> None:
    table = twins()
    old = table.instance("m0")
    assert table.bus.salt.rewrite(old, 0, 1) == BUSY
    table.run_ms(3000)
    assert table.bus.salt.rewrite(0xDEAD, 0, 3) == UNKNOWN_MODULE
    assert new_instance(rewrite(table, old, 0, 1)) == table.instance("m1") != old


def test_pulled_in_between_it_is_unknown() -> None:
    table = twins()
    old = table.instance("m0")
    assert table.bus.salt.rewrite(old, 0, 1) == BUSY
    table.table.unplug("m1")
    assert rewrite(table, old, 0, 1) == UNKNOWN_MODULE
    assert table.table.modules["m1"].salt == 1


def test_the_new_instance_names_neither_the_arc_nor_anybody_else_in_events() -> None:
    table = twins()
    low_bits = iter((0x5A000000, 0xAA000000 | (table.instance("m0") & 0xFFFFFF), 0x12345678))

    salts = iter(range(100))
    taken = []

    def instance_of(chip: bytes, salt: int) -> int:
        taken.append(salt)
        return next(low_bits)

    maker = ModuleSalt(table.bus.coordinator, lambda count: next(salts).to_bytes(count, "little"))
    original, words.instance_of = words.instance_of, instance_of
    try:
        assert maker._good_salt(b"same one") == 2
    finally:
        words.instance_of = original
    assert taken == [0, 1, 2]


def test_one_of_them_counts_the_first_and_when_it_goes_the_other() -> None:
    table = twins()
    old = table.instance("m0")
    assert table.events == [
        events.ModuleAttached(TYPE, old, bytes(3), 0x00),
        events.ModuleNoticed(old, events.MODULE_DUPLICATE_ID),
        events.TopologyChanged(2),
    ]
    assert table.bus.modules() == [(old, TYPE, FLAG_DUPLICATE_ID)]
    table.events.clear()
    table.table.unplug("m0")
    table.run_ms(4000)
    assert table.events == [
        events.ModuleMoved(TYPE, old, bytes(3), 0x10),
        events.ModuleNoticed(old, events.MODULE_ALONE),
    ]
    assert table.bus.modules() == [(old, TYPE, 0)]
    table.table.unplug("m1")
    table.run_ms(4000)
    assert table.bus.modules() == []
