"""The watch beside the app's mirror of it: who hears the events knows the table that the ARC knows."""

from hypothesis import given, settings, strategies as st

from companion.link.mirror import Mirror
from protocol import events
from protocol.pages import encode_edges, encode_modules, state_hash
from tests.firmware.bus.test_module_watch import A, B, C, D, Watched

WORLDS = st.lists(
    st.tuples(
        st.dictionaries(st.sampled_from([A, B, C, D]), st.tuples(st.sampled_from([0, A, B, C]), st.integers(0, 3))),
        st.sets(st.sampled_from([A, B, C, D])),
        st.sets(st.sampled_from([A, B, C, D])),
        st.integers(1, 9),
    ),
    max_size=25,
)


@given(WORLDS)
@settings(deadline=None)
def test_the_apps_mirror_of_the_events_is_the_arcs_pages(
    worlds: list[tuple[dict[int, tuple[int, int]], set[int], set[int], int]],
) -> None:
    """Whatever is plugged, pulled, restarted and there twice: who applies the events and reads the edges when told has the same hash."""
    watched, mirror = Watched(), Mirror()
    for wanted, restarted, twice, cycles in worlds:
        for instance in restarted:
            watched.boots[instance] = watched.joins[instance] = watched.boots.get(instance, 1) + 1
        places = _tree(wanted)
        twins = {instance: (0, instance & 3, 1) for instance in twice}
        for _ in range(cycles):
            for body in watched.see(places, twins=twins):
                mirror.apply(body)
                if isinstance(body, events.TopologyChanged):
                    mirror.fill_edges(encode_edges(watched.watch.edges()))
            modules = encode_modules(watched.watch.modules())
            assert mirror.hash() == state_hash(modules, encode_edges(watched.watch.edges()), b"")


def _tree(wanted: dict[int, tuple[int, int]]) -> dict[int, tuple[int, int, int]]:
    """Those of the wanted places that hang together with the ARC, nearest first."""
    places: dict[int, tuple[int, int, int]] = {}
    is_growing = True
    while is_growing:
        is_growing = False
        for instance, (parent, port) in wanted.items():
            if instance not in places and parent != instance and (parent == 0 or parent in places):
                places[instance] = (parent, port, 0)
                is_growing = True
    return places
