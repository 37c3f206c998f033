"""Samples, part four: the firmware page before, in and after an update."""

from attrs import evolve

from companion.screens.controller import FirmwareView, ModuleFirmware, UpdateStage, UpdateView

FOLDER = "colonies-arc/firmware"
NO_FILE = f"There is no arc.image in {FOLDER}. Put one there, or make it with `make firmware`."
NO_MODULE_FILE = f"There is no module.image in {FOLDER}. Put one there, or make it with `make firmware`."
NO_LINK = "The ARC is not connected."
LOW = "The ARC's battery is low: put in fresh cells, or power it over USB."
RESTARTS = "Everything is there. The ARC restarts into 0.2.0 and connects again by itself."
WAITS = "The ARC is out of reach. The update goes on where it stopped as soon as it is back."
STAYS = "The ARC runs 0.2.0 and is connected again: the new firmware stays."
WENT_BACK = (
    "The ARC runs 0.1.0 again: the new firmware did not start, or was not reached within three starts. Nothing is lost."
)
NOT_BACK = (
    "The ARC has all of 0.2.0 and was not reached for two minutes after its restart. Switch it off and on, up to three times: if the new "
    "firmware does not work, the old one runs again by itself. If it stays dark, flash it over its cable."
)
PULLED = "It is not connected any more, or lost its power on the way: push it in again, then go on."

MODULES = (
    ModuleFirmware("Automatic Well", 1, "0.1.0", "due"),
    ModuleFirmware("Nuclear Power Plant", 1, "0.1.0", "due"),
    ModuleFirmware("Residential Dome", 2, "0.1.0", "due"),
    ModuleFirmware("Solar Power Plant", 1, "0.2.0", ""),
    ModuleFirmware("Tanks", 1, "", "due"),
)
DUE = FirmwareView("0.1.0", "0.2.0", "", "0.2.0", "", MODULES, 5)
ONE_AT_A_TIME = "One update at a time."
BUSY = evolve(DUE, arc_blocked=ONE_AT_A_TIME, modules_blocked=ONE_AT_A_TIME)
SENDING = UpdateView(UpdateStage.SENDING, False, True, 43_078, 102_760, 24, 1, 1, 0, "", "")
CURRENT = evolve(
    DUE,
    arc_version="0.2.0",
    arc_blocked="The ARC runs 0.2.0 already.",
    modules_blocked="All modules run 0.2.0 already.",
    modules=tuple(evolve(row, version="0.2.0", state="") for row in MODULES),
    due=0,
)
FOURTH = UpdateView(UpdateStage.SENDING, True, True, 9_044, 27_365, 95, 3, 6, 0, "Residential Dome", "")
ROW = (
    ModuleFirmware("Residential Dome", 1, "0.1.0", "now"),
    ModuleFirmware("Automatic Well", 1, "0.1.0", "failed", PULLED),
    ModuleFirmware("Nuclear Power Plant", 1, "0.1.0", "restarts"),
    ModuleFirmware("Residential Dome", 1, "0.1.0", "next"),
    ModuleFirmware("Storage", 1, "0.1.0", "next"),
    ModuleFirmware("Tanks", 1, "", "next"),
    ModuleFirmware("Solar Power Plant", 1, "0.2.0", ""),
)
ENDED = (
    ModuleFirmware("Automatic Well", 1, "0.1.0", "failed", PULLED),
    ModuleFirmware("Solar Power Plant", 1, "0.2.0", ""),
    ModuleFirmware("Nuclear Power Plant", 1, "0.2.0", "done"),
    ModuleFirmware("Residential Dome", 2, "0.2.0", "done"),
    ModuleFirmware("Storage", 1, "0.2.0", "done"),
    ModuleFirmware("Tanks", 1, "0.2.0", "done"),
)


def in_stage(stage: UpdateStage, text: str, sent: int = SENDING.size) -> UpdateView:
    return evolve(
        SENDING,
        stage=stage,
        sent=sent,
        seconds_left=None,
        text=text,
        is_running=text not in (STAYS, WENT_BACK, NOT_BACK),
    )


VIEWS = {
    "due": DUE,
    "current": CURRENT,
    "no-image": evolve(
        DUE, arc_at_hand="", arc_blocked=NO_FILE, modules_at_hand="", modules_blocked=NO_MODULE_FILE, due=0,
        modules=tuple(evolve(row, state="") for row in MODULES),
    ),
    "battery": evolve(DUE, arc_blocked=LOW, modules_blocked=LOW, modules=MODULES[:2], due=2),
    "sending": evolve(BUSY, update=SENDING),
    "checking": evolve(BUSY, update=in_stage(UpdateStage.CHECKING, "")),
    "waiting": evolve(BUSY, update=in_stage(UpdateStage.WAITING, WAITS, 43_078)),
    "restarting": evolve(BUSY, update=in_stage(UpdateStage.RESTARTING, RESTARTS)),
    "done": evolve(CURRENT, update=in_stage(UpdateStage.DONE, STAYS)),
    "back": evolve(DUE, update=in_stage(UpdateStage.FAILED, WENT_BACK)),
    "away": evolve(DUE, arc_blocked=NO_LINK, modules_blocked=NO_LINK, update=in_stage(UpdateStage.AWAY, NOT_BACK)),
    "modules": evolve(BUSY, modules=ROW, due=6, update=FOURTH),
    "modules-ended": evolve(
        DUE, modules=ENDED, due=1,
        update=evolve(FOURTH, stage=UpdateStage.FAILED, is_running=False, done=5, text="5 of 6 modules updated. The other one keeps its old firmware."),
    ),
    "alone": evolve(DUE, modules=(), due=0, modules_blocked="No module is connected."),
}  # fmt: skip
