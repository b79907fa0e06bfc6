"""Answers in columns as lines, tables and files; each atom is spelled once for every stretch of time it holds in."""
