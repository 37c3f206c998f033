"""The kinds of boards there are on the desk, from the boards' own pin maps."""

from firmware.boards import arc_esp32s3 as arc
from firmware.desk.board import BoardKind

# The ARC has 256 KiB of heap in 4-byte words. Here words have 8 bytes and objects are twice as wide: 384 KiB are a quarter less than
# what the board has, and hold all 30 miniatures of the box; 256 KiB ran out between 16 and 30.
# A flashed board has its program in the heap too, on the desk in words twice as wide.
ARC_KIND = BoardKind(
    name="arc",
    entry="firmware/arc/main.py",
    heap="384k",
    flashed_heap="640k",
    partitions=arc.PARTITIONS,
    block=arc.ERASE_BLOCK,
    chip_select=arc.RFID_CS,
    has_radio=True,
    has_usb=True,
)
MODULE_KIND = BoardKind(name="module", entry="firmware/module/main.py", heap="160k", flashed_heap="160k")
KINDS = (ARC_KIND.name, MODULE_KIND.name)
