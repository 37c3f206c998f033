"""A row of modules: plug one, it is flashed, verified, named and labelled; the next."""

from collections.abc import Callable, Iterable

from attrs import frozen

from companion.catalog import Catalog
from companion.catalog.model import ModuleType
from firmware.flash.board import Board
from firmware.flash.errors import FlashError
from firmware.flash.identity import Identity, label_line, read_identity, write_identity
from firmware.flash.install import install
from firmware.flash.kinds import MODULE
from firmware.flash.ledger import Ledger
from firmware.flash.program import Program
from firmware.flash.show import Show


@frozen
class Flashed:
    identity: Identity
    line: str


class AlreadyFlashedError(FlashError):
    """This board has a type, and another one was to be given to it."""


def wanted_modules(catalog: Catalog, names: Iterable[str]) -> list[ModuleType]:
    """The modules named, or the whole box: every module as often as the box holds it."""
    chosen = list(names)
    unknown = [name for name in chosen if name not in catalog.modules]
    if unknown:
        known = ", ".join(catalog.modules)
        raise FlashError(f"no module is called {', '.join(unknown)}", f"choose from: {known}")
    if chosen:
        return [catalog.modules[name] for name in chosen]
    return [module for module in catalog.modules.values() for _ in range(module.copies)]


def still_to_flash(row: list[ModuleType], ledger: Ledger) -> list[ModuleType]:
    """What of the row the ledger does not have yet, in order."""
    done = [entry.get("module") for entry in ledger.entries()]
    left = []
    for module in row:
        if module.id in done:
            done.remove(module.id)
        else:
            left.append(module)
    return left


def flash_module(
    board: Board, program: Program, module: ModuleType | None, catalog: Catalog, show: Show, *, anyway: bool = False
) -> Flashed:
    """One module. `AlreadyFlashedError` when it is another one already, unless `anyway`; `module` None keeps what it is."""
    board.enter()
    held = read_identity(board, board.facts())
    if module and held and held.type_id not in (0, module.type_id) and not anyway:
        line = label_line(held, catalog.module_by_type(held.type_id))
        raise AlreadyFlashedError(
            f"this board is {line} already", f"plug the {module.name}'s board instead, or use --anyway to make it one"
        )
    given: list[Identity] = []
    type_id = module.type_id if module else None
    install(board, MODULE, program, show, lambda board, facts: given.append(write_identity(board, facts, type_id)))
    return Flashed(given[0], label_line(given[0], catalog.module_by_type(given[0].type_id)))


def flash_row(
    row: list[ModuleType],
    next_board: Callable[[ModuleType], Board],
    program: Program,
    catalog: Catalog,
    ledger: Ledger,
    show: Show,
    *,
    anyway: bool = False,
) -> list[Flashed]:
    """Each module of the row that the ledger lacks. What fails is told and the same module asked for once more."""
    flashed: list[Flashed] = []
    left = still_to_flash(row, ledger)
    if len(left) < len(row):
        show.say(f"{len(row) - len(left)} of {len(row)} are done already, says {ledger.path}")
    while left:
        module = left[0]
        show.say(f"plug the {module.name} ({len(row) - len(left) + 1} of {len(row)})")
        try:
            with next_board(module) as board:
                done = flash_module(board, program, module, catalog, show, anyway=anyway)
        except FlashError as error:
            show.warn(str(error))
            show.say("pull this board; to try it once more, plug it again after five seconds")
            continue
        left.pop(0)
        ledger.add(module=module.id, serial=done.identity.serial)
        show.say(f"label: {done.line}")
        flashed.append(done)
    show.say(f"all {len(row)} modules are flashed")
    return flashed
