"""The five cards of the main screen, one a file. Importing this makes them known to the kv of the screen."""

from companion.screens.cards import economy, population, resources, special, status

__all__ = ["CARDS", "economy", "population", "resources", "special", "status"]

CARDS = ("status", "resources", "population", "special", "economy")
