"""Planets to settle from an exoplanet table (CSV as the NASA Exoplanet Archive writes it). Pure: text in, planets out.

The rule, the same for every row and monotone: whatever is farther from Earth's is never easier.
- needed: `pl_name`, `pl_rade` and `pl_bmasse` (Earth radii and masses), `pl_orbper` (days), `st_teff` (K), and `pl_eqt` (K) or `pl_insol`
  (Earth = 1; then T = 255 K × insolation^¼, albedo 0.3). A row that lacks one is skipped and named; nothing is guessed.
- temperature = equilibrium temperature + 33 K greenhouse; gravity = mass / radius²; radiation 0–10 rises with insolation and with stars
  cooler than 5,000 K (flares); seismics 0–10 rises as the orbit gets shorter (tides) and with mass.
- colonisable: −120 to 120 °C, 30 to 200 % gravity, radius to 2.
- hardship = |temperature − 15| / 2 + |gravity − 100| / 3 + 3 × radiation + 2 × seismics, in points. From it, by the table `_STEPS`, difficulty,
  decline, immigration, catastrophe, upkeep and the VP modifier.
"""

import csv
import math
import re
from collections.abc import Iterator
from io import StringIO

from attrs import frozen

from companion.catalog.model import Planet

_NEEDED = ("pl_name", "pl_rade", "pl_bmasse", "pl_orbper", "st_teff")
_EARTH_EQUILIBRIUM_K, _GREENHOUSE_K, _ZERO_C = 255, 33, 273
_TEMPERATURES, _GRAVITIES, _RADIUS_MOST = (-120, 120), (30, 200), 2.0
_STEPS = (
    # hardship from, difficulty, decline, immigration, catastrophe, upkeep, VP modifier
    (0, "gentle", 85, 10, 80, 0, -40),
    (20, "standard", 100, 0, 100, 0, -50),
    (45, "hard", 125, -15, 150, 1, -65),
    (80, "extreme", 150, -30, 200, 2, -75),
)


@frozen
class Skipped:
    line: int
    name: str
    reason: str


@frozen
class Imported:
    planets: tuple[Planet, ...]
    skipped: tuple[Skipped, ...]


class OddRowError(ValueError):
    """A row that cannot become a planet; the message says why."""


def import_planets(text: str) -> Imported:
    """Raises ValueError when the text has no such table at all."""
    planets: dict[str, Planet] = {}
    skipped = []
    for line, row in _rows(text):
        name = (row.get("pl_name") or "").strip() or "without name"
        try:
            planet = _planet(row)
            if planet.id in planets:
                raise OddRowError("it stands in the table twice; the first row is taken")
            planets[planet.id] = planet
        except OddRowError as odd:
            skipped.append(Skipped(line, name, str(odd)))
    return Imported(tuple(planets.values()), tuple(skipped))


def _rows(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    lines = [(number, line) for number, line in enumerate(text.lstrip("\ufeff").splitlines(), start=1)]
    table = [(number, line) for number, line in lines if line.strip() and not line.startswith("#")]
    if not table:
        raise ValueError("there is no table in this file")
    header = [name.strip() for name in next(csv.reader([table[0][1]]))]
    missing = [name for name in _NEEDED if name not in header]
    if not {"pl_eqt", "pl_insol"} & set(header):
        missing.append("pl_eqt or pl_insol")
    if missing:
        raise ValueError(
            f"these columns are missing: {', '.join(missing)}; the first line after comments names the columns"
        )
    reader = csv.reader(StringIO("\n".join(line for _, line in table[1:])))
    for cells in reader:
        number = table[min(reader.line_num, len(table) - 1)][0]
        yield number, dict(zip(header, cells, strict=False))


def _number(row: dict[str, str], key: str) -> float:
    cell = (row.get(key) or "").strip()
    if not cell:
        raise OddRowError(f"{key} is blank")
    try:
        number = float(cell)
    except ValueError:
        raise OddRowError(f"{key} is not a number: {cell!r}") from None
    if not math.isfinite(number) or number <= 0:
        raise OddRowError(f"{key} must be above zero: {cell}")
    return number


def _planet(row: dict[str, str]) -> Planet:
    name = (row.get("pl_name") or "").strip()
    slug = re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")
    if not slug:
        raise OddRowError("pl_name is blank")
    radius, mass = _number(row, "pl_rade"), _number(row, "pl_bmasse")
    period, star = _number(row, "pl_orbper"), _number(row, "st_teff")
    equilibrium = _equilibrium(row)
    insolation = (equilibrium / _EARTH_EQUILIBRIUM_K) ** 4
    temperature = round(equilibrium + _GREENHOUSE_K - _ZERO_C)
    gravity = round(100 * mass / radius**2)
    _check_colonisable(radius, temperature, gravity)
    radiation = min(10, round(2 * insolation + max(0.0, 5000 - star) / 500))
    seismics = min(10, round(20 / math.sqrt(period) + mass / 2))
    hardship = abs(temperature - 15) / 2 + abs(gravity - 100) / 3 + 3 * radiation + 2 * seismics
    return _by_hardship(slug, name, hardship, temperature, gravity, radiation, seismics, period)


def _equilibrium(row: dict[str, str]) -> float:
    if (row.get("pl_eqt") or "").strip():
        return _number(row, "pl_eqt")
    if (row.get("pl_insol") or "").strip():
        return _EARTH_EQUILIBRIUM_K * math.sqrt(math.sqrt(_number(row, "pl_insol")))
    raise OddRowError("pl_eqt and pl_insol are both blank")


def _check_colonisable(radius: float, temperature: int, gravity: int) -> None:
    if radius > _RADIUS_MOST:
        raise OddRowError(f"nobody can stand on a planet of {radius:g} Earth radii")
    if not _TEMPERATURES[0] <= temperature <= _TEMPERATURES[1]:
        raise OddRowError(f"{temperature} °C is outside {_TEMPERATURES[0]} to {_TEMPERATURES[1]} °C")
    if not _GRAVITIES[0] <= gravity <= _GRAVITIES[1]:
        raise OddRowError(f"{gravity} % gravity is outside {_GRAVITIES[0]} to {_GRAVITIES[1]} %")


def _by_hardship(
    slug: str, name: str, hardship: float, temperature: int, gravity: int, radiation: int, seismics: int, period: float
) -> Planet:
    _, difficulty, decline, immigration, catastrophe, upkeep, modifier = max(s for s in _STEPS if s[0] <= hardship)
    climate = "hot" if temperature > 40 else "cold" if temperature < -10 else "temperate"
    tags = [climate] + ["quakes"] * (seismics >= 6) + ["radiation"] * (radiation >= 6)
    return Planet(
        id=slug,
        name=name,
        text=f"A year of {period:.3g} days, {temperature} °C on average, {gravity} % of Earth's gravity.",
        difficulty=difficulty,
        vp_modifier=modifier,
        environment=tuple(tags),
        temperature_c=temperature,
        gravity_percent=gravity,
        radiation=radiation,
        seismics=seismics,
        decline=decline,
        immigration=immigration,
        catastrophe=catastrophe,
        upkeep=upkeep,
        source="inferred",
    )


def planet_toml(planet: Planet) -> str:
    """The entry as an author would write it."""
    tags = ", ".join(f'"{tag}"' for tag in planet.environment)
    name, text = planet.name.replace('"', "'"), planet.text.replace('"', "'")
    lines = [
        "[[planet]]",
        f'id = "{planet.id}"',
        f'name = "{name}"',
        f'text = "{text}"',
        f'difficulty = "{planet.difficulty}"',
        f"vp_modifier = {planet.vp_modifier}",
        f"environment = [{tags}]",
    ]
    numbers = (
        "temperature_c",
        "gravity_percent",
        "radiation",
        "seismics",
        "decline",
        "immigration",
        "catastrophe",
        "upkeep",
    )
    lines += [f"{key} = {getattr(planet, key)}" for key in numbers]
    return "\n".join([*lines, f'source = "{planet.source}"', ""])
