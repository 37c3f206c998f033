"""Boards without boards: the same firmware on this computer, with a table drawn round it. `Desk` is the public face."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from firmware.desk.desk import Desk as Desk

__all__ = ["Desk"]


def __getattr__(name: str) -> Any:
    # late: every board's process passes through this package and needs none of it
    if name == "Desk":
        from firmware.desk.desk import Desk

        return Desk
    raise AttributeError(f"module {__name__} has no attribute {name}")
