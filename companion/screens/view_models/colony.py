"""The main screen: five cards, the round, what was registered, what needs attention (rulebook §5)."""

from attrs import field, frozen

from companion.screens.controller import UpdateView
from companion.screens.texts import _, count, figure, signed
from companion.screens.view_models import words
from companion.screens.view_models.attention import AttentionVM, attention
from companion.screens.view_models.cards import (
    ActsVM,
    BuildVM,
    EconomyCardVM,
    GroupVM,
    HeaderVM,
    PillVM,
    PopulationCardVM,
    ResourcesCardVM,
    ResourceVM,
    SpecialCardVM,
    StatusCardVM,
    StatusVM,
)
from companion.screens.view_models.firmware import sign
from companion.screens.view_models.special import special_card
from companion.session.table import Phase, TableView
from companion.simulation.player import EconomyView, PlayerView, PopulationView, ResourceView, StatusView
from companion.simulation.words import Fill, Level


@frozen
class ColonyVM:
    header: HeaderVM = field(factory=HeaderVM)
    status: StatusCardVM = field(factory=StatusCardVM)
    resources: ResourcesCardVM = field(factory=ResourcesCardVM)
    population: PopulationCardVM = field(factory=PopulationCardVM)
    special: SpecialCardVM = field(factory=SpecialCardVM)
    economy: EconomyCardVM = field(factory=EconomyCardVM)
    acts: ActsVM = field(factory=ActsVM)
    attention: AttentionVM = field(factory=AttentionVM)
    hint: str = ""
    next_text: str = ""
    can_next: bool = True


def colony_screen(table: TableView, update: UpdateView | None = None) -> ColonyVM:
    """Of a table with a colony; `update` of a firmware is seen in the header while it runs."""
    colony = table.colony
    assert colony is not None
    return ColonyVM(
        header=header(table, colony, update),
        status=status_card(colony.statuses),
        resources=resources_card(colony.resources),
        population=population_card(colony.population),
        special=special_card(colony),
        economy=economy_card(colony),
        acts=acts(colony, is_tapped=table.tray is not None),
        attention=attention(table, colony),
        hint=table.hint,
        next_text=next_text(table, colony),
        can_next=table.phase is Phase.ROUND,
    )


def header(table: TableView, colony: PlayerView, update: UpdateView | None = None) -> HeaderVM:
    icon, _text, tone = words.ARC_PILLS[table.arc.state]
    if table.arc.battery_low:
        icon, tone = "battery-alert", "alarming"
    people = count(len(colony.managers), _("{n} manager"), _("{n} managers"))
    game = (colony.scenario_name,) if colony.scenario_name else (words.MODE_WORDS[colony.mode], people)
    return HeaderVM(
        title=colony.colony_name.upper(),
        subtitle=" · ".join((colony.planet_name, *game)),
        round=colony.round,
        rounds=colony.max_rounds,
        arc=sign(update) or PillVM(icon, words.arc_text(table.arc), tone),
        can_undo=table.undo_text is not None,
        has_tray=table.tray is not None,
    )


def next_text(table: TableView, colony: PlayerView) -> str:
    if table.phase is Phase.SETTLING:
        return _("Settling round {n} …").format(n=colony.round)
    if colony.is_last_round:
        return _("End the last round")
    return _("End round {n}").format(n=colony.round)


def status(view: StatusView) -> StatusVM:
    steps = words.LEVEL_STEPS[view.level]
    if view.previous is None:
        icon, change = "trending-neutral", _("first round")
    else:
        before = words.LEVEL_STEPS[view.previous]
        icon = "trending-up" if steps > before else "trending-down" if steps < before else "trending-neutral"
        change = _("was {level}").format(level=words.LEVEL_WORDS[view.previous])
        if steps == before:
            change = _("as last round")
    return StatusVM(
        name=words.STATUS_WORDS[view.status],
        icon=words.status_icon(view.status, view.level),
        word=words.LEVEL_WORDS[view.level],
        tone=view.level.value,
        steps=steps,
        change_icon=icon,
        change=change,
        history=level_course(view)[-14:],
    )


def level_course(view: StatusView) -> tuple[int, ...]:
    """Steps at the end of each round, and now where they have moved since."""
    past = tuple(words.LEVEL_STEPS[level] for level in view.history)
    now = words.LEVEL_STEPS[view.level]
    return past if past[-1:] == (now,) else (*past, now)


def status_card(views: tuple[StatusView, ...]) -> StatusCardVM:
    worst = max(views, key=lambda view: list(Level).index(view.level))
    if worst.level is Level.GOOD:
        pill = PillVM("check-circle", _("All good"), "good")
    else:
        same = [view for view in views if view.level is worst.level]
        names = " + ".join(words.STATUS_WORDS[view.status] for view in same) if len(same) < 3 else _("All three")
        word = words.LEVEL_WORDS[worst.level].lower()
        pill = PillVM(words.LEVEL_ICONS[worst.level], f"{names} {word}", worst.level.value)
    return StatusCardVM(pill, tuple(status(view) for view in views))


def resource(view: ResourceView) -> ResourceVM:
    most = max(view.production, view.consumption, 1)
    return ResourceVM(
        name=words.RESOURCE_WORDS[view.resource],
        icon=words.RESOURCE_ICONS[view.resource],
        tone=view.resource.value,
        makes=figure(view.production),
        uses=figure(view.consumption),
        made_share=view.production / most,
        used_share=view.consumption / most,
        balance=PillVM(
            words.BALANCE_ICONS[view.balance], words.BALANCE_WORDS[view.balance], words.BALANCE_TONES[view.balance]
        ),
        net=signed(view.production - view.consumption),
        cells=words.FILL_CELLS[view.accumulator],
        accumulator=words.FILL_WORDS[view.accumulator],
        accumulator_tone="alarming" if view.accumulator is Fill.EMPTY else "muted",
    )


def resources_card(views: tuple[ResourceView, ...]) -> ResourcesCardVM:
    lacking = [view for view in views if view.production < view.consumption]
    if not lacking:
        return ResourcesCardVM(PillVM("check-circle", _("Supplied"), "good"), tuple(map(resource, views)))
    imported = [view for view in lacking if view.accumulator is Fill.EMPTY]
    names = ", ".join(words.RESOURCE_WORDS[view.resource] for view in imported or lacking)
    pill = (
        PillVM("alert", _("{names}: imported").format(names=names), "alarming")
        if imported
        else PillVM("alert-circle-outline", _("{names}: drawn from store").format(names=names), "poor")
    )
    if len(imported or lacking) > 2:
        pill = PillVM("alert", _("Several run short"), "alarming")
    return ResourcesCardVM(pill, tuple(map(resource, views)))


def group_rows(view: PopulationView) -> tuple[GroupVM, ...]:
    return tuple(
        GroupVM(words.GROUP_WORDS[group], words.GROUP_ICONS[group], group.value, size, figure(size))
        for group, size in view.groups
    )


def trend_pill(view: PopulationView) -> PillVM:
    if view.is_leaving:
        return PillVM("account-arrow-left", _("Citizens leave"), "alarming")
    if not view.trend:
        return PillVM("trending-neutral", _("Nobody is coming"), "muted")
    return PillVM("account-arrow-right", _("Mostly {group}").format(group=words.GROUP_WORDS[view.trend[0]]), "good")


def population_card(view: PopulationView) -> PopulationCardVM:
    total = sum(size for _group, size in view.groups)
    free = view.housing - total
    beds = _("{n} beds").format(n=figure(view.housing))
    return PopulationCardVM(
        pill=trend_pill(view),
        total=figure(total),
        caption=_("Citizens"),
        housing=beds if free >= 0 else _("only {beds}").format(beds=beds),
        housing_tone="muted" if free >= 0 else "alarming",
        groups=group_rows(view),
        history=view.history[-14:],
    )


QUARTER_WORDS = (_("begun"), _("a quarter"), _("half"), _("three quarters"), _("ready"))


def builds(colony: PlayerView) -> tuple[BuildVM, ...]:
    return tuple(
        BuildVM(
            name=view.name,
            icon="check-circle" if view.quarters == 4 else "hammer-wrench" if view.is_rebuilding else "crane",
            tone="good" if view.quarters == 4 else "alarming" if view.is_rebuilding else "accent",
            quarters=view.quarters,
            text=QUARTER_WORDS[view.quarters],
        )
        for view in colony.economy.queue
    )


def stock_course(view: EconomyView) -> tuple[int, ...]:
    """STOCK at the end of each round, and now where it has moved since."""
    return view.history if view.history[-1:] == (view.stock,) else (*view.history, view.stock)


def stock_change(view: EconomyView) -> int:
    """Against the step before in its course."""
    course = stock_course(view)
    return course[-1] - course[-2] if len(course) > 1 else 0


def economy_card(colony: PlayerView) -> EconomyCardVM:
    view = colony.economy
    queue = builds(colony)
    shown = queue if len(queue) <= 3 else queue[:2]
    change = stock_change(view)
    return EconomyCardVM(
        pill=PillVM("crane", count(len(queue), _("{n} in work"), _("{n} in work")), "accent") if queue else PillVM(),
        stock=figure(view.stock),
        tone="critical" if view.stock < 0 else "text",
        caption=_("STOCK"),
        change=_("{change} since last round").format(change=signed(change)) if change else "",
        history=stock_course(view)[-14:],
        queue=shown,
        more=_("and {n} more").format(n=len(queue) - len(shown)) if len(queue) > len(shown) else "",
        is_idle=not queue,
    )


def acts(colony: PlayerView, *, is_tapped: bool = False) -> ActsVM:
    done = colony.registered
    if not done:
        how = _("Tap the cards above to play") if is_tapped else _("Lay a card or a token on the ARC")
        return ActsVM(_("Nothing registered yet"), how)
    title = count(len(done), _("{n} act registered"), _("{n} acts registered"))
    managers: list[tuple[str, str, str]] = []
    for act in done:
        manager = words.find_manager(colony, act.manager)
        if manager is not None:
            look = words.portrait_of(manager)
            managers = [one for one in managers if one != look] + [look]
    return ActsVM(title, _("Newest: {text}").format(text=done[-1].text), tuple(managers))
