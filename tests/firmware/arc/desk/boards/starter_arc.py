"""The board's own starter, `main.py` in its file system: the program then comes from folder `a` or `b`, not from the image."""

import sys

import machine  # noqa: F401 - the desk's modules take what they need from the image, before it is out of reach


def run() -> None:
    for name in list(sys.modules):
        if name.split(".")[0] in ("firmware", "protocol"):
            del sys.modules[name]
    sys.path.remove("/rom")
    with open("main.py") as file:
        starter = file.read()
    exec(starter, {"__name__": "__main__"})
