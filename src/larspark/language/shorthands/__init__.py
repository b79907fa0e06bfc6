"""Spellings that stand for others: they are spelled out before anything else looks at the program."""
