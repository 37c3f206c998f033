"""One examination for every real thing and every stand-in of a kind."""
