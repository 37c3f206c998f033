"""The reader on a maker's bench: its version, what is broken, its SPI clock, how often each gain reads, and which gain to set."""

from firmware.flash.arc_session import ArcSession
from firmware.flash.show import Show
from protocol import messages as m

POLLS = 20
SWEEP_S = 10.0
WAITS, WAIT_S = 50, 0.5
SPI_HZ_LEAST, SPI_HZ_MOST = 1_000_000, 10_000_000
"""Below, every poll takes long; above, the chip is not specified. The ARC asks for 4 MHz."""
GAINS_DB = (18, 23, 33, 38, 43, 48)
"""All that the chip has."""
PREFERRED_DB = (38, 33, 43)
"""Steps that a board may be delivered with, best first: 48 dB hears noise on most boards, the low ones reach no card."""

_SETTINGS_VERSION = 1
_GAIN = 1
_NO_CHIP = (0x00, 0xFF)
_BROKEN = ((1, "registers"), (2, "FIFO"), (4, "CRC unit, which the ARC does without"), (8, "frames do not end"))


def check_reader(session: ArcSession, show: Show) -> bool:
    """Sweep the gain with one card on the roof; False when the reader cannot be used as it is."""
    show.say("lay one card flat on the middle of the roof and leave it there")
    _wait_for_card(session)
    found = _sweep(session, POLLS)
    if found.version in _NO_CHIP:
        show.warn(f"reader version 0x{found.version:02x}: no chip answers; check its seven wires and its 3.3 V")
        return False
    broken = [text for bit, text in _BROKEN if found.broken & bit]
    show.say(f"reader version 0x{found.version:02x}, broken: {', '.join(broken) or 'nothing'}")
    _tell_clock(found.spi_hz, show)
    gains = dict(zip(found.gains[::2], found.gains[1::2], strict=True))
    set_db = session.ask(m.SettingsRead(0))[_GAIN]
    for gain_db, good in gains.items():
        show.say(f"gain {gain_db} dB   {good:2} of {POLLS} reads{'   (set now)' if gain_db == set_db else ''}")
    best = best_gain(gains)
    if best is None:
        show.warn(
            "33, 38 and 43 dB read nothing: is a card on the roof? else the antenna, its capacitors, or the wires"
        )
    elif best == set_db:
        show.say(f"{best} dB is right")
    else:
        show.warn(f"set {best} dB: `python -m firmware.flash selftest --set-gain {best}`")
    return best is not None and not found.broken & ~4


def _sweep(session: ArcSession, polls: int) -> m.ReaderCheck:
    return m.ReaderCheck.unpack(session.ask(m.CheckReader(0, polls), SWEEP_S), 0)


def _wait_for_card(session: ArcSession) -> None:
    """Until any gain reads something, half a minute at most."""
    for _ in range(WAITS):
        if any(_sweep(session, 1).gains[1::2]):
            return
        session.next_event(WAIT_S)


def best_gain(gains: dict[int, int]) -> int | None:
    """Of the steps that may be delivered the one that reads most often, 38 dB when several do; None: none reads."""
    best = max(PREFERRED_DB, key=lambda gain_db: (gains.get(gain_db, 0), -PREFERRED_DB.index(gain_db)))
    return best if gains.get(best) else None


def set_gain(session: ArcSession, gain_db: int, show: Show) -> bool:
    """Kept by the ARC, used from its next boot on."""
    session.ask(m.SettingsWrite(0, _SETTINGS_VERSION, bytes((gain_db,))))
    show.say(f"{gain_db} dB from the next start on: switch the ARC off and on")
    return True


def _tell_clock(spi_hz: int, show: Show) -> None:
    text = f"SPI at {spi_hz / 1e6:.1f} MHz, measured"
    if SPI_HZ_LEAST <= spi_hz <= SPI_HZ_MOST:
        show.say(text)
    else:
        show.warn(f"{text}; 4 MHz is wanted, 1 to 10 may be: look at RFID_BAUD in firmware/boards/arc_esp32s3.py")
