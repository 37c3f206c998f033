"""The generator against its published vectors, and its derived draws."""

from hypothesis import given, strategies as st

from companion.simulation.chance import Chance


def test_vectors_of_the_published_generator() -> None:
    chance = Chance(1234567)
    assert [chance.draw() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_seed_zero() -> None:
    assert Chance(0).draw() == 0xE220A8397B1DCDAF


def test_goes_on_from_its_state() -> None:
    first = Chance(99)
    first.draw()
    again = Chance(first.state)
    assert [again.draw() for _ in range(3)] == [first.draw() for _ in range(3)]


@given(st.integers(0, 2**64 - 1), st.integers(1, 10**9))
def test_below_stays_below(state: int, count: int) -> None:
    assert 0 <= Chance(state).below(count) < count


@given(st.integers(0, 2**64 - 1), st.integers(0, 10_000))
def test_spread_is_within_its_width(state: int, width: int) -> None:
    assert -width <= Chance(state).spread(width) <= width


def test_spread_reaches_both_ends() -> None:
    chance = Chance(5)
    assert {chance.spread(2) for _ in range(200)} == {-2, -1, 0, 1, 2}


def test_happens_is_as_often_as_said() -> None:
    chance = Chance(3)
    assert 230 <= sum(chance.happens(250) for _ in range(1000)) <= 270
    assert not any(chance.happens(0) for _ in range(100))
    assert all(chance.happens(1000) for _ in range(100))


def test_pick_follows_the_weights() -> None:
    chance = Chance(8)
    drawn = [chance.pick([1, 0, 3]) for _ in range(4000)]
    assert drawn.count(1) == 0
    assert 0.22 < drawn.count(0) / 4000 < 0.28
