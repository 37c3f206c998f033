"""The pages: what they link to is there, and the files, tests and commands they name exist."""

import ast
import importlib
import inspect
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")]
PAGES += sorted(
    page for folder in ("protocol", "firmware", "companion", "hardware") for page in (ROOT / folder).rglob("*.md")
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8"))
    inside = [link for link in links if not re.match(r"[a-z]+:", link)]
    assert [link for link in inside if not (page.parent / link).exists()] == []


def _named_paths(page: Path) -> list[tuple[str, str]]:
    """What stands in backticks and begins with a folder of ours: the path, and the test behind `::` or ""."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    named = re.findall(r"`((?:[\w.-]+/)+[\w.*-]*)(?:::(\w+))?`", text)
    # a word in capitals is a place for one: `tests/on_micropython/test_SUBJECT.py`, `companion/screens/NAME.kv`
    return [(path, test) for path, test in named if not re.search(r"[A-Z]{4}", path.removesuffix("README.md"))]


def _is_there(page: Path, path: str) -> bool:
    """From the root or from the page's folder, as a file, a folder, a module `arc/outbox` or a class `arc/outbox.Outbox`."""
    near = [folder for folder in (ROOT, page.parent) if (folder / path.split("/")[0]).is_dir()]
    names = path.rstrip("/"), f"{path}.py", re.sub(r"\.[A-Z]\w*$", ".py", path)
    return not near or any(any(folder.glob(name)) for folder in near for name in names)


@cache
def _tests_in(file: Path) -> set[str]:
    nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    return {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_files_and_tests_it_names_are_there(page: Path) -> None:
    named = _named_paths(page)
    assert [path for path, _ in named if not path.startswith("build/") and not _is_there(page, path)] == []
    assert [f"{path}::{test}" for path, test in named if test and test not in _tests_in(ROOT / path)] == []


def test_every_field_report_has_its_row() -> None:
    page = (ROOT / "firmware" / "FIELD_REPORTS.md").read_text(encoding="utf-8")
    rows = {int(number): answer for number, answer in re.findall(r"^\| (\d+) \|.*\| (.*) \|$", page, re.MULTILINE)}
    assert list(rows) == list(range(1, 84, 2))
    assert [number for number, answer in rows.items() if "::" not in answer] == [27], "what is no behaviour has no test"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_of_make_exist(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    named = set(re.findall(r"`make ([a-z-]+)", page.read_text(encoding="utf-8")))
    assert named <= targets


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_programs_and_their_commands_exist(page: Path) -> None:
    for module, command in re.findall(r"python -m ([\w.]+)(?: ([a-z][a-z-]+))?", page.read_text(encoding="utf-8")):
        if module.split(".")[0] not in ("companion", "firmware", "tests"):
            continue
        path = ROOT / module.replace(".", "/")
        assert (path / "__main__.py").is_file() or path.with_suffix(".py").is_file(), module
        if command:
            assert f'"{command}"' in (path / "__main__.py").read_text(encoding="utf-8"), f"{module} {command}"


def test_the_faces_of_the_firmware_have_the_arguments_that_architecture_names() -> None:
    rows = re.findall(
        r"^\| `([a-z_0-9]+/[a-z_0-9]+)\.(\w+)\(([^)]*)\)`", (ROOT / "ARCHITECTURE.md").read_text(), re.MULTILINE
    )
    assert len(rows) >= 9
    for module, name, arguments in rows:
        face = inspect.signature(getattr(importlib.import_module(f"firmware.{module.replace('/', '.')}"), name))
        needed = [p.name for p in face.parameters.values() if p.default is inspect.Parameter.empty]
        told = [word for word in arguments.split(", ") if word]
        assert needed[: len(told) - 1] == told[:-1] if told[-1:] == ["…"] else needed == told, name
