"""The kinds of board there are to flash: what runs on them, how USB shows them, which buttons they have."""

from attrs import frozen

from firmware.boards import arc_esp32s3, module_rp2040zero


@frozen
class BoardKind:
    """`platform` is MicroPython's `sys.platform`; `usb_ids` are vendor and product of its ports while MicroPython runs."""

    name: str
    noun: str
    mcu: str
    entry: str
    platform: str
    micropython_board: str
    usb_ids: tuple[tuple[int, int], ...]
    restart: str
    bootloader: str


ARC = BoardKind(
    name="arc",
    noun="ARC",
    mcu=arc_esp32s3.MCU,
    entry="firmware.arc.main",
    platform="esp32",
    micropython_board="ESP32_GENERIC_S3",
    # The chip's own serial port, and MicroPython's.
    usb_ids=((0x303A, 0x1001), (0x303A, 0x4001)),
    restart="press RESET on the ARC, or pull the cable and plug it again",
    bootloader="hold BOOT on the ARC, press RESET, let BOOT go",
)
MODULE = BoardKind(
    name="module",
    noun="module",
    mcu=module_rp2040zero.MCU,
    entry="firmware.module.main",
    platform="rp2",
    micropython_board="RPI_PICO",
    usb_ids=((0x2E8A, 0x0005),),
    restart="press RESET on the module, or pull the cable and plug it again",
    bootloader="hold BOOT on the module while you plug the cable",
)
KINDS = (ARC, MODULE)
