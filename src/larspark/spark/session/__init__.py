"""Spark itself: sessions, its Java and Python, what it says when something breaks, and how far it is."""
