"""For people: what the code and detail of a FAULT_FOUND mean. Host only."""

from protocol import events

_NAMES = {
    events.FAULT_READER_RESET: "the reader was reset, {detail} times since boot",
    events.FAULT_READER_DEAD: "the reader is dead, after {detail} resets",
    events.FAULT_READER_UNSURE: "the reader's version 0x{high:02x} is none we know; what is broken: {low} (0: nothing)",
    events.FAULT_BUS_NOISY: "the bus is noisy, {detail} of 1000 tries bad",
    events.FAULT_BUS_STUCK: "the bus is stuck, behind port {branch}",
    events.FAULT_BUS_FULL: "the bus is full, module {detail:08x} is not on it",
    events.FAULT_BUS_OPEN: "no data behind port {low} of the module whose number ends in {high:06x} (0: the ARC)",
    events.FAULT_BUS_OVERCURRENT: "the modules take too much current, tripped {detail} times",
    events.FAULT_LOG_DAMAGED: "the event log is damaged, it is whole from event {detail} on",
    events.FAULT_TASK_RESTARTED: "a task was restarted, {detail} so far",
    events.FAULT_CRASHED: "a crash was kept",
}


def fault_text(code: int, detail: int) -> str:
    """One line without a full stop; for a code that is not known, its number."""
    name = _NAMES.get(code)
    if name is None:
        return "fault %d" % code
    branch = detail - 1 if detail else "?"
    return name.format(detail=detail, low=detail & 0xFF, high=detail >> 8, branch=branch)
