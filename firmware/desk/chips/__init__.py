"""Models of the chips on a board: registers and pins in, bytes out, time passed in, no I/O of their own."""
