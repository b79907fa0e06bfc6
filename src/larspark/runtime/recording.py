"""A recorded stream on its timeline, to be played back in columns, or time point by time point."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, groupby
from operator import itemgetter

from larspark.blocks import Block
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.calendar import TimeForm
from larspark.language.facts import Fact
from larspark.read import CheckedChunks, Chunk, Rules, chunk_of_facts


@dataclass(frozen=True)
class OpenRecording:
    """A recorded stream while it is read: its chunks come once, and where it ends may not be known yet."""

    content: Iterator[Chunk]
    start: int
    end: int | None
    form: TimeForm = TimeForm.POINTS
    """How the times of the first arrivals are written."""
    empty: bool = False

    @staticmethod
    def on_timeline(content: Iterable[Chunk], timeline: tuple[int, int] | None = None) -> OpenRecording:
        """The timeline as given, or from the first arrival on."""
        chunks = (chunk for chunk in content if len(chunk))
        opening = next(chunks, None)
        first = 0 if opening is None else min(int(block.times[0]) for block in opening.blocks)
        start, end = timeline or (first, None if opening else first)
        if end is not None and end < start:
            raise _off_timeline(f"The timeline {start} {end} ends before it starts.", "Give T0 <= T1.")
        if opening is None:
            return OpenRecording(iter(()), start, end, empty=True)
        if first < start:
            message = f"{opening.arrivals()[0][1]} arrives at {first}, before the timeline starts at {start}."
            raise _off_timeline(message, "Let the timeline start earlier.")
        return OpenRecording(chain([opening], chunks), start, end, opening.form)

    def read(self) -> Recording:
        """All of it."""
        chunks = list(self.content)
        last = max((int(block.times[-1]) for block in chunks[-1].blocks), default=0) if chunks else 0
        form = max([self.form, *(chunk.form for chunk in chunks)])
        return Recording(chunks, self.start, last if self.end is None else self.end, form)

    def chunks(self) -> Iterator[Sequence[Block]]:
        """The arrivals in blocks."""
        return (chunk.blocks for chunk in self.content)


@dataclass(frozen=True)
class Recording:
    """Arrivals in order of time, on the timeline [start, end]."""

    content: Sequence[Chunk]
    start: int
    end: int
    form: TimeForm = TimeForm.POINTS
    """How the times of the arrivals are written."""

    @staticmethod
    def on_timeline(content: Iterable[Chunk], timeline: tuple[int, int] | None = None) -> Recording:
        """The timeline as given, or from the first to the last arrival."""
        return OpenRecording.on_timeline(content, timeline).read()

    @staticmethod
    def of_facts(arrivals: Iterable[tuple[int, Fact]], timeline: tuple[int, int] | None = None) -> Recording:
        """Facts in order of time; `Rejected` when they are not."""
        return Recording.on_timeline(CheckedChunks([chunk_of_facts(arrivals, Rules())]), timeline)

    def chunks(self) -> Iterator[Sequence[Block]]:
        """The arrivals in blocks."""
        return (chunk.blocks for chunk in self.content)

    @cached_property
    def arrivals(self) -> list[tuple[int, Fact]]:
        """The arrivals as facts."""
        return list(self._arrivals())

    def time_points(self, last: int) -> Iterator[tuple[int, list[Fact]]]:
        """Every time point from the start to `last` with what arrives there, in arrival order."""
        require_evaluation(last, self.start)
        upcoming = self.start
        for time, group in groupby(self._arrivals(), key=itemgetter(0)):
            if time > last:
                break
            yield from ((idle, []) for idle in range(upcoming, time))
            yield time, [fact for _, fact in group]
            upcoming = time + 1
        yield from ((idle, []) for idle in range(upcoming, last + 1))

    def _arrivals(self) -> Iterator[tuple[int, Fact]]:
        return (arrival for chunk in self.content for arrival in sorted(chunk.arrivals(), key=itemgetter(0)))


def require_evaluation(time: int, start: int) -> None:
    """`Rejected` when a time point lies before the timeline."""
    if time < start:
        message = f"Time point {time} lies before the timeline, which starts at {start}."
        raise _off_timeline(message, "Evaluate later, or let the timeline start earlier.")


def _off_timeline(message: str, hint: str) -> Rejected:
    return Rejected([Diagnostic("E411", message, hint)])
