"""The version of the firmware, ARC and modules alike: what INFO and IDENTITY tell, and what a program's manifest names. Nowhere else."""

FIRMWARE_VERSION = (0, 1, 0)
"""Major, minor, patch: the project's, as in pyproject.toml."""
