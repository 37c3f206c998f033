"""The app: link, session, simulation, catalog, storage and screens. `python -m companion` starts it."""
