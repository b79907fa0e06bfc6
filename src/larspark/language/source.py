"""A text with its name: turns offsets into origins."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

from larspark.diagnostics.origin import Origin


@dataclass(frozen=True)
class Source:
    """A program text and the file it came from."""

    file: str
    text: str

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer("\n", self.text))]

    def _position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def origin(self, start: int, end: int) -> Origin:
        """The span between two offsets."""
        starts = self._line_starts
        line = bisect_right(starts, start)
        before = starts[line - 1] - 1
        if end <= start:
            return Origin(self.file, line, start - before, line, start - before)
        if line == len(starts) or end < starts[line]:
            return Origin(self.file, line, start - before, line, end - before)
        return Origin(self.file, line, start - before, *self._position(end))
