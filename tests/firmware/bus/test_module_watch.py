"""What happened on the table, out of who answers."""

from firmware.arc.module_watch import ModuleWatch, Sighting, ordered_edge
from protocol import events
from protocol.pages import FLAG_DUPLICATE_ID, FLAG_UNPLACED

GRACE_MS = 1500
A, B, C, D = 0x11000001, 0x11000002, 0x11000003, 0x11000004
CHAIN = {A: (0, 0, 0), B: (A, 2, 0), C: (B, 2, 0)}


class Watched:
    """A watch fed each 250 ms; places as instance → (parent, its port, own port)."""

    def __init__(self) -> None:
        self.watch = ModuleWatch(GRACE_MS)
        self.now_ms = 0
        self.boots: dict[int, int] = {}
        self.joins: dict[int, int] = {}

    def see(
        self,
        places: dict[int, tuple[int, int, int]],
        loops: tuple[tuple[int, int, int, int], ...] = (),
        missed: tuple[int, ...] = (),
        unplaced: tuple[int, ...] = (),
        twins: dict[int, tuple[int, int, int]] | None = None,
    ) -> list[events.Body]:
        """`twins`: where others of the same instances hang."""
        hanging = list(places.items()) + list((twins or {}).items())
        self.now_ms += 250
        seen = [
            Sighting(i, i & 0xFF, self.boots.get(i, 1), self.joins.get(i, 1), *place, i in missed, False)
            for i, place in hanging
        ]
        seen += [Sighting(i, i & 0xFF, 1, 1, None, 0, 0, False, True) for i in unplaced]
        edges = {ordered_edge(place[0], place[1], i, place[2]) for i, place in hanging}
        return self.watch.seen(self.now_ms, seen, edges | {ordered_edge(*loop) for loop in loops})

    def for_ms(self, duration_ms: int, places: dict[int, tuple[int, int, int]]) -> list[events.Body]:
        return [body for _ in range(duration_ms // 250) for body in self.see(places)]


def attached(instance: int, parent: int, ports: int) -> events.ModuleAttached:
    return events.ModuleAttached(instance & 0xFF, instance, (parent & 0xFFFFFF).to_bytes(3, "little"), ports)


def test_new_modules_are_announced_once() -> None:
    watched = Watched()
    assert watched.see(CHAIN) == [attached(A, 0, 0x00), attached(B, A, 0x20), attached(C, B, 0x20)]
    assert watched.see(CHAIN) == []
    assert watched.watch.modules() == [(A, 1, 0), (B, 2, 0), (C, 3, 0)]


def test_a_pulled_module_and_what_hung_on_it_go_in_one_batch() -> None:
    watched = Watched()
    watched.see(CHAIN | {D: (0, 1, 0)})
    left = {D: (0, 1, 0)}
    assert watched.for_ms(1500, left) == []
    assert watched.see(left) == [
        events.ModuleDetached(A, events.DETACHED_ITSELF),
        events.ModuleDetached(B, events.DETACHED_WITH_PARENT),
        events.ModuleDetached(C, events.DETACHED_WITH_PARENT),
    ]
    assert watched.watch.modules() == [(D, 4, 0)]
    assert watched.watch.edges() == [(0, 1, D, 0)]


def test_the_batch_waits_for_a_child_that_has_not_missed_its_third_poll_yet() -> None:
    watched = Watched()
    watched.see({A: (0, 0, 0), B: (A, 2, 0)})
    watched.see({B: (A, 2, 0)}, missed=(B,))
    told = [body for _ in range(8) for body in watched.see({B: (A, 2, 0)}, missed=(B,))]
    assert told == []
    assert [body.cause for body in watched.see({}) if isinstance(body, events.ModuleDetached)] == [1, 2]


def test_a_child_held_by_a_loop_stays() -> None:
    watched = Watched()
    watched.see({A: (0, 0, 0), B: (A, 2, 0)}, loops=((0, 1, B, 1),))
    told = watched.for_ms(2000, {B: (0, 1, 1)})
    assert told == [events.ModuleDetached(A, events.DETACHED_ITSELF)]
    assert watched.watch.edges() == [(0, 1, B, 1)]


def test_back_within_the_grace_is_no_event() -> None:
    watched = Watched()
    watched.see(CHAIN)
    watched.for_ms(1250, {A: (0, 0, 0)})
    watched.joins[B] = 2
    assert watched.see(CHAIN) == []


def test_back_after_a_restart_is_a_notice() -> None:
    watched = Watched()
    watched.see(CHAIN)
    watched.for_ms(1000, {A: (0, 0, 0)})
    watched.boots[B], watched.joins[B] = 2, 2
    assert watched.see(CHAIN) == [events.ModuleNoticed(B, events.MODULE_REBOOTED)]
    assert watched.see(CHAIN) == []


def test_back_at_another_place_has_moved() -> None:
    watched = Watched()
    watched.see(CHAIN)
    watched.for_ms(1000, {A: (0, 0, 0), B: (A, 2, 0)})
    watched.boots[C], watched.joins[C] = 2, 2
    told = watched.see(CHAIN | {C: (0, 3, 1)})
    assert told == [events.ModuleMoved(3, C, bytes(3), 0x31)]


def test_another_way_to_the_arc_is_no_move() -> None:
    watched = Watched()
    watched.see({A: (0, 0, 0)}, loops=((0, 1, A, 1),))
    told = watched.for_ms(3000, {A: (0, 1, 1)})
    assert told == [events.TopologyChanged(1)], "the lost edge, after the grace time"


def test_edges_come_at_once_and_go_after_the_grace() -> None:
    watched = Watched()
    places = {A: (0, 0, 0), B: (0, 1, 0)}
    watched.see(places)
    loop = (A, 1, B, 1)
    assert watched.see(places, loops=(loop,)) == [events.TopologyChanged(3)]
    assert watched.for_ms(1500, places) == []
    assert watched.see(places) == [events.TopologyChanged(2)]


def test_a_bouncing_edge_is_no_event() -> None:
    watched = Watched()
    places = {A: (0, 0, 0), B: (0, 1, 0)}
    watched.see(places, loops=((A, 1, B, 1),))
    for _ in range(20):
        assert watched.for_ms(1000, places) == []
        assert watched.see(places, loops=((A, 1, B, 1),)) == []


def test_two_of_one_instance_are_credited_once() -> None:
    watched = Watched()
    one, other = (Sighting(A, 1, 1, 1, 0, port, 0, False, False) for port in (0, 1))
    edges = {(0, 0, A, 0), (0, 1, A, 0)}
    told = watched.watch.seen(250, [one, other], edges)
    assert [type(body) for body in told] == [events.ModuleAttached, events.ModuleNoticed, events.TopologyChanged]
    assert told[1] == events.ModuleNoticed(A, events.MODULE_DUPLICATE_ID)
    assert watched.watch.modules() == [(A, 1, FLAG_DUPLICATE_ID)]
    assert watched.watch.seen(500, [other, one], edges) == []


def test_the_mark_of_two_goes_when_one_was_away_for_the_grace_and_can_come_again() -> None:
    one, other = (Sighting(A, 1, 1, 1, 0, port, 0, False, False) for port in (0, 1))
    both, edges = [one, other], {(0, 0, A, 0), (0, 1, A, 0)}
    watch = ModuleWatch(GRACE_MS)
    watch.seen(0, both, edges)
    for now_ms in (250, 1500, 1750, 3000):  # a contact that bounces
        assert watch.seen(now_ms, both if now_ms == 1500 else [one], edges) == []
    assert watch.seen(3250, [one], edges) == [events.ModuleNoticed(A, events.MODULE_ALONE)]
    assert watch.modules() == [(A, 1, 0)]
    assert watch.seen(3500, [one], edges) == []
    assert watch.seen(3750, both, edges) == [events.ModuleNoticed(A, events.MODULE_DUPLICATE_ID)]
    assert watch.modules() == [(A, 1, FLAG_DUPLICATE_ID)]


def test_the_mark_of_two_follows_the_notice_when_neither_had_a_place_before() -> None:
    """An app knows a module from its MODULE_ATTACHED on: a notice before it would be lost on it."""
    watch = ModuleWatch(GRACE_MS)
    nowhere = [Sighting(A, 1, 1, 1, None, 0, 0, False, True)] * 2
    assert watch.seen(0, nowhere, set()) == [events.ModuleNoticed(A, events.MODULE_UNPLACED)]
    somewhere = [Sighting(A, 1, 1, 1, 0, port, 0, False, False) for port in (0, 1)]
    told = watch.seen(250, somewhere, {(0, 0, A, 0), (0, 1, A, 0)})
    assert told[:2] == [attached(A, 0, 0x00), events.ModuleNoticed(A, events.MODULE_DUPLICATE_ID)]


def test_of_two_the_one_at_the_known_place_counts_in_whatever_order_they_answer() -> None:
    watched = Watched()
    watched.see({A: (0, 0, 0)})
    first = Sighting(A, 1, 1, 1, 0, 0, 0, False, False)
    later = Sighting(A, 1, 7, 2, 0, 1, 0, False, False)
    edges = {(0, 0, A, 0), (0, 1, A, 0)}
    assert events.ModuleNoticed(A, events.MODULE_DUPLICATE_ID) in watched.watch.seen(500, [first, later], edges)
    for now_ms, both in ((750, [later, first]), (1000, [first, later]), (1250, [later, first])):
        assert watched.watch.seen(now_ms, both, edges) == [], "nobody has restarted or moved"
    assert watched.watch.modules() == [(A, 1, FLAG_DUPLICATE_ID)]


def test_unplaced_is_noticed_once_and_attached_when_its_place_is_known() -> None:
    watched = Watched()
    assert watched.see({}, unplaced=(A,)) == [events.ModuleNoticed(A, events.MODULE_UNPLACED)]
    assert watched.see({}, unplaced=(A,)) == []
    assert watched.watch.modules() == []
    assert watched.see({A: (0, 2, 1)}) == [attached(A, 0, 0x21)]


def test_an_announced_module_that_loses_its_place_is_noticed_after_the_grace_and_moved_when_it_has_one_again() -> None:
    watched = Watched()
    watched.see({A: (0, 2, 1)})
    assert [body for _ in range(6) for body in watched.see({}, unplaced=(A,))] == []
    assert watched.see({}, unplaced=(A,))[0] == events.ModuleNoticed(A, events.MODULE_UNPLACED)
    assert watched.watch.modules() == [(A, 1, FLAG_UNPLACED)]
    assert watched.see({A: (0, 2, 1)})[0] == events.ModuleMoved(1, A, bytes(3), 0x21)
    assert watched.watch.modules() == [(A, 1, 0)]


def test_a_parent_that_cannot_be_told_by_24_bits_makes_the_app_read_the_edges() -> None:
    twin = A ^ 0x22000000
    watched = Watched()
    told = watched.see({A: (0, 0, 0), twin: (0, 1, 0), B: (twin, 1, 0)})
    assert told[-1] == events.TopologyChanged(3)
