"""A step of a whole network: from changed relations to all that follows from them."""
