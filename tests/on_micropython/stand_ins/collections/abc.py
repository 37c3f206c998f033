"""Runs on MicroPython: names for annotations, which are never looked at here."""

Callable = Coroutine = Generator = Iterable = Iterator = Mapping = Sequence = None
