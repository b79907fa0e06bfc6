"""Atoms in columns: the form in which they travel from any source to an engine, between tasks, and to any sink."""

from larspark.blocks.arguments import Argument, Numbers
from larspark.blocks.block import Block, merge

__all__ = ["Argument", "Block", "Numbers", "merge"]
