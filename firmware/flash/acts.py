"""What each command does, put together from the parts. Answers whether all went well."""

import argparse
import time

from attrs import frozen

from companion.catalog import Catalog
from companion.catalog.model import ModuleType
from firmware.flash import examine, interpreter, reader_bench, row
from firmware.flash.arc_session import ArcSession, open_port
from firmware.flash.board import Board, Facts
from firmware.flash.deck import Deck, cards_of
from firmware.flash.errors import NeedsMicroPythonError
from firmware.flash.install import install, plan
from firmware.flash.kinds import ARC, MODULE, BoardKind
from firmware.flash.ledger import Ledger, default_path
from firmware.flash.module_updates import ModuleUpdates, OnBus, modules_on_bus, version_text
from firmware.flash.partitions import is_laid_out
from firmware.flash.ports import find_port, follow, list_usb_ports, wait_for_new
from firmware.flash.program import Program, build_program
from firmware.flash.show import Show
from firmware.flash.tags import TagWriter, done_numbers
from firmware.flash.tokens import TokenFile
from firmware.flash.updating import image_of, instance_of, read_image, save_image, send_update

RESTART_S = 3.0
"""After esptool has let go of a chip, until its port may be asked for."""


@frozen
class Bench:
    """What every command works with."""

    show: Show
    catalog: Catalog


def flash_arc(chosen: argparse.Namespace, bench: Bench) -> bool:
    program = _build(ARC, bench)
    with _board(ARC, chosen, bench) as board:
        if chosen.dry_run:
            plan(board, ARC, program, bench.show)
            return True
        _lay_out(board, chosen, bench)
        done = install(board, ARC, program, bench.show)
    bench.show.say(f"the ARC runs {done.version} from {done.folder}/: {done.sent} files sent, {done.kept} were there")
    bench.show.say("press its button to pair a tablet; `python -m firmware.flash selftest` tries its parts")
    return True


def update(chosen: argparse.Namespace, bench: Bench) -> bool:
    """The ARC, or with `--module`, `--modules` what hangs on its bus."""
    named = None if chosen.module is None else OnBus(instance_of(chosen.module), chosen.module)
    is_module = named is not None or chosen.modules is not None
    kind = MODULE if is_module else ARC
    if chosen.modules:
        # a name that there is not is told before anybody presses buttons
        row.wanted_modules(bench.catalog, [chosen.modules])
    image = read_image(chosen.image, kind) if chosen.image else image_of(_build(kind, bench), kind)
    version = version_text(image.head.version)
    if chosen.save:
        save_image(image, chosen.save)
        bench.show.say(f"{chosen.save}: firmware {version}, {len(image.data)} bytes; an app can send it over Bluetooth")
        return True
    with _session(chosen, bench) as session:
        token = session.token
        if is_module:
            modules = [named] if named else modules_on_bus(session, bench.catalog, chosen.modules)
            if not modules:
                bench.show.warn(f"no {chosen.modules or 'module'} is on the ARC's bus: plug it, and run this again")
                return False
            updates = ModuleUpdates(
                session, image, token, bench.show, time.sleep, anyway=chosen.anyway or named is not None
            )
            return updates.run(modules)
        send_update(session, image, token, bench.show)
    bench.show.say(
        f"the ARC restarts into {version}, on trial: it stays once a paired tablet or computer has connected"
    )
    return True


def flash_one_module(chosen: argparse.Namespace, bench: Bench) -> bool:
    module = row.wanted_modules(bench.catalog, [chosen.type])[0] if chosen.type else None
    program = _build(MODULE, bench)
    with _board(MODULE, chosen, bench) as board:
        if chosen.dry_run:
            plan(board, MODULE, program, bench.show)
            return True
        done = row.flash_module(board, program, module, bench.catalog, bench.show, anyway=chosen.anyway)
    bench.show.say(f"label: {done.line}")
    return True


def flash_modules(chosen: argparse.Namespace, bench: Bench) -> bool:
    wanted = row.wanted_modules(bench.catalog, chosen.types)
    ledger = Ledger(chosen.ledger or default_path("modules.jsonl"))
    if chosen.dry_run:
        left = row.still_to_flash(wanted, ledger)
        for module in left:
            bench.show.say(f"would flash {module.name}, type {module.type_id}")
        bench.show.say(f"{len(wanted) - len(left)} of {len(wanted)} are done already, says {ledger.path}")
        return True
    program = _build(MODULE, bench)
    known: set[str] = set()

    def next_board(_: ModuleType) -> Board:
        if chosen.micropython:
            _revive_module(chosen, bench, known)
        port = wait_for_new(MODULE, known)
        known.add(port.identity)
        return Board(follow(port), MODULE)

    row.flash_row(wanted, next_board, program, bench.catalog, ledger, bench.show, anyway=chosen.anyway)
    return True


def write_tags(chosen: argparse.Namespace, bench: Bench) -> bool:
    cards = cards_of(bench.catalog, chosen.deck)
    if chosen.list:
        for card in cards:
            bench.show.say(f"{card.uri}  {card.text}")
        return True
    ledger = Ledger(chosen.ledger or default_path("tags.jsonl"))
    deck = Deck.of(cards, done_numbers(ledger, "verified" if chosen.verify else "written"))
    with _session(chosen, bench) as session:
        writer = TagWriter(
            session, bench.catalog, ledger, bench.show, overwrite=chosen.overwrite, only_verify=chosen.verify
        )
        return writer.run(deck).wanted is None


def show_log(chosen: argparse.Namespace, bench: Bench) -> bool:
    with _session(chosen, bench) as session:
        bench.show.say(examine.explain(examine.read_log(session)) or "the log is empty")
    return True


def run_self_test(chosen: argparse.Namespace, bench: Bench) -> bool:
    with _session(chosen, bench) as session:
        if chosen.set_gain is not None:
            return reader_bench.set_gain(session, chosen.set_gain, bench.show)
        is_good = examine.self_test(session, bench.show)
        return (reader_bench.check_reader(session, bench.show) if chosen.gain else True) and is_good


def check(chosen: argparse.Namespace, bench: Bench) -> bool:
    ports = list_usb_ports()
    examine.tell_ports(ports, bench.show)
    ours = [port for port in ports if port.kind]
    if not chosen.port and len(ours) != 1:
        return bool(ours)
    kind = next((port.kind for port in ours if chosen.port in (None, port.name)), None) or ARC
    with Board(find_port(kind, chosen.port), kind) as board:
        examine.check_board(board, bench.show)
    return True


def _build(kind: BoardKind, bench: Bench) -> Program:
    program = build_program(kind.entry)
    bench.show.say(f"{kind.noun} firmware {program.version}: {len(program.files)} files, {program.size / 1024:.1f} KiB")
    return program


def _board(kind: BoardKind, chosen: argparse.Namespace, bench: Bench) -> Board:
    if chosen.micropython and kind is MODULE:
        _revive_module(chosen, bench, set())
        return Board(find_port(MODULE, chosen.port) if chosen.port else follow(wait_for_new(MODULE, set())), MODULE)
    port = find_port(kind, chosen.port)
    if not chosen.micropython:
        return Board(port, kind)
    interpreter.put_micropython(kind, port(), chosen.micropython, bench.show, dry_run=chosen.dry_run)
    _let_it_restart(chosen)

    def port_by_now() -> str:
        # the boot loader and MicroPython are two devices to USB: the first may never come back
        return find_port(kind, chosen.port)()

    return Board(port_by_now, kind)


def _revive_module(chosen: argparse.Namespace, bench: Bench, known: set[str]) -> None:
    """MicroPython onto a module in its boot loader, empty or not. What has no port meanwhile is not `known` any more."""
    bench.show.say(f"waiting for the drive RPI-RP2: {MODULE.bootloader}")
    drive = interpreter.wait_for_drive()
    known &= {port.identity for port in list_usb_ports()}
    interpreter.put_micropython(MODULE, drive, chosen.micropython, bench.show, dry_run=chosen.dry_run)
    _let_it_restart(chosen)


def _let_it_restart(chosen: argparse.Namespace) -> None:
    if not chosen.dry_run:
        time.sleep(RESTART_S)


def _lay_out(board: Board, chosen: argparse.Namespace, bench: Bench) -> None:
    """The ARC's partitions have to be there before its firmware. Writing the table erases nothing by itself, but the
    file system moves, so this is only done when people say so."""
    board.enter()
    facts: Facts = board.facts()
    if facts.platform != ARC.platform or is_laid_out(examine.list_partitions(board)):
        return
    board.reset()
    raise NeedsMicroPythonError(
        "the ARC's flash is not laid out for events, game and settings",
        f"{ARC.bootloader}, then run this again with `--micropython fetch` (it erases the chip and lays it out)",
    )


def _session(chosen: argparse.Namespace, bench: Bench) -> ArcSession:
    tokens = TokenFile(default_path("pairing.json"))
    return ArcSession(open_port(find_port(ARC, chosen.port)()), tokens, bench.show)
