"""The MFRC522 reader chip: registers, antenna, frames to and from a tag, health. What the frames mean is in iso14443.py.

Every call is synchronous and bounded: by the chip's timer, and by a wall deadline should the chip be dead.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Registers (data sheet 9.2).
COMMAND, COM_IRQ, DIV_IRQ, ERROR, STATUS2 = 0x01, 0x04, 0x05, 0x06, 0x08
FIFO_DATA, FIFO_LEVEL, CONTROL, BIT_FRAMING, COLL = 0x09, 0x0A, 0x0C, 0x0D, 0x0E
MODE, TX_MODE, RX_MODE, TX_CONTROL, TX_ASK = 0x11, 0x12, 0x13, 0x14, 0x15
CRC_HIGH, CRC_LOW, RF_CFG = 0x21, 0x22, 0x26
T_MODE, T_PRESCALER, T_RELOAD_HIGH, T_RELOAD_LOW, VERSION = 0x2A, 0x2B, 0x2C, 0x2D, 0x37

# Commands (10.3) and the bits we look at.
IDLE, CALC_CRC, TRANSMIT, TRANSCEIVE, MF_AUTHENT, POWER_DOWN = 0x00, 0x03, 0x04, 0x0C, 0x0E, 0x10
TX_IRQ, RX_IRQ, IDLE_IRQ, ERROR_IRQ, TIMER_IRQ = 0x40, 0x20, 0x10, 0x02, 0x01
COLLISION_ERROR, CRYPTO_ON = 0x08, 0x08

SPI_HZ_MIN, SPI_HZ_MAX = 1_000_000, 4_000_000
"""What the wires of a board take; the chip itself bears 10 MHz."""

KNOWN_VERSIONS = (0x88, 0x90, 0x91, 0x92)  # FM17522, MFRC522 0.0, 1.0, 2.0
NO_CHIP = (0x00, 0xFF)
GAIN_BITS = {18: 2, 23: 3, 33: 4, 38: 5, 43: 6, 48: 7}

# What `transceive` answers instead of a number of bits.
SILENCE, COLLIDED, DAMAGED, STUCK = -1, -2, -3, -4

# Timer reloads in steps of 100 µs (the prescaler below).
TIMEOUT_SHORT, TIMEOUT_LONG = 4, 120
TIMER_PRESCALER = 677  # (2 * 677 + 1) / 13.56 MHz = 99.9 µs

CONFIGURATION = (
    (TX_MODE, 0x00),  # 106 kBd; CRC and its check are ours
    (RX_MODE, 0x00),
    (TX_ASK, 0x40),  # 100 % modulation, as type A wants it
    (MODE, 0x3D),  # CRC preset 0x6363, send only with the field on
    (T_MODE, 0x80 | TIMER_PRESCALER >> 8),  # the timer starts by itself when sending ends
    (T_PRESCALER, TIMER_PRESCALER & 0xFF),
    (T_RELOAD_HIGH, 0x00),
)
"""What is written at the start and compared at each health check."""

FRAME_SIZE = 24
GUARD_MS = 5  # a tag may take so long to wake in the field (ISO 14443-3, 5.2)
DEADLINE_US = 5000  # beyond air and timer: then the chip is stuck


class Mfrc522:
    """One chip on `spi`, with its pins `cs` and `rst`; `clock` has ticks_us, sleep_us and sleep_ms.

    Fill `tx`, call `transceive`, find the answer in `rx`. `collision_at` is then the first bit that collided,
    counted in `rx`, or -1 when the chip cannot tell. `radio_us` sums the time the field was on, and wraps at 2**30.
    """

    def __init__(self, spi: "Any", cs: "Any", rst: "Any", clock: "Any", gain_db: int = 38) -> None:
        self.version = 0
        self.collision_at = -1
        self.radio_us = 0
        self.gain_db = gain_db
        self._spi = spi
        self._cs = cs
        self._rst = rst
        self._clock = clock
        self._timeout = -1
        self._radio_since_us = 0
        self._is_radio_on = False
        self._out = bytearray(2)
        self._in = bytearray(2)
        frame = memoryview(bytearray(FRAME_SIZE + 1))
        frame[0] = FIFO_DATA << 1
        self.tx = frame[1:]
        answer = memoryview(bytearray(FRAME_SIZE + 1))
        self.rx = answer[1:]
        # slices made once: a poll allocates none
        self._frames = tuple([frame[: n + 1] for n in range(FRAME_SIZE + 1)])
        self._answers = tuple([answer[: n + 1] for n in range(FRAME_SIZE + 1)])
        self._asks = tuple([bytes([FIFO_DATA << 1 | 0x80] * n + [0]) for n in range(FRAME_SIZE + 1)])

    # Registers.

    def read(self, register: int) -> int:
        """One register."""
        self._out[0] = register << 1 | 0x80
        self._out[1] = 0
        self._cs.value(0)
        self._spi.write_readinto(self._out, self._in)
        self._cs.value(1)
        return self._in[1]

    def write(self, register: int, value: int) -> None:
        """One register."""
        self._out[0] = register << 1
        self._out[1] = value
        self._cs.value(0)
        self._spi.write_readinto(self._out, self._in)
        self._cs.value(1)

    def _burst(self, out: "Any", into: "Any") -> None:
        self._cs.value(0)
        self._spi.write_readinto(out, into)
        self._cs.value(1)

    def drain(self, length: int) -> None:
        """Take `length` bytes out of the FIFO into `rx`, in one burst."""
        self._burst(self._asks[length], self._answers[length])

    # Life of the chip.

    def start(self, tries: int = 5) -> bool:
        """Reset by pin, find out the version, configure. False when no chip answers after `tries` resets.

        Boards whose supply rises slowly answer 0x00 for a while; each try gives them 12 ms.
        """
        self._cs.value(1)
        self._is_radio_on = False
        for _ in range(tries):
            self._rst.value(0)
            self._clock.sleep_ms(2)
            self._rst.value(1)
            self._clock.sleep_ms(10)
            self.version = self.read(VERSION)
            if self.version not in NO_CHIP:
                self._configure()
                return self._is_configured()
        return False

    def _configure(self) -> None:
        for register, value in CONFIGURATION:
            self.write(register, value)
        self.write(COLL, 0)
        self._timeout = -1
        self.set_timeout(TIMEOUT_SHORT)
        self.set_gain(self.gain_db)

    def set_gain(self, gain_db: int) -> None:
        """Receiver gain: 18, 23, 33, 38, 43 or 48 dB."""
        self.gain_db = gain_db
        self.write(RF_CFG, GAIN_BITS[gain_db] << 4 | 0x08)

    def set_timeout(self, steps: int) -> None:
        """How long to wait for the beginning of an answer, in steps of 100 µs."""
        if steps != self._timeout:
            self._timeout = steps
            self.write(T_RELOAD_LOW, steps)

    def radio_on(self) -> bool:
        """Wake the chip, switch the field on and wait until tags have woken. False when the chip does not wake."""
        self.write(COMMAND, IDLE)
        # as long as `start` gives the crystal
        for _ in range(20):
            self._clock.sleep_us(500)
            if not self.read(COMMAND) & POWER_DOWN:
                break
        else:
            return False
        self._radio_since_us = self._clock.ticks_us()
        self._is_radio_on = True
        self.write(TX_CONTROL, 0x83)
        self._clock.sleep_ms(GUARD_MS)
        return True

    def radio_off(self) -> None:
        """Field off, chip into soft power-down: it keeps its registers and draws microamperes."""
        self.write(TX_CONTROL, 0x80)
        if self._is_radio_on:
            self._is_radio_on = False
            self.radio_us = (self.radio_us + self._clock.ticks_us() - self._radio_since_us) & 0x3FFFFFFF
        self.write(COMMAND, POWER_DOWN)

    def is_healthy(self) -> bool:
        """With the radio on: is the chip still as we configured it? A brown-out, a hang or a disturbed write shows here."""
        return self.read(VERSION) == self.version and self.read(TX_CONTROL) & 3 == 3 and self._is_configured()

    def _is_configured(self) -> bool:
        for register, value in CONFIGURATION:
            if self.read(register) != value:
                return False
        gain = self.read(RF_CFG) >> 4
        return gain == GAIN_BITS[self.gain_db] and self.read(T_RELOAD_LOW) == self._timeout

    # Frames.

    def transceive(self, length: int, last_bits: int = 0, align: int = 0) -> int:
        """Send `length` bytes of `tx`, the last with `last_bits` bits (0: all); receive into `rx` from bit `align` on.

        Gives the number of bits in `rx` (those below `align` included), or SILENCE, COLLIDED (with `collision_at`),
        DAMAGED, STUCK.
        """
        self.load(length)
        framing = align << 4 | last_bits
        self.write(BIT_FRAMING, framing)
        self.write(COMMAND, TRANSCEIVE)
        self.write(BIT_FRAMING, 0x80 | framing)
        irq = self._wait(length * 85 + 100, RX_IRQ | TIMER_IRQ)
        if irq < 0:
            return STUCK
        if not irq & RX_IRQ:
            return SILENCE
        return self._fetch(irq)

    def send(self, length: int) -> None:
        """Send `length` bytes of `tx` and wait for no answer."""
        self.load(length)
        self.write(BIT_FRAMING, 0)
        self.write(COMMAND, TRANSMIT)
        # the command itself ends with the last byte still on the air
        self._wait(length * 85, TX_IRQ)
        # the timer would run into the next frame and pass for its silence
        self.write(CONTROL, 0x90)

    def authenticate(self, block: int, key: bytes, uid: bytes) -> bool:
        """MIFARE Classic authentication with key A of the selected card. After True all frames are enciphered."""
        self.tx[0] = 0x60
        self.tx[1] = block
        self.tx[2:8] = key
        self.tx[8:12] = uid[-4:]
        self.load(12)
        self.write(COMMAND, MF_AUTHENT)
        irq = self._wait(1000, IDLE_IRQ | TIMER_IRQ)
        return irq > 0 and bool(self.read(STATUS2) & CRYPTO_ON)

    def end_session(self) -> None:
        """Stop enciphering."""
        self.write(STATUS2, 0)

    def load(self, length: int) -> None:
        """Stop what runs, forget what was, and put `length` bytes of `tx` into the FIFO."""
        self.write(COMMAND, IDLE)
        self.write(COM_IRQ, 0x7F)
        self.write(FIFO_LEVEL, 0x80)
        self._burst(self._frames[length], self._answers[length])

    def _wait(self, first_us: int, until: int) -> int:
        """The interrupt bits once one of `until` is set, or -1 when the chip is stuck."""
        began = self._clock.ticks_us()
        limit_us = first_us + self._timeout * 100 + DEADLINE_US
        self._clock.sleep_us(first_us)
        while True:
            # asked before the register is read: after a long pause of ours the chip still gets its say
            is_late = (self._clock.ticks_us() - began) & 0x3FFFFFFF > limit_us
            irq = self.read(COM_IRQ)
            # bit 7 always reads 0 in a chip that is there: 0xFF is an open wire
            if irq & 0x80 or (is_late and not irq & until):
                return -1
            if irq & until:
                return irq
            self._clock.sleep_us(50)

    def _fetch(self, irq: int) -> int:
        error = self.read(ERROR) if irq & ERROR_IRQ else 0
        length = self.read(FIFO_LEVEL)
        if length > FRAME_SIZE:
            return DAMAGED
        if length:
            self.drain(length)
        if error & COLLISION_ERROR:
            where = self.read(COLL)
            self.collision_at = -1 if where & 0x20 else ((where & 0x1F) - 1) & 0x1F
            return COLLIDED
        if error:
            return DAMAGED
        # only an answer of one byte can be a 4-bit acknowledgement; longer ones carry a CRC or a BCC
        last = self.read(CONTROL) & 7 if length == 1 else 0
        return (length - 1) * 8 + last if last else length * 8
