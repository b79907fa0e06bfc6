"""Measuring: contestants side by side, answers compared first, records kept."""
