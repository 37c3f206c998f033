"""The ARC's own subjects: cards and modules watched, the event log, sessions, lights, power, the life of the board."""
