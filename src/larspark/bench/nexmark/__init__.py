"""NEXMark: an auction house as a stream, twenty-four queries as rules, and other engines on the same files."""
