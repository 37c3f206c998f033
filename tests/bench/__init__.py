"""Speed and size, each beside its peer: `make bench`."""
