"""Colonies starter: runs the firmware in the folder that `running` names, else the other folder when it is whole.

`running` holds one folder, or two: then the first is on trial, and the boot after this one takes the second.
`hold` keeps the board at its prompt for one boot, unless that boot is a power-on.
"""

import json
import os
import sys
import time

import machine

FOLDERS = ("a", "b")
RESTART_AFTER_MS = 3_000
TRIAL_WATCHDOG_MS = 8_000
"""A program on trial that hangs before it has a watchdog of its own is reset after this time. The longest that both chips can."""

started = None
"""The folder whose program runs. The flash tool reads it at the prompt after a Control-C."""


def is_held():
    try:
        os.remove("hold")
    except OSError:
        return False
    return machine.reset_cause() != machine.PWRON_RESET


def order():
    """Folders to try, best first. A trial is spent here, before its program has any chance to hang."""
    try:
        with open("running") as file:
            named = [name for name in file.read().split() if name in FOLDERS]
    except (OSError, ValueError):  # none, or no text
        named = []
    if len(named) > 1:
        try:
            with open("running.new", "w") as file:
                file.write(named[1])
            os.rename("running.new", "running")
            machine.WDT(timeout=TRIAL_WATCHDOG_MS)
        except OSError:
            named = named[1:]  # a trial that the flash does not let end is none
    return named[:1] + [name for name in FOLDERS if name not in named[:1]]


def load(folder):
    """The program's `run`, or None. `manifest.json` comes last into a folder, so where it is all else is, too."""
    sys.path.insert(0, folder)
    try:
        with open(folder + "/manifest.json") as file:
            entry = json.load(file)["entry"]
        __import__(entry)
        return sys.modules[entry].run
    except OSError:
        pass
    except Exception as error:
        note(error)
    sys.path.pop(0)
    for name in list(sys.modules):
        if name.split(".")[0] in ("firmware", "protocol"):
            del sys.modules[name]
    return None


def note(error):
    """For the flash tool and for people: the last thing that went wrong."""
    sys.print_exception(error)
    try:
        with open("failed.txt", "w") as file:
            sys.print_exception(error, file)
    except OSError:
        pass


def start():
    global started
    if is_held():
        print("held for the flash tool; switch off and on to go on")
        return
    for folder in order():
        run = load(folder)
        if run is not None:
            break
    else:
        print("no firmware here: flash this board")
        return
    started = folder
    try:
        run()
    except Exception as error:
        note(error)
    started = None
    time.sleep_ms(RESTART_AFTER_MS)
    machine.reset()


start()
