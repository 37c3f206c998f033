"""Why the ARC refuses a command: the reason byte of REFUSED. A sentence for people behind each: `reason_texts.py`."""

UNSUPPORTED = 1  # unknown kind, page or statistics group
MALFORMED = 2  # right kind, wrong bytes
VERSION_MISMATCH = 3  # detail: the ARC's major, minor
NOT_AUTHORISED = 4  # a command before an accepted RESUME
WRONG_MAC = 5  # unknown tablet or wrong HMAC; say HELLO again for a new nonce
LOCKED = 6  # five wrong answers; detail: seconds left u8
NOT_PAIRING = 7  # the pairing window is closed
IN_USE = 8  # another tablet holds the session
NO_TAG = 9  # nothing writable on the roof
WRITE_FAILED = 10  # read-back differs
UNKNOWN_MODULE = 11  # no such instance on the bus
BUSY = 12  # try again
LOW_BATTERY = 13
NO_SPACE = 14
TOO_MANY_TABLETS = 15  # detail: how many it remembers u8
