"""What is wrong with a catalog folder, in words an author can act on."""

from pathlib import Path

from attrs import frozen


@frozen
class Fault:
    file: Path
    line: int
    entry: str
    """Kind and id, like «decree clean-air»."""
    key: str
    reason: str
    """What is wrong and what would be right."""

    def __str__(self) -> str:
        key = f", {self.key}" if self.key else ""
        return f"{self.file}:{self.line}: {self.entry}{key}: {self.reason}"


class CatalogError(Exception):
    """The folder cannot be used; `faults` lists everything that is wrong with it."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        self.faults = faults
        count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
        super().__init__("\n".join([f"the catalog has {count}:", *map(str, faults)]))
