"""Facts with the intervals in which they hold, as they lie in memory, and the set algebra on them."""
