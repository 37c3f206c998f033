"""`--headless -`: actions as JSON lines from standard input, a line of state to standard output after every change.

    {"act": "TurnPage", "forward": 1}      →      {"phase": "round", "arc": "ready", "dialog": null, "cursor": 41}
    {"accept": "look"}                     →      {"phase": null, "message": "Looking for the ARC…", "offers": ["stop"]}

Without a game: `accept` takes one of the start screen's offers, `open` a saved game by id, `close` goes back there.

For programs that play, and for tests that kill the app: what a line did stands in the journal, not in the pipe.
"""

import asyncio
import json
import os
import stat
import sys
from collections.abc import AsyncIterator
from typing import get_args

from companion.session.actions import Action
from companion.session.journal_text import JournalError, read_act
from companion.tablet import Tablet

_ACTIONS = get_args(Action)


async def play(tablet: Tablet) -> None:
    """Until standard input ends."""
    tablet.subscribe(lambda: _tell(tablet))
    _tell(tablet)
    async for line in _lines():
        try:
            _do(tablet, line.decode())
        except (JournalError, ValueError) as error:
            print(json.dumps({"error": str(error)}), flush=True)


async def _lines() -> AsyncIterator[bytes]:
    """Of standard input. A file is always ready, so the loop cannot wait for it as it does for a pipe."""
    kind = os.fstat(sys.stdin.fileno()).st_mode
    if not (stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind) or sys.stdin.isatty()):
        for line in sys.stdin.buffer:
            yield line
            await asyncio.sleep(0)
        return
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        yield line


def _do(tablet: Tablet, line: str) -> None:
    match json.loads(line):
        case {"accept": str(offer)}:
            tablet.accept(offer)
        case {"open": str(game)}:
            tablet.open_game(game)
        case {"close": True}:
            tablet.close_game()
        case _:
            act = read_act(line)
            if not isinstance(act, _ACTIONS):
                raise JournalError(f"not something people do on a tablet: {line.strip()}")
            tablet.act(act)


def _tell(tablet: Tablet) -> None:
    table = tablet.table
    if table is None or tablet.session is None:
        offers = [offer.id for offer in tablet.offers]
        print(json.dumps({"phase": None, "message": tablet.message, "offers": offers}), flush=True)
        return
    cursor = tablet.session.cursor
    state = {
        "phase": table.phase.value,
        "arc": table.arc.state.value,
        "dialog": table.dialog.kind.value if table.dialog else None,
        "waiting": table.waiting_dialogs,
        "notices": [notice.text for notice in table.notices],
        "missing": len(table.missing),
        "cursor": cursor.sequence if cursor else None,
        "kept": tablet.is_kept_by_arc,
    }
    print(json.dumps(state), flush=True)
