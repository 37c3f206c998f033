"""A flash one of whose erase blocks has failed."""

from firmware.desk.chips.flash import Flash

_ERASE, _IO_ERROR = 6, 5


def spoil(flash: Flash, block: int, what: str) -> None:
    """From now on this block takes no bits (`program`), says that it takes none (`refuse`), or cannot be erased (`erase`)."""
    program, ioctl = flash._program, flash.ioctl

    def no_program(at: int, data: bytes) -> None:
        if at // flash.block != block:
            program(at, data)
        elif what == "refuse":
            raise OSError(_IO_ERROR)

    def no_erase(operation: int, argument: int = 0) -> int | None:
        if operation == _ERASE and argument == block:
            raise OSError(_IO_ERROR)
        return ioctl(operation, argument)

    if what == "erase":
        flash.ioctl = no_erase  # type: ignore[method-assign]
    else:
        flash._program = no_program  # type: ignore[method-assign]
