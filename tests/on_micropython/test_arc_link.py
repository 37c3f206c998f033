"""Links over connections that come, go, block and hang, and the tasks' supervisor, on the interpreter."""

import asyncio

from firmware.arc import supervisor
from firmware.arc.arc_link import ArcLink
from firmware.arc.outbox import Outbox
from firmware.arc.pairing import Pairing
from firmware.arc.session_link import Seat, SessionLink
from firmware.arc.supervisor import Supervisor
from firmware.desk.chips.flash import Flash
from firmware.drivers.clock import Clock
from firmware.drivers.flash_ring import FlashRing
from protocol.events import CardPresented
from protocol.messages import Hello, Info, Mark, Ok, Resume, session_mac
from protocol.reading import decode_notification

TABLET, TOKEN = 7, bytes(range(16))


class Connection:
    """A transport in a test's hands: `room` counts what it still takes."""

    def __init__(self, room=1000):
        self.wake = asyncio.ThreadSafeFlag()
        self.max_size = 244
        self.room = room
        self.is_up = True
        self.commands = []
        self.sent = []
        self.refused = 0

    def connected(self):
        return self.is_up

    def take(self):
        return self.commands.pop(0) if self.commands else None

    def send(self, data):
        if not self.room:
            self.refused += 1
            return False
        self.room -= 1
        self.sent.append(bytes(data))
        return True

    def close(self):
        self.is_up = False
        self.wake.set()

    def say(self, command):
        self.commands.append(command.encode())
        self.wake.set()

    async def until(self, condition):
        for _ in range(400):
            if condition():
                return
            await asyncio.sleep_ms(5)
        raise AssertionError("it did not come")


class Store:
    def read(self):
        return bytes((TABLET, 0, 0, 0)) + TOKEN

    def write(self, value):
        raise OSError


class Acts:
    def info(self, nonce, now_ms):
        return Info(1, 0, b"arc-01", 0, 1, 0, 0, 1, 1, 0, nonce)

    def carry_out(self, command, now_ms, max_size):
        self.carried_out.append(self.turns)
        return b""

    turns = 0
    carried_out = []


class SlowClock(Clock):
    """A clock that a test can put forward."""

    ahead_ms = 0

    def now_ms(self):
        return super().now_ms() + self.ahead_ms


class Bench:
    def __init__(self, slots=2):
        self.clock = SlowClock()
        self.outbox = Outbox(FlashRing(Flash(4 * 1024, 1024)), lambda: 5)
        pairing = Pairing(Store(), bytes)
        seat = Seat()
        self.links = ArcLink(
            lambda: SessionLink(self.outbox, pairing, seat, Acts(), bytes), slots, self.clock, lambda: False
        )

    def happen(self, count):
        for number in range(count):
            self.outbox.append(CardPresented(number, b"1234"), 0)
        self.links.wake_all()

    async def resumed(self, connection):
        task = asyncio.create_task(self.links.serve(connection))
        connection.say(Hello(1, 1, 0))
        await connection.until(lambda: connection.sent)
        connection.say(Resume(2, TABLET, 5, 0, session_mac(TOKEN, bytes(8), TABLET, 5, 0)))
        await connection.until(lambda: len(connection.sent) > 1)
        assert isinstance(decode_notification(connection.sent[1])[0], Ok)
        return task


async def end(connection, task):
    connection.close()
    await asyncio.wait_for_ms(task, 2000)


async def test_events_reach_a_resumed_connection_as_soon_as_they_happen():
    bench, connection = Bench(), Connection()
    task = await bench.resumed(connection)
    bench.happen(3)
    await connection.until(lambda: len(connection.sent) > 2)
    assert len(decode_notification(connection.sent[2])) == 3
    await end(connection, task)


async def test_a_transport_without_room_is_asked_again_and_nothing_is_skipped():
    bench, connection = Bench(), Connection()
    task = await bench.resumed(connection)
    connection.room = 0
    bench.happen(3)
    await connection.until(lambda: connection.refused > 2)
    connection.room = 100
    await connection.until(lambda: len(connection.sent) > 2)
    sequences = [event.sequence for unit in connection.sent[2:] for event in decode_notification(unit)]
    assert sequences == [1, 2, 3]
    await end(connection, task)


async def test_other_tasks_have_their_turn_between_two_commands():
    """Some take seconds: eight of them on end would be longer than the watchdog waits."""
    bench, connection = Bench(), Connection()
    task = await bench.resumed(connection)

    async def take_turns():
        while True:
            Acts.turns += 1
            await asyncio.sleep_ms(0)

    other = asyncio.create_task(take_turns())
    Acts.carried_out.clear()
    for request in range(3, 11):
        connection.say(Mark(request))
    await connection.until(lambda: len(Acts.carried_out) == 8)
    other.cancel()
    assert len(set(Acts.carried_out)) == 8, Acts.carried_out
    await connection.until(lambda: len(connection.sent) == 10)
    await end(connection, task)


async def test_a_connection_beyond_the_slots_is_closed_and_a_freed_slot_serves_again():
    bench = Bench(slots=1)
    first, second, third = Connection(), Connection(), Connection()
    task = await bench.resumed(first)
    await asyncio.wait_for_ms(bench.links.serve(second), 1000)
    assert not second.connected()
    assert bench.links.turned_away == 1
    await end(first, task)
    await end(third, await bench.resumed(third))


async def test_a_stranger_who_only_holds_a_connection_is_hung_up():
    bench, connection = Bench(), Connection()
    task = asyncio.create_task(bench.links.serve(connection))
    connection.say(Hello(1, 1, 0))
    await connection.until(lambda: connection.sent)
    bench.clock.ahead_ms = 61_000
    connection.wake.set()
    await asyncio.wait_for_ms(task, 2000)
    assert not connection.connected()


async def test_a_resumed_tablet_may_be_silent_for_as_long_as_it_likes():
    bench, connection = Bench(), Connection()
    task = await bench.resumed(connection)
    bench.clock.ahead_ms = 3_600_000
    bench.happen(1)
    await connection.until(lambda: len(connection.sent) > 2)
    assert connection.connected()
    await end(connection, task)


async def test_a_tablet_that_says_hello_again_after_an_hour_is_no_stranger():
    bench, connection = Bench(), Connection()
    task = await bench.resumed(connection)
    bench.clock.ahead_ms = 3_600_000
    connection.say(Hello(9, 1, 0))
    await connection.until(lambda: len(connection.sent) > 2)
    connection.say(Hello(10, 1, 0))
    await connection.until(lambda: len(connection.sent) > 3)
    assert connection.connected()
    bench.clock.ahead_ms += 61_000
    connection.wake.set()
    await asyncio.wait_for_ms(task, 2000)


async def test_a_task_that_fails_is_told_and_started_again():
    told = []
    supervisor = Supervisor(Clock(), lambda name, error: told.append(name))
    runs = []

    async def work():
        runs.append(1)
        if len(runs) == 1:
            raise ValueError("planned")

    await asyncio.wait_for_ms(supervisor.keep("work", work), 3000)
    assert (len(runs), told, supervisor.restarts) == (2, ["work"], 1)


async def test_a_failure_that_cannot_be_told_ends_no_task():
    def tell(name, error):
        raise MemoryError

    runs = []

    async def work():
        runs.append(1)
        if len(runs) == 1:
            raise MemoryError

    supervisor = Supervisor(Clock(), tell)
    await asyncio.wait_for_ms(supervisor.keep("work", work), 3000)
    assert (len(runs), supervisor.restarts) == (2, 1)


class Waits:
    """In the supervisor's place of asyncio: notes how long it wants to wait, and lets no time pass."""

    def __init__(self):
        self.waits_ms = []

    async def sleep_ms(self, duration_ms):
        self.waits_ms.append(duration_ms)


async def test_a_task_that_fails_again_and_again_waits_longer_and_a_good_minute_is_a_new_beginning():
    clock, waits = SlowClock(), Waits()
    keeper = Supervisor(clock, lambda name, error: None)
    runs = []

    async def work():
        runs.append(1)
        if len(runs) == 9:
            clock.ahead_ms += 60_000
        if len(runs) < 11:
            raise ValueError("planned")

    supervisor.asyncio = waits
    try:
        await keeper.keep("work", work)
    finally:
        supervisor.asyncio = asyncio
    assert waits.waits_ms == [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 32_000, 500, 1_000]


async def test_a_task_that_does_not_tick_is_stuck_and_one_that_waits_for_its_next_try_is_not():
    clock = SlowClock()
    supervisor = Supervisor(clock, lambda name, error: None)
    supervisor.tick("one")
    supervisor.tick("two")
    clock.ahead_ms = 10_000
    supervisor.tick("two")
    assert supervisor.stuck() == ["one"]

    async def fail():
        raise ValueError("planned")

    task = asyncio.create_task(supervisor.keep("one", fail))
    while not supervisor.restarts:
        await asyncio.sleep_ms(0)
    assert supervisor.stuck() == []
    task.cancel()
