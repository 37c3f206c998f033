"""What needs the players before NEXT: the worst first, in one strip beside the button."""

from collections.abc import Iterator

from attrs import frozen

from companion.screens.texts import _, count
from companion.screens.view_models import words
from companion.session.table import ArcState, Phase, TableView
from companion.simulation.player import PlayerView
from companion.simulation.words import Condition, Fill, Level

SEVERITY = ("critical", "alarming", "poor", "info")


@frozen
class AttentionVM:
    tone: str = "good"
    icon: str = "check-circle-outline"
    title: str = ""
    text: str = ""
    items: tuple[tuple[str, str], ...] = ()
    """(tone, text) of everything, for the list behind the strip."""


def attention(table: TableView, colony: PlayerView) -> AttentionVM:
    found = sorted((*at_the_table(table, colony), *in_the_colony(colony)), key=lambda item: SEVERITY.index(item[0]))
    if not found:
        return AttentionVM(title=_("Nothing presses"), text=_("The colony can go into the next round"))
    tone = found[0][0]
    icon = {"critical": "alert-octagon", "alarming": "alert", "poor": "alert-circle-outline"}.get(tone, "information")
    title = count(len(found), _("{n} thing needs you"), _("{n} things need you"))
    return AttentionVM(tone, icon, title, brief([text for _tone, text in found]), tuple(found))


def brief(texts: list[str], limit: int = 70) -> str:
    """As many as fit into one line, the first always."""
    line = texts[0]
    for text in texts[1:]:
        if len(line) + len(text) + 3 > limit:
            break
        line = f"{line} · {text}"
    return line


def at_the_table(table: TableView, colony: PlayerView) -> Iterator[tuple[str, str]]:
    if table.arc.state is ArcState.LOST:
        yield "alarming", _("The ARC is out of reach; cards are kept there")
    if table.arc.battery_low:
        yield "poor", _("The ARC's batteries run low")
    if table.phase is Phase.ROUND and table.missing:
        yield "poor", count(len(table.missing), _("{n} module is not plugged in"), _("{n} modules are not plugged in"))
    waiting = sum(module.condition is Condition.AWAITING_BUILDER for module in colony.modules)
    if waiting:
        yield "info", count(waiting, _("{n} module waits for its builder"), _("{n} modules wait for their builders"))
    if colony.is_last_round:
        yield "info", _("Last round: no decrees any more")


def in_the_colony(colony: PlayerView) -> Iterator[tuple[str, str]]:
    special = colony.special
    if special.riot_stage:
        yield "critical", _("A riot rages, stage {n}").format(n=special.riot_stage)
    elif special.riot_warning:
        yield "alarming", _("A riot may break out")
    if special.terran_dependence > 1:
        yield "critical", _("One more loan from Earth ends the colony")
    for view in colony.statuses:
        if view.level in (Level.CRITICAL, Level.ALARMING):
            name = words.STATUS_WORDS[view.status]
            yield (
                view.level.value,
                _("{name} is {level}").format(name=name, level=words.LEVEL_WORDS[view.level].lower()),
            )
    for resource in colony.resources:
        if resource.production < resource.consumption and resource.accumulator is Fill.EMPTY:
            name = words.RESOURCE_WORDS[resource.resource]
            yield "alarming", _("{name} runs short and its accumulator is empty").format(name=name)
    if special.is_overcrowded:
        yield "alarming", _("Citizens have no beds")
