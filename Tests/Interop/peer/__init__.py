"""A peer of Baton, written from its protocol page alone, with nothing but Python's standard library."""
