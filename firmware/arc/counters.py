"""The board's counters in the names of the protocol's link and life groups."""

import gc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

    from firmware.arc.arc_link import ArcLink
    from firmware.arc.controller import Controller
    from firmware.arc.life import Life
    from firmware.arc.supervisor import Supervisor
    from firmware.drivers.ble_peripheral import BlePeripheral
    from firmware.drivers.flash_ring import FlashRing
    from firmware.drivers.usb_serial import UsbSerial


class Counters:
    """Asks the parts that count when somebody wants to know."""

    def __init__(
        self,
        radio: "BlePeripheral",
        usb: "UsbSerial",
        links: "ArcLink",
        life: "Life",
        supervisor: "Supervisor",
        controller: "Controller",
        ring: "FlashRing",
        level_mv: "Callable[[], int]",
    ) -> None:
        self._radio = radio
        self._usb = usb
        self._links = links
        self._life = life
        self._supervisor = supervisor
        self._controller = controller
        self._ring = ring
        self._level_mv = level_mv
        self._heap_min_free = gc.mem_alloc() + gc.mem_free()

    def of_link(self) -> "dict[str, int]":
        return {
            "connects": self._radio.connects + self._usb.connects,
            "resumes": self._links.total("resumes"),
            "refused": self._links.total("refusals"),
            "resends": self._links.total("resends"),
            "enomem": self._radio.no_memory,
            "bad_frames": self._usb.bad_frames,
            "bad_commands": self._links.total("bad_commands"),
            "unsent": self._radio.unsent,
            "overruns": self._radio.overruns + self._usb.overruns,
            "turned_away": self._links.turned_away,
        }

    def of_life(self) -> "dict[str, int]":
        return {
            "boots": self._life.boots,
            "watchdog_resets": self._life.watchdog_resets,
            "task_restarts": self._supervisor.restarts,
            "heap_free": self.free_heap(),
            "heap_min_free": self._heap_min_free,
            "lost_writes": self._controller.lost_writes,
            "torn_slots": self._ring.torn_slots,
            "battery_mv": self._level_mv(),
        }

    def free_heap(self) -> int:
        """Collect garbage; bytes free then."""
        gc.collect()
        free: int = gc.mem_free()
        self._heap_min_free = min(self._heap_min_free, free)
        return free
