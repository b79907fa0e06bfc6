"""Aggregates by a sweep over time: the elements of each group enter and leave, and its values change then."""
