"""What authors write that is TOML and no catalog: each is said with its place, and nothing of it reaches a game."""

from pathlib import Path

import pytest

from companion import catalog
from companion.catalog.__main__ import main
from tests.companion.catalog.test_loading import GOOD, faults, folder, free_code, only

SCENARIO = '[[scenario]]\nid = "s"\nname = "S"\ntext = "T"\ndifficulty = "hard"\n'
OCCURRENCE = '[[occurrence]]\nid = "o"\ntitle = "O"\ntext = "T"\n'
MANAGER = """
[[manager]]
id = "zed"
code = "{code}"
name = "Zed"
letter = "{letter}"
colour = "{colour}"
order = 9
order_vp = 3
modules = []
text = "By hand."
source = "ours"
"""


def decree(**changes: str) -> str:
    text = GOOD.replace("6333", free_code())
    for key, value in changes.items():
        lines = [line for line in text.splitlines() if not line.startswith(f"{key} =")]
        text = "\n".join([*lines, f"{key} = {value}", ""])
    return text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (decree(cost="5"), "5 is not a table"),
        (decree(cost="[1]"), "is not a table"),
        (decree(effects='[{ do = "stock", by = 5, when = { share_min = 3 } }]'), "3 is not a table"),
        ('decree = ["x"]\n', "two brackets"),
        ("decree = [1]\n", "two brackets"),
        ("[rules]\nstart = 5\n", "is not a table"),
        (decree(id='""'), "id is empty"),
        (f"x = {'[' * 3000}{']' * 3000}\n", "not TOML"),
        (SCENARIO + 'without = ["last_rond"]\n', "did you mean 'last_round'"),
        (SCENARIO + "max_rounds = -5\n", "out of range"),
        (OCCURRENCE + "when = { own_modules_min = 1 }\n", "looks at an owner"),
        (OCCURRENCE + 'effects = [{ do = "support", of = "owner", points = 1 }]\n', "looks at an owner"),
        (OCCURRENCE + 'effects = [{ do = "approval", of = "others", percent = 1 }]\n', "looks at an owner"),
    ],
)
def test_what_is_no_catalog_is_a_fault_and_no_crash(tmp_path: Path, text: str, says: str) -> None:
    assert says in only(tmp_path, text).reason


def test_what_cannot_be_read_is_named_beside_the_rest(tmp_path: Path) -> None:
    (tmp_path / "gone.toml").symlink_to(tmp_path / "nowhere")
    (tmp_path / "folder.toml").mkdir()
    found = faults(tmp_path, mine=decree(colour='"gren"'))
    assert [(fault.file.name, fault.key) for fault in found] == [("gone.toml", ""), ("mine.toml", "colour")]


@pytest.mark.parametrize("id", ["gore", "governor", next(iter(catalog.load().directives)), "solo"])
def test_a_swipe_means_one_thing(tmp_path: Path, id: str) -> None:
    """The journal keeps its id alone, so no two cards and tokens share one."""
    assert "choose another" in only(tmp_path, decree(id=f'"{id}"')).reason


def test_there_are_the_tokens_that_the_app_knows(tmp_path: Path) -> None:
    text = f'[[token]]\nid = "medal"\ncode = "{free_code()}"\nname = "M"\ncolour = "#ffffff"\ntext = "T"\nsource = "ours"\n'
    assert "ambassador, governor" in only(tmp_path, text).reason


@pytest.mark.parametrize(
    ("letter", "colour", "key"),
    [("", "#FFFFFF", "letter"), ("Zed", "#FFFFFF", "letter"), ("Z", "gold", "colour"), ("Z", "#fff", "colour")],
)
def test_a_portrait_can_be_drawn(tmp_path: Path, letter: str, colour: str, key: str) -> None:
    assert only(tmp_path, MANAGER.format(code=free_code(), letter=letter, colour=colour)).key == key


def test_a_card_has_one_of_each_side(tmp_path: Path) -> None:
    text = '[[assistant]]\nid = "x"\nname = "X"\nmanager = "bloch"\nside = "a"\ntext = "T"\nsource = "ours"\n'
    assert "one of each side" in only(tmp_path, text).reason


DIVISORS = (
    "supply.citizens_per_life_support", "economy.colonists_per_stock", "economy.scientists_per_stock", "economy.prisoners_per_cost",
    "economy.modules_per_upkeep", "economy.prisoners_per_exchange", "support.ranking_every", "support.ranking_steps",
)  # fmt: skip


@pytest.mark.parametrize("name", [*DIVISORS, "start.max_rounds", "moods.pace"])
def test_nothing_is_divided_by_zero(tmp_path: Path, name: str) -> None:
    """Neither by the rules of a folder, nor by those that a scenario changes."""
    section, _, key = name.partition(".")
    assert only(folder(tmp_path), f"[rules.{section}]\n{key} = 0\n").key == key
    fault = only(tmp_path, SCENARIO + f'rules = {{ "{name}" = 0 }}\n')
    assert (fault.key, fault.line) == ("rules", 6)
    assert f"{key} = 0 is out of range" in fault.reason


def test_somebody_arrives(tmp_path: Path) -> None:
    groups = "colonists = 0\nsecforce = 0\nscientists = 0\nmarines = 0\nprisoners = 0\n"
    assert "one of them must arrive" in only(tmp_path, f"[rules.population]\n{groups}").reason


def test_free_codes_of_a_broken_folder_say_what_is_broken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder(tmp_path, mine=decree(colour='"gren"'))
    assert main(["codes", "--catalog", str(tmp_path)]) == 1
    assert "did you mean 'green'" in capsys.readouterr().err
