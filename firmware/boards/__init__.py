"""Pins, limits and timings of each board: numbers only, read by firmware, harness and drawings alike."""
