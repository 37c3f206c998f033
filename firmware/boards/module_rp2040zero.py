"""A module on a Waveshare RP2040-Zero: pins by the schematic's net names, clock, limits. Numbers only.

Not yet soldered by anybody.
"""

MCU = "RP2040"

CLOCK_HZ = 48_000_000
"""From boards.md's budget: 31 modules at 125 MHz draw more than four AA cells give. 115,200 baud divides at 48 MHz."""

# LED bus: one data net over an open-drain buffer, one select line for each edge, in the order north, east, south, west.
BUS_UART = 0
BUS_TX = 12
BUS_RX = 13
BUS_SEL = (15, 8, 0, 28)
BUS_BAUD = 115_200
BUS_RX_BUFFER = 256

# The WS2812B: on the board itself at 16, the miniature's own at 29.
LED_DIN = 29

# LED current, tenths of a milliampere: one channel fully on, and what is drawn at most before the first TICK.
LED_FULL_TENTHS_MA = 120
LED_FIRST_CAP_TENTHS_MA = 10

# Life of the board.
WATCHDOG_MS = 2_000
BEAT_MS = 500

# A new firmware over the bus: from its end to the restart, and how long the new one may wait for its first poll.
LEAVE_MS = 2_000
TRIAL_MS = 60_000

HARDWARE = 1
