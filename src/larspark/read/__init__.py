"""The readers: records of any source become blocks of atoms, by rules that stand here and nowhere else."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from larspark.read.background import read_background, read_backgrounds
    from larspark.read.chunk import UNTIMED, Chunk, Refused
    from larspark.read.formats.facts import chunk_of_facts
    from larspark.read.formats.tables import chunks_of_table
    from larspark.read.formats.text_lines import chunk_of_lines
    from larspark.read.places import at_line
    from larspark.read.reading import CheckedChunks, OnError
    from larspark.read.rules import Rules, named_columns, typed_inputs
    from larspark.read.sources import read_chunks

__all__ = [
    "UNTIMED",
    "CheckedChunks",
    "Chunk",
    "OnError",
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
    "typed_inputs",
]

_HOMES = {
    "UNTIMED": "chunk",
    "Chunk": "chunk",
    "OnError": "reading",
    "CheckedChunks": "reading",
    "Refused": "chunk",
    "Rules": "rules",
    "at_line": "places",
    "chunk_of_facts": "formats.facts",
    "chunk_of_lines": "formats.text_lines",
    "chunks_of_table": "formats.tables",
    "named_columns": "rules",
    "read_background": "background",
    "read_backgrounds": "background",
    "read_chunks": "sources",
    "typed_inputs": "rules",
}


def __getattr__(name: str) -> object:
    """Whoever only wants the rules does not load what reads columns."""
    if name in _HOMES:
        return getattr(import_module(f"larspark.read.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
