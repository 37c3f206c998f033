"""The boards without boards: one interpreter a board, models of their chips, the wire, the radio, the drawn table."""
