"""The kinds of boards there are on the desk, from the boards' own pin maps."""

from firmware.boards import arc_esp32s3 as arc
from firmware.desk.board import BoardKind

# The boards' own heaps, although objects are twice as wide here as on their 32-bit chips: the code stays in the ROM image.
ARC_KIND = BoardKind(
    entry="firmware/arc/main.py",
    heap="256k",
    partitions=arc.PARTITIONS,
    block=arc.ERASE_BLOCK,
    chip_select=arc.RFID_CS,
    has_radio=True,
    has_usb=True,
)
MODULE_KIND = BoardKind(entry="firmware/module/main.py", heap="160k")
