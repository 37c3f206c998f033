"""What an authorised tablet may ask of the ARC, each command answered with data, a reason to refuse, or a message."""

from firmware.arc.update_commands import UpdateCommands
from protocol.events import BATTERY_EMPTY
from protocol.lights import is_light
from protocol.messages import (
    BUSY,
    LOW_BATTERY,
    MALFORMED,
    MAX_POLLS,
    NOT_AUTHORISED,
    STATISTICS_BUS,
    STATISTICS_LIFE,
    STATISTICS_LINK,
    STATISTICS_READER,
    UNKNOWN_MODULE,
    UNSUPPORTED,
    CheckReader,
    ForgetTablet,
    GameBegin,
    GameChunk,
    GameCommit,
    GameRead,
    HashAnswer,
    LightAll,
    LightArc,
    LightModule,
    LightTable,
    LogRead,
    Mark,
    ModuleUpdateBegin,
    Page,
    ReadHash,
    ReadModule,
    ReadPage,
    ReadStatistics,
    ResaltModule,
    SelfTest,
    SettingsRead,
    SettingsWrite,
    UpdateBegin,
    UpdateChunk,
    UpdateCommit,
    WriteTag,
)
from protocol.pages import page_chunk
from protocol.statistics import pack_counters
from protocol.tag import CODE_COUNT

_OK_OVERHEAD = 2
_PAGE_OVERHEAD = 6
_LIGHT_ENTRY = 5

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    from firmware.arc.controller import Controller
    from firmware.arc.lights import ArcLight
    from firmware.arc.outbox import Outbox
    from firmware.arc.pairing import Pairing
    from firmware.arc.session_link import Seat
    from firmware.arc.table import Table
    from protocol.message import Message


class Commands:
    """Carries them out on the parts that `controller` has at that moment."""

    def __init__(
        self,
        controller: "Controller",
        outbox: "Outbox",
        pairing: "Pairing",
        seat: "Seat",
        table: "Table",
        light: "ArcLight",
    ) -> None:
        self._controller = controller
        self._outbox = outbox
        self._pairing = pairing
        self._seat = seat
        self._table = table
        self._light = light
        self._game_session: "tuple[object, int]" = (None, 0)
        updates = UpdateCommands(controller, pairing, seat, table)
        self._acts: "dict[int, Callable[[Any, int, int], bytes | int | Message]]" = {
            Mark.KIND: self._mark,
            LightModule.KIND: self._light_module,
            LightAll.KIND: self._light_all,
            LightArc.KIND: self._light_arc,
            LightTable.KIND: self._light_table,
            WriteTag.KIND: self._write_tag,
            ReadStatistics.KIND: self._read_statistics,
            ReadPage.KIND: self._read_page,
            ReadHash.KIND: self._read_hash,
            ForgetTablet.KIND: self._forget_tablet,
            ReadModule.KIND: self._read_module,
            ResaltModule.KIND: self._resalt_module,
            GameBegin.KIND: self._game_begin,
            GameChunk.KIND: self._game_chunk,
            GameCommit.KIND: self._game_commit,
            GameRead.KIND: self._game_read,
            LogRead.KIND: self._log_read,
            SelfTest.KIND: self._self_test,
            CheckReader.KIND: self._check_reader,
            SettingsRead.KIND: self._settings_read,
            SettingsWrite.KIND: self._settings_write,
            UpdateBegin.KIND: updates.begin,
            UpdateChunk.KIND: updates.chunk,
            UpdateCommit.KIND: updates.commit,
            ModuleUpdateBegin.KIND: updates.begin_module,
        }

    def carry_out(self, command: "Message", now_ms: int, max_size: int) -> "bytes | int | Message":
        """One command of an authorised tablet, at `now_ms`, with room for `max_size` bytes of answer."""
        act = self._acts.get(command.KIND)
        return act(command, now_ms, max_size) if act else UNSUPPORTED

    def _mark(self, command: Mark, now_ms: int, max_size: int) -> bytes:
        return self._outbox.newest.to_bytes(4, "little")

    def _light_module(self, command: LightModule, now_ms: int, max_size: int) -> "bytes | int":
        if not is_light(command.light):
            return MALFORMED
        if self._controller.modules is None or not self._table.has_module(command.instance):
            return UNKNOWN_MODULE
        self._controller.modules.set_light(command.instance, command.light)
        return b""

    def _light_all(self, command: LightAll, now_ms: int, max_size: int) -> "bytes | int":
        if not is_light(command.light):
            return MALFORMED
        if self._controller.modules is not None:
            self._controller.modules.set_all(command.light)
        return b""

    def _light_arc(self, command: LightArc, now_ms: int, max_size: int) -> "bytes | int":
        if not is_light(command.light):
            return MALFORMED
        self._light.set_app(command.light, now_ms)
        return b""

    def _light_table(self, command: LightTable, now_ms: int, max_size: int) -> "bytes | int":
        entries = command.entries
        if len(entries) % _LIGHT_ENTRY:
            return MALFORMED
        starts = range(0, len(entries), _LIGHT_ENTRY)
        for at in starts:
            if not is_light(entries[at + 4]):
                return MALFORMED
        if self._controller.modules is not None:
            for at in starts:
                instance = int.from_bytes(entries[at : at + 4], "little")
                if self._table.has_module(instance):
                    self._controller.modules.set_light(instance, entries[at + 4])
        return b""

    def _write_tag(self, command: WriteTag, now_ms: int, max_size: int) -> "bytes | int":
        if not 1 <= command.code <= CODE_COUNT:
            return MALFORMED
        if self._controller.reader is None:
            return BUSY
        reason: int = self._controller.reader.write_tag(command.code)
        return reason or b""

    def _read_statistics(self, command: ReadStatistics, now_ms: int, max_size: int) -> "bytes | int":
        group = command.group
        if group == STATISTICS_READER:
            counts = self._controller.reader.statistics() if self._controller.reader is not None else {}
        elif group == STATISTICS_BUS:
            counts = self._controller.modules.statistics() if self._controller.modules is not None else {}
        elif group == STATISTICS_LINK:
            counts = self._controller.link_counts()
        elif group == STATISTICS_LIFE:
            counts = self._controller.life_counts()
        else:
            return UNSUPPORTED
        return pack_counters(group, counts)

    def _read_page(self, command: ReadPage, now_ms: int, max_size: int) -> "int | Message":
        held = self._table.page(command.page)
        if held is None:
            return UNSUPPORTED
        generation, page = held
        count, chunk = page_chunk(page, command.index, max_size - _PAGE_OVERHEAD)
        if command.index >= count:
            return UNSUPPORTED
        return Page(command.request, command.page, generation, command.index, count, chunk)

    def _read_hash(self, command: ReadHash, now_ms: int, max_size: int) -> bytes:
        return HashAnswer(self._outbox.newest, self._table.hash()).pack()

    def _forget_tablet(self, command: ForgetTablet, now_ms: int, max_size: int) -> "bytes | int":
        if not self._pairing.forget(command.tablet):
            return NOT_AUTHORISED
        if self._seat.holder is not None and self._seat.tablet == command.tablet:
            self._seat.holder.end_session()
        return b""

    # one module

    def _read_module(self, command: ReadModule, now_ms: int, max_size: int) -> "bytes | int":
        modules = self._controller.modules
        return modules.read(command.instance) if modules is not None else UNKNOWN_MODULE

    def _resalt_module(self, command: ResaltModule, now_ms: int, max_size: int) -> "bytes | int":
        modules = self._controller.modules
        if modules is None:
            return UNKNOWN_MODULE
        answer: "bytes | int" = modules.salt.rewrite(command.instance, command.neighbour, command.port)
        return answer

    # the game on the board

    def _game_begin(self, command: GameBegin, now_ms: int, max_size: int) -> "bytes | int":
        game = self._controller.game
        if game is None:
            return BUSY
        if self._controller.battery_state == BATTERY_EMPTY:
            return LOW_BATTERY
        reason = game.begin(command.length, command.crc, command.epoch, command.sequence)
        if reason:
            return reason
        self._game_session = self._seat.session()
        return b""

    def _game_chunk(self, command: GameChunk, now_ms: int, max_size: int) -> "bytes | int":
        game = self._controller.game
        if game is None or self._game_session != self._seat.session():
            return MALFORMED
        return game.add(command.offset, command.data) or b""

    def _game_commit(self, command: GameCommit, now_ms: int, max_size: int) -> "bytes | int":
        game = self._controller.game
        if game is None or self._game_session != self._seat.session():
            return MALFORMED
        return game.commit() or b""

    def _game_read(self, command: GameRead, now_ms: int, max_size: int) -> "bytes | int":
        game = self._controller.game
        return game.read(command.offset, max_size - _OK_OVERHEAD) if game is not None else BUSY

    # the board itself

    def _log_read(self, command: LogRead, now_ms: int, max_size: int) -> bytes:
        log = self._controller.log
        return log.read(command.offset, max_size - _OK_OVERHEAD) if log is not None else b""

    def _self_test(self, command: SelfTest, now_ms: int, max_size: int) -> bytes:
        return self._controller.self_test()

    def _check_reader(self, command: CheckReader, now_ms: int, max_size: int) -> "bytes | int":
        reader = self._controller.reader
        if reader is None:
            return BUSY
        if command.polls > MAX_POLLS:
            return MALFORMED
        found: bytes = reader.check(command.polls).pack()
        return found

    def _settings_read(self, command: SettingsRead, now_ms: int, max_size: int) -> bytes:
        return self._controller.settings.packed()

    def _settings_write(self, command: SettingsWrite, now_ms: int, max_size: int) -> "bytes | int":
        reason = self._controller.settings.write(command.version, command.values)
        if not reason:
            self._controller.apply_settings()
        return reason or b""
