"""Questions about a program over a recording or in a running engine: why, why not, what if."""
