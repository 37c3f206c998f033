"""Runs on MicroPython in the place of Python's `random`, whose class `Random` it lacks. Other numbers for the same seed."""


class Random:
    """A generator of its own (xorshift64*, Marsaglia and Vigna)."""

    def __init__(self, seed: int = 1) -> None:
        self._state = ((seed ^ (seed >> 61)) * 0x9E3779B97F4A7C15 + 0x1234567) & 0xFFFFFFFFFFFFFFFF or 1

    def getrandbits(self, count: int) -> int:
        value, made = 0, 0
        while made < count:
            value = value << 32 | self._next()
            made += 32
        return value >> (made - count)

    def _next(self) -> int:
        state = self._state
        state ^= state >> 12
        state = (state ^ (state << 25)) & 0xFFFFFFFFFFFFFFFF
        state ^= state >> 27
        self._state = state
        return (state * 0x2545F4914F6CDD1D >> 32) & 0xFFFFFFFF

    def random(self) -> float:
        return self._next() / 4294967296

    def randrange(self, start: int, stop: "int | None" = None, step: int = 1) -> int:
        if stop is None:
            start, stop = 0, start
        count = (stop - start + step - 1) // step
        if count <= 0:
            raise ValueError("an empty range")
        return start + step * (self.getrandbits(64) % count)

    def randbytes(self, count: int) -> bytes:
        return self.getrandbits(8 * count).to_bytes(count, "little") if count else b""

    def choice(self, values):
        return values[self.randrange(len(values))]

    def shuffle(self, values: list) -> None:
        for i in range(len(values) - 1, 0, -1):
            j = self.randrange(i + 1)
            values[i], values[j] = values[j], values[i]

    def sample(self, values, k: int) -> list:
        left = list(values)
        self.shuffle(left)
        return left[:k]
