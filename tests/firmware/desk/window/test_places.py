"""The drawn table's geometry."""

from hypothesis import given, strategies as st

from firmware.desk.window.places import ARC, PORTS, Place, Plug, arrange, beyond, free_loops, free_spots


def test_a_miniature_lies_where_its_port_faces_with_its_own_port_towards_the_parent() -> None:
    places = arrange([(ARC, 1, "solar", 0)])
    assert places["solar"].cell == (1, 0)
    assert places["solar"].direction(0) == 3


def test_facing_ports_of_neighbours_can_close_a_loop_and_then_no_more() -> None:
    # solar east of the ARC, well north of solar, tanks north of the ARC: well and tanks lie side by side
    plugs: list[Plug] = [(ARC, 1, "solar", 0), ("solar", 1, "well", 0), (ARC, 0, "tanks", 0)]
    places = arrange(plugs)
    assert places["well"].cell == (1, 1)
    loops = free_loops(places, plugs)
    assert [{loop.board, loop.other} for loop in loops] == [{"tanks", "well"}]
    loop = loops[0]
    assert free_loops(places, [*plugs, (loop.board, loop.port, loop.other, loop.other_port)]) == []


def test_free_spots_are_the_free_ports_that_face_nothing() -> None:
    plugs: list[Plug] = [(ARC, 0, "solar", 2)]
    spots = free_spots(arrange(plugs), plugs)
    assert {(spot.board, spot.port) for spot in spots} == {
        *((ARC, port) for port in (1, 2, 3)),
        *(("solar", port) for port in (0, 1, 3)),
    }


@st.composite
def plugged(draw: st.DrawFn) -> list[Plug]:
    """Random trees with a few loops, as hands make them: each port once."""
    free = [(ARC, port) for port in range(PORTS)]
    plugs: list[Plug] = []
    for number in range(draw(st.integers(0, 20))):
        board, port = free.pop(draw(st.integers(0, len(free) - 1)))
        own = draw(st.integers(0, PORTS - 1))
        plugs.append((board, port, f"m{number}", own))
        free += [(f"m{number}", other) for other in range(PORTS) if other != own]
    for _ in range(draw(st.integers(0, 3))):
        a = free.pop(draw(st.integers(0, len(free) - 1)))
        others = [end for end in free if end[0] != a[0]]
        if others:
            b = draw(st.sampled_from(others))
            free.remove(b)
            plugs.append((*a, *b))
    return plugs


@given(plugged())
def test_every_board_has_a_cell_of_its_own_and_every_spot_is_free(plugs: list[Plug]) -> None:
    places = arrange(plugs)
    assert set(places) == {ARC, *(name for plug in plugs for name in (plug[0], plug[2]))}
    cells = [place.cell for place in places.values()]
    assert len(set(cells)) == len(cells)
    ends = {end for plug in plugs for end in ((plug[0], plug[1]), (plug[2], plug[3]))}
    for spot in free_spots(places, plugs):
        assert (spot.board, spot.port) not in ends
        assert spot.cell not in cells
        place: Place = places[spot.board]
        assert beyond(place.cell, place.direction(spot.port)) == spot.cell
