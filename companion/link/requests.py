"""Commands under way: ids, how many at once, when an answer is overdue. Pure."""

from collections import deque

from protocol.messages import Message

AT_ONCE = 4
ANSWER_MS = 3_000
ACK_ID = 255
"""ACKs are not answered, so they share an id; a refusal of it means that the two sides differ."""


class Requests:
    def __init__(self) -> None:
        self._queue: deque[Message] = deque()
        self._under_way: dict[int, tuple[Message, int]] = {}
        self._newest_id = 0

    def add(self, command: Message) -> None:
        self._queue.append(command)

    def ready(self, now_ms: int) -> list[bytes]:
        """The bytes to send now."""
        out = []
        while self._queue and len(self._under_way) < AT_ONCE:
            command = self._queue.popleft()
            command.request = self._next_id()  # type: ignore[attr-defined]  # every command has one
            self._under_way[self._newest_id] = (command, now_ms + ANSWER_MS)
            out.append(command.encode())
        return out

    def _next_id(self) -> int:
        while True:
            self._newest_id = self._newest_id % (ACK_ID - 1) + 1
            if self._newest_id not in self._under_way:
                return self._newest_id

    def answered(self, request: int) -> Message | None:
        """The command that this answers; None: one of an earlier life of the connection."""
        command, _ = self._under_way.pop(request, (None, 0))
        return command

    def clear(self) -> None:
        """Nothing of the old is waited for; its late answers are nobody's, since ids go on counting."""
        self._queue.clear()
        self._under_way.clear()

    def wait_ms(self, now_ms: int) -> int | None:
        """Until the first answer is overdue; 0: one is."""
        if not self._under_way:
            return None
        return max(0, min(deadline for _, deadline in self._under_way.values()) - now_ms)
