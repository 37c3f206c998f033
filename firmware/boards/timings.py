"""Times and levels that decide what counts as an event, the same on every board. Milliseconds and millivolts."""

# Roof: a swipe at 20 cm/s over a coil window of 5 cm lasts 250 ms, four polls at the busy period.
POLL_IDLE_MS = 100
POLL_BUSY_MS = 60
POLL_BUSY_FOR_MS = 5_000
POLL_LOW_BATTERY_MS = 200
CARD_REMOVED_MS = 1_000
CARD_REMOVED_POLLS = 5

# LED bus: three missed polls and then a grace for brown-out and bounce.
BUS_CYCLE_MS = 250
MODULE_MISSED_POLLS = 3
MODULE_DETACHED_MS = 1_500

# Link to the tablet.
RESEND_MS = 1_000
RESEND_MAX_MS = 8_000
WINDOW = 4
PAIRING_WINDOW_MS = 60_000
LOCK_AFTER_WRONG = 5
LOCK_MS = 30_000

# Button.
LONG_PRESS_MS = 2_000
FORGET_PRESS_MS = 10_000
DEBOUNCE_MS = 30

# Battery: thresholds under load, with hysteresis, after a filter.
BATTERY_LOW_MV = 4_400
BATTERY_VERY_LOW_MV = 4_000
BATTERY_EMPTY_MV = 3_700
BATTERY_FULL_MV = 6_000
BATTERY_HYSTERESIS_MV = 200
BATTERY_FILTER_MS = 3_000
BATTERY_SAMPLE_MS = 250
BATTERY_REPORT_MS = 5 * 60_000

# Life of the board.
WATCHDOG_MS = 8_000
DIM_AFTER_MS = 10 * 60_000
SLEEP_AFTER_MS = 60 * 60_000
ADVERTISE_FAST_US = 100_000
ADVERTISE_SLOW_US = 1_000_000
EMPTY_SLEEP_MS = 5_000
GOOD_BOOT_AFTER_MS = 60_000
SAFE_MODE_AFTER_BOOTS = 5
