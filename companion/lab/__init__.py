"""Whole games without a window: policies play, one row a game comes out, reports say how the game plays. For designers."""
