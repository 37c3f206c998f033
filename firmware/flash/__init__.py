"""Host tool: puts the firmware on boards, writes tags, reads logs. `python -m firmware.flash` is its face."""
