"""Light sleep takes the radio down with it (report 47): the desk's boards refuse it, and no board's program asks for it."""

import os

SHIMS = True


def raised(duration_ms):
    import machine

    try:
        machine.lightsleep(duration_ms)
    except RuntimeError as error:
        return str(error)
    return ""


def test_while_the_radio_is_on_it_is_refused():
    assert raised(0) == ""
    import bluetooth

    radio = bluetooth.BLE()
    assert raised(0) == ""
    radio._line = object()  # as after active(True), which needs a desk
    assert radio.active()
    assert raised(0) == "lightsleep while the radio is on"
    radio._line = None
    assert raised(0) == ""


def test_no_program_of_a_board_asks_for_it():
    root = __file__.rsplit("/tests/", 1)[0] + "/firmware/"
    asks = []
    for folder in ("arc", "module", "bus", "drivers", "update"):
        for name in os.listdir(root + folder):
            if name.endswith(".py"):
                with open(root + folder + "/" + name) as file:
                    text = file.read()
                asks += [name for word in ("lightsleep", "pm_configure") if word in text]
    assert asks == []
    with open(root + "arc/main.py") as file:
        assert "deepsleep" in file.read()
