"""A new firmware runs on trial: it stays once it was reached, else the old folder runs again: the ARC's after three boots, a module's after one.

`running` with two names is a trial for one boot, which the starter ends by leaving the second name there. `trial` holds the
new folder, the old one, and the number of the last boot in which the new one may still offer itself again.
"""

from protocol.update import LAST_FILE

FOLDERS = ("a", "b")
RUNNING, TRIAL = "running", "trial"
BOOTS = 3
NO_SPACE_ERROR = 28

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.drivers.board_files import BoardFiles


def begin_trial(files: "BoardFiles", new: str, old: str, boots: int) -> None:
    """The switch: from the next boot on `new` runs, `old` when it fails."""
    files.replace(TRIAL, ("%s %s %d" % (new, old, boots + BOOTS)).encode())
    files.replace(RUNNING, _trial_of(new, old))


class Trial:
    """Built at boot with the folder that runs and the number of this boot. `has_failed`: a new firmware was given up."""

    def __init__(self, files: "BoardFiles", folder: str, boots: int) -> None:
        self._files = files
        self._new = self._old = ""
        self._may_again = False
        self.has_failed = False
        named = _names_in(files.read(TRIAL))
        if len(named) == 3 and named[0] == folder and _names_in(files.read(RUNNING)) == [named[1]]:
            self._new, self._old = named[:2]
            self._may_again = named[2].isdigit() and boots < int(named[2])
        elif named:
            files.remove(TRIAL)
            self.has_failed = named[0] != folder

    def is_open(self) -> bool:
        """Whether this firmware is still to be reached."""
        return bool(self._new)

    def started(self) -> None:
        """The board advertises: one more boot, when that is allowed."""
        if self._may_again:
            self._may_again = False
            try:
                self._files.replace(RUNNING, _trial_of(self._new, self._old))
            except OSError:
                pass  # this boot is its last, unless it is reached

    def passed(self) -> None:
        """It was reached, the ARC by an authorised tablet, a module by the ARC's poll: this firmware stays. While the flash
        does not take that, the trial is open: call it again. Where it is full, the other folder is given up: then no boot takes it."""
        if self._new:
            try:
                self._files.replace(RUNNING, self._new.encode())
            except OSError as error:
                if error.args[0] == NO_SPACE_ERROR:
                    self._files.remove(self._old + "/" + LAST_FILE)
                return
            self._files.remove(TRIAL)
            self._new = ""


def _names_in(held: bytes) -> "list[str]":
    try:
        return held.decode().split()
    except ValueError:
        return []  # no text at all: a board must not fail at its every start for that


def _trial_of(new: str, old: str) -> bytes:
    return (new + " " + old).encode()
