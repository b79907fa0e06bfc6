"""The readers: records of any source become blocks of atoms, by rules that stand here and nowhere else."""

from larspark.read.background import read_background, read_backgrounds
from larspark.read.chunk import UNTIMED, Chunk, Refused, at_line
from larspark.read.facts import chunk_of_facts
from larspark.read.reading import OnError, Reading
from larspark.read.rules import Rules, named_columns
from larspark.read.sources import read_chunks
from larspark.read.tables import chunks_of_table
from larspark.read.text_lines import chunk_of_lines

__all__ = [
    "UNTIMED",
    "Chunk",
    "OnError",
    "Reading",
    "Refused",
    "Rules",
    "at_line",
    "chunk_of_facts",
    "chunk_of_lines",
    "chunks_of_table",
    "named_columns",
    "read_background",
    "read_backgrounds",
    "read_chunks",
]
