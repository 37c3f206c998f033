"""A new firmware in the folder that does not run: written, read back, switched to, and kept once it has been reached. Both kinds of board."""
