"""Runs on MicroPython: its own `collections`, with `abc` beside it."""

from ucollections import *
