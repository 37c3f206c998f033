"""`python -m firmware.flash`: firmware onto boards, codes onto tags, logs and self-tests from an ARC."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from companion import catalog
from companion.catalog import CatalogError
from firmware.flash import acts
from firmware.flash.deck import ALL, DECKS
from firmware.flash.errors import FlashError
from firmware.flash.reader_bench import GAINS_DB
from firmware.flash.show import Terminal
from protocol.message import ProtocolError


def main(arguments: list[str] | None = None) -> int:
    """0 when it is done, 1 when it is not (a sentence says why and what to do), 130 when people stopped it."""
    chosen = _parser().parse_args(arguments)
    act: Callable[[argparse.Namespace, acts.Bench], bool] = chosen.act
    show = Terminal()
    try:
        return 0 if act(chosen, acts.Bench(show, catalog.load(chosen.catalog))) else 1
    except (FlashError, CatalogError) as error:
        show.warn(str(error))
        return 1
    except ProtocolError as error:
        show.warn(
            f"the ARC's answer cannot be read ({error})\n"
            "  → use the tool of the ARC's version, or flash the ARC with this one: `python -m firmware.flash arc`"
        )
        return 1
    except KeyboardInterrupt:
        show.warn("stopped; the same command goes on where this one was")
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m firmware.flash", description=__doc__)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--port", help="serial port; needed only when several boards could be meant")
    common.add_argument("--catalog", type=Path, help="another folder of cards and modules")
    flashing = argparse.ArgumentParser(add_help=False, parents=[common])
    flashing.add_argument("--dry-run", action="store_true", help="look and say what would be done, change nothing")
    flashing.add_argument(
        "--micropython",
        metavar="FILE|fetch",
        help="first put MicroPython on the chip, erasing all of it (fetch: downloads it)",
    )
    listed = argparse.ArgumentParser(add_help=False)
    listed.add_argument("--ledger", type=Path, help="file that remembers what is done")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, act: object, text: str, *parents: argparse.ArgumentParser) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=text, description=text, parents=list(parents or (common,)))
        added.set_defaults(act=act)
        return added

    command("arc", acts.flash_arc, "flash the ARC", flashing)
    update = command(
        "update", acts.update, "update an ARC that runs, or its modules, over its session and not its prompt"
    )
    update.add_argument("image", nargs="?", type=Path, help="an image made with --save; without, these sources")
    which = update.add_mutually_exclusive_group()
    which.add_argument("--module", metavar="SERIAL", help="not the ARC itself, but this module on its bus")
    which.add_argument(
        "--modules", metavar="TYPE", nargs="?", const="", help="all modules on its bus, or all of a type such as solar"
    )
    update.add_argument(
        "--anyway", action="store_true", help="with --modules: also those that run this version already"
    )
    update.add_argument("--save", type=Path, metavar="FILE", help="only write the image, for an app to send")
    module = command("module", acts.flash_one_module, "flash one module", flashing)
    module.add_argument("type", nargs="?", help="which module it is, such as solar; without it stays what it is")
    module.add_argument("--anyway", action="store_true", help="also make a module of one type one of another")
    row = command("modules", acts.flash_modules, "flash a row of modules, one after another", flashing, listed)
    row.add_argument("types", nargs="*", help="which modules; without, the whole box")
    row.add_argument("--anyway", action="store_true", help="also flash boards that are modules of another type already")
    tags = command("tags", acts.write_tags, "write a deck's tags with an ARC", common, listed)
    tags.add_argument("deck", nargs="?", default=ALL, choices=(*DECKS, ALL))
    tags.add_argument("--overwrite", action="store_true", help="also write tags that have another code")
    tags.add_argument("--verify", action="store_true", help="write nothing, tick off each card that is laid down")
    tags.add_argument("--list", action="store_true", help="only list the deck, for writing with a phone")
    command("log", acts.show_log, "read the ARC's log")
    selftest = command("selftest", acts.run_self_test, "have the ARC test its parts")
    selftest.add_argument(
        "--gain", action="store_true", help="also try each gain of the reader with a card on the roof"
    )
    selftest.add_argument("--set-gain", type=int, choices=GAINS_DB, metavar="DB", help="only set the reader's gain")
    command("check", acts.check, "list ports; look at the board: MicroPython, free space, firmware")
    return parser


if __name__ == "__main__":
    sys.exit(main())
