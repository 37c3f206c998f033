"""The file of pairings: kept for its user alone, and a sentence for whatever is wrong with it."""

from pathlib import Path

import pytest

from firmware.flash.errors import FlashError
from firmware.flash.tokens import TokenFile

TOKEN = bytes(range(16))


def test_what_was_kept_is_there_the_next_time_and_nobody_else_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "state" / "pairing.json"
    first = TokenFile(path)
    first.keep("abcd", TOKEN)
    again = TokenFile(path)
    assert (again.tablet, again.token("abcd"), again.token("ffff")) == (first.tablet, TOKEN, None)
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    "text", [b"", b'{"tab', b"[]", b"\xff\xfe", b'{"tokens": [1]}', b'{"tokens": {"a": "zz"}}', b'{"tablet": []}x']
)
def test_a_file_that_is_none_is_told_with_its_place(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "pairing.json"
    path.write_bytes(text)
    with pytest.raises(FlashError, match=r"pairing\.json.* cannot be read"):
        TokenFile(path)


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    tokens = TokenFile(tmp_path / "file" / "pairing.json")
    with pytest.raises(FlashError, match=r"pairing\.json.* cannot be written"):
        tokens.keep("abcd", TOKEN)
