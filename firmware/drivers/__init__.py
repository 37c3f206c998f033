"""The only files that touch a chip, a wire or a radio."""
