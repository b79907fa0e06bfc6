"""Windows over columns of arrivals and of intervals: when does each see what."""
