"""The words between ARC and app: bytes in, values out, no I/O. Runs on CPython and MicroPython."""
