"""What players see of a game, as lines of text: the same facts as on the screens, in their order."""

from collections.abc import Iterator

from companion.simulation.player import EndingView, PlayerView
from companion.simulation.player_report import (
    AchievementSection,
    ColonyStatusSection,
    DecreeResult,
    DecreeSection,
    EconomySection,
    OccurrenceSection,
    PlayerReport,
    RankingSection,
    UpgradeSection,
    UpkeepSection,
)


def report_lines(report: PlayerReport) -> Iterator[str]:
    yield f"  ── round {report.closed_round} settled"
    for section in report.sections:
        match section:
            case ColonyStatusSection():
                for level, title, text in section.notices:
                    yield f"  [{level.value}] {title}: {text}"
            case OccurrenceSection():
                yield f"  Occurrence «{section.title}»: {'; '.join(section.colony_effects) or 'no effect on the colony'}"
                yield from (f"    on the table: {line}" for line in section.table_instructions)
            case EconomySection():
                yield f"  STOCK {section.stock_before} → {section.stock_after}: " + ", ".join(
                    f"{label} {amount:+}" for label, amount in (*section.income, *section.expenses)
                )
                yield "  " + ", ".join(
                    f"{r.value} +{p} −{c}" + (f" imported {i}" if i else "") for r, p, c, i in section.resources
                )
                yield "  " + ", ".join(f"{group.value} {a} → {b}" for group, a, b in section.population)
            case DecreeSection():
                yield from (_decree_line(result) for result in section.results)
            case RankingSection():
                yield "  Support: " + ", ".join(f"{manager} {'●' * steps}" for manager, steps in section.ranks)
            case AchievementSection():
                yield from (f"  {text}: {reached} of {needed}" for text, reached, needed in section.lines)
            case UpgradeSection():
                yield "  Flip: " + ", ".join(f"{name} ({instance})" for instance, name in section.modules)
            case UpkeepSection():
                if section.governor_changed:
                    yield f"  New Governor: {section.governor}"


def _decree_line(result: DecreeResult) -> str:
    outcome = "blocked" if result.blocked else "passed" if result.passed else "rejected"
    approval = "" if result.approval_tenths is None else f" with {result.approval_tenths / 10:.1f} %"
    effects = f": {'; '.join(result.colony_effects)}" if result.colony_effects else ""
    return f"  {result.colour.value} «{result.title}» by {result.manager} {outcome}{approval}{effects}"


def view_lines(view: PlayerView) -> Iterator[str]:
    yield "  " + ", ".join(f"{status.status.value} {status.level.value}" for status in view.statuses)
    people = sum(count for _, count in view.population.groups)
    trend = (
        "people leave"
        if view.population.is_leaving
        else ", ".join(g.value for g in view.population.trend) or "nobody comes"
    )
    yield f"  {people} of {view.population.housing} beds; coming: {trend}"
    yield "  " + ", ".join(f"{r.resource.value} {r.balance.value}/{r.accumulator.value}" for r in view.resources)
    if view.economy.queue:
        yield "  queue: " + ", ".join(f"{entry.name} {entry.quarters}/4" for entry in view.economy.queue)
    if view.hint:
        yield f"  hint: {view.hint}"
    special = view.special
    flags = [f"RIOT {special.riot_stage}"] if special.riot_stage else []
    flags += [f"Terran Dependence {special.terran_dependence}"] if special.terran_dependence else []
    flags += ["overcrowded"] if special.is_overcrowded else []
    flags += ["red warning"] if special.riot_warning else []
    if flags:
        yield "  " + ", ".join(flags)
    if view.ending:
        yield from ending_lines(view.ending)


def ending_lines(ending: EndingView) -> Iterator[str]:
    yield f"  ══ {'victory' if ending.is_victory else 'defeat'}: {', '.join(e.value for e in ending.endings)} — {ending.title}"
    if ending.president:
        yield f"  President: {ending.president}"
    for score in ending.scores:
        lines = ", ".join(f"{line.label} {line.points}" for line in score.lines if line.points)
        yield f"  {score.manager or 'together'} {score.total}{' wins' if score.is_winner else ''}: {lines}"
