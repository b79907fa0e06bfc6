"""The structure of a program: where atoms stand, what depends on what, chains of windows."""
