"""The app's database: games, their journals, learned tags, paired ARCs, settings. It knows texts and numbers, not the game."""
