"""Where in a TOML file an entry or a key stands: tomli does not say, and an author needs the line."""

import re

_HEADER = re.compile(r"^\s*\[(\[)?\s*([A-Za-z0-9_.\-\"]+)\s*\]?\]")
_KEY = re.compile(r"^\s*([A-Za-z0-9_\-]+)\s*=")


class LineFinder:
    """Finds lines in one file's text; whatever it cannot find is reported at the entry's first line."""

    def __init__(self, text: str) -> None:
        self._headers: dict[tuple[str, int], int] = {}
        self._keys: dict[tuple[str, int, str], int] = {}
        counts: dict[str, int] = {}
        table, index = "", 0
        for number, line in enumerate(text.splitlines(), start=1):
            header = _HEADER.match(line)
            if header:
                name = header[2].replace('"', "")
                if header[1]:
                    counts[name] = counts.get(name, -1) + 1
                    table, index = name, counts[name]
                else:
                    parent = name.rpartition(".")[0]
                    table, index = name, counts.get(parent, counts.get(name.split(".")[0], 0))
                self._headers.setdefault((table, index), number)
            elif key := _KEY.match(line):
                self._keys.setdefault((table, index, key[1]), number)

    def find(self, table: str, index: int, path: tuple[str, ...]) -> int:
        """The line of `path` in the index-th `[[table]]` (0 for a plain table), as near as can be found; 1 if not at all."""
        for depth in range(len(path), -1, -1):
            name = ".".join((table, *path[:depth]))
            if depth < len(path) and (name, index, path[depth]) in self._keys:
                return self._keys[name, index, path[depth]]
            if (name, index) in self._headers:
                return self._headers[name, index]
        return 1
