"""`--headless -`: actions as JSON lines from standard input, a line of state to standard output after every change.

    {"act": "TurnPage", "forward": 1}      →      {"phase": "round", "arc": "ready", "dialog": null, "cursor": 41}

For programs that play, and for tests that kill the app: what a line did stands in the journal, not in the pipe.
"""

import asyncio
import json
import sys
from typing import get_args

from companion.session.actions import Action
from companion.session.journal_text import JournalError, read_act
from companion.tablet import Tablet

_ACTIONS = get_args(Action)


async def play(tablet: Tablet) -> None:
    """Until standard input ends."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    tablet.subscribe(lambda: _tell(tablet))
    _tell(tablet)
    while line := await reader.readline():
        try:
            act = read_act(line.decode())
            if not isinstance(act, _ACTIONS):
                raise JournalError(f"not something people do on a tablet: {line.decode().strip()}")
            tablet.act(act)
        except (JournalError, ValueError) as error:
            print(json.dumps({"error": str(error)}), flush=True)


def _tell(tablet: Tablet) -> None:
    table = tablet.table
    if table is None or tablet.session is None:
        print(json.dumps({"phase": None, "message": tablet.message}), flush=True)
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
    }
    print(json.dumps(state), flush=True)
