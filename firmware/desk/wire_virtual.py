"""All boards of a bus in one process and in virtual time: the firmware's pure cores around the simulated wire.

`Table.uart` has the face of `drivers.bus_uart` for the ARC, so the ARC's own code runs on it unchanged.
"""

from collections.abc import Callable, Coroutine
from random import Random
from typing import Any

from firmware.bus.frame import UNADDRESSED, FrameReader, is_whole
from firmware.bus.node import ANSWER, SELECT, WATCH, Identity, Node, Reaction, Vitals
from firmware.desk import wire
from firmware.desk.wire import Answer, Delivery, Wire
from firmware.module.light import Light
from firmware.module.receiver import Receiver

BOOT_MS = 350
"""From power to the first beacon; to be measured on a board."""
LED_FULL_TENTHS_MA = 120
LED_CAP_TENTHS_MA = 10


class Module:
    """One module's firmware cores, behind the face of a board on the wire. `make_receiver`: what takes a new firmware after
    each start, and sets `firmware` to what runs; `deaf_until_us`: its flash is at work."""

    def __init__(self, name: str, chip: bytes, salt: int, type_id: int, random: Random) -> None:
        self.name = name
        self.chip, self.salt, self.type_id = chip, salt, type_id
        self.boots = 0
        self.protocol: int | None = None
        self.firmware = (0, 1, 0)
        self.stays_silent = False
        self.make_receiver: Callable[[], Receiver | None] = lambda: None
        self.deaf_until_us = 0
        self._random = random
        self.start(0)

    def start(self, now_ms: int) -> None:
        """Power came or the chip was reset: everything volatile is gone."""
        self.boots = (self.boots + 1) & 0xFFFF
        self.light = Light(LED_FULL_TENTHS_MA, LED_CAP_TENTHS_MA)
        self.vitals = Vitals(lowest_mv=3280)
        self.receiver = self.make_receiver()
        identity = Identity(self.chip, self.salt, self.type_id, firmware=self.firmware, boots=self.boots)
        if self.protocol is not None:
            identity.protocol = self.protocol
        self.node = Node(identity, self.light, self.vitals, self._random.randrange, self._resalt, now_ms, self.receiver)
        self.reader = FrameReader(self.node.accepts)
        self._is_watching = False

    def deliver(self, delivery: Delivery) -> Answer:
        """A whole frame, as the desk delivers it."""
        if not is_whole(delivery.data):
            self.vitals.crc_errors += 1
            return self._answer(None)
        return self._answer(self._hear(delivery, delivery.data))

    def deliver_bytes(self, delivery: Delivery) -> Answer:
        """Every byte on the wire, as a board's UART hears it."""
        if delivery.selected is not None:
            reaction = self.node.selected(delivery.at_us // 1000, delivery.selected) if self._is_watching else None
            return self._answer(reaction)
        self._is_watching = False
        reaction = None
        for frame in self.reader.feed(delivery.data, delivery.at_us & 0x3FFFFFFF):
            reaction = self._hear(delivery, frame)
        self.vitals.crc_errors = self.reader.crc_errors
        return self._answer(reaction)

    def _hear(self, delivery: Delivery, frame: bytes) -> Reaction | None:
        now_ms = delivery.at_us // 1000
        if delivery.at_us < self.deaf_until_us:
            return None
        reaction = self.node.hear(now_ms, frame, delivery.links)
        if self.receiver is not None:
            self.receiver.work()
        if reaction.kind != WATCH:
            return reaction
        if delivery.selected is not None:
            return self.node.selected(now_ms, delivery.selected)
        self._is_watching = True
        self.node.not_selected(now_ms)
        return None

    def _answer(self, reaction: Reaction | None) -> Answer:
        address = self.node.address
        if reaction is None or self.stays_silent:
            return Answer(address=address)
        if reaction.kind == ANSWER:
            return Answer(wire.ANSWER, reaction.frame, reaction.delay_us, address=address)
        if reaction.kind == SELECT:
            return Answer(wire.SELECT, port=reaction.port, address=address)
        return Answer(address=address)

    def _resalt(self, salt: int) -> bool:
        self.salt = salt
        return True


class Uart:
    """The ARC's bus driver in virtual time: `exchange` returns at once, and the wire's clock has moved."""

    def __init__(self, table: "Table") -> None:
        self._table = table
        self.echo = wire.ECHO_OK
        self.links = 0

    async def exchange(self, frame: bytes, reply_timeout_us: int, select: int = -1, collect: bool = False) -> bytes:
        """What came back behind the echo; `echo` and `links` are those of this exchange."""
        heard = self._table.exchange(frame, reply_timeout_us, select, collect)
        self.echo, self.links = heard.echo, heard.links
        return heard.data


class Table:
    """A wire, its modules and their virtual time. `turnaround` as in `Wire`."""

    def __init__(
        self, seed: int = 0, turnaround: Callable[[str], int] = wire.no_turnaround, every_byte: bool = False
    ) -> None:
        self.wire = Wire(seed=seed, turnaround=turnaround)
        self.wire.everyone_hears = every_byte
        self.modules: dict[str, Module] = {}
        self.uart = Uart(self)
        self._random = Random(seed)
        self._booting: dict[str, int] = {}

    def now_ms(self) -> int:
        """Virtual time since the table was made."""
        return self.wire.now_us // 1000

    def add(self, name: str, type_id: int = 1, chip: bytes | None = None, salt: int | None = None) -> Module:
        """A module in the box. Chip id and salt are drawn when not given."""
        chip = self._random.randbytes(8) if chip is None else chip
        salt = self._random.getrandbits(32) if salt is None else salt
        self.modules[name] = Module(name, chip, salt, type_id, self._random)
        self.wire.add(name)
        return self.modules[name]

    def plug(self, parent: str, parent_port: int, child: str, child_port: int, boot_ms: int = 0) -> None:
        """Plug two ports; modules that get power by it start after `boot_ms`."""
        self.wire.plug(parent, parent_port, child, child_port)
        self._follow_power(boot_ms)

    def unplug(self, name: str) -> None:
        """Pull a module off; what hung behind it loses power too."""
        self.wire.unplug(name)
        self._follow_power(0)

    def unplug_port(self, name: str, port: int) -> None:
        """Open one connection."""
        self.wire.unplug_port(name, port)
        self._follow_power(0)

    def reset(self, name: str, boot_ms: int = BOOT_MS) -> None:
        """A brown-out: the module is gone and comes back after `boot_ms`."""
        self.wire.deaf(name)
        self._booting[name] = self.now_ms() + boot_ms
        self._start_those_due()

    def wait_ms(self, duration_ms: int) -> None:
        """Let virtual time pass with nothing on the bus."""
        self.wait_until_ms(self.now_ms() + duration_ms)

    def wait_until_ms(self, at_ms: int) -> None:
        """Let virtual time pass up to an instant."""
        self.wire.now_us = max(self.wire.now_us, at_ms * 1000)
        self._beat()

    def exchange(self, frame: bytes, timeout_us: int, select: int = -1, collect: bool = False) -> wire.Heard:
        """One exchange of the ARC, all boards answering at once in bus time."""
        self._start_those_due()
        talk = self.wire.exchange(frame, timeout_us, select, collect)
        try:
            deliveries = next(talk)
            while True:
                deliveries = talk.send({name: self._deliver(name, one) for name, one in deliveries.items()})
        except StopIteration as done:
            heard: wire.Heard = done.value
            return heard

    def _deliver(self, name: str, delivery: Delivery) -> Answer:
        module = self.modules[name]
        return module.deliver_bytes(delivery) if self.wire.everyone_hears else module.deliver(delivery)

    def _follow_power(self, boot_ms: int) -> None:
        powered = self.wire.powered()
        for name in self.modules:
            if name not in powered:
                self._booting.pop(name, None)
                self.wire.deaf(name)
            elif not self.wire.boards[name].is_listening and name not in self._booting:
                self._booting[name] = self.now_ms() + boot_ms
        self._start_those_due()

    def _start_those_due(self) -> None:
        now_ms = self.now_ms()
        for name, at_ms in list(self._booting.items()):
            if at_ms <= now_ms:
                del self._booting[name]
                self.modules[name].start(now_ms)
                self.wire.listen(name, UNADDRESSED)

    def _beat(self) -> None:
        self._start_those_due()
        for name, module in self.modules.items():
            module.node.beat(self.now_ms())
            self.wire.boards[name].address = module.node.address


def run_now(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine that never has to wait, as all do on `Table.uart`."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value
    coroutine.close()
    raise RuntimeError("it waits for something that is not in virtual time")
