"""What the game is made of: modules, managers, cards, planets and the numbers that balance them, from TOML files."""

from companion.catalog.catalog import Catalog
from companion.catalog.faults import CatalogError, Fault
from companion.catalog.loader import load
from companion.catalog.model import Tagged

__all__ = ["Catalog", "CatalogError", "Fault", "Tagged", "load"]
