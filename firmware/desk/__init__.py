"""Boards without boards: the same firmware on this computer, with a table drawn round it. `Desk` is the public face."""

# Tests on MicroPython import the models of the chips through this package: nothing here that is not there.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.desk.desk import Desk as Desk

__all__ = ["Desk"]


def __getattr__(name: str) -> "type[Desk]":
    # late: every board's process passes through this package and needs none of it
    if name == "Desk":
        from firmware.desk.desk import Desk

        return Desk
    raise AttributeError("module %s has no attribute %s" % (__name__, name))  # noqa: UP031 (as above)
