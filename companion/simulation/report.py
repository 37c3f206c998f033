"""`report`: the last settlement as the screens between two rounds, in the rulebook's order (§4.1). Made when asked for."""

from companion.catalog import Catalog
from companion.catalog.effects import Effect
from companion.simulation.colony import Colony, Settlement, Vote
from companion.simulation.game_rules import rules_of
from companion.simulation.levels import LEVELS
from companion.simulation.player import StatusView
from companion.simulation.player_report import (
    AchievementSection,
    ColonyStatusSection,
    DecreeResult,
    DecreeSection,
    EconomySection,
    OccurrenceSection,
    PlayerReport,
    RankingSection,
    Section,
    UpgradeSection,
    UpkeepSection,
)
from companion.simulation.settlement.votes import HALF, all_effects
from companion.simulation.view import achievements, module_name, status_views
from companion.simulation.wording import LINES, effect_text, manager_name
from companion.simulation.words import Colour, Group, Level, Mode, Resource, Status

_PER_TENTH = 100
_RIOTS = {
    "warning": (Level.ALARMING, "Unrest", "People gather in the corridors. If nothing changes, there will be a RIOT."),
    "breaks_out": (Level.CRITICAL, "RIOT", "The first stage: the SecForce will try to arrest the rebels."),
    "escalates": (Level.CRITICAL, "RIOT, second stage", "The SecForce has failed. The Marines are ordered to shoot."),
    "pacified": (Level.GOOD, "Order restored", "The RIOT is over."),
    "lost": (Level.CRITICAL, "Anarchy", "Nobody could stop the RIOT."),
}


def report(colony: Colony, catalog: Catalog) -> PlayerReport | None:
    """The summary of the settlement that opened this round, or that ended the game; None in round 1."""
    done = colony.settlement
    if done is None:
        return None
    sections: list[Section] = [
        _status(colony, done, catalog),
        _occurrence(done, catalog),
        _economy(done),
        DecreeSection(tuple(_decree_result(vote, catalog) for vote in _in_turn_order(done, colony))),
    ]
    if done.ranks:
        sections.append(RankingSection(done.ranks))
    lines = achievements(colony, catalog, done.counters)
    if lines:
        sections.append(AchievementSection(lines))
    if done.upgraded:
        sections.append(UpgradeSection(tuple(zip(done.upgraded, _names(done.upgraded, colony, catalog), strict=True))))
    if not done.has_ended:
        sections.append(_upkeep(colony, done, catalog))
    return PlayerReport(done.round, tuple(sections))


def _names(instances: tuple[int, ...], colony: Colony, catalog: Catalog) -> tuple[str, ...]:
    modules = {module.instance: module for module in colony.modules}
    return tuple(module_name(modules[instance], catalog) for instance in instances)


def _status(colony: Colony, done: Settlement, catalog: Catalog) -> ColonyStatusSection:
    damaged = _names(done.hit, colony, catalog)
    notices = [(Level.POOR, message.title, message.text) for message in done.messages]
    if damaged:
        lost = f" {_lives(done.casualties)}" if done.casualties else ""
        text = (
            f"Heavily damaged: {', '.join(damaged)}.{lost} Do not remove modules or tiles; rebuilding begins by itself."
        )
        notices.append((Level.CRITICAL, "Catastrophe", text))
    if done.riot in _RIOTS:
        notices.append(_RIOTS[done.riot])
    if done.loan:
        title = f"Terran Dependence {done.dependence}"
        sent = rules_of(colony.setup, catalog).economy.loan
        notices.append((Level.CRITICAL, title, f"The bank was empty. Earth has sent {sent} STOCK, and its conditions."))
    if done.is_overcrowded:
        text = "More Citizens than beds: all statuses suffer and fewer people come."
        notices.append((Level.ALARMING, "Overcrowded", text))
    if done.completed:
        text = f"Fully built: {', '.join(_names(done.completed, colony, catalog))}."
        notices.append((Level.GOOD, "Construction finished", text))
    if not notices:
        notices.append((Level.GOOD, "A calm month", "No emergency is reported."))
    return ColonyStatusSection(tuple(notices), _status_views(colony, done), damaged)


def _lives(count: int) -> str:
    return "1 Citizen lost their life." if count == 1 else f"{count:,} Citizens lost their lives."


def _status_views(colony: Colony, done: Settlement) -> tuple[StatusView, ...]:
    plain = status_views(done.levels, colony.past)
    before = dict(zip(Status, done.levels_before, strict=True))
    return tuple(StatusView(s.status, s.level, LEVELS[before[s.status]], s.history) for s in plain)


def _occurrence(done: Settlement, catalog: Catalog) -> OccurrenceSection:
    card = catalog.occurrences.get(done.occurrence)
    if card is None:
        return OccurrenceSection("An uneventful month", "Nothing out of the ordinary happened.", (), ())
    return OccurrenceSection(card.title, card.text, _carried_out(card.effects, done.applied), card.table)


def _carried_out(effects: tuple[Effect, ...], applied: int) -> tuple[str, ...]:
    return tuple(effect_text(effect) for index, effect in enumerate(effects) if applied >> index & 1)


def _economy(done: Settlement) -> EconomySection:
    lines = [(LINES[line], amount) for line, amount in done.ledger]
    groups = zip(Group, done.groups_before, done.groups_after, strict=True)
    return EconomySection(
        income=tuple(line for line in lines if line[1] > 0),
        expenses=tuple(line for line in lines if line[1] < 0),
        stock_before=done.stock_before,
        stock_after=done.stock_after,
        resources=tuple(zip(Resource, done.produced, done.consumed, done.imported, strict=True)),
        population=tuple(groups),
    )


def _in_turn_order(done: Settlement, colony: Colony) -> list[Vote]:
    """Last round's order, beginning with the Governor of that round (§4.1.4)."""
    if colony.setup.mode is Mode.SOLO:
        return list(done.votes)
    seats = colony.setup.managers
    first = seats.index(done.governor_before)
    return sorted(done.votes, key=lambda vote: (seats.index(vote.manager) - first) % len(seats))


def _decree_result(vote: Vote, catalog: Catalog) -> DecreeResult:
    card = catalog.directives[vote.card] if vote.is_directive else catalog.decrees[vote.card]
    colour = Colour.BLUE if vote.is_directive else Colour(catalog.decrees[vote.card].colour)
    tenths = None if vote.is_directive or vote.blocked else shown_approval(vote.approval)
    effects = tuple(all_effects(card))
    return DecreeResult(
        title=card.title,
        colour=colour,
        manager=vote.manager,
        passed=vote.passed,
        blocked=vote.blocked,
        approval_tenths=tenths,
        colony_effects=_carried_out(effects, vote.applied),
        table_instructions=card.table if vote.passed else (),
    )


def shown_approval(approval: int) -> int:
    """Tenths of a percent, rounded, but never to the other side of the half nor onto it (GAP-09)."""
    tenths = (approval + _PER_TENTH // 2) // _PER_TENTH
    half = HALF // _PER_TENTH
    return max(half + 1, tenths) if approval > HALF else min(half - 1, tenths)


def _upkeep(colony: Colony, done: Settlement, catalog: Catalog) -> UpkeepSection:
    lines = [
        "Discard every decree that was used, passed or not; a directive leaves the game.",
        "Each unfinished proposal: its owner pays 1 CR, or the module returns and its endorsements are discarded.",
        "In turn order, abilities may be bought with XP.",
        "Take all tokens off the action sockets.",
    ]
    if colony.setup.mode is Mode.SOLO:
        lines[2] = "Abilities may be bought with XP; choose the slot each is assigned to."
        lines.append("Fill the first column with tokens; pay for the second and third, or take what they show.")
        return UpkeepSection(done.governor, False, tuple(lines))
    changed = done.governor != done.governor_before
    if changed:
        lines.insert(0, f"{manager_name(done.governor, catalog)} takes the Governor's token.")
    return UpkeepSection(done.governor, changed, tuple(lines))
