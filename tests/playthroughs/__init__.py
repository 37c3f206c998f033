"""Whole games as text people can read. A `.txt` file is both: lines with «>» are what is played, the rest is what came out.

To change a game edit its «>» lines and run `make bless`; the diff is the review.
"""
