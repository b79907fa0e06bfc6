"""Where in the user's text something came from."""

from __future__ import annotations

from typing import NamedTuple


class Origin(NamedTuple):
    """A span of source text; lines and columns count from 1, the end is exclusive.

    A tuple, because every node of a tree has one, and nothing else is made as quickly.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def to(self, other: Origin) -> Origin:
        """The span from the start of this one to the end of the other."""
        return Origin(self.file, self.line, self.column, other.end_line, other.end_column)

    def __str__(self) -> str:
        if not self.file:  # a table without a name
            return f"row {self.line}"
        return f"{self.file}:{self.line}:{self.column}"
