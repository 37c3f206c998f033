"""What a swipe means now, as a table: colonies-rules' state table with rows for setup, campaign?, undo?, NEXT? and so on.

Rules: the row is the front question, or else the phase; the column is what was laid down; a cell names the response.
Whatever the cell says, an act that the rules refuse changes nothing.
"""

from enum import Enum

from companion.session.rules import Tagged
from companion.session.state import State
from companion.session.table import DialogKind, Phase


class Signal(Enum):
    DECREE = "decree"
    DIRECTIVE = "directive"
    MANAGER = "manager"
    GOVERNOR = "governor"
    AMBASSADOR = "ambassador"
    MODULE = "module"
    UNKNOWN = "unknown"


class Situation(Enum):
    SETUP = "setup"
    IDLE = "idle"
    LAST_ROUND = "last round"
    OWNER = "owner?"
    BUILDER = "builder?"
    AMBASSADOR = "ambassador?"
    CAMPAIGN = "campaign?"
    UNDO = "undo?"
    REPLACE = "replace?"
    FOREIGN = "foreign?"
    NEXT = "next?"
    SETTLING = "settling"
    WITHOUT_ARC = "without arc?"
    SUMMARY = "summary"
    ENDED = "ended"
    LINK_LOST = "link lost"
    """The ARC is out of reach: nothing can be laid down, and a tap does not stand in for it."""


class Response(Enum):
    SEAT = "seat"
    """Seat the manager, or unseat."""
    ASK_OWNER = "owner"
    """Ask whose card it is; behind the questions that wait already."""
    ASK_REPLACE = "replace"
    """A card waits already: drop it for this one?"""
    ASK_CAMPAIGN = "campaign"
    ASK_AMBASSADOR = "ambassador"
    ASK_UNDO = "undo"
    UNDO_INSTEAD = "instead"
    """The module cannot be removed: ask whether something else is to be undone, before it."""
    ANSWER = "answer"
    """The manager named is the answer to the front question."""
    SWITCH = "switch"
    """The campaign question is about this manager now."""
    CONFIRM = "confirm"
    CANCEL = "cancel"
    """The front question is dropped."""
    CALL_OFF = "call off"
    """NEXT is called off; then as in a round."""
    KEEP = "keep"
    """Say that the front question comes first; nothing else."""
    CONNECT = "connect"
    """Take the module in and ask for its builder, in order of arrival."""
    REMEMBER = "remember"
    """The module is on the bus; nobody is asked."""
    REFUSE = "refuse"
    """Say why it does not count now."""
    TELL = "tell"
    IGNORE = "ignore"


_S, _R = Situation, Response

# fmt: off
COLUMNS: tuple[tuple[Signal, ...], ...] = (
    (Signal.DECREE, Signal.DIRECTIVE), (Signal.MANAGER,), (Signal.GOVERNOR,), (Signal.AMBASSADOR,), (Signal.MODULE,), (Signal.UNKNOWN,),
)
ROWS: dict[Situation, tuple[Response, ...]] = {
    #                card             manager           Governor          Ambassador          module       unknown tag
    _S.SETUP:       (_R.REFUSE,      _R.SEAT,         _R.REFUSE,       _R.REFUSE,         _R.REMEMBER, _R.TELL),
    _S.IDLE:        (_R.ASK_OWNER,   _R.ASK_CAMPAIGN, _R.ASK_UNDO,     _R.ASK_AMBASSADOR, _R.CONNECT,  _R.TELL),
    _S.LAST_ROUND:  (_R.REFUSE,      _R.ASK_CAMPAIGN, _R.ASK_UNDO,     _R.ASK_AMBASSADOR, _R.CONNECT,  _R.TELL),
    _S.OWNER:       (_R.ASK_REPLACE, _R.ANSWER,       _R.CANCEL,       _R.KEEP,           _R.CONNECT,  _R.TELL),
    _S.BUILDER:     (_R.ASK_OWNER,   _R.ANSWER,       _R.UNDO_INSTEAD, _R.ASK_AMBASSADOR, _R.CONNECT,  _R.TELL),
    _S.AMBASSADOR:  (_R.ASK_OWNER,   _R.ANSWER,       _R.CANCEL,       _R.IGNORE,         _R.CONNECT,  _R.TELL),
    _S.CAMPAIGN:    (_R.ASK_OWNER,   _R.SWITCH,       _R.CANCEL,       _R.ASK_AMBASSADOR, _R.CONNECT,  _R.TELL),
    _S.UNDO:        (_R.ASK_OWNER,   _R.KEEP,         _R.CONFIRM,      _R.ASK_AMBASSADOR, _R.CONNECT,  _R.TELL),
    _S.REPLACE:     (_R.KEEP,        _R.KEEP,         _R.CANCEL,       _R.KEEP,           _R.CONNECT,  _R.TELL),
    _S.FOREIGN:     (_R.ASK_OWNER,   _R.KEEP,         _R.KEEP,         _R.ASK_AMBASSADOR, _R.CONNECT,  _R.TELL),
    _S.NEXT:        (_R.CALL_OFF,    _R.CALL_OFF,     _R.CANCEL,       _R.CALL_OFF,       _R.CALL_OFF, _R.TELL),
    _S.SETTLING:    (_R.CALL_OFF,    _R.CALL_OFF,     _R.CALL_OFF,     _R.CALL_OFF,       _R.CALL_OFF, _R.IGNORE),
    _S.WITHOUT_ARC: (_R.CALL_OFF,    _R.CALL_OFF,     _R.CALL_OFF,     _R.CALL_OFF,       _R.CALL_OFF, _R.TELL),
    _S.SUMMARY:     (_R.REFUSE,      _R.REFUSE,       _R.REFUSE,       _R.REFUSE,         _R.CONNECT,  _R.IGNORE),
    _S.ENDED:       (_R.REFUSE,      _R.REFUSE,       _R.REFUSE,       _R.REFUSE,         _R.REMEMBER, _R.TELL),
    _S.LINK_LOST:   (_R.REFUSE,      _R.REFUSE,       _R.REFUSE,       _R.REFUSE,         _R.REFUSE,   _R.REFUSE),
}
# fmt: on

TABLE: dict[tuple[Signal, Situation], Response] = {
    (signal, situation): response
    for situation, responses in ROWS.items()
    for signals, response in zip(COLUMNS, responses, strict=True)
    for signal in signals
}

_BY_DIALOG = {
    DialogKind.OWNER: Situation.OWNER,
    DialogKind.BUILDER: Situation.BUILDER,
    DialogKind.AMBASSADOR: Situation.AMBASSADOR,
    DialogKind.CAMPAIGN: Situation.CAMPAIGN,
    DialogKind.UNDO: Situation.UNDO,
    DialogKind.REPLACE_CARD: Situation.REPLACE,
    DialogKind.FOREIGN_MODULE: Situation.FOREIGN,
    DialogKind.NEXT: Situation.NEXT,
    DialogKind.SETTLE_WITHOUT_ARC: Situation.WITHOUT_ARC,
}
_BY_PHASE = {
    Phase.SETUP: Situation.SETUP,
    Phase.SUMMARY: Situation.SUMMARY,
    Phase.ENDED: Situation.ENDED,
}


def situation_of(state: State, is_last_round: bool) -> Situation:
    """The row for this state. In SETUP, SUMMARY and ENDED no question is asked: those that wait, wait."""
    if state.phase in _BY_PHASE:
        return _BY_PHASE[state.phase]
    if state.front:
        return _BY_DIALOG[state.front.kind]
    if state.phase is Phase.SETTLING:
        return Situation.SETTLING
    return Situation.LAST_ROUND if is_last_round else Situation.IDLE


def means_something(tagged: Tagged) -> bool:
    """The pairing token does to the ARC alone."""
    return any(tagged.kind == signal.value for signal in Signal)


def signal_of(tagged: Tagged) -> Signal:
    return Signal(tagged.kind)
