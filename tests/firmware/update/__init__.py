"""Updates of the ARC over the link, on a model of its file system."""
