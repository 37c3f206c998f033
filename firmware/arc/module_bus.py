"""The ARC's modules: runs the coordinator's scripts on the wire and turns what they find into events. Lights are wanted states.

One `run_cycle` every `BUS_CYCLE_MS`; between two frames everything else on the loop may run.
"""

from firmware.arc.module_salt import ModuleSalt
from firmware.arc.module_update import ModuleUpdate
from firmware.arc.module_watch import ModuleWatch, Sighting, ordered_edge
from firmware.bus.budget import cap_tenths_ma
from firmware.bus.coordinator import Coordinator
from firmware.bus.dialogue import Heard
from firmware.bus.health import ECHO_NONE, ECHO_OK
from firmware.bus.payloads import decode_status
from firmware.bus.roomy import roomy_dict
from firmware.bus.supply import Branches, Fuse
from firmware.bus.topology import address_of, port_of
from firmware.bus.words import BUS_FULL
from protocol import events
from protocol.lights import BLINK_ONCE, DARK
from protocol.messages import BUSY, STATISTICS_BUS, UNKNOWN_MODULE, ModuleStatus
from protocol.statistics import COUNTERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from firmware.bus.coordinator import Steps
    from firmware.bus.topology import Member
    from firmware.drivers.clock import Clock

_FIRST_CAP = 10
SETTLE_MS = 1_000
"""From the current's coming back to the first poll: a module takes so long to start, and a short trips the fuse before it."""
_FRESH_MS = 2_000


class ModuleBus:
    """`uart` as in `drivers.bus_uart`; `random(n)` gives n bytes of chance; `power` as in
    `drivers.bus_power`, None on a board that has no say in it."""

    def __init__(
        self,
        uart: "Any",
        epoch: int,
        watch: ModuleWatch,
        clock: "Clock",
        budget_ma: int,
        most_ma: int,
        random: "Callable[[int], bytes]",
        power: "Any" = None,
    ) -> None:
        self._uart = uart
        self._watch = watch
        self._clock = clock
        self._budget_ma = budget_ma
        self._most_ma = most_ma
        self._percent = 100
        self._wanted: "dict[int, int]" = roomy_dict()
        self._default = DARK
        self._faults: "dict[int, int]" = {}
        self._order: "list[int]" = []
        self._real_edges: "set[tuple[int, int, int, int]]" = set()
        self._version = -1
        self._foreign: "set[int]" = set()
        self._heard = Heard(b"", ECHO_NONE, 0, 0)
        self._power = power
        self._fuse = Fuse()
        self._settled_ms = 0
        self._branches = Branches(power.ports if power else 0)
        self.coordinator = Coordinator(epoch, self._light_for, _FIRST_CAP)
        self.update = ModuleUpdate(self.coordinator)
        self.salt = ModuleSalt(self.coordinator, random)
        self.coordinator.last = self._last_steps

    async def run_cycle(self) -> "list[events.Body]":
        """One cycle on the bus; what happened on the table by it. Without current, or with the wire stuck, nobody can answer:
        then nobody is taken for gone."""
        bodies: "list[events.Body]" = []
        if self._has_power():
            await self._speak()
            if not self.coordinator.health.is_stuck:
                bodies = self._watch.seen(self._clock.now_ms(), self._sightings(), self._edges_now())
                self._settle_lights(bodies)
                bodies += self._notices()
        bodies += self._new_faults()
        return bodies

    async def _speak(self) -> None:
        self.coordinator.cap = self._cap()
        script = self.coordinator.cycle(self._clock.now_ms())
        heard = self._heard
        request = next(script, None)
        while request is not None:
            heard.data = await self._uart.exchange(request.frame, request.timeout_us, request.select, request.collect)
            heard.echo, heard.links, heard.now_ms = self._uart.echo, self._uart.links, self._clock.now_ms()
            try:
                request = script.send(heard)
            except StopIteration:
                request = None

    def _last_steps(self) -> "Steps":
        yield from self.salt.steps()
        yield from self.update.steps()

    def _has_power(self) -> bool:
        """Switch as fuse and branches say. Are the modules on, and have been for long enough to have started?"""
        if self._power is None:
            return True
        now_ms = self._clock.now_ms()
        is_on = self._fuse.step(now_ms, self._power.is_tripped())
        self._power.set_on(is_on)
        if not is_on:
            self._settled_ms = now_ms + SETTLE_MS
        if now_ms < self._settled_ms:
            return False
        self._power.switch_off(self._branches.step(now_ms, self.coordinator.health.is_stuck))
        return True

    def rest(self) -> None:
        """The board goes to sleep: where it can be, the current is off until it wakes."""
        if self._power is not None:
            self._power.rest()

    # -- lights ----------------------------------------------------------------------------------------------------

    def set_light(self, instance: int, light: int) -> None:
        """What this module is to show from now on, on the bus or not."""
        self._wanted[instance] = light
        if light >> 4 == BLINK_ONCE:
            self.coordinator.blink_again(instance)

    def set_all(self, light: int) -> None:
        """What every module is to show, and every later one until it gets its own."""
        for instance in list(self._wanted):
            del self._wanted[instance]  # `clear` would give its room away
        self._default = light
        if light >> 4 == BLINK_ONCE:
            self.coordinator.blink_again()

    def set_light_percent(self, percent: int) -> None:
        """What the battery allows, of the full current."""
        self._percent = percent

    def _light_for(self, instance: int) -> int:
        return self._wanted.get(instance, self._default)

    def _cap(self) -> int:
        modules = self.coordinator.topology.count
        return cap_tenths_ma(modules, self._budget_ma, self._most_ma, self._percent, self.coordinator.health.is_noisy)

    def _settle_lights(self, bodies: "list[events.Body]") -> None:
        """A module that restarted does not blink once more: that light is over."""
        for body in bodies:
            is_over = isinstance(body, (events.ModuleNoticed, events.ModuleMoved, events.ModuleDetached))
            if is_over and self._light_for(body.instance) >> 4 == BLINK_ONCE:
                self._wanted[body.instance] = DARK

    # -- what is told ----------------------------------------------------------------------------------------------

    def modules(self) -> "list[tuple[int, int, int]]":
        """Announced modules as in the state page: instance, type, flags."""
        return self._watch.modules()

    def edges(self) -> "list[tuple[int, int, int, int]]":
        """Edges as the events have told them: instance, port, instance, port; the ARC is 0."""
        return self._watch.edges()

    def statistics(self) -> "dict[str, int]":
        """Counters by the names of the protocol's bus group."""
        current_ma = self._power.current_ma() if self._power is not None else 0
        health = self.coordinator.health
        counts = health.counters() + (self._fuse.total, current_ma, health.late)
        return dict(zip(COUNTERS[STATISTICS_BUS], counts))

    def foreign_version(self, instance: int) -> int:
        """What a module of another major spoke, major << 4 and minor; 0 when it was not heard."""
        return self.coordinator.discovery.foreign.get(instance, 0)

    def is_working(self, now_ms: int) -> bool:
        """Did the ARC hear its own last frame, just now, and is nothing wrong with the wire at the moment?"""
        is_heard = self._heard.echo == ECHO_OK and now_ms - self._heard.now_ms < _FRESH_MS
        return is_heard and not [code for code in self._current_faults() if code != events.FAULT_BUS_FULL]

    def read(self, instance: int) -> "bytes | int":
        """A packed ModuleStatus: what this module said of itself when it was found and at its last poll; or a reason."""
        member = self.coordinator.find(instance)
        if member is None:
            return UNKNOWN_MODULE
        status = decode_status(member.status)
        if status is None or not member.about:
            return BUSY
        hardware, major, minor, patch = member.about
        sharers = len([other for other in self.coordinator.members() if other.instance == instance])
        return ModuleStatus(
            major, minor, patch, hardware, member.protocol, status.reset_cause, member.boots, status.lowest_mv,
            status.errors, status.links, min(member.missed, 255), status.light, sharers,
        ).pack()  # fmt: skip

    # -- from the coordinator's words to the watch's ---------------------------------------------------------------

    def _sightings(self) -> "list[Sighting]":
        """Every module, nearest to the ARC first."""
        topology = self.coordinator.topology
        if self._version != topology.version:
            self._order = topology.order()
        found = []
        for address in self._order:
            member = topology.member(address)
            if member is not None:
                found.append(self._sighting(member))
        return found

    def _sighting(self, member: "Member") -> Sighting:
        topology = self.coordinator.topology
        place = topology.parent(member.address)
        parent, parent_port, own_port = None, 0, 0
        if place is not None:
            parent, parent_port = self.coordinator.instance_at(address_of(place)), port_of(place)
            own_port = port_of(topology.other_end(place) or 0)
        is_unplaced = place is None and member.instance in self.coordinator.discovery.unplaced
        return Sighting(
            member.instance, member.type_id, member.boots, member.joins, parent, parent_port, own_port,
            member.missed > 0, is_unplaced,
        )  # fmt: skip

    def _edges_now(self) -> "set[tuple[int, int, int, int]]":
        """The confirmed edges between instances; the same object until something changes."""
        topology = self.coordinator.topology
        if self._version != topology.version:
            self._version = topology.version
            self._real_edges = set()
            for one, other in topology.edges():
                near, far = (
                    self.coordinator.instance_at(address_of(one)),
                    self.coordinator.instance_at(address_of(other)),
                )
                if near is not None and far is not None:
                    self._real_edges.add(ordered_edge(near, port_of(one), far, port_of(other)))
        return self._real_edges

    def _notices(self) -> "list[events.ModuleNoticed]":
        """Modules of another major version, each told once while it is there."""
        foreign = {i for i, reason in self.coordinator.discovery.refused.items() if reason != BUS_FULL}
        bodies = [events.ModuleNoticed(i, events.MODULE_FOREIGN_VERSION) for i in sorted(foreign - self._foreign)]
        self._foreign = foreign
        return bodies

    def _new_faults(self) -> "list[events.FaultFound]":
        """Faults of the bus, each told when it begins; a stuck wire once more when its branch is known."""
        current = self._current_faults()
        if self._branches.bad >= 0:
            current[events.FAULT_BUS_STUCK] = self._branches.bad + 1
        bodies = []
        for code in sorted(current):
            is_named_now = code == events.FAULT_BUS_STUCK and current[code] != self._faults.get(code, current[code])
            if code not in self._faults or is_named_now:
                bodies.append(events.FaultFound(code, current[code]))
        self._faults = current
        return bodies

    def _current_faults(self) -> "dict[int, int]":
        health, discovery = self.coordinator.health, self.coordinator.discovery
        found = {}
        if health.is_noisy:
            found[events.FAULT_BUS_NOISY] = health.noise_permille()
        if health.is_stuck:
            found[events.FAULT_BUS_STUCK] = 0
        if self._fuse.is_faulty:
            found[events.FAULT_BUS_OVERCURRENT] = self._fuse.trips
        for instance, reason in discovery.refused.items():
            if reason == BUS_FULL:
                found[events.FAULT_BUS_FULL] = instance
        ends = discovery.open_ends()
        if ends and not health.is_stuck:
            parent = self.coordinator.instance_at(address_of(ends[0])) or 0
            found[events.FAULT_BUS_OPEN] = (parent & 0xFFFFFF) << 8 | port_of(ends[0])
        return found
