"""The economy page between two rounds: STOCK as a balance sheet, resources and population beside it (§5.5)."""

from companion.screens.texts import _, figure, signed
from companion.screens.view_models import words
from companion.screens.view_models.cards import PillVM
from companion.screens.view_models.page import BlockVM, ItemVM, PageVM
from companion.simulation.player_report import EconomySection

MANY_TIMES = 1.5
"""Growth in one month that people ask about; in the first, a colony grows to nearly three times its size."""
RUSH = _("Free beds and good statuses draw so many at once. As beds fill, fewer come.")


def economy_section(section: EconomySection) -> PageVM:
    return PageVM(
        title=_("COLONY ECONOMY"),
        subtitle=_("What came in, what went out"),
        icon="package-variant-closed",
        tone="stock",
        columns=((stock_block(section),), (resources_block(section), people_block(section))),
    )


def stock_block(section: EconomySection) -> BlockVM:
    before = ItemVM(title=_("Before the settlement"), value=figure(section.stock_before))
    after = ItemVM(
        title=_("STOCK now"),
        value=figure(section.stock_after),
        value_tone="critical" if section.stock_after < 0 else "stock",
        is_sum=True,
        is_result=True,
    )
    return BlockVM(
        title=_("STOCK"),
        icon="bank",
        tone="stock",
        pill=change_pill(section.stock_after - section.stock_before),
        items=(
            before,
            *entries(section.income, _("Income"), "good"),
            *entries(section.expenses, _("Expenses"), "alarming"),
            after,
        ),
    )


def entries(lines: tuple[tuple[str, int], ...], total: str, tone: str) -> tuple[ItemVM, ...]:
    """The lines of one side and their sum below them."""
    rows = tuple(ItemVM(text=label, value=signed(amount), value_tone=tone, is_entry=True) for label, amount in lines)
    amount = sum(amount for _label, amount in lines)
    return (*rows, ItemVM(title=total, value=signed(amount), value_tone=tone, is_sum=True))


def resources_block(section: EconomySection) -> BlockVM:
    return BlockVM(
        title=_("RESOURCES"),
        icon="lightning-bolt",
        tone="power",
        items=tuple(
            ItemVM(
                title=words.RESOURCE_WORDS[kind],
                icon=words.RESOURCE_ICONS[kind],
                tone=kind.value,
                text=_("made {made}, used {used}").format(made=figure(made), used=figure(used)),
                value=_("{n} imported").format(n=figure(imported)) if imported else "",
                value_tone="alarming",
                pill=change_pill(made - used),
            )
            for kind, made, used, imported in section.resources
        ),
    )


def people_block(section: EconomySection) -> BlockVM:
    before = sum(before for _group, before, _after in section.population)
    total = sum(after for _group, _before, after in section.population)
    return BlockVM(
        title=_("POPULATION"),
        icon="account-group",
        tone="prisoners",
        pill=PillVM("", _("{n} Citizens").format(n=figure(total)), "prisoners"),
        items=tuple(
            ItemVM(
                title=words.GROUP_WORDS[group],
                icon=words.GROUP_ICONS[group],
                tone=group.value,
                value=figure(after),
                pill=change_pill(after - before),
            )
            for group, before, after in section.population
        ),
        note=RUSH if total >= MANY_TIMES * before else "",
    )


def change_pill(change: int) -> PillVM:
    if change == 0:
        return PillVM("trending-neutral", signed(0), "muted")
    return (
        PillVM("trending-up", signed(change), "good")
        if change > 0
        else PillVM("trending-down", signed(change), "alarming")
    )
