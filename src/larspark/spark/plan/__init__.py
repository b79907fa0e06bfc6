"""How a program runs on Spark: its stages, their keys, and how they are divided."""
