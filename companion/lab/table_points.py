"""Points won on the table, which no app can see: drawn from one distribution, the same for everybody.

Three goals, each failed with 40 % (−3), met with 40 % (5) or met well with 20 % (8); two artifacts of 0 to 5; one ability
worth 3 in one of four games. Mean 12.95, standard deviation 8.3 a manager. In co-op and solo the three (yellow) goals are
the group's, once; artifacts and abilities are each manager's, in solo as for one. Rulebook §6.1 gives the kinds and the
artifact's range, the rest is our estimate.
"""

from companion.simulation.chance import Chance

GOALS, ARTIFACTS = 3, 2
_GOAL_WEIGHTS, _GOAL_POINTS = (40, 40, 20), (-3, 5, 8)
_ARTIFACT_MOST = 5
_ABILITY_PERMILLE, _ABILITY_POINTS = 250, 3


def draw_table_points(seats: int, is_common: bool, chance: Chance) -> tuple[int, ...]:
    """One number a seat; in co-op and solo one number, the sum."""
    cards = [_draw_cards(chance) for _ in range(seats)]
    goals = [_draw_goals(chance) for _ in range(1 if is_common else seats)]
    if is_common:
        return (sum(cards) + sum(goals),)
    return tuple(a + b for a, b in zip(cards, goals, strict=True))


def _draw_goals(chance: Chance) -> int:
    return sum(_GOAL_POINTS[chance.pick(_GOAL_WEIGHTS)] for _ in range(GOALS))


def _draw_cards(chance: Chance) -> int:
    artifacts = sum(chance.below(_ARTIFACT_MOST + 1) for _ in range(ARTIFACTS))
    return artifacts + (_ABILITY_POINTS if chance.happens(_ABILITY_PERMILLE) else 0)
