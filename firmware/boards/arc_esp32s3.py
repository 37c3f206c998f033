"""The ARC on an ESP32-S3: pins by the schematic's net names, flash partitions, limits. Numbers only, no hardware is touched.

Not yet soldered by anybody. Pins avoid the S3's strapping pins (0, 3, 45, 46), USB (19, 20), flash and PSRAM (26–37)
and the console (43, 44).
"""

MCU = "ESP32-S3"

# Roof reader: MFRC522 on its own SPI.
RFID_SPI = 1
RFID_SCK = 12
RFID_MOSI = 11
RFID_MISO = 13
RFID_CS = 10
RFID_RST = 9
RFID_BAUD = 4_000_000

# LED bus: one data net, one select line for each port.
BUS_UART = 1
BUS_TX = 4
BUS_RX = 5
BUS_SEL = (15, 16, 17, 18)
BUS_BAUD = 115_200
BUS_RX_BUFFER = 256

# Current to the modules, VBUS: an eFuse of 1.0 A that latches, a shunt of 50 mΩ with an amplifier of 50, a load switch for each
# port. A board without one of them has None there (no port switches: an empty tuple), and goes without what it is for.
VBUS_EN = 14
"""High: on. A resistor pulls it up, so that a restart of the ARC is none of the modules; in deep sleep it is held low."""
VBUS_FAULT = 21
"""Low: the eFuse has tripped, and stays off until VBUS_EN was low."""
VBUS_PORT_EN = (39, 40, 41, 42)
"""High: on; pulled up. In the order of BUS_SEL."""
VBUS_SENSE = 8
VBUS_SENSE_UV_PER_MA = 2_500

# What people see, hear and press.
ARC_LIGHT = 48
BUZZER = 6
BUTTON = 7

# Battery: four AA cells over a divider of 200 kΩ and 100 kΩ, so the pin sees a third.
BATTERY_ADC = 1
BATTERY_DIVIDER = 3
USB_SENSE = 2

# Flash: (name, bytes). `vfs` holds the program; the others are ours, raw, in erase blocks of 4 KiB.
ERASE_BLOCK = 4096
EVENTS_PARTITION = "events"
GAME_PARTITION = "game"
SETTINGS_PARTITION = "settings"
PARTITIONS = (
    (EVENTS_PARTITION, 64 * 1024),
    (GAME_PARTITION, 2 * 68 * 1024),
    (SETTINGS_PARTITION, 40 * 1024),
)

# The register that says why the chip was reset (RTC_CNTL_RESET_STATE_REG), and its low six bits after a power-on.
RESET_REGISTER = 0x60008038
POWER_ON_STATE = 1

# Limits of this board.
LED_BUDGET_MA = 100
LED_MAX_MA = 4
MAX_BLE_CONNECTIONS = 3
