"""What the session asks of the simulation and the catalog. `colonies.py` is the real one; tests have a small one."""

from typing import Protocol

from attrs import frozen

from companion.session.state import Colony
from companion.session.table import SetupView, TrayView
from companion.simulation.commands import Command, Refusal, Setup
from companion.simulation.player import PlayerView
from companion.simulation.player_report import PlayerReport


@frozen
class Tagged:
    """A card or token: `kind` is decree, directive, manager, governor or ambassador."""

    id: str
    kind: str
    title: str
    icon: str
    text: str = ""
    fee: str = ""
    manager: str | None = None
    """To whom a directive belongs."""


class Rules(Protocol):
    """Pure: the same question has the same answer."""

    @property
    def version(self) -> str:
        """Of the catalog: changes with any of its bytes."""

    def tagged(self, id: str) -> Tagged | None:
        """The card or token of this id."""

    def tagged_by_code(self, code: int) -> Tagged | None:
        """What carries this tag code."""

    def module_name(self, type_id: int) -> str | None: ...

    def in_pool(self, colony: Colony, type_id: int) -> bool:
        """Whether this game has such a module, and a copy of it that is not connected yet (§3.1.4)."""

    def seats(self, setup: Setup) -> tuple[str, ...]:
        """Who registers things: the managers, in solo the one player."""

    def new_game(self, setup: Setup, seed: int) -> Colony | Refusal: ...

    def step(self, colony: Colony, command: Command) -> tuple[Colony, object | None] | Refusal: ...

    def colony_text(self, colony: Colony) -> str:
        """All of a colony, whichever catalog it was played with; equal colonies give equal texts."""

    def colony_from_text(self, text: str) -> Colony:
        """A colony that goes on with this catalog; `ValueError` says what of it this catalog lacks."""

    def entries(self) -> dict[str, str]:
        """Every entry of the catalog by a name for people, with a short digest of it: to tell what two catalogs differ in."""

    def view(self, colony: Colony, name: str = "") -> PlayerView: ...

    def report(self, report: object) -> PlayerReport: ...

    def is_last_round(self, colony: Colony) -> bool: ...

    def has_ended(self, colony: Colony) -> bool: ...

    def setup_view(self, seated: tuple[str, ...], planned: Setup | None = None) -> SetupView:
        """What the wizard offers; points and the table's checklist are those of `planned` with the seated managers."""

    def tray(self, setup: Setup | None, connected: tuple[tuple[int, int], ...]) -> TrayView: ...
