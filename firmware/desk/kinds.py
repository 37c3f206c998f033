"""The kinds of boards there are on the desk, from the boards' own pin maps."""

from firmware.boards import arc_esp32s3 as arc
from firmware.desk.board import BoardKind

# The heap is counted in machine words, `w`: objects here are twice as wide as on the boards' 32-bit chips, and 256 KiB
# there are 512 KiB here.
ARC_KIND = BoardKind(
    entry="firmware/arc/main.py",
    heap="256wk",
    partitions=arc.PARTITIONS,
    block=arc.ERASE_BLOCK,
    chip_select=arc.RFID_CS,
    has_radio=True,
    has_usb=True,
)
MODULE_KIND = BoardKind(entry="firmware/module/main.py", heap="160wk")
