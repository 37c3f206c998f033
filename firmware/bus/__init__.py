"""LED bus v1, both ends. Pure: bytes and time in, bytes and events out."""
