"""The flash tool against boards that are not there: the real interpreter with a real littlefs behind a pseudo-terminal."""
