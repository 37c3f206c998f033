"""What the setup wizard has been told so far, and its steps."""

from enum import Enum

from attrs import frozen

from companion.session.table import ManagerChoice, SetupView
from companion.simulation.words import Mode


class Step(Enum):
    ARC = "arc"
    MODE = "mode"
    MANAGERS = "managers"
    ASSISTANTS = "assistants"
    PLANET = "planet"
    FLEET = "fleet"
    TABLE = "table"


@frozen
class Draft:
    """Chosen on the tablet and not yet told to anybody; who is seated stands in the `SetupView`."""

    step: Step = Step.ARC
    mode: Mode = Mode.SEMI_COOP
    scenario: str | None = None
    planet: str | None = None
    fleet: str | None = None
    flipped: frozenset[str] = frozenset()
    """Managers whose assistant card shows its second side."""
    picked: tuple[str, ...] = ()
    """Solo: the assistants that take part."""
    name: str = ""


def seated(view: SetupView) -> tuple[ManagerChoice, ...]:
    by_id = {manager.id: manager for manager in view.managers}
    return tuple(by_id[id] for id in view.seated if id in by_id)
