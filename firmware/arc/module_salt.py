"""Two modules that share one instance: one of them gets another salt, and by it another identity. Pure.

1. Asked for by place, since the instance does not tell the two apart; refused unless there are two.
2. The module first says who it is: the new instance must differ from all others on the bus, in its low 24 bits too, which
   events carry, and those must not be 0, which is the ARC.
3. Once it has acknowledged, its address is taken from it; it is found again at its place as the new instance that it is.
4. An acknowledgement that is lost costs nothing: the module, asked again who it is, names the new instance.
"""

import struct

from firmware.bus import payloads, words
from protocol.reasons import BUSY, UNKNOWN_MODULE, WRITE_FAILED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from firmware.bus.coordinator import Coordinator, Steps
    from firmware.bus.dialogue import Heard, Request
    from firmware.bus.topology import Member

    Resalting = Generator[Request, Heard, bytes | int]


class ModuleSalt:
    """`random(n)` gives n bytes of chance."""

    def __init__(self, coordinator: "Coordinator", random: "Callable[[int], bytes]") -> None:
        self._coordinator = coordinator
        self._random = random
        self._wanted = (0, 0, 0)
        self._outcome: "bytes | int" = UNKNOWN_MODULE
        self._is_told = True

    def rewrite(self, instance: int, neighbour: int, port: int) -> "bytes | int":
        """For the module of this instance at this port of its neighbour: the new instance, packed as u32, or a reason."""
        wanted = (instance, neighbour, port)
        if wanted == self._wanted:
            if self._outcome == BUSY:
                return BUSY
            # its OK may have been lost; but a module that is there again now is another one
            if not self._is_told or self._twin() is None:
                self._is_told = True
                return self._outcome
        before, self._wanted = self._wanted, wanted
        if self._twin() is None:
            self._wanted = before
            return UNKNOWN_MODULE
        self._is_told = False
        self._outcome = BUSY
        return BUSY

    def steps(self) -> "Steps":
        """Its turn at the end of a cycle on the bus."""
        if self._outcome != BUSY:
            return
        wanted = self._wanted
        member = self._coordinator.find_at(*wanted)
        if member is None:
            outcome: "bytes | int" = UNKNOWN_MODULE
        elif member.missed:
            return
        else:
            outcome = yield from self._resalt(member)
        # between two frames another may have been asked for
        if self._wanted == wanted:
            self._outcome = outcome

    def _resalt(self, member: "Member") -> "Resalting":
        dialogue, address = self._coordinator.dialogue, member.address
        reply = yield from dialogue.ask(address, words.IDENTIFY, b"", address)
        if reply is None:
            return BUSY
        identity = payloads.decode_identity(reply.payload) if reply.opcode == words.IDENTITY else None
        if identity is None:
            return WRITE_FAILED
        chip, salt, _ = identity
        if words.instance_of(chip, salt) == member.instance:
            salt = self._good_salt(chip)
            payload = payloads.encode_resalt(member.instance, salt)
            reply = yield from dialogue.ask(address, words.RESALT, payload, address)
            if reply is None:
                return BUSY
            if reply.opcode != words.ACK:
                return WRITE_FAILED
        self._coordinator.discovery.forget(member)
        yield from self._coordinator.discovery.dismiss(address)
        return struct.pack("<I", words.instance_of(chip, salt))

    def _good_salt(self, chip: bytes) -> int:
        taken = [member.instance & 0xFFFFFF for member in self._coordinator.members()]
        while True:
            salt = int.from_bytes(self._random(4), "little")
            low = words.instance_of(chip, salt) & 0xFFFFFF
            if low and low not in taken:
                return salt

    def _twin(self) -> "Member | None":
        """The module that is meant, while another one has its instance too."""
        members = self._coordinator.members()
        if len([member for member in members if member.instance == self._wanted[0]]) < 2:
            return None
        return self._coordinator.find_at(*self._wanted)
