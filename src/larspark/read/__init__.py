"""The readers: records of any source become blocks of atoms, by rules that stand here and nowhere else."""

from larspark.read.chunk import UNTIMED, Chunk, Refused, at_line
from larspark.read.rules import Rules, named_columns
from larspark.read.sources import read_chunks
from larspark.read.tables import chunks_of_table

__all__ = ["UNTIMED", "Chunk", "Refused", "Rules", "at_line", "chunks_of_table", "named_columns", "read_chunks"]
