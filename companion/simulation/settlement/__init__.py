"""NEXT: what happens to the colony between two rounds, one file a subject. `order` has the sequence."""
