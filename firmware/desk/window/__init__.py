"""The drawn table: another client of the desk's control socket. It only shows and moves things; the desk does the rest."""
