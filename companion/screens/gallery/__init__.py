"""Every screen drawn from sample views: `python -m companion.screens.gallery FOLDER`."""
