"""Planets from an exoplanet table: documented, monotone, and never guessed."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from companion import catalog
from companion.catalog.__main__ import main
from companion.catalog.exoplanets import import_planets
from companion.catalog.model import Planet

HEADER = "pl_name,hostname,pl_rade,pl_bmasse,pl_orbper,pl_eqt,pl_insol,st_teff"
TABLE = f"""# This file was produced by an archive
# COLUMN pl_name: Planet Name
#
{HEADER}
Blue b,Blue,1.0,1.0,365.25,255,1.0,5778
Warm c,Warm,1.1,1.3,40.2,,1.4,4200
"Odd, the d",Odd,1.4,2.9,12.1,262,,3300
Blank e,Blank,,1.0,10,255,,3000
Giant f,Giant,11.2,318,4000,110,0.03,5800
Oven g,Oven,1.0,1.0,0.5,1800,,5800
Heavy h,Heavy,1.0,2.5,30,250,,5000
Words i,Words,big,1.0,10,255,,3000
Minus j,Minus,-1,1.0,10,255,,3000
Dark k,Dark,1.0,1.0,100,,,5000
Blue b,Blue,1.0,1.1,365.25,255,1.0,5778
,Nameless,1.0,1.0,365,255,1.0,5778
"""
STEPS = ("gentle", "standard", "hard", "extreme")


def test_rows_become_planets_and_odd_ones_are_named() -> None:
    found = import_planets(TABLE)
    assert [planet.id for planet in found.planets] == ["blue-b", "warm-c", "odd-the-d"]
    assert {(odd.line, odd.name): odd.reason for odd in found.skipped} == {
        (8, "Blank e"): "pl_rade is blank",
        (9, "Giant f"): "nobody can stand on a planet of 11.2 Earth radii",
        (10, "Oven g"): "1560 °C is outside -120 to 120 °C",
        (11, "Heavy h"): "250 % gravity is outside 30 to 200 %",
        (12, "Words i"): "pl_rade is not a number: 'big'",
        (13, "Minus j"): "pl_rade must be above zero: -1",
        (14, "Dark k"): "pl_eqt and pl_insol are both blank",
        (15, "Blue b"): "it stands in the table twice; the first row is taken",
        (16, "without name"): "pl_name is blank",
    }


def test_earth_is_gentle() -> None:
    earth = import_planets(TABLE).planets[0]
    assert (earth.temperature_c, earth.gravity_percent, earth.difficulty) == (15, 100, "gentle")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no table"),
        ("# only a comment\n\n", "no table"),
        ("pl_name,pl_rade\nx,1\n", "pl_bmasse, pl_orbper, st_teff, pl_eqt or pl_insol"),
    ],
)
def test_other_files_are_refused(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        import_planets(text)


def planet(eqt: float = 255, radius: float = 1.0, mass: float = 1.0, period: float = 365, star: int = 5778) -> Planet:
    (found,) = import_planets(f"{HEADER}\nx,y,{radius},{mass},{period},{eqt},,{star}\n").planets
    return found


def hardness(entry: Planet) -> tuple[int, ...]:
    return (STEPS.index(entry.difficulty), entry.decline, -entry.immigration, entry.catastrophe, -entry.vp_modifier)


def never_easier(near: Planet, far: Planet) -> bool:
    return all(b >= a for a, b in zip(hardness(near), hardness(far), strict=True))


@given(st.lists(st.floats(255, 350), min_size=2, max_size=2))
def test_hotter_is_never_easier(eqts: list[float]) -> None:
    near, far = sorted(eqts)
    assert never_easier(planet(eqt=near), planet(eqt=far))


@given(st.lists(st.floats(1, 400), min_size=2, max_size=2))
def test_a_shorter_year_is_never_easier(periods: list[float]) -> None:
    far, near = sorted(periods)
    assert never_easier(planet(period=near), planet(period=far))


@given(st.lists(st.floats(1.0, 1.99), min_size=2, max_size=2))
def test_more_gravity_is_never_easier(masses: list[float]) -> None:
    near, far = sorted(masses)
    assert never_easier(planet(mass=near), planet(mass=far))


@given(st.lists(st.integers(2500, 5800), min_size=2, max_size=2))
def test_a_cooler_star_is_never_easier(stars: list[int]) -> None:
    far, near = sorted(stars)
    assert never_easier(planet(star=near), planet(star=far))


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(ValueError):
        found = import_planets(f"{HEADER}\n{text}")
        assert all(-120 <= planet.temperature_c <= 120 for planet in found.planets)


def test_imported_planets_can_be_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "table.csv").write_text(TABLE)
    assert main(["import-planets", str(tmp_path / "table.csv"), "--into", str(tmp_path / "mine")]) == 0
    said = capsys.readouterr().err
    assert "3 planets, 9 rows skipped" in said
    assert "table.csv:8: Blank e: skipped: pl_rade is blank" in said
    assert {"blue-b", "warm-c", "odd-the-d"} <= set(catalog.load(tmp_path / "mine").planets)


def test_check_says_good_or_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check"]) == 0
    assert capsys.readouterr().out.startswith("good: catalog ")
    (tmp_path / "mine.toml").write_text('[[planet]]\nid = "x"\n')
    assert main(["check", str(tmp_path)]) == 1
    assert "mine.toml:1: planet x" in capsys.readouterr().out


def test_codes_are_free_and_valid(capsys: pytest.CaptureFixture[str]) -> None:
    from protocol import tag

    assert main(["codes", "4"]) == 0
    codes = capsys.readouterr().out.split()
    assert len(codes) == 4
    assert not set(codes) & set(catalog.load().tags())
    assert all(tag.code_text(tag.code_number(code)) == code for code in codes)


def test_a_table_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import-planets", str(tmp_path / "nothing.csv")]) == 1
    assert "nothing.csv" in capsys.readouterr().err
