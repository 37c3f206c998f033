"""When a module restarts by itself for the sake of its firmware. Pure; whoever asks resets the chip.

1. On trial and polled by the ARC: the firmware that runs stays.
2. On trial and not polled within `TRIAL_MS`: restart, and the old one runs.
3. A new one has come and its folder is switched to: restart after `LEAVE_MS`, since the ARC still asks whether that was all.
"""

from firmware.boards.module_rp2040zero import LEAVE_MS, TRIAL_MS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.update.trial import Trial


class Handover:
    """`trial` is that of the firmware that runs, None when it is on none."""

    def __init__(self, trial: "Trial | None", now_ms: int) -> None:
        self._trial = trial
        self._begun_ms = now_ms
        self._leave_ms = -1

    def is_due(self, now_ms: int, is_polled: bool, is_switched: bool) -> bool:
        """Whether to restart now. `is_polled`: the ARC has reached this module since its start."""
        trial = self._trial
        if trial is not None and trial.is_open():
            if is_polled:
                trial.passed()
            elif now_ms - self._begun_ms > TRIAL_MS:
                return True
        if is_switched and self._leave_ms < 0:
            self._leave_ms = now_ms + LEAVE_MS
        return is_switched and now_ms >= self._leave_ms
