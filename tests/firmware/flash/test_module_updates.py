"""All modules of a bus, or those of a type, updated one after another: what runs already is left, what fails is told."""

from collections.abc import Callable
from pathlib import Path

import pytest

from companion import catalog
from firmware.flash.errors import FlashError, PortGoneError, RefusedError
from firmware.flash.kinds import MODULE
from firmware.flash.module_updates import LOOKS, ModuleUpdates, OnBus, modules_on_bus
from firmware.flash.updating import HopelessError, image_of
from protocol.messages import BUSY, LOW_BATTERY, UNKNOWN_MODULE, Message, ModuleStatus, ModuleUpdateBegin, ReadModule
from protocol.pages import encode_modules
from tests.firmware.flash.conftest import Watch
from tests.firmware.module import update_table
from tests.firmware.module.update_table import OLD, UpdateTable
from tests.firmware.update.model import TOKEN, fresh

CATALOG = catalog.load()
NEW = update_table.NEW
IMAGE = image_of(NEW, MODULE)


class BusSession:
    """An ARC with three modules on its bus, of which `m1` takes updates; virtual time goes on while the computer pauses."""

    def __init__(self) -> None:
        self.table = UpdateTable()
        self.before: Callable[[Message], None] = lambda command: None
        self.begun: list[int] = []

    def ask(self, command: Message, within_s: float) -> bytes:
        self.before(command)
        bus = self.table.play.bus
        answer = bus.read(command.instance) if isinstance(command, ReadModule) else self.table.do(command)
        if isinstance(answer, int):
            raise RefusedError(answer, "what", "do")
        if isinstance(command, ModuleUpdateBegin):
            self.begun.append(int.from_bytes(answer, "little"))
        return answer

    def read_page(self, page: int) -> bytes:
        return encode_modules(self.table.play.bus.modules())

    def pause(self, _: float) -> None:
        self.table.cycle()


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BusSession:
    monkeypatch.chdir(tmp_path)
    fresh(OLD)
    return BusSession()


def run(session: BusSession, watch: Watch, type_name: str = "", *, anyway: bool = False) -> bool:
    modules = modules_on_bus(session, CATALOG, type_name)
    return ModuleUpdates(session, IMAGE, TOKEN, watch, session.pause, anyway=anyway).run(modules)


def test_those_of_a_type_are_updated_and_another_time_left_alone(session: BusSession, watch: Watch) -> None:
    assert run(session, watch, "nuclear")
    assert session.table.ran == [OLD.version, NEW.version]
    assert "Nuclear" in watch.lines[0]
    assert watch.lines[0].endswith("runs 0.2.0")
    assert watch.lines[-1] == "1 updated, 0 had it already, 0 failed"
    assert run(session, watch, "nuclear")
    assert watch.lines[-1] == "0 updated, 1 had it already, 0 failed"
    assert len(session.begun) == 1
    assert run(session, watch, "nuclear", anyway=True)
    assert session.table.ran == [OLD.version, NEW.version, NEW.version]


def test_what_fails_is_told_and_the_next_has_its_turn(session: BusSession, watch: Watch) -> None:
    assert not run(session, watch)
    assert session.table.ran == [OLD.version, NEW.version]
    assert "1 updated, 0 had it already, 2 failed" in watch.lines
    assert sum(line.startswith("failed: ") for line in watch.lines) == 2


def test_a_module_that_restarts_on_the_way_goes_on_where_it_was(session: BusSession, watch: Watch) -> None:
    left = [8]

    def restart(command: Message) -> None:
        left[0] -= 1
        if not left[0]:
            session.table.restart()

    session.before = restart
    assert run(session, watch, "nuclear")
    assert session.table.ran == [OLD.version, OLD.version, NEW.version]
    assert session.begun[0] == 0 < session.begun[1]


def test_a_module_that_is_pulled_for_good_is_told(session: BusSession, watch: Watch) -> None:
    def pull(command: Message) -> None:
        if not isinstance(command, ReadModule) and session.begun:
            session.table.play.table.unplug(update_table.NAME)

    session.before = pull
    assert not run(session, watch, "nuclear")
    assert "not on the bus" in watch.text


@pytest.mark.parametrize(
    "error", [RefusedError(LOW_BATTERY, "what", "do"), PortGoneError("the port vanished", "plug it")]
)
def test_what_lies_with_the_arc_ends_it_at_once(session: BusSession, watch: Watch, error: FlashError) -> None:
    def fail(command: Message) -> None:
        if isinstance(command, ModuleUpdateBegin):
            raise error

    session.before = fail
    with pytest.raises(HopelessError if isinstance(error, RefusedError) else PortGoneError):
        run(session, watch)
    assert "failed: " not in watch.text


@pytest.mark.parametrize(("after", "told"), [((0, 1, 0), "still runs 0.1.0"), (None, "did not come back")])
def test_a_firmware_that_does_not_come_up_is_told(watch: Watch, after: tuple[int, int, int] | None, told: str) -> None:
    class Faulty(BusSession):
        """It switched, and then runs the old one, or nothing at all."""

        def __init__(self) -> None:
            self.looks = 0

        def ask(self, command: Message, within_s: float) -> bytes:
            if isinstance(command, ReadModule):
                self.looks += 1
                if self.looks > 1 and after is None:
                    raise RefusedError(UNKNOWN_MODULE, "what", "do")
                return ModuleStatus(0, 1, 0, 1, 16, 1, self.looks, 3300, 0, 1, 0, 0, 1).pack()
            return bytes(4) if isinstance(command, ModuleUpdateBegin) else bytes(2)

        def pause(self, _: float) -> None:
            """Nothing goes on here."""

    session = Faulty()
    updates = ModuleUpdates(session, IMAGE, TOKEN, watch, session.pause, anyway=False)
    assert not updates.run([OnBus(7, "Solar")])
    assert told in watch.text
    assert session.looks == LOOKS + 1


def test_a_type_that_nobody_knows_is_answered_with_the_list(session: BusSession) -> None:
    with pytest.raises(FlashError, match="no module is called sloar"):
        modules_on_bus(session, CATALOG, "sloar")


def test_a_module_that_has_not_been_asked_yet_is_waited_for(session: BusSession, watch: Watch) -> None:
    left = [3]

    def busy(command: Message) -> None:
        if isinstance(command, ReadModule) and left[0]:
            left[0] -= 1
            raise RefusedError(BUSY, "what", "do")

    session.before = busy
    assert run(session, watch, "nuclear")
    assert left == [0]
