"""The five cards opened: all that players may know of each (rulebook §5.7.1)."""

from companion.screens.texts import _, count, figure, signed
from companion.screens.view_models import words
from companion.screens.view_models.cards import PillVM, SpecialRowVM
from companion.screens.view_models.colony import builds, resource, status, stock_change, stock_course
from companion.screens.view_models.page import BlockVM, ItemVM, PageVM
from companion.screens.view_models.special import special_rows
from companion.screens.view_models.standing import achievement_rows
from companion.simulation.player import ModuleView, PlayerView, ResourceView, StatusView
from companion.simulation.words import Condition, Group, Level, Status

CARD_ORDER = ("status", "resources", "population", "special", "economy")

STATUS_LEADS = {
    Status.HAPPINESS: _("Rises with beds for all, supply and good decrees. Critical Happiness starts a riot."),
    Status.SECURITY: _("SecForce keep it up. Critical Security starts a riot."),
    Status.TECHNICAL: _("Colonists keep the machines running. When it is low, a catastrophe threatens."),
}

GROUP_LEADS = {
    Group.COLONISTS: _("Keep Technical up and pay taxes"),
    Group.SECFORCE: _("Keep Security up, end riots early"),
    Group.SCIENTISTS: _("Earn STOCK"),
    Group.MARINES: _("The last means against a riot"),
    Group.PRISONERS: _("Eat and breathe, and do no work"),
}


def detail_page(card: str, colony: PlayerView) -> PageVM:
    """`card` is one of `CARD_ORDER`."""
    return {
        "status": status_page,
        "resources": resources_page,
        "population": population_page,
        "special": special_page,
        "economy": economy_page,
    }[card](colony)


def status_page(colony: PlayerView) -> PageVM:
    return PageVM(
        title=_("COLONY STATUS"),
        subtitle=_("How the colony stands this round, and how it stood before"),
        icon="home-city",
        columns=tuple((status_block(view),) for view in colony.statuses),
    )


def status_block(view: StatusView) -> BlockVM:
    level = view.level
    before = view.previous
    rows = [level_row(_("This round"), level)]
    if before is not None:
        rows.append(level_row(_("Last round"), before))
    shown = list(enumerate(view.history[:-2], start=2))[-3:]
    rows += [level_row(_("Round {n}").format(n=number), old) for number, old in reversed(shown)]
    return BlockVM(
        title=words.STATUS_WORDS[view.status].upper(),
        icon=words.status_icon(view.status, level),
        tone=level.value,
        statuses=(status(view),),
        items=tuple(rows),
        note=STATUS_LEADS[view.status],
    )


def level_row(title: str, level: Level) -> ItemVM:
    pill = PillVM(words.LEVEL_ICONS[level], words.LEVEL_WORDS[level], level.value)
    return ItemVM(title=title, pill=pill)


def resources_page(colony: PlayerView) -> PageVM:
    blocks = [resource_block(view) for view in colony.resources]
    return PageVM(
        title=_("RESOURCES"),
        subtitle=_("What is short comes out of the accumulator, the rest from Earth for STOCK"),
        icon="lightning-bolt",
        tone="power",
        columns=(tuple(blocks[0::2]), tuple(blocks[1::2])),
    )


def resource_block(view: ResourceView) -> BlockVM:
    row = resource(view)
    most = max(view.production, view.consumption, 1)
    net = ItemVM(title=_("Difference"), value=row.net, value_tone=row.balance.tone)
    return BlockVM(
        title=row.name.upper(),
        icon=row.icon,
        tone=row.tone,
        pill=row.balance,
        items=(
            ItemVM(title=_("Production"), value=row.makes, share=view.production / most, tone=row.tone),
            ItemVM(title=_("Consumption"), value=row.uses, share=view.consumption / most, tone="muted"),
            net,
            ItemVM(
                title=_("Accumulator"),
                value=row.accumulator,
                value_tone=row.accumulator_tone,
                cells=row.cells,
                tone=row.tone,
            ),
        ),
    )


def population_page(colony: PlayerView) -> PageVM:
    view = colony.population
    total = sum(size for _group, size in view.groups)
    groups = BlockVM(
        title=_("GROUPS"),
        icon="account-group",
        tone="prisoners",
        items=tuple(
            ItemVM(
                title=words.GROUP_WORDS[group],
                text=GROUP_LEADS[group],
                icon=words.GROUP_ICONS[group],
                tone=group.value,
                value=figure(size),
                share=size / max(total, 1),
            )
            for group, size in view.groups
        ),
        note=_("Counted at the end of the last round."),
    )
    return PageVM(
        title=_("POPULATION"),
        subtitle=_("{n} Citizens").format(n=figure(total)),
        icon="account-group",
        tone="prisoners",
        columns=((groups,), (housing_block(colony, total), trend_block(colony))),
    )


def housing_block(colony: PlayerView, total: int) -> BlockVM:
    view = colony.population
    free = view.housing - total
    text = _("{n} beds are free") if free >= 0 else _("{n} Citizens have no bed")
    return BlockVM(
        title=_("HOUSING"),
        icon="home-group",
        tone="good" if free >= 0 else "alarming",
        big=_("{n} beds").format(n=figure(view.housing)),
        lead=text.format(n=figure(abs(free))),
        values=(*view.history[-19:], total) if view.history[-1:] != (total,) else view.history[-20:],
        note=_("Beds come with modules that show a house. More Citizens than beds make the colony Overcrowded."),
    )


def trend_block(colony: PlayerView) -> BlockVM:
    view = colony.population
    ranks = (_("Most of those who come"), _("Second"), _("Third"))
    items = tuple(
        ItemVM(title=words.GROUP_WORDS[group], text=rank, icon=words.GROUP_ICONS[group], tone=group.value)
        for group, rank in zip(view.trend, ranks, strict=False)
    )
    lead = "" if items else _("Nobody is on the way to this colony.")
    if view.is_leaving:
        lead = _("Citizens are leaving the colony.")
    return BlockVM(
        title=_("IMMIGRATION TREND"),
        icon="account-arrow-left" if view.is_leaving else "account-arrow-right",
        tone="alarming" if view.is_leaving else "good",
        lead=lead,
        items=items,
    )


def special_page(colony: PlayerView) -> PageVM:
    view = colony.special
    riot, terran, crowding, damage = special_rows(view)
    names = {module.instance: module.name for module in colony.modules}
    stage = ItemVM(title=_("Stage"), steps=view.riot_stage, of=3, tone=riot.tone)
    loans = ItemVM(title=_("Dependence"), steps=view.terran_dependence, of=3, tone=terran.tone)
    repairs = tuple(
        ItemVM(title=names.get(instance, _("Module")), icon="hammer-wrench", tone="critical")
        for instance in view.damaged
    )
    left = (
        special_block(
            riot,
            _("Begins when Happiness or Security turn Critical. First SecForce act, then Marines; stage 3 is the end."),
            stage,
        ),
        special_block(crowding, _("Without beds all three statuses fall, and fewer Citizens come.")),
    )
    right = (
        special_block(
            terran,
            _(
                "STOCK below zero brings a loan of {n} and one step of dependence. The Ambassador and some decrees undo one."
            ).format(n=figure(view.loan)),
            loans,
        ),
        special_block(damage, _("Leave damaged modules and their tiles where they are; they are rebuilt."), *repairs),
    )
    bars = (progress_block(colony),) if colony.achievements else ()
    return PageVM(
        title=_("SPECIAL STATES"),
        subtitle=_("What can end the colony"),
        icon="alert-octagon",
        tone="critical",
        columns=((*bars, *left), right),
    )


def special_block(row: SpecialRowVM, note: str, *items: ItemVM) -> BlockVM:
    return BlockVM(
        title=row.title.upper(),
        icon=row.icon,
        tone=row.tone,
        lead=row.text,
        pill=PillVM("", row.badge, row.tone),
        items=items,
        note=note,
    )


def progress_block(colony: PlayerView) -> BlockVM:
    return BlockVM(
        title=colony.scenario_name.upper(), icon="book-open-variant", tone="prisoners",
        items=achievement_rows(colony.achievements),
    )  # fmt: skip


def economy_page(colony: PlayerView) -> PageVM:
    view = colony.economy
    change = stock_change(view)
    stock = BlockVM(
        title=_("STOCK"),
        icon="bank",
        tone="stock",
        big=figure(view.stock),
        big_tone="critical" if view.stock < 0 else "text",
        lead=_("{change} since the last round").format(change=signed(change)) if change else "",
        values=stock_course(view),
    )
    queue = BlockVM(
        title=_("BUILDING QUEUE"),
        icon="crane",
        lead="" if view.queue else _("Nothing is being built."),
        items=tuple(
            ItemVM(
                title=row.name,
                icon=row.icon,
                tone=row.tone,
                value=row.text,
                value_tone="muted",
                steps=row.quarters,
                of=4,
            )
            for row in builds(colony)
        ),
        note=_("Every module under construction costs {n} STOCK a round, unless a card says otherwise.").format(
            n=figure(view.construction_cost)
        )
        if view.queue
        else "",
    )
    built = [module for module in colony.modules if module.condition is not Condition.UNDER_CONSTRUCTION]
    modules = BlockVM(
        title=_("MODULES"),
        icon="office-building",
        pill=PillVM("", count(len(colony.modules), _("{n} module"), _("{n} modules")), "muted")
        if colony.modules
        else PillVM(),
        lead="" if built else _("Only the ARC stands so far."),
        items=tuple(module_row(module, colony) for module in built),
    )
    return PageVM(
        title=_("ECONOMY"),
        subtitle=_("The colony's budget and what it builds"),
        icon="package-variant-closed",
        tone="stock",
        columns=((stock, queue), (modules,)),
    )


def module_row(module: ModuleView, colony: PlayerView) -> ItemVM:
    builder = words.find_manager(colony, module.builder)
    text = words.CONDITION_WORDS[module.condition]
    if builder is not None:
        text = _("{condition} · built by {manager}").format(condition=text, manager=builder.name)
    return ItemVM(
        title=module.name,
        text=text,
        icon=words.CONDITION_ICONS[module.condition],
        tone="info"
        if module.tier > 1 and module.condition is Condition.WORKING
        else words.CONDITION_TONES[module.condition],
        pill=PillVM("star", _("Tier 2"), "info") if module.tier > 1 else PillVM(),
    )
