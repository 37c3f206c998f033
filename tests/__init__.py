"""The tests mirror the tree. `CONTRIBUTING.md` says how they are laid out."""
