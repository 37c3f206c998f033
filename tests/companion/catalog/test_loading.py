"""Folders of an author's: laid over the shipped one, or refused with every fault, its line and what would be right."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from companion import catalog
from companion.catalog.curve import Curve
from companion.catalog.lines import LineFinder

GOOD = """
[[decree]]
id = "lantern-night"
code = "6333"
title = "Lantern Night"
colour = "green"
text = "By hand."
effects = [{ do = "convert", from = "colonists", to = "marines", by = 10, when = { riot = false } }]
"""


def folder(tmp_path: Path, **files: str) -> Path:
    for name, text in files.items():
        (tmp_path / f"{name}.toml").write_text(text)
    return tmp_path


def faults(tmp_path: Path, **files: str) -> list[catalog.Fault]:
    with pytest.raises(catalog.CatalogError) as caught:
        catalog.load(folder(tmp_path, **files))
    assert len(str(caught.value).splitlines()) == len(caught.value.faults) + 1
    return list(caught.value.faults)


def only(tmp_path: Path, text: str) -> catalog.Fault:
    (fault,) = faults(tmp_path, mine=text)
    return fault


def free_code() -> str:
    from protocol import tag

    taken = catalog.load().tags()
    return next(code for n in range(5000, 6000) if (code := tag.code_text(n)) not in taken)


def test_a_folder_adds(tmp_path: Path) -> None:
    mine = catalog.load(folder(tmp_path, mine=GOOD.replace("6333", free_code())))
    shipped = catalog.load()
    assert set(mine.decrees) - set(shipped.decrees) == {"lantern-night"}
    assert mine.version != shipped.version == catalog.load().version


def test_a_folder_replaces_by_id(tmp_path: Path) -> None:
    shipped = catalog.load()
    text = GOOD.replace("lantern-night", "open-canteens").replace("6333", shipped.decrees["open-canteens"].code)
    mine = catalog.load(folder(tmp_path, mine=text))
    assert mine.decrees["open-canteens"].title == "Lantern Night"
    assert len(mine.decrees) == len(shipped.decrees)


def test_a_folder_replaces_single_rules(tmp_path: Path) -> None:
    mine = catalog.load(folder(tmp_path, mine="[rules.start]\nstock = 77\n"))
    assert mine.rules.start.stock == 77
    assert mine.rules.start.colonists == catalog.load().rules.start.colonists


@pytest.mark.parametrize(
    ("change", "key", "says", "line"),
    [
        (('colour = "green"', 'colour = "gren"'), "colour", "did you mean 'green'", 6),
        (('title = "Lantern Night"', 'title = ""'), "title", "is empty", 5),
        (('title = "Lantern Night"', "title = 5"), "title", "put it in quotes", 5),
        (('title = "Lantern Night"\n', ""), "", "'title' is missing", 2),
        (('text = "By hand."', 'texts = "By hand."\ntext = "x"'), "texts", "did you mean 'text'", 7),
        (("by = 10", "by = 0"), "effects.0.by", "right is 1 to 5000", 8),
        (("by = 10", 'by = "ten"'), "effects.0.by", "not a whole number", 8),
        (("by = 10", "by = 1.5"), "effects.0.by", "not a whole number", 8),
        (("by = 10", "by = true"), "effects.0.by", "not a whole number", 8),
        (("by = 10", "bye = 10, by = 10"), "effects.0.bye", "did you mean 'by'", 8),
        (('do = "convert"', 'do = "convertx"'), "effects.0", "did you mean 'convert'", 8),
        (('do = "convert", ', ""), "effects.0", "a table with a verb", 8),
        (('to = "marines"', 'to = "colonists"'), "effects.0", "same group", 8),
        (('to = "marines"', 'to = "martians"'), "effects.0.to", "did you mean 'marines'", 8),
        (("riot = false", "riots = false"), "effects.0.when.riots", "did you mean 'riot'", 8),
        (("riot = false", 'riot = "no"'), "effects.0.when.riot", "true or false", 8),
        (("riot = false", 'module = ["solr"]'), "effects.0.when.module", "did you mean 'solar'", 8),
        (("riot = false", 'planet = ["rustfal"]'), "effects.0.when.planet", "did you mean 'rustfall'", 8),
        (("riot = false", 'manager = ["gor"]'), "effects.0.when.manager", "did you mean 'gore'", 8),
        (("riot = false", 'assistant = ["pilott"]'), "effects.0.when.assistant", "did you mean 'pilot'", 8),
        (("riot = false", 'environment = ["volcannic"]'), "effects.0.when.environment", "did you mean 'volcanic'", 8),
        (("riot = false", "share_min = { marins = 3 }"), "effects.0.when.share_min", "did you mean 'marines'", 8),
        (('effects = [{ do = "convert"', 'effects = [{ do = "block_decrees" }, { do = "convert"'), "effects.0", "§4.8.2", 8),
        (('[{ do', '[{ do = "governor", when = { module = ["solr"] } }, { do'), "effects.0.when.module", "did you mean 'solar'", 8),
        (("[{", "{"), "effects", "square brackets", 8),
        (('code = "', 'code = "0'), "code", "codes` lists free ones", 4),
        (('[[decree]]\nid', '[[decre]]\nid'), "", "did you mean 'decree'", 2),
    ],
)  # fmt: skip
def test_a_fault_says_file_line_key_and_what_is_right(
    tmp_path: Path, change: tuple[str, str], key: str, says: str, line: int
) -> None:
    good = GOOD.replace("6333", free_code()).replace("}]\n", "}]\n")
    text = good.replace(*change)
    if change[0] == "[{":
        text = text.replace("}]", "}")
    assert text != good
    fault = only(tmp_path, text)
    assert (fault.key, fault.line, fault.file.name) == (key, line, "mine.toml")
    assert says in fault.reason


def test_all_faults_of_all_files_at_once(tmp_path: Path) -> None:
    code = free_code()
    first = GOOD.replace("6333", code).replace('"green"', '"blue"').replace("by = 10", "by = -1")
    second = '[[planet]]\nid = "x"\n'
    found = faults(tmp_path, first=first, second=second)
    assert {fault.file.name for fault in found} == {"first.toml", "second.toml"}
    assert {fault.key for fault in found if fault.file.name == "first.toml"} == {"colour", "effects.0.by"}
    assert len([fault for fault in found if fault.file.name == "second.toml"]) >= 8


def test_ids_and_codes_are_taken_once(tmp_path: Path) -> None:
    code = free_code()
    twice = GOOD.replace("6333", code) * 2
    assert "already a decree" in only(tmp_path, twice).reason
    same_code = GOOD.replace("6333", code) + GOOD.replace("6333", code).replace("lantern-night", "other")
    assert "every tag has its own" in only(tmp_path, same_code).reason
    shipped_code = catalog.load().managers["gore"].code
    assert "manager gore" in only(tmp_path, GOOD.replace("6333", shipped_code)).reason


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[[decree]\n", "not TOML"),
        ("x = = 3\n", "not TOML"),
        ("[decree]\nid = 'x'\n", "two brackets"),
        ("[rules.start]\nhappiness = 'many'\n", "not a whole number"),
        ("[rules.start]\nstok = 3\n", "did you mean 'stock'"),
        ("[rules.starts]\nstock = 3\n", "did you mean 'start'"),
        ("[rules.vote]\nmood = [[3, 1], [2, 5]]\n", "must rise"),
        ("[rules.vote]\nmood = [[3, 1, 4]]\n", "[x, y]"),
        ("[rules.vote]\nmood = []\n", "at least one"),
    ],
)
def test_broken_files_and_rules(tmp_path: Path, text: str, says: str) -> None:
    assert says in only(tmp_path, text).reason


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(catalog.CatalogError, match="not TOML"):
        catalog.load(tmp_path)


def test_a_folder_without_files(tmp_path: Path) -> None:
    with pytest.raises(catalog.CatalogError, match=r"no \.toml file"):
        catalog.load(tmp_path)
    with pytest.raises(catalog.CatalogError, match="not a folder"):
        catalog.load(tmp_path / "nowhere")


def test_scenario_rules_must_exist(tmp_path: Path) -> None:
    text = '[[scenario]]\nid = "s"\nname = "S"\ntext = "T"\ndifficulty = "hard"\nrules = { "start.stok" = 3 }\n'
    assert "did you mean 'start.stock'" in only(tmp_path, text).reason


def test_subfolders_are_read(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "mine.toml").write_text(GOOD.replace("6333", free_code()))
    assert "lantern-night" in catalog.load(tmp_path).decrees


def test_curve_between_its_points() -> None:
    curve = Curve(((0, 0), (10, 100), (20, 50)))
    assert [curve.at(x) for x in (-5, 0, 1, 10, 15, 20, 99)] == [0, 0, 10, 100, 75, 50, 50]


@given(
    st.lists(st.tuples(st.integers(0, 500), st.integers(-999, 999)), min_size=1, unique_by=lambda p: p[0]),
    st.integers(-9, 600),
)
def test_curve_stays_between_neighbours(points: list[tuple[int, int]], x: int) -> None:
    points.sort()
    ys = [y for _, y in points]
    assert min(ys) <= Curve(tuple(points)).at(x) <= max(ys)


def test_line_finder_falls_back_to_the_entry() -> None:
    finder = LineFinder('# top\n[[decree]]\nid = "a"\n\n[[decree]]\nid = "b"\ncode = "x"\n[decree.cost]\nCR = 1\n')
    assert finder.find("decree", 0, ("code",)) == 2
    assert finder.find("decree", 1, ("code",)) == 7
    assert finder.find("decree", 1, ("cost", "CR")) == 9
    assert finder.find("planet", 0, ("id",)) == 1
