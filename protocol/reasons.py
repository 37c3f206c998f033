"""Why the ARC refuses a command: the reason byte of REFUSED, and one sentence for people behind each."""

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

REASON_TEXT = {
    UNSUPPORTED: "the ARC does not know this command",
    MALFORMED: "the ARC could not read this command",
    VERSION_MISMATCH: "the ARC speaks another version of the protocol",
    NOT_AUTHORISED: "this tablet has not resumed its session",
    WRONG_MAC: "the ARC does not know this tablet: pair it again",
    LOCKED: "too many wrong answers: wait half a minute",
    NOT_PAIRING: "press the ARC's button to open the pairing window",
    IN_USE: "another tablet is connected to this ARC",
    NO_TAG: "lay one writable tag on the roof",
    WRITE_FAILED: "the tag could not be written",
    UNKNOWN_MODULE: "that module is not connected",
    BUSY: "the ARC is busy: try again",
    LOW_BATTERY: "the ARC's battery is too low for this",
    NO_SPACE: "the ARC has no room for this",
    TOO_MANY_TABLETS: "the ARC remembers no more tablets: forget one first",
}
