"""The MFRC522 reader chip, register by register: SPI transactions in and out, a field of tags on the other side.

After NXP's MFRC522 data sheet (rev. 3.9): address byte 8.1.2.3, FIFO 8.3, timer 8.5, power-down 8.6, registers 9,
commands 10.3. Three rules of it that are easily missed: the timer of one frame runs on into the next, which starts it anew
only where its own sending ends (TAuto); Transmit is over when the FIFO is empty, the last byte still on the air; and a new
command cuts short what is being sent. Where CollPos counts from when RxAlign is set stands only in the sheet of its sibling CLRC663
(RxColl: "this value is included"), and NXP's own library for both reckons so.
"""

from firmware.desk.chips.air import BIT_NS, crc_a, frame_us, to_frame
from firmware.desk.chips.field import Field, Reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

COMMAND, COM_IRQ, DIV_IRQ, ERROR, STATUS1, STATUS2 = 0x01, 0x04, 0x05, 0x06, 0x07, 0x08
FIFO_DATA, FIFO_LEVEL, WATER_LEVEL, CONTROL, BIT_FRAMING, COLL = 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E
MODE, TX_MODE, RX_MODE, TX_CONTROL, TX_ASK = 0x11, 0x12, 0x13, 0x14, 0x15
CRC_HIGH, CRC_LOW, RF_CFG, T_MODE, T_PRESCALER, T_RELOAD_HIGH, T_RELOAD_LOW = 0x21, 0x22, 0x26, 0x2A, 0x2B, 0x2C, 0x2D
COUNTER_HIGH, COUNTER_LOW, VERSION = 0x2E, 0x2F, 0x37

RESET_VALUES = {
    COMMAND: 0x20, 0x02: 0x80, COM_IRQ: 0x14, STATUS1: 0x21, WATER_LEVEL: 0x08, CONTROL: 0x10, COLL: 0xA0,
    MODE: 0x3F, TX_CONTROL: 0x80, 0x16: 0x10, 0x17: 0x84, 0x18: 0x84, 0x19: 0x4D, 0x1C: 0x62, 0x1F: 0xEB,
    CRC_HIGH: 0xFF, CRC_LOW: 0xFF, 0x24: 0x26, RF_CFG: 0x48, 0x27: 0x88, 0x28: 0x20, 0x29: 0x20,
}  # fmt: skip
READ_ONLY = (ERROR, STATUS1, CRC_HIGH, CRC_LOW, COUNTER_HIGH, COUNTER_LOW, VERSION)
GAIN_DB = (18, 23, 18, 23, 33, 38, 43, 48)
PRESETS = (0x0000, 0x6363, 0xA671, 0xFFFF)

IDLE, CALC_CRC, TRANSMIT, NO_CHANGE, TRANSCEIVE, MF_AUTHENT, SOFT_RESET = 0x0, 0x3, 0x4, 0x7, 0xC, 0xE, 0xF
TX_IRQ, RX_IRQ, IDLE_IRQ, ERROR_IRQ, TIMER_IRQ = 0x40, 0x20, 0x10, 0x02, 0x01
BUFFER_OVERFLOW, COLLISION, CRC_ERROR, PARITY_ERROR = 0x10, 0x08, 0x04, 0x02
RECEIVER_OFF = 0x20
INITIATOR = 0x10
"""Reserved in the sheet, 1 after a reset; so it is called in NXP's library for the RC523, which sets it for every reader."""
FIFO_SIZE = 64
START_UP_US = 450
"""Leaving power-down: start-up of the crystal (an estimate) and 1024 clocks of 27.12 MHz (8.8.2)."""
LAST_BYTE_US = frame_us(8)
"""Transmit tells its end so long before the last bit was sent (an estimate: byte, parity, end of frame)."""


class Faults:
    """Ways in which boards fail. Set what shall go wrong.

    `dead_from_us`: from then on registers read `dead_value` and take nothing, until the reset pin is pulsed.
    `dead_for_good`: a pulse does not help either. `blank_versions`: that many reads of VersionReg give 0.
    `bad_crc_unit`, `bad_fifo` (its highest bit reads 0), `deaf_registers`: what counterfeits get wrong. `stuck_timer`: the timer
    never runs out.
    """

    def __init__(self) -> None:
        self.dead_from_us: int | None = None
        self.dead_for_good = False
        self.dead_value = 0x00
        self.blank_versions = 0
        self.bad_crc_unit = False
        self.bad_fifo = False
        self.deaf_registers = False
        self.stuck_timer = False


class Mfrc522Model:
    """`transfer` is one SPI transaction with chip select low; `reset_pin` is NRSTPD; `now_us` is the time. `start_up_us`: how long its crystal takes."""

    def __init__(self, field: Field, now_us: "Callable[[], int]", version: int = 0x92) -> None:
        self.field = field
        self.faults = Faults()
        self.version = version
        self.start_up_us = START_UP_US
        self.register_reads = 0
        self.register_writes = 0
        self._now_us = now_us
        self._in_reset = False
        self._awake_at_us = 0
        self._reset_registers()

    # The pins.

    def transfer(self, mosi: "bytes | bytearray | memoryview") -> bytes:
        """The bytes on MISO for those on MOSI. A dead or sleeping-hard chip answers zeros."""
        now_us = self._now_us()
        miso = bytearray(len(mosi))
        if len(mosi) < 2:
            return bytes(miso)
        reading = mosi[0] & 0x80
        if reading:
            self.register_reads += 1
        else:
            self.register_writes += 1
        if self._is_dead(now_us):
            return bytes([self.faults.dead_value] * len(mosi))
        if self._in_reset:
            return bytes(miso)
        self._settle(now_us)
        for i in range(1, len(mosi)):
            if reading:
                miso[i] = self._read(mosi[i - 1] >> 1 & 0x3F, now_us)
            else:
                self._write(mosi[0] >> 1 & 0x3F, mosi[i], now_us)
        return bytes(miso)

    def reset_pin(self, level: int) -> None:
        """Low: hard power-down. Rising: everything at its reset value, ready after start-up."""
        now_us = self._now_us()
        if not level:
            self._in_reset = True
            self.field.switch(False, now_us)
        elif self._in_reset:
            self._in_reset = False
            if not self.faults.dead_for_good:
                self.faults.dead_from_us = None
            self._reset_registers()
            self._awake_at_us = now_us + self.start_up_us

    def brown_out(self) -> None:
        """The supply dipped: registers fall back to their reset values and nobody says so."""
        self._reset_registers()
        self._drive_antenna(self._now_us())

    # Inside.

    def _is_dead(self, now_us: int) -> bool:
        dead = self.faults.dead_from_us is not None and now_us >= self.faults.dead_from_us
        if dead:
            self.field.switch(False, now_us)
        return dead

    def _reset_registers(self) -> None:
        self._registers = bytearray(64)
        for register, value in RESET_VALUES.items():
            self._registers[register] = value
        self._fifo = bytearray()
        self._command = IDLE
        self._asleep = False
        self._sent_us = -1
        self._frame: tuple[int, int, int] | None = None
        self._reply: Reply | None = None
        self._timer_end_us = -1
        self._authenticated_us = -1

    def _drive_antenna(self, now_us: int) -> None:
        self.field.switch(bool(self._registers[TX_CONTROL] & 3) and not self._asleep, now_us)

    def _read(self, register: int, now_us: int) -> int:
        if register == FIFO_DATA:
            if not self._fifo:
                return 0
            value = self._fifo[0]
            self._fifo = self._fifo[1:]
            return value & 0x7F if self.faults.bad_fifo else value
        if register == FIFO_LEVEL:
            return len(self._fifo)
        if register == COMMAND:
            waking = self._asleep or now_us < self._awake_at_us
            return self._registers[COMMAND] & 0x20 | (0x10 if waking else 0) | self._command
        if register == VERSION:
            if self.faults.blank_versions:
                self.faults.blank_versions -= 1
                return 0
            return self.version
        if register == STATUS1:
            return self._registers[STATUS1] & ~0x0B | self._alerts() | (8 if self._timer_end_us >= 0 else 0)
        if register in (COUNTER_HIGH, COUNTER_LOW):
            count = self._timer_count(now_us)
            return count >> 8 if register == COUNTER_HIGH else count & 0xFF
        return self._registers[register]

    def _alerts(self) -> int:
        water = self._registers[WATER_LEVEL] & 0x3F
        level = len(self._fifo)
        return (2 if FIFO_SIZE - level <= water else 0) | (1 if level <= water else 0)

    def _write(self, register: int, value: int, now_us: int) -> None:
        if register in READ_ONLY or (self.faults.deaf_registers and register == T_RELOAD_LOW):
            return
        if register == FIFO_DATA:
            if len(self._fifo) >= FIFO_SIZE:
                self._registers[ERROR] |= BUFFER_OVERFLOW
                return
            self._fifo.append(value)
        elif register == FIFO_LEVEL:
            if value & 0x80:
                self._fifo = bytearray()
                self._registers[ERROR] &= ~BUFFER_OVERFLOW
        elif register == COMMAND:
            self._start(value, now_us)
        elif register in (COM_IRQ, DIV_IRQ):
            keep = self._registers[register]
            self._registers[register] = keep | value & 0x7F if value & 0x80 else keep & ~value
        elif register == STATUS2:
            if self._registers[STATUS2] & ~value & 0x08:
                # the rest of the frame goes out in clear: no frame at all
                self._cut_short(now_us)
            # MFCrypto1On can only be cleared by software
            self._registers[STATUS2] = value & 0xC0 | self._registers[STATUS2] & value & 0x08
        elif register == COLL:
            self._registers[COLL] = value & 0x80 | self._registers[COLL] & 0x3F
        elif register == CONTROL:
            self._control_timer(value, now_us)
        elif register == BIT_FRAMING:
            self._registers[BIT_FRAMING] = value & 0x7F
            if value & 0x80 and self._command == TRANSCEIVE:
                self._send(now_us)
        else:
            self._registers[register] = value
            if register == TX_CONTROL:
                if not value & 3:
                    self._cut_short(now_us)
                self._drive_antenna(now_us)

    def _start(self, value: int, now_us: int) -> None:
        command = value & 0x0F
        if command != NO_CHANGE or value & 0x10:
            self._cut_short(now_us)
        self._registers[COMMAND] = value & 0x20
        if value & 0x10:
            self._asleep = True
            self._drive_antenna(now_us)
        elif self._asleep:
            self._asleep = False
            self._awake_at_us = now_us + self.start_up_us
            self._drive_antenna(now_us)
        if command == NO_CHANGE:
            return
        if command == SOFT_RESET:
            self._reset_registers()
            self._awake_at_us = now_us + self.start_up_us
            self._drive_antenna(now_us)
            return
        self._command, self._reply, self._sent_us, self._authenticated_us = command, None, -1, -1
        if command == IDLE or self._asleep or now_us < self._awake_at_us:
            self._command = IDLE
            return
        self._registers[ERROR] &= 0x50
        if command == CALC_CRC:
            self._calculate_crc()
        elif command == MF_AUTHENT:
            self._authenticate(now_us)
        elif command == TRANSMIT:
            self._send(now_us)

    def _calculate_crc(self) -> None:
        preset = PRESETS[self._registers[MODE] & 3]
        crc = crc_a(bytes(self._fifo), preset) ^ (0x0404 if self.faults.bad_crc_unit else 0)
        self._fifo = bytearray()
        self._registers[CRC_HIGH], self._registers[CRC_LOW] = crc >> 8, crc & 0xFF
        self._registers[DIV_IRQ] |= 0x04
        self._registers[STATUS1] |= 0x20

    def _is_on_air(self) -> bool:
        # without 100 % ASK tags of type A hear no pauses
        return self.field.on_since_us >= 0 and bool(self._registers[TX_ASK] & 0x40)

    def _send(self, now_us: int) -> None:
        data = bytes(self._fifo)
        self._fifo = bytearray()
        if self._registers[TX_MODE] & 0x80:
            data += crc_a(data).to_bytes(2, "little")
        value, bits = to_frame(data)
        last = self._registers[BIT_FRAMING] & 7
        if last and bits:
            bits = bits - 8 + last
            value &= (1 << bits) - 1
        self._registers[COLL] = self._registers[COLL] & 0x80 | 0x20
        self._reply = None
        self._sent_us = now_us + frame_us(bits)
        self._frame = (value, bits, now_us)

    def _cut_short(self, now_us: int) -> None:
        """What is being sent ends here: those who listen hear a damaged frame, or of a single bit none."""
        frame, self._frame, self._sent_us = self._frame, None, -1
        if frame and self._is_on_air():
            value, bits, began_us = frame
            bits = min(bits - 1, (now_us - began_us) * 1000 // BIT_NS * 8 // 9)
            if bits > 0:
                self.field.exchange(value & (1 << bits) - 1, bits, began_us, 18, 0, False)

    def _end_sending(self) -> None:
        """The last bit is out: tags have the frame and answer, the timer starts anew."""
        sent_us, self._sent_us = self._sent_us, -1
        self._expire(sent_us)
        timer_end_us = sent_us + self._timer_us()
        if self._frame:
            value, bits, began_us = self._frame
            self._frame = None
            self._registers[COM_IRQ] |= TX_IRQ
            if bits and self._is_on_air():
                align = self._registers[BIT_FRAMING] >> 4 & 7
                gain_db = GAIN_DB[self._registers[RF_CFG] >> 4 & 7]
                encrypted = bool(self._registers[STATUS2] & 0x08)
                _, reply = self.field.exchange(value, bits, began_us, gain_db, align, encrypted)
                self._reply = reply if self._is_listening() else None
            # the timer stops when an answer begins (TAuto: after its start bit and four more)
            if self._reply and self._reply.bits >= 4 and self._reply.start_us + 50 < timer_end_us:
                timer_end_us = -1
        if self._registers[T_MODE] & 0x80:
            self._timer_end_us = timer_end_us

    def _is_listening(self) -> bool:
        is_on = self._registers[CONTROL] & INITIATOR and not self._registers[COMMAND] & RECEIVER_OFF
        return self._command == TRANSCEIVE and bool(is_on)

    def _expire(self, now_us: int) -> None:
        if 0 <= self._timer_end_us <= now_us and not self.faults.stuck_timer:
            self._timer_end_us = -1
            self._registers[COM_IRQ] |= TIMER_IRQ

    def _authenticate(self, now_us: int) -> None:
        data = bytes(self._fifo)
        self._fifo = bytearray()
        self._sent_us = now_us + frame_us(32)
        heard = len(data) >= 12 and self._is_on_air()
        if heard and self.field.authenticate(data[0], data[1], data[2:8], data[8:12], now_us):
            self._authenticated_us = now_us + 1500

    def _timer_us(self) -> int:
        prescaler = (self._registers[T_MODE] & 0x0F) << 8 | self._registers[T_PRESCALER]
        reload = self._registers[T_RELOAD_HIGH] << 8 | self._registers[T_RELOAD_LOW]
        return (prescaler * 2 + 1) * (reload + 1) * 100 // 1356

    def _timer_count(self, now_us: int) -> int:
        if self._timer_end_us < 0:
            return 0
        reload = self._registers[T_RELOAD_HIGH] << 8 | self._registers[T_RELOAD_LOW]
        return max(0, min(reload, (self._timer_end_us - now_us) * reload // max(1, self._timer_us())))

    def _control_timer(self, value: int, now_us: int) -> None:
        self._registers[CONTROL] = value & INITIATOR | self._registers[CONTROL] & 7
        if value & 0x80:
            self._timer_end_us = -1
        if value & 0x40:
            self._timer_end_us = now_us + self._timer_us()

    def _settle(self, now_us: int) -> None:
        """Let happen what was due until now."""
        if self._command == TRANSMIT and 0 <= self._sent_us - LAST_BYTE_US <= now_us:
            self._command = IDLE
            self._registers[COM_IRQ] |= IDLE_IRQ
        if 0 <= self._sent_us <= now_us:
            self._end_sending()
        if self._reply and self._reply.end_us <= now_us:
            self._receive()
        if 0 <= self._authenticated_us <= now_us:
            self._authenticated_us = self._timer_end_us = -1
            self._command = IDLE
            self._registers[STATUS2] |= 0x08
            self._registers[COM_IRQ] |= IDLE_IRQ
        self._expire(now_us)

    def _receive(self) -> None:
        reply, self._reply = self._reply, None
        assert reply is not None
        align = self._registers[BIT_FRAMING] >> 4 & 7
        value, bits, error = reply.value, reply.bits, 0
        if reply.collision >= 0:
            error |= COLLISION
            position = reply.collision + align + 1
            if position <= 32:
                self._registers[COLL] = self._registers[COLL] & 0x80 | position & 0x1F
            if not self._registers[COLL] & 0x80:
                value &= (1 << reply.collision) - 1
        if reply.bad_parity:
            error |= PARITY_ERROR
        if self._registers[RX_MODE] & 0x80:
            data = value.to_bytes((bits + 7) // 8, "little")
            if bits % 8 or bits < 16 or crc_a(data):
                error |= CRC_ERROR
            bits = max(0, bits - 16)
        total = bits + align
        self._fifo += (value << align & (1 << total) - 1).to_bytes((total + 7) // 8, "little")
        if len(self._fifo) > FIFO_SIZE:
            self._fifo = self._fifo[:FIFO_SIZE]
            error |= BUFFER_OVERFLOW
        self._registers[CONTROL] = self._registers[CONTROL] & ~7 | total % 8
        self._registers[ERROR] |= error
        self._registers[COM_IRQ] |= RX_IRQ | (ERROR_IRQ if error else 0)
