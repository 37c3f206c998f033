"""For the bus tests: a DATA net of UARTs and select lines of pins, all in this interpreter, in real time."""

from firmware.boards import module_rp2040zero as board
from firmware.bus.node import ANSWER, SELECT, WATCH, Identity, Node, Vitals
from firmware.drivers.node_uart import NodeUart
from firmware.drivers.select_lines import SelectLines
from firmware.module.light import Light


class Net:
    """Wired-AND seen from afar: who writes is heard by all, itself included, at once."""

    def __init__(self):
        self.uarts = []
        self.damage = []

    def write(self, data):
        if self.damage:
            data = bytes([byte ^ self.damage.pop(0) if self.damage else byte for byte in data])
        for uart in self.uarts:
            uart.waiting += data


class Uart:
    """The part of `machine.UART` that the driver uses."""

    def __init__(self, net):
        self.waiting = b""
        self._net = net
        net.uarts.append(self)

    def any(self):
        return len(self.waiting)

    def read(self, count=None):
        count = len(self.waiting) if count is None else count
        data, self.waiting = self.waiting[:count], self.waiting[count:]
        return data or None

    def write(self, data):
        self._net.write(data)

    def flush(self):
        pass


class Pin:
    """An open-drain pin; `joined` is the pin at the other end of the select line."""

    IRQ_FALLING = 2

    def __init__(self):
        self.driven = 1
        self.joined = None
        self._handler = None

    def irq(self, handler, trigger):
        self._handler = handler

    def level(self):
        return self.driven & (self.joined.driven if self.joined else 1)

    def value(self, level=None):
        if level is None:
            return self.level()
        before = self.level()
        self.driven = level
        if before and not self.level():
            for pin in (self, self.joined):
                if pin and pin._handler:
                    pin._handler(pin)
        return None


class Board:
    """A module: the same tasks as `module/main.py`, without LED and watchdog."""

    def __init__(self, net, number, clock):
        self.pins = [Pin() for _ in range(4)]
        self.lines = SelectLines(self.pins)
        self.light = Light(board.LED_FULL_TENTHS_MA, board.LED_FIRST_CAP_TENTHS_MA)
        self.vitals = Vitals()
        identity = Identity(bytes([number]) * 8, number, number)
        self.node = Node(identity, self.light, self.vitals, lambda limit: number % limit)
        self.uart = NodeUart(Uart(net), self.node.accepts, self.lines)
        self._clock = clock

    async def run(self):
        node, uart = self.node, self.uart
        while True:
            frame = await uart.listen()
            reaction = node.hear(self._clock.now_ms(), frame, uart.links())
            if reaction.kind == WATCH:
                port = await uart.watch()
                if port < 0:
                    node.not_selected(self._clock.now_ms())
                    continue
                reaction = node.selected(self._clock.now_ms(), port)
            if reaction.kind == ANSWER:
                await uart.reply(reaction.frame, reaction.delay_us, node.address)
            elif reaction.kind == SELECT:
                uart.select(reaction.port, node.address)

    async def send_beacons(self):
        await self.uart.send_beacons(self.node.beacon_period_ms)


def join(one, port, other, other_port):
    """Connect two select lines."""
    one.pins[port].joined = other.pins[other_port]
    other.pins[other_port].joined = one.pins[port]
