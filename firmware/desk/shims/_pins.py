"""This board's pins as the supervisor sees them, over one connection.

Messages both ways: letter, pin u8, value i32, little-endian. From the board: o output level, m mode (and pull << 4), p PWM
frequency, d PWM duty, n pixel colour as 0xGGRRBB, w watchdog with this time-out, f fed, r reset with this cause, s deep
sleep for so many ms, h hold the output's level through sleep and reset or let it go, k bytes of kept memory follow. To the
board: l input level, a microvolts, k as above, z: told everything.
"""

import asyncio
import struct
import sys

import _line

_SIZE = 6
_OUT, _OPEN_DRAIN = 1, 2
_RISING, _FALLING = 1, 2

_levels = {}
_modes = {}
_microvolts = {}
_watched = {}
_pending = []
_kept = b""
_pumping = None
_connection = None


def tell(letter, pin, value):
    """One message to the supervisor."""
    _connect().write(struct.pack("<BBi", ord(letter), pin, value))


def end(letter, value):
    """Tell the supervisor something after which this board is switched off; never returns."""
    tell(letter, 0, value)
    while True:
        _connect().read_exactly(_SIZE)


def configure(pin, mode, pull, value):
    """`Pin.init`: open drain without a value lets go of the line."""
    if mode != -1:
        _modes[pin] = mode
        tell("m", pin, mode | (max(0, pull or 0) << 4))
    if value is not None:
        write(pin, 1 if value else 0, True)


def read(pin):
    """The level at the pin: of an output, its own."""
    _look()
    return _levels.get(pin, 0)


def write(pin, level, is_told):
    """Set an output. `is_told`: somebody outside looks at it."""
    if _levels.get(pin) != level or pin not in _levels:
        _levels[pin] = level
        if is_told:
            tell("o", pin, level)


def read_microvolts(pin):
    """What the supervisor's battery, or whatever is at the pin, gives now."""
    _look()
    return _microvolts.get(pin, 0)


def drive(pin, frequency, duty):
    """A PWM output."""
    tell("p", pin, frequency)
    tell("d", pin, duty)


def show(pin, data):
    """The first pixel of a WS2812 strip; our boards have one each."""
    colour = data[0] << 16 | data[1] << 8 | data[2]
    if _levels.get(("n", pin)) != colour:
        _levels[("n", pin)] = colour
        tell("n", pin, colour)


def watch(pin, source, handler, trigger):
    """Call `handler(source)` at these edges."""
    if handler is None:
        _watched.pop(pin, None)
    else:
        _watched[pin] = (source, handler, trigger)
        _connect()


def read_kept():
    """The memory that outlives a reset."""
    _connect()
    return _kept


def write_kept(data):
    """Replace it."""
    global _kept
    _kept = data
    tell("k", 0, len(data))
    _connect().write(data)


def _connect():
    global _connection, _pumping
    if _connection is None:
        _connection = _line.device("pins")
        while _take(_connection.read_exactly(_SIZE)) != "z":
            pass
        _pumping = asyncio.create_task(_pump())
    return _connection


def _take(message):
    """Note one message; answers its letter."""
    global _kept
    letter, pin, value = struct.unpack("<BBi", message)
    letter = chr(letter)
    if letter == "l":
        before = _levels.get(pin)
        _levels[pin] = value
        if pin in _watched and before != value:
            _pending.append((pin, value))
    elif letter == "a":
        _microvolts[pin] = value
    elif letter == "k":
        _kept = _connection.read_exactly(value)
    return letter


def _take_waiting():
    while True:
        message = _connection.poll_exactly(_SIZE)
        if message is None:
            return
        _take(message)


def _look():
    """See what has come, outside the pump: edges are still delivered by the loop."""
    _connect()
    _take_waiting()
    if _pending:
        asyncio.create_task(_deliver())  # noqa: RUF006 - here the loop holds its tasks


async def _deliver():
    while _pending:
        pin, level = _pending.pop(0)
        source, handler, trigger = _watched.get(pin, (None, None, 0))
        if handler and trigger & (_RISING if level else _FALLING):
            try:
                handler(source)
            except Exception as error:
                # as on the boards: a failing handler is printed and the next edge calls it again
                sys.print_exception(error)


async def _pump():
    while True:
        await _connection.readable()
        _take_waiting()
        await _deliver()
