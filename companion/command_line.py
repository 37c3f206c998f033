"""What the app can be asked for: puts together store, catalog, link and session, and shows them in a window or plays a script."""

import argparse
import asyncio
import contextlib
import functools
import logging
import secrets
import shutil
import sys
from pathlib import Path

from platformdirs import user_data_path

from companion import catalog as catalogs, recent_log
from companion.arc_choice import arc_for
from companion.arc_line import ArcLine, MakeTransport
from companion.desk_process import Desk, DeskFailed, Hands
from companion.headless import Player, ScriptError, journal_lines, parse
from companion.loading import uncollected
from companion.session.colonies import Colonies
from companion.storage.claim import claimed, lock_of
from companion.storage.database import Database
from companion.storage.records import Store, StoreError
from companion.tablet import Tablet
from companion.tablet_settings import tablet_id
from companion.updates.command import UpdateError, Updater, wanted_of
from companion.updates.folder import default_folder, look_into

SHIPPED_SCRIPT = Path(__file__).with_name("headless_game.txt")
"""What `--headless` plays when no script is named."""
DEMO_FOLDER = Path("build/demo")
PROBLEMS = (catalogs.CatalogError, StoreError, DeskFailed, ScriptError, UpdateError)
"""Ended with their sentence; anything else is a fault of the app and shows its traceback."""


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="python -m companion", description="Beyond Humanity: Colonies, the tablet's app."
    )
    made.add_argument(
        "--arc",
        default="ble",
        help="ble (default), serial:PORT, desk, desk:FILE (a running one's endpoints), or none: play by tapping",
    )
    made.add_argument("--game", metavar="NAME", help="open this saved game, or “new”")
    made.add_argument(
        "--store", type=Path, help="the file with games and journals (default: in the user's data folder)"
    )
    made.add_argument("--catalog", type=Path, help="a folder whose entries are added to the shipped catalog")
    made.add_argument(
        "--headless",
        metavar="SCRIPT",
        type=Path,
        nargs="?",
        const=SHIPPED_SCRIPT,
        help="play these steps without a window, print the journal; “-”: actions as JSON lines from standard input",
    )
    made.add_argument(
        "--demo", metavar="FOLDER", type=Path, help="the scripted demo: pictures and journal into this folder"
    )
    made.add_argument(
        "--desk-link", choices=("ble", "serial"), default="ble", help="with --arc desk: over its radio or its port"
    )
    made.add_argument(
        "--flashed",
        action="store_true",
        help="with --arc desk: its boards run from their own files, and take new firmware",
    )
    made.add_argument(
        "--firmware",
        metavar="FOLDER",
        type=Path,
        help="the folder with arc.image and module.image (default: “firmware” beside the store, else build/firmware)",
    )
    made.add_argument(
        "--update",
        metavar="WHAT",
        nargs="*",
        help="without a window: update the ARC and all modules, or of these only: arc, modules, solar, …",
    )
    made.add_argument("--anyway", action="store_true", help="with --update: also when the same or a newer version runs")
    return made


def main(arguments: list[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    recent_log.keep()
    try:
        return asyncio.run(run(options))
    except PROBLEMS as error:
        print(f"companion: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0


async def run(options: argparse.Namespace) -> int:
    with uncollected():
        catalog = catalogs.load(options.catalog)
    if lacks_a_screen(options):
        print(f"There is no screen: the scripted demo plays instead, into {DEMO_FOLDER}.", flush=True)
        options.demo = DEMO_FOLDER
    path = options.store or (fresh_store(options.demo) if options.demo else user_data_path("colonies-arc") / "games.db")
    with claimed(path), contextlib.closing(Database(path)) as store:
        firmware = options.firmware or default_folder(path)
        chosen = arc_for(options.arc, options.desk_link, path, has_window=_shows_desk(options), flashed=options.flashed)
        async with chosen as (make_transport, desk):
            if options.update is not None:
                return await _update(options, store, catalog, make_transport, firmware, desk)
            tablet = Tablet(
                store,
                Colonies(catalog),
                catalog.version,
                make_transport,
                secrets.randbits,
                reports=path.parent / "reports",
                firmware=firmware,
            )
            ticking = asyncio.create_task(tablet.run())
            try:
                return await _use(options, tablet, store, catalog, desk)
            finally:
                ticking.cancel()
                await asyncio.gather(ticking, return_exceptions=True)


def lacks_a_screen(options: argparse.Namespace) -> bool:
    from companion.screens.environment import has_display

    return options.arc == "desk" and not _is_windowless(options) and not has_display()


def fresh_store(folder: Path) -> Path:
    """Beside the demo's pictures: no game of the players' is touched, and every demo begins with an empty list."""
    path = folder / "games.db"
    with claimed(path):
        for old in set(folder.glob("games.db*")) - {lock_of(path)}:
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    return path


def _shows_desk(options: argparse.Namespace) -> bool:
    from companion.screens.environment import has_display

    return not _is_windowless(options) and has_display()


def _is_windowless(options: argparse.Namespace) -> bool:
    return bool(options.headless or options.demo or options.update is not None)


async def _use(
    options: argparse.Namespace, tablet: Tablet, store: Store, catalog: catalogs.Catalog, desk: Desk | None
) -> int:
    is_piped = str(options.headless) == "-"
    _open_game(options.game, tablet, store, is_headless=options.headless is not None and not is_piped)
    if is_piped:
        from companion.piped import play

        await play(tablet)
        return 0
    if options.headless:
        return await _play_script(options.headless, tablet, store, catalog, desk)
    if options.demo:
        if desk is None and options.arc != "none":
            raise ScriptError("the demo plays on a desk, --arc desk, or by tapping, --arc none")
        from companion import demo

        return await demo.run(tablet, catalog, store, desk, options.demo)
    with uncollected():
        from companion.screens.app import run as show

    await show(tablet)
    return 0


async def _update(
    options: argparse.Namespace,
    store: Store,
    catalog: catalogs.Catalog,
    make_transport: MakeTransport | None,
    firmware: Path,
    desk: Desk | None,
) -> int:
    wanted = wanted_of(options.update, catalog)
    if make_transport is None:
        raise UpdateError("there is nothing to update: --arc ble, serial:PORT or desk says over what")
    line = ArcLine(store, make_transport, tablet_id(store, secrets.randbits))
    say = functools.partial(print, flush=True)
    async with contextlib.AsyncExitStack() as stack:
        press = None
        if desk is not None:
            hands = await stack.enter_async_context(Hands(desk.endpoints["control"]))
            press = functools.partial(hands.do, "press")
        try:
            updater = Updater(line, catalog, say, press, anyway=options.anyway)
            return 0 if await updater.run(wanted, look_into(firmware)) else 1
        finally:
            await line.ended()


def _open_game(name: str | None, tablet: Tablet, store: Store, *, is_headless: bool) -> None:
    if name == "new" or (name is None and is_headless):
        tablet.new_game()
    elif name is not None:
        found = [game.id for game in store.games() if name in (game.id, game.summary.name)]
        if not found:
            raise StoreError(f"there is no saved game “{name}”; there are: {_names(store)}")
        tablet.open_game(found[0])


def _names(store: Store) -> str:
    return ", ".join(game.summary.name for game in store.games() if game.summary.name) or "none"


async def _play_script(script: Path, tablet: Tablet, store: Store, catalog: catalogs.Catalog, desk: Desk | None) -> int:
    try:
        steps = parse(script.read_text(encoding="utf-8"))
    except (OSError, UnicodeError) as error:
        raise ScriptError(f"cannot read the script {script}: {error}") from error
    try:
        if desk is None:
            await Player(tablet, catalog).play(steps)
        else:
            async with Hands(desk.endpoints["control"]) as hands:
                await Player(tablet, catalog, hands).play(steps)
    finally:
        if tablet.game:
            print("\n".join(journal_lines(store, tablet.game)))
    return 0
