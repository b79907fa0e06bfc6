"""Lines of a file, many at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from typing import BinaryIO

import numpy as np

from larspark.blocks import Numbers
from larspark.diagnostics import Origin
from larspark.read.places import at_line

SIZE = 1 << 21
"""Bytes that are read at once."""

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, eq=False)
class Lines:
    """Whole lines of a file."""

    content: bytes
    file: str
    first: int
    """The number of the first line."""

    @cached_property
    def ends(self) -> Numbers:
        """Where each line ends: at its line feed, or with the file."""
        found = np.flatnonzero(np.frombuffer(self.content, np.uint8) == ord("\n"))
        return found if not self.content or self.content.endswith(b"\n") else np.append(found, len(self.content))

    @cached_property
    def starts(self) -> Numbers:
        return np.append(0, self.ends + 1)[: len(self.ends)]

    @cached_property
    def _count(self) -> int:
        feeds = int(np.count_nonzero(np.frombuffer(self.content, np.uint8) == ord("\n")))
        return feeds + bool(self.content and not self.content.endswith(b"\n"))

    def __len__(self) -> int:
        return self._count

    def line(self, place: int) -> bytes:
        return self.content[self.starts[place] : self.ends[place]]

    def origin(self, place: int) -> Origin:
        return at_line(self.file, self.first + place)

    def text(self, place: int) -> str:
        return self.line(place).decode("utf-8", "backslashreplace").rstrip("\r")

    def __iter__(self) -> Iterator[bytes]:
        """The lines, each with its line feed; the last one may have none."""
        return iter(BytesIO(self.content))

    def content_of(self, places: Numbers) -> bytes:
        """These lines (ascending), one after the other."""
        if len(places) == int(places[-1]) - int(places[0]) + 1:
            return self.content[self.starts[places[0]] : self.ends[places[-1]]]
        breaks = np.flatnonzero(np.diff(places) > 1)
        firsts, lasts = np.append(places[:1], places[breaks + 1]), np.append(places[breaks], places[-1:])
        spans = zip(self.starts[firsts].tolist(), self.ends[lasts].tolist(), strict=True)
        return b"\n".join(self.content[begin:end] for begin, end in spans)

    def after(self, count: int) -> Lines:
        """The lines behind the first ones."""
        if count >= len(self):
            return Lines(b"", self.file, self.first + count)
        begin = self.content.find(b"\n") + 1 if count == 1 else int(self.starts[count])  # one, mostly: a header
        return Lines(self.content[begin:], self.file, self.first + count)

    def followed_by(self, other: Lines) -> Lines:
        return Lines(self.content + other.content, self.file, self.first)

    @property
    def is_text(self) -> bool:
        """Whether all of it is UTF-8."""
        if self.content.isascii():
            return True
        try:
            self.content.decode("utf-8")
        except UnicodeDecodeError:
            return False
        return True


@dataclass(frozen=True)
class LinePlaces:
    """Records that are lines; `rows` says which."""

    lines: Lines
    rows: Numbers

    def __len__(self) -> int:
        return len(self.rows)

    def origin(self, row: int) -> Origin:
        return self.lines.origin(int(self.rows[row]))

    def text(self, row: int) -> str:
        return self.lines.text(int(self.rows[row]))


def cut_lines(content: bytes, file: str, size: int, number: int = 1) -> Iterator[Lines]:
    """The lines of a part of a file, about so many bytes at once; the first one has this number."""
    begin = 0
    while begin < len(content):
        end = content.rfind(b"\n", begin, begin + size) + 1 or content.find(b"\n", begin) + 1 or len(content)
        lines = Lines(content[begin:end], file, number)
        yield lines
        begin, number = end, number + len(lines)


def read_lines(stream: BinaryIO, file: str, size: int = SIZE) -> Iterator[Lines]:
    """The lines of a file, so many bytes at once; a mark of its encoding at the beginning is left out."""
    number, rest = 1, [stream.read(3).removeprefix(BYTE_ORDER_MARK)]
    while block := stream.read(size):
        cut = block.rfind(b"\n") + 1
        if cut:
            lines = Lines(b"".join((*rest, memoryview(block)[:cut])), file, number)
            yield lines
            number += len(lines)
            rest = []
        rest.append(block[cut:])
    content = b"".join(rest)
    if content:
        yield Lines(content, file, number)
