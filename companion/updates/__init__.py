"""New firmware for the ARC and its modules: the images at hand, the update that runs over a link, the page and the command for it."""
