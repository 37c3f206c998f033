"""A module's update on the interpreter we ship: relay, node and writer, frame by frame, onto a littlefs in a module's heap."""

import gc
import sys
import time

sys.path.append(__file__.rsplit("/", 1)[0])

import test_update

from firmware.arc.module_update import ModuleUpdate
from firmware.bus.dialogue import Dialogue, Heard
from firmware.bus.health import ECHO_OK
from firmware.bus.node import ADDRESSED, ANSWER, Identity, Node, Vitals
from firmware.drivers.board_files import BoardFiles
from firmware.module import updating
from firmware.module.light import Light
from firmware.module.receiver import Receiver
from firmware.update.trial import RUNNING, Trial
from firmware.update.writing import Update
from protocol.reasons import BUSY, UNSUPPORTED
from protocol.update import BOARD_MODULE, digest_of
from protocol.update_image import pack_image
from protocol.update_sending import update_steps

HEAP = "400k"
TOKEN = bytes(16)
EPOCH, ADDRESS = 7, 3
SIZES = [26] * 6 + [3_400, 3_200, 2_900] + [900] * 14
"""About as many files as a module's program has, and as large together."""


class Bus:
    """One module with an address, asked without a wire."""

    def __init__(self, files):
        update = Update(files, "a", lambda digest, mac: True, test_update.MPY, 0, BOARD_MODULE)
        self.receiver = Receiver(lambda: update)
        identity = Identity(bytes(8), 1, 1)
        self.node = Node(identity, Light(120, 10), Vitals(), lambda below: 0, None, 0, self.receiver)
        self.node.state, self.node.address, self.node.epoch = ADDRESSED, ADDRESS, EPOCH
        self.dialogue = Dialogue(EPOCH)
        self.instance, self.address, self.missed = identity.instance, ADDRESS, 0
        self.longest_ms = 0

    def find(self, instance):
        return self if instance == self.instance else None

    def run(self, script):
        request = next(script, None)
        while request is not None:
            reaction = self.node.hear(0, request.frame, 0)
            assert reaction.kind == ANSWER
            begun_ms = time.ticks_ms()
            self.receiver.work()
            self.longest_ms = max(self.longest_ms, time.ticks_diff(time.ticks_ms(), begun_ms))
            try:
                request = script.send(Heard(reaction.frame, ECHO_OK, 0, 0))
            except StopIteration:
                request = None


def image_of(number):
    files = {}
    for index, size in enumerate(SIZES):
        text = b"%d %d " % (number, index)
        files["firmware/part%d/file%d.mpy" % (index % 4, index)] = text + bytes(size - len(text))
    return pack_image(BOARD_MODULE, (0, number, 0), test_update.MPY, files, b"{}" + bytes(2_500))


def do(relay, command):
    if command.KIND == 0x37:
        return relay.begin(command.instance, command.manifest, command.size, command.digest)
    if command.KIND == 0x35:
        return relay.add(command.offset, command.data) or b""
    return relay.commit()


def test_a_module_s_program_comes_over_the_bus_and_stays_once_polled():
    with test_update.OnDisk():
        files = BoardFiles()
        files.replace(RUNNING, b"a")
        bus = Bus(files)
        relay = ModuleUpdate(bus)
        image = image_of(2)
        steps = update_steps(image, TOKEN, bus.instance)
        command, cycles, levels = next(steps), 0, []
        while command is not None:
            answer = do(relay, command)
            if answer == BUSY:
                bus.run(relay.steps())
                cycles += 1
                if cycles % 20 == 0:
                    gc.collect()
                    levels.append(gc.mem_alloc())
                continue
            assert isinstance(answer, bytes), answer
            try:
                command = steps.send(answer)
            except StopIteration:
                command = None
        print("%d bytes in %d cycles, longest work %d ms" % (len(image.data), cycles, bus.longest_ms))
        assert bus.receiver.is_switched
        assert files.read(RUNNING) == b"b a"
        for name, _, digest in image.rows:
            assert digest_of(files.read("b/" + name)) == digest, name
        assert max(levels[1:]) - min(levels[1:]) < 4_096, levels
        files.replace(RUNNING, b"a")  # as the starter does
        trial = Trial(files, "b", 0)
        assert trial.is_open()
        trial.passed()
        assert files.read(RUNNING) == b"b"


def test_a_program_that_lies_in_no_folder_is_not_updated():
    assert updating.make_update().begin(100, 200, bytes(32), b"") == UNSUPPORTED
    assert not updating.open_trial().is_open()
