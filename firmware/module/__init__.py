"""The module's own subjects: its place on the bus, its light, its settings."""
