"""The way to an ARC: transports, one connection's life, when to try again. Knows the protocol, not the game."""
