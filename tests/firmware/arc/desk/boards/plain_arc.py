"""The ARC's program on a board that has no say in the current to the modules."""

from firmware.arc import main
from firmware.boards import arc_esp32s3 as board


def run() -> None:
    board.VBUS_EN = board.VBUS_FAULT = board.VBUS_SENSE = None  # type: ignore[assignment]
    board.VBUS_PORT_EN = ()  # type: ignore[assignment]
    main.run()
