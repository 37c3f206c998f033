"""The app's desk: whatever ends the app, no board runs on."""

import asyncio
import signal
import sys

import psutil
import pytest

from companion.desk_process import ROOT
from tests.firmware.desk.leftovers import is_gone

WITHIN_S = 30.0
AN_APP = """
import asyncio
from companion.desk_process import DeskProcess

async def main():
    async with DeskProcess() as desk:
        print(desk.endpoints["pid"], flush=True)
        await asyncio.sleep(600)

asyncio.run(main())
"""


@pytest.mark.desk
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
async def test_a_killed_app_leaves_no_desk_behind(how: signal.Signals) -> None:
    app = await asyncio.create_subprocess_exec(sys.executable, "-c", AN_APP, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    assert app.stdout is not None
    async with asyncio.timeout(WITHIN_S):
        desk = int(await app.stdout.readline())
        family = [desk, *(child.pid for child in psutil.Process(desk).children(recursive=True))]
        app.send_signal(how)
        await app.wait()
        while not all(is_gone(pid) for pid in family):
            await asyncio.sleep(0.02)
    assert len(family) >= 3
