"""The radio: a process of its own in which every host and every board of the desk meets every other.

    python -m firmware.desk.radio FOLDER [--interval-ms 30]

listens on FOLDER/hci (HCI in H4 framing, for hosts: `unix-client:FOLDER/hci`) and FOLDER/boards (for the `bluetooth`
shim), and prints `radio ready` when both are open.
"""

import argparse
import asyncio
import logging
from pathlib import Path

from firmware.desk.processes import die_with_parent
from firmware.desk.radio_air import INTERVALS_MS, Air
from firmware.desk.radio_controller import HciPort
from firmware.desk.radio_peripheral import Peripheral


async def serve(folder: Path, interval_ms: float) -> None:
    """Run the radio until cancelled."""
    air = Air(interval_ms)
    loop = asyncio.get_running_loop()
    for name in ("hci", "boards"):
        (folder / name).unlink(missing_ok=True)
    hosts = await loop.create_unix_server(lambda: HciPort(air), str(folder / "hci"))
    boards = await loop.create_unix_server(lambda: Peripheral(air), str(folder / "boards"))
    async with hosts, boards:
        print("radio ready", flush=True)
        await asyncio.Event().wait()


def main() -> None:
    die_with_parent()
    parser = argparse.ArgumentParser(prog="python -m firmware.desk.radio", description="The desk's radio.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--interval-ms", type=float, default=30.0, choices=INTERVALS_MS)
    arguments = parser.parse_args()
    # bumble formats its debug lines even where nobody reads them: say so before it does
    logging.basicConfig(level=logging.ERROR)
    logging.disable(logging.DEBUG)
    asyncio.run(serve(arguments.folder, arguments.interval_ms))


if __name__ == "__main__":
    main()
