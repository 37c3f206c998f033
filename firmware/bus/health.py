"""How the wire feels: counters, noise over the last ten seconds, a stuck line. Values only."""

ECHO_OK, ECHO_WRONG, ECHO_NONE = 0, 1, 2
"""What the sender heard of its own frame: all of it, something else, nothing at all."""

NOISE_WINDOW_MS = 10000
NOISE_PERCENT = 5
NOISE_MIN_EXCHANGES = 40
STUCK_MS = 20
STUCK_EXCHANGES = 4

_BUCKETS = 10
_BUCKET_MS = NOISE_WINDOW_MS // _BUCKETS


class Health:
    """Fed with the outcome of every try."""

    def __init__(self) -> None:
        self.frames = 0
        self.crc_errors = 0
        self.timeouts = 0
        self.retries = 0
        self.joins = 0
        self.detaches = 0
        self.late = 0
        self.is_noisy = False
        self.is_stuck = False
        self._tries = [0] * _BUCKETS
        self._bad = [0] * _BUCKETS
        self._bucket = 0
        self._bucket_ms = 0
        self._filled = 0
        self._bad_echoes = 0
        self._bad_since_ms = 0

    def note(self, now_ms: int, echo: int, is_garbled: bool) -> None:
        """One try: how its echo was, and whether bytes came back that made no frame."""
        self.frames += 1
        self._turn(now_ms)
        self._tries[self._bucket] += 1
        if is_garbled or echo != ECHO_OK:
            self._bad[self._bucket] += 1
        if is_garbled:
            self.crc_errors += 1
        self._watch_echo(now_ms, echo)

    def noise_permille(self) -> int:
        """Bad tries of a thousand in the last ten seconds."""
        tries = sum(self._tries)
        return sum(self._bad) * 1000 // tries if tries else 0

    def counters(self) -> "tuple[int, ...]":
        """Frames, CRC errors, time-outs, retries, joins, detaches, as the statistics group begins."""
        return self.frames, self.crc_errors, self.timeouts, self.retries, self.joins, self.detaches

    def _turn(self, now_ms: int) -> None:
        if not self.frames - 1:
            self._bucket_ms = now_ms
        while now_ms - self._bucket_ms >= _BUCKET_MS:
            self._judge()
            self._bucket = (self._bucket + 1) % _BUCKETS
            self._tries[self._bucket] = self._bad[self._bucket] = 0
            self._filled = min(self._filled + 1, _BUCKETS)
            self._bucket_ms += _BUCKET_MS
            if now_ms - self._bucket_ms > NOISE_WINDOW_MS:
                self._bucket_ms = now_ms

    def _judge(self) -> None:
        permille = self.noise_permille()
        if self.is_noisy:
            self.is_noisy = permille > NOISE_PERCENT * 5
        elif self._filled >= _BUCKETS - 1 and sum(self._tries) >= NOISE_MIN_EXCHANGES:
            self.is_noisy = permille > NOISE_PERCENT * 10

    def _watch_echo(self, now_ms: int, echo: int) -> None:
        if echo == ECHO_OK:
            self._bad_echoes = 0
            self.is_stuck = False
            return
        if not self._bad_echoes:
            self._bad_since_ms = now_ms
        self._bad_echoes += 1
        if self._bad_echoes >= STUCK_EXCHANGES and now_ms - self._bad_since_ms >= STUCK_MS:
            self.is_stuck = True
