"""What can be put right by hand: numbers by steps, a status or an accumulator by the word that players know."""

from attrs import frozen

from companion.screens.texts import _, figure
from companion.screens.view_models import words
from companion.screens.view_models.choices import TapVM
from companion.simulation.commands import CorrectValue
from companion.simulation.player import PlayerView
from companion.simulation.words import Fill, Level, Resource, Status

BY_WORD = {one.value for kind in (Status, Resource) for one in kind}


@frozen
class Correction:
    """A value that players know as a number, and so can put right."""

    id: str
    title: str
    icon: str
    tone: str
    value: int
    step: int

    def command(self, value: int, colony: PlayerView) -> CorrectValue:
        if self.id == "stock":
            return CorrectValue(value, stock=True)
        if self.id == "round":
            return CorrectValue(value, round=True)
        return CorrectValue(
            value, group=next(group for group, _n in colony.population.groups if group.value == self.id)
        )


def corrections(colony: PlayerView) -> tuple[Correction, ...]:
    groups = tuple(
        Correction(group.value, words.GROUP_WORDS[group], words.GROUP_ICONS[group], group.value, size, 10)
        for group, size in colony.population.groups
    )
    return (
        Correction("stock", _("STOCK"), "bank", "stock", colony.economy.stock, 1),
        Correction("round", _("Round"), "flag-checkered", "accent", colony.round, 1),
        *groups,
    )


def correction_cards(colony: PlayerView) -> tuple[TapVM, ...]:
    numbers = tuple(
        TapVM(one.id, one.title, _("is {n}").format(n=figure(one.value)), one.icon, one.tone)
        for one in corrections(colony)
    )
    statuses = tuple(
        TapVM(
            view.status.value,
            words.STATUS_WORDS[view.status],
            _("is {word}").format(word=words.LEVEL_WORDS[view.level]),
            words.status_icon(view.status, view.level),
            view.level.value,
        )
        for view in colony.statuses
    )
    accumulators = tuple(
        TapVM(
            view.resource.value,
            _("Accumulator: {name}").format(name=words.RESOURCE_WORDS[view.resource]),
            _("is {word}").format(word=words.FILL_WORDS[view.accumulator]),
            words.RESOURCE_ICONS[view.resource],
            view.resource.value,
        )
        for view in colony.resources
    )
    return (*numbers[:2], *statuses, *numbers[2:], *accumulators)


def word_cards(colony: PlayerView, id: str) -> tuple[TapVM, ...]:
    """The words for a status or an accumulator; the present one is chosen already."""
    for view in colony.statuses:
        if view.status.value == id:
            return tuple(
                TapVM(
                    level.value, words.LEVEL_WORDS[level], "", words.LEVEL_ICONS[level], level.value,
                    is_chosen=level is view.level,
                )
                for level in Level
            )  # fmt: skip
    accumulator = next(view.accumulator for view in colony.resources if view.resource.value == id)
    icons = {Fill.EMPTY: "battery-outline", Fill.INCOMPLETE: "battery-50", Fill.FULL: "battery"}
    return tuple(
        TapVM(fill.value, words.FILL_WORDS[fill].capitalize(), "", icons[fill], id, is_chosen=fill is accumulator)
        for fill in Fill
    )


def word_command(id: str, word: str) -> CorrectValue:
    """`id` of a status or a resource, `word` of what it should be."""
    if id in {one.value for one in Status}:
        return CorrectValue(0, status=Status(id), level=Level(word))
    return CorrectValue(0, accumulator=Resource(id), fill=Fill(word))
