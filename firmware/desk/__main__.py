"""`python -m firmware.desk`: starts radio, wire and boards, writes where they are, and ends them with itself."""

import argparse
import asyncio
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from companion.catalog import CatalogError
from firmware.desk.control import ControlSocket
from firmware.desk.desk import Desk
from firmware.desk.kinds import KINDS
from firmware.desk.processes import ROOT, child_environment, die_with_parent, exit_of
from firmware.desk.radio_air import INTERVALS_MS
from firmware.desk.script import ScriptError, Step, parse, play
from firmware.desk.state_folder import claim
from firmware.desk.supervisor import DeskError
from firmware.desk.wire import WireError


def main() -> int:
    arguments = _parser().parse_args()
    die_with_parent(signal.SIGTERM)
    try:
        steps = parse(arguments.script.read_text()) if arguments.script else []
        return asyncio.run(_run(arguments, steps))
    except (ScriptError, DeskError, WireError, CatalogError, OSError) as error:
        print(f"desk: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m firmware.desk", description="The boards without boards.")
    parser.add_argument("--endpoints", type=Path, help="write here, as JSON, where radio, serial port and control are")
    parser.add_argument(
        "--state", type=Path, help="folder that keeps the boards' flash (default: forgotten at the end)"
    )
    parser.add_argument("--fresh", action="store_true", help="wipe the boards' flash first")
    parser.add_argument("--script", type=Path, help="play these steps, then end unless a window is open")
    parser.add_argument("--stay", action="store_true", help="after the script, go on until interrupted")
    parser.add_argument("--window", action="store_true", help="draw the table")
    parser.add_argument("--modules", type=int, default=0, help="plug so many modules at the start")
    parser.add_argument("--interval-ms", type=float, default=30.0, choices=INTERVALS_MS, help="BLE connection interval")
    parser.add_argument(
        "--flashed", action="store_true", help="boards run from their own files, so they can be updated"
    )
    parser.add_argument("--seed", type=int, help="of torn writes and disturbed bytes")
    return parser


async def _run(arguments: argparse.Namespace, steps: list[Step]) -> int:
    if arguments.fresh and arguments.state:
        with await claim(arguments.state):
            shutil.rmtree(arguments.state, ignore_errors=True)
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    desk = Desk(
        state=arguments.state,
        interval_ms=arguments.interval_ms,
        seed=arguments.seed,
        flashed=KINDS if arguments.flashed else (),
    )
    async with desk, ControlSocket(desk, desk.supervisor.folder / "control") as control:
        _write_endpoints(arguments.endpoints, desk, control.path)
        try:
            await _use(arguments, desk, control, steps, stopped)
        finally:
            if arguments.endpoints:
                arguments.endpoints.unlink(missing_ok=True)
    return 0


def _write_endpoints(path: Path | None, desk: Desk, control: Path) -> None:
    """Whole or not at all: whoever waits for the file may read it as soon as it is there."""
    endpoints = {"radio": desk.radio, "serial": desk.serial, "control": str(control), "pid": os.getpid()}
    text = json.dumps(endpoints)
    print(text, flush=True)
    if path:
        draft = path.with_name(path.name + ".new")
        draft.write_text(text)
        draft.replace(path)


async def _use(
    arguments: argparse.Namespace, desk: Desk, control: ControlSocket, steps: list[Step], stopped: asyncio.Event
) -> None:
    window = _open_window(control.path) if arguments.window else None
    await desk.plug_some(arguments.modules)
    ends: list[asyncio.Future[Any]] = [asyncio.ensure_future(stopped.wait())]
    if window:
        ends.append(asyncio.ensure_future(exit_of(window)))
    if steps:
        script = asyncio.ensure_future(play(desk, steps))
        await asyncio.wait((script, *ends), return_when=asyncio.FIRST_COMPLETED)
        if script.done():
            await script
        else:
            script.cancel()
    if not steps or arguments.stay or window:
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    for end in ends:
        end.cancel()
    if window:
        with contextlib.suppress(ProcessLookupError):
            window.kill()


def _open_window(control: Path) -> subprocess.Popen[bytes]:
    command = (sys.executable, "-m", "firmware.desk.window", str(control))
    return subprocess.Popen(command, cwd=ROOT, env=child_environment())


if __name__ == "__main__":
    sys.exit(main())
