"""One sentence for people behind each reason to refuse."""

from protocol.reasons import (
    BUSY,
    IN_USE,
    LOCKED,
    LOW_BATTERY,
    MALFORMED,
    NO_SPACE,
    NO_TAG,
    NOT_AUTHORISED,
    NOT_PAIRING,
    TOO_MANY_TABLETS,
    UNKNOWN_MODULE,
    UNSUPPORTED,
    VERSION_MISMATCH,
    WRITE_FAILED,
    WRONG_MAC,
)

REASON_TEXT = {
    UNSUPPORTED: "the ARC does not know this command",
    MALFORMED: "the ARC could not read this command",
    VERSION_MISMATCH: "the ARC speaks another version of the protocol",
    NOT_AUTHORISED: "this tablet has not resumed its session",
    WRONG_MAC: "the ARC does not know this tablet: pair it again",
    LOCKED: "too many wrong answers: wait half a minute",
    NOT_PAIRING: "press the ARC's button to open the pairing window",
    IN_USE: "another tablet or computer is connected to this ARC",
    NO_TAG: "lay one writable tag on the roof",
    WRITE_FAILED: "it could not be written",
    UNKNOWN_MODULE: "that module is not connected",
    BUSY: "the ARC is busy: try again",
    LOW_BATTERY: "the ARC's battery is too low for this",
    NO_SPACE: "the ARC has no room for this",
    TOO_MANY_TABLETS: "the ARC remembers no more tablets: forget one first",
}
