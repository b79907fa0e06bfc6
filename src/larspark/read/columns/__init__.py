"""Whole columns by the rules for one value: what is plainly right in one go, each odd value once."""
