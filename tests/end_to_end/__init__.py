"""The whole path over the real stacks: desk and app as processes."""
