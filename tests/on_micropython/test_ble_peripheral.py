"""The Bluetooth driver on the interpreter, over a `bluetooth` module that tests speak for."""

import asyncio
import sys
import time

TIMEOUT_S = 60
INFO, COMMAND, EVENT = 11, 12, 13


class FakeBle:
    """What the driver may call, and what the stack may do to it."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.advertised = []
        self.notified = []
        self.values = {}
        self.buffers = {}
        self.hung_up = []
        self.error = None
        self.is_advertising = False
        self.is_memory_short = False

    def active(self, on=None):
        if on is not None:
            self.is_active = on
        return self.is_active

    def config(self, **settings):
        for name in settings:
            if name not in ("mtu", "gap_name"):
                raise ValueError("unknown config param")  # `rxbuf` too: the ESP32 has none
        self.settings = settings

    def irq(self, handler):
        self.handler = handler

    def gatts_register_services(self, services):
        return ((INFO, COMMAND, EVENT),)

    def gatts_set_buffer(self, handle, size, append=False):
        self.buffers[handle] = size

    def gatts_write(self, handle, data):
        self.values[handle] = bytes(data)

    def gatts_read(self, handle):
        if self.is_memory_short:
            raise MemoryError
        return self.values[handle]

    def gap_advertise(self, interval_us, data=None, resp_data=None):
        self.advertised.append(interval_us)
        self.is_advertising = interval_us is not None

    def refuse_to_advertise(self, *settings, **options):
        raise OSError(12)

    def gap_disconnect(self, handle):
        self.hung_up.append(handle)

    def gatts_notify(self, connection, handle, data):
        if self.error:
            raise OSError(self.error)
        self.notified.append((connection, handle, bytes(data)))

    # the other side

    def tell(self, event, data):
        """As MicroPython does: a handler that fails is never called again."""
        try:
            if self.handler is not None:
                self.handler(event, data)
        except Exception:
            self.handler = None

    def connect(self, handle):
        self.is_advertising = False
        self.tell(1, (handle, 0, memoryview(b"123456")))

    def disconnect(self, handle):
        self.tell(2, (handle, 0, memoryview(b"123456")))

    def write(self, connection, data):
        self.values[COMMAND] = data[: self.buffers[COMMAND]]
        self.tell(3, (connection, COMMAND))


class FakeModule:
    the_ble = FakeBle()

    @staticmethod
    def BLE():  # noqa: N802 (the module's own name)
        FakeModule.the_ble.reset()
        return FakeModule.the_ble

    @staticmethod
    def UUID(text):  # noqa: N802 (the module's own name)
        return text


sys.modules["bluetooth"] = FakeModule
from firmware.drivers.ble_peripheral import BlePeripheral  # noqa: E402
from protocol import gatt  # noqa: E402


def started():
    radio = BlePeripheral(b"\x7c\xdf\xa1\x00\x5f\x3a", 3)
    radio.start(bytes(31), 100_000)
    return radio, FakeModule.the_ble


async def accepted(radio, ble, handle):
    ble.connect(handle)
    for _ in range(50):
        connection = await radio.accept(20)
        if connection is not None:
            return connection
    raise AssertionError("it was not accepted")


async def receive(connection):
    """The next command; empty when the connection has ended."""
    while True:
        command = connection.take()
        if command is not None or not connection.connected():
            return command or b""
        await connection.wake.wait()


async def nobody_new(radio):
    await settle(radio)
    return True


async def settle(radio):
    """Let the advertising go on."""
    for _ in range(2):
        assert await radio.accept(20) is None, "nobody connected"


async def test_advertises_again_after_each_of_100_disconnects_and_while_connected():
    radio, ble = started()
    await settle(radio)
    assert ble.is_advertising
    for _ in range(100):
        connection = await accepted(radio, ble, 0)
        await settle(radio)
        assert ble.is_advertising
        ble.is_advertising = False
        ble.disconnect(0)
        await settle(radio)
        assert ble.is_advertising
        assert not connection.connected()
    assert radio.connects == 100


async def test_a_connection_that_failed_while_it_was_set_up_is_followed_by_advertising():
    radio, ble = started()
    await settle(radio)
    ble.is_advertising = False
    ble.tell(2, (5, 0xFF, memoryview(bytes(6))))  # as NimBLE's binding tells it: nobody had connected
    await settle(radio)
    assert ble.is_advertising


async def test_who_connects_just_as_the_wait_ends_is_accepted():
    radio, ble = started()
    await settle(radio)
    found = []

    async def accept_one():
        while not found:
            connection = await radio.accept(40)
            if connection is not None:
                found.append(connection)

    async def hold_up():
        # the interpreter is held up between the connection and its turn, until the wait is over
        await asyncio.sleep_ms(20)
        ble.connect(5)
        await asyncio.sleep_ms(0)
        time.sleep_ms(40)

    await asyncio.wait_for_ms(asyncio.gather(accept_one(), hold_up()), 1000)
    assert found[0].connected()


async def test_does_not_advertise_when_all_connections_are_taken():
    radio, ble = started()
    for handle in range(3):
        await accepted(radio, ble, handle)
    await settle(radio)
    assert not ble.is_advertising
    ble.disconnect(1)
    await settle(radio)
    assert ble.is_advertising


async def test_the_handle_comes_from_the_event_and_a_second_connection_works():
    radio, ble = started()
    first = await accepted(radio, ble, 64)
    second = await accepted(radio, ble, 7)
    assert second.send(b"to the second")
    assert first.send(b"to the first")
    assert ble.notified == [(7, EVENT, b"to the second"), (64, EVENT, b"to the first")]
    ble.write(64, b"from the first")
    assert (first.take(), second.take()) == (b"from the first", None)


async def test_no_memory_and_a_dying_connection_are_false_and_not_fatal():
    radio, ble = started()
    connection = await accepted(radio, ble, 1)
    for error in (12, 128, -128, 107):
        ble.error = error
        assert not connection.send(b"x")
    ble.error = None
    assert connection.send(b"x")
    assert (radio.no_memory, radio.unsent) == (1, 3)


async def test_the_radio_is_on_while_it_advertises_or_serves_somebody():
    radio, ble = started()
    assert not radio.is_on(), "nobody has had it advertise yet"
    await settle(radio)
    assert radio.is_on()
    await accepted(radio, ble, 1)
    assert radio.is_on()
    ble.gap_advertise = ble.refuse_to_advertise
    ble.disconnect(1)
    await settle(radio)
    assert not radio.is_on()
    del ble.gap_advertise
    await settle(radio)
    assert radio.is_on()
    ble.is_active = False
    assert not radio.is_on()


async def test_writes_before_the_first_look_are_all_there_in_order():
    radio, ble = started()
    connection = await accepted(radio, ble, 1)
    for number in range(3):
        ble.write(1, bytes((number,)))
    for number in range(3):
        assert await receive(connection) == bytes((number,))


async def test_a_write_wakes_who_waits():
    radio, ble = started()
    connection = await accepted(radio, ble, 1)
    waiting = asyncio.create_task(receive(connection))
    await asyncio.sleep_ms(0)  # it waits
    ble.write(1, b"hello")
    assert await asyncio.wait_for_ms(waiting, 1000) == b"hello"


async def test_the_end_wakes_who_waits():
    radio, ble = started()
    connection = await accepted(radio, ble, 1)
    waiting = asyncio.create_task(receive(connection))
    await asyncio.sleep_ms(0)  # it waits
    ble.disconnect(1)
    assert await asyncio.wait_for_ms(waiting, 1000) == b""


async def test_a_write_longer_than_a_command_arrives_one_byte_too_long():
    radio, ble = started()
    connection = await accepted(radio, ble, 1)
    ble.write(1, bytes(400))
    assert len(connection.take()) == gatt.MAX_COMMAND + 1


async def test_a_flood_of_writes_loses_the_connection_and_not_the_memory():
    radio, ble = started()
    connection = await accepted(radio, ble, 1)
    for _ in range(40):
        ble.write(1, b"again")
    assert not connection.connected()
    assert ble.hung_up == [1]
    assert radio.overruns >= 1


async def test_a_write_without_memory_costs_the_connection_and_not_the_radio():
    radio, ble = started()
    connection = await accepted(radio, ble, 0)
    ble.is_memory_short = True
    ble.write(0, b"\x01\x07\x01\x00")
    assert ble.hung_up == [0]
    assert radio.overruns == 1
    ble.disconnect(0)
    assert not connection.connected(), "the stack still calls us"
    ble.is_memory_short = False
    connection = await accepted(radio, ble, 0)
    ble.write(0, b"\x01\x07\x01\x00")
    assert await receive(connection) == b"\x01\x07\x01\x00"


async def test_the_size_follows_the_mtu_and_has_a_limit():
    radio, ble = started()
    connection = await accepted(radio, ble, 1)
    assert connection.max_size == 20
    for mtu, size in ((185, 182), (247, 244), (517, 244)):
        ble.handler(21, (1, mtu))
        assert connection.max_size == size


async def test_events_of_strangers_are_ignored():
    radio, ble = started()
    ble.disconnect(9)
    ble.values[COMMAND] = b"x"
    ble.handler(3, (9, COMMAND))
    ble.handler(21, (9, 100))
    assert await nobody_new(radio)


def test_what_is_advertised_fits_and_stays():
    radio, ble = started()
    assert ble.settings["mtu"] == 247
    assert ble.buffers[COMMAND] == gatt.MAX_COMMAND + 1
    radio.show_info(b"i" * 31)
    assert ble.values[INFO] == b"i" * 31
