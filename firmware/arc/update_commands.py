"""The commands of a new firmware, the ARC's or a module's: who may send it and when. How it is taken is that of `Update` and `ModuleUpdate`."""

from protocol.events import BATTERY_GOOD, BATTERY_USB
from protocol.reasons import LOW_BATTERY, MALFORMED, UNKNOWN_MODULE, UNSUPPORTED, WRONG_MAC

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.arc.controller import Controller
    from firmware.arc.module_update import ModuleUpdate
    from firmware.arc.pairing import Pairing
    from firmware.arc.seat import Seat
    from firmware.arc.table import Table
    from firmware.update.writing import Update
    from protocol.messages import ModuleUpdateBegin, UpdateBegin, UpdateChunk, UpdateCommit


class UpdateCommands:
    """Acts as those of `Commands`. What one session began no other goes on with."""

    def __init__(self, controller: "Controller", pairing: "Pairing", seat: "Seat", table: "Table") -> None:
        self._controller = controller
        self._pairing = pairing
        self._seat = seat
        self._table = table
        self._session: "tuple[object, int]" = (None, 0)
        self._taker: "Update | ModuleUpdate | None" = None
        self._module_signature = (b"", b"")

    def begin(self, command: "UpdateBegin", now_ms: int, max_size: int) -> "bytes | int":
        update = self._controller.update
        if update is None:
            return UNSUPPORTED
        if self._is_battery_low():
            return LOW_BATTERY
        begun = update.begin(command.manifest, command.size, command.digest, command.mac)
        if isinstance(begun, bytes):
            self._session, self._taker = self._seat.session(), update
        return begun

    def begin_module(self, command: "ModuleUpdateBegin", now_ms: int, max_size: int) -> "bytes | int":
        modules = self._controller.modules
        if self._is_battery_low():
            return LOW_BATTERY
        if not self._pairing.is_signed(self._seat.tablet, command.digest, command.mac):
            return WRONG_MAC
        if modules is None or not self._table.has_module(command.instance):
            return UNKNOWN_MODULE
        begun: "bytes | int" = modules.update.begin(command.instance, command.manifest, command.size, command.digest)
        if isinstance(begun, bytes):
            self._session, self._taker = self._seat.session(), modules.update
            self._module_signature = command.digest, command.mac
        return begun

    def chunk(self, command: "UpdateChunk", now_ms: int, max_size: int) -> "bytes | int":
        if self._taker is None or self._session != self._seat.session():
            return MALFORMED
        return self._taker.add(command.offset, command.data) or b""

    def commit(self, command: "UpdateCommit", now_ms: int, max_size: int) -> "bytes | int":
        taker = self._taker
        if taker is None or self._session != self._seat.session():
            return MALFORMED
        if self._is_battery_low():
            return LOW_BATTERY
        # the ARC's own update looks at its signature itself
        is_own = taker is self._controller.update
        if not is_own and not self._pairing.is_signed(self._seat.tablet, *self._module_signature):
            return WRONG_MAC
        return taker.commit()

    def _is_battery_low(self) -> bool:
        return self._controller.battery_state not in (BATTERY_GOOD, BATTERY_USB)
