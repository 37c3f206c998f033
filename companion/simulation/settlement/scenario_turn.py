"""What a scenario adds to a settlement: its events, its progress bars, its own endings (A4.1)."""

from companion.catalog.scenario import Progress, Scenario, TimedEvent
from companion.simulation.colony import Message
from companion.simulation.conditions import holds
from companion.simulation.draft import Draft
from companion.simulation.effects import Cause, apply_effects
from companion.simulation.words import Condition


def scenario_of(draft: Draft) -> Scenario | None:
    name = draft.setup.scenario
    return None if name is None else draft.catalog.scenarios[name]


def fire_events(draft: Draft) -> str:
    """Carries out the scenario's events of this settlement; returns the occurrence it calls, or nothing."""
    scenario, called = scenario_of(draft), ""
    for index, event in enumerate(scenario.events if scenario else ()):
        if _is_due(draft, index, event):
            apply_effects(draft, event.effects, Cause("scenario"))
            called = event.occurrence or called
            if event.once:
                draft.fired.append(index)
            if event.text:
                draft.messages.append(Message(event.title, event.text))
    return called


def _is_due(draft: Draft, index: int, event: TimedEvent) -> bool:
    if event.rounds and draft.round not in event.rounds:
        return False
    return index not in draft.fired and holds(event.when, draft)


def count_progress(draft: Draft) -> None:
    """Bars that count by themselves."""
    scenario = scenario_of(draft)
    for bar in scenario.progress if scenario else ():
        if bar.counts != "effects":
            draft.counters[bar.id] = _count(draft, bar)


def _count(draft: Draft, bar: Progress) -> int:
    if bar.counts == "citizens":
        return sum(draft.groups)
    if bar.counts == "rounds":
        return draft.round
    if bar.counts == "green_decrees":
        return sum(draft.greens)
    working = [m for m in draft.modules if m.condition is Condition.WORKING]
    return len(working) if bar.counts == "modules" else sum(m.tier == 2 for m in working)
