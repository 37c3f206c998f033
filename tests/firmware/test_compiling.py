"""What only type checkers want does not reach the boards, and every line keeps its number."""

from pathlib import Path

import pytest

from firmware.compiling import FOR_BOARDS, CompileError, compile_files

SOURCE = '''"""A file."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from somewhere import OnlyForCheckers


def add(left: "OnlyForCheckers") -> int:
    return left + 1
'''


def compiled(tmp_path: Path, source: str, optimise: int = 0) -> bytes:
    path = tmp_path / "file.py"
    path.write_text(source)
    return compile_files({"firmware/file.py": path}, optimise)["firmware/file.py"]


def test_imports_for_checkers_are_left_out(tmp_path: Path) -> None:
    data = compiled(tmp_path, SOURCE)
    assert data[:1] == b"M"
    assert b"OnlyForCheckers" not in data
    assert b"add" in data


def test_lines_keep_their_numbers(tmp_path: Path) -> None:
    without = SOURCE.replace("TYPE_CHECKING = False\nif TYPE_CHECKING:\n", "\nif False:\n")
    assert compiled(tmp_path, SOURCE) == compiled(tmp_path, without)


def test_a_file_that_asks_for_it_elsewhere_too_keeps_it(tmp_path: Path) -> None:
    assert b"TYPE_CHECKING" in compiled(tmp_path, SOURCE + "\n\nBase = OnlyForCheckers if TYPE_CHECKING else object\n")


def test_for_boards_it_is_smaller(tmp_path: Path) -> None:
    assert len(compiled(tmp_path, SOURCE, FOR_BOARDS)) < len(compiled(tmp_path, SOURCE))


def test_a_file_that_does_not_compile_is_named(tmp_path: Path) -> None:
    with pytest.raises(CompileError, match=r"firmware/file\.py does not compile"):
        compiled(tmp_path, "def broken(:\n")
