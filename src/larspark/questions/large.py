"""Questions about a recording in Parquet: only what the atom can depend on is read, and what is near in time.

The farther past is read when the first answer asks for it: an atom that has held since the stretch begins may have held
longer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from larspark.diagnostics import Rejected
from larspark.explain.differences.changed_data import NO_CHANGES, ArrivalChanges, arrival, lines_in
from larspark.explain.differences.differences import AnswerDifference
from larspark.explain.evaluations.history import Refusal, Sourced
from larspark.explain.evaluations.relevance import Relevance
from larspark.explain.misses.why_not import WhyNot
from larspark.explain.phrasing import Phrasing
from larspark.explain.proofs.build import DEPTH
from larspark.explain.proofs.proof import Proof
from larspark.explain.questions import question_of
from larspark.language.calendar import TimeForm
from larspark.questions.explaining import Case
from larspark.questions.other_rules import reach_of
from larspark.read import Chunk, OnError, Rules
from larspark.read.formats.endings import PARQUET
from larspark.runtime.manifest import InputFile
from larspark.runtime.prepared import Prepared
from larspark.runtime.sourced import refusal_of, sourced, tables_of

if TYPE_CHECKING:
    from larspark.read.formats.selected_rows import RowSelection

Answer = TypeVar("Answer")

WIDER = 16
"""How many times as far back the next stretch reaches."""
NEAR = 20_000
"""Rows around the time that are read whatever they are about."""


@dataclass(frozen=True)
class LargeCase:
    """A program over Parquet files, of which as little as possible is read."""

    prepared: Prepared
    files: tuple[tuple[Path, str, Rules], ...]
    """With their predicates, and the rules by which they are read."""
    start: int
    end: int
    rows: int
    on_error: OnError = "stop"
    points: bool = False
    """Whether times are told as time points, however they came."""
    changes: ArrivalChanges = NO_CHANGES
    """What is to be added to the files, and what is not to be taken."""

    @classmethod
    def of(
        cls,
        prepared: Prepared,
        source: str | Sequence[InputFile],
        timeline: tuple[int, int] | None = None,
        reasoner: str | None = None,
        on_error: OnError = "stop",
        points: bool = False,
        changes: ArrivalChanges = NO_CHANGES,
    ) -> LargeCase | None:
        """None: the whole recording has to be read, since it is none of Parquet, or since everything may matter."""
        files = _parquet_files(source, prepared)
        analysis = prepared.analysis
        if not files or reasoner not in (None, "interval") or "interval" not in analysis.reasoners:
            return None
        if analysis.recorded or reach_of(analysis) is None:
            return None
        import pyarrow.parquet as pq  # noqa: PLC0415 - only Parquet pays for it

        from larspark.read.formats.selected_rows import time_span  # noqa: PLC0415

        spans = [span for file in files if (span := time_span(*file)) is not None]
        if not spans:
            return None
        start, end = timeline or (min(first for first, _ in spans), max(last for _, last in spans))
        rows = sum(pq.read_metadata(file).num_rows for file, _, _ in files)
        return cls(prepared.require("interval"), tuple(files), start, end, rows, on_error, points, changes)

    @property
    def words(self) -> Phrasing:
        """How things are said, as far as it is known before rows are read."""
        calendar = self.prepared.calendar
        form = TimeForm.POINTS if self.points else calendar.form
        return Phrasing.of(self.prepared.analysis, calendar, form, self.prepared.background)

    def why(self, atom: str, time: int, *, count: int = 1, depth: int | None = DEPTH) -> list[Proof]:
        def known(found: list[Proof], first: int) -> bool:
            return all(one.life is None or one.life.span[0] > first for one in found)

        return self._asked(atom, "why", time, lambda case: case.why(atom, time, count=count, depth=depth), known)

    def why_not(self, atom: str, time: int) -> WhyNot:
        def known(found: WhyNot, _first: int) -> bool:
            return found.last_held is not None

        return self._asked(atom, "why-not", time, lambda case: case.why_not(atom, time), known)

    def what_if(
        self, add: Sequence[str], drop: Sequence[str], explained: int | None = None
    ) -> tuple[list[AnswerDifference], Phrasing]:
        """How the answers differ when these arrivals are added, and those dropped: only the time around is read."""
        calendar, analysis = self.prepared.calendar, self.prepared.analysis
        words = Phrasing.of(analysis, calendar, TimeForm.ZONED, self.prepared.background)  # reads times in any form
        named = [arrival(text, words).time for text in (*add, *(one for one in drop if not lines_in([one])))]
        times = [*named, *self._times_of(lines_in(drop))]
        case = self._around(times) if times else self._case([], self.start, self.start)
        return case.what_if(add, drop, explained), case.words

    def _around(self, times: Sequence[int]) -> Case:
        """All that evaluations look at which see one of these times."""
        from larspark.read.formats.selected_rows import RowSelection  # noqa: PLC0415

        reach = reach_of(self.prepared.analysis) or 0
        first, last = max(self.start, min(times) - reach), max(times) + reach
        rows = self._rows(RowSelection(first, last, first, last, {}))
        return self._case(rows, first, min(max(self.end, *times), last))

    def _times_of(self, lines: Sequence[tuple[str | None, int]]) -> Iterator[int]:
        """The times of rows; a row that is not there has none, and what drops it says so."""
        from larspark.read.formats.selected_rows import time_of_row  # noqa: PLC0415 - only Parquet pays for it

        for name, line in lines:
            for file, predicate, rules in self.files:
                if name is None or str(file).endswith(name):
                    time = time_of_row(file, predicate, rules, line)
                    if time is not None:
                        yield time

    def _asked(
        self, atom: str, ask: str, time: int, answer: Callable[[Case], Answer], known: Callable[[Answer, int], bool]
    ) -> Answer:
        back = 4 * (reach_of(self.prepared.analysis) or 0) + 64
        while True:
            first = max(self.start, time - back)
            try:
                found = answer(self.stretch(atom, ask, time, first))
            except Rejected as rejected:
                if first == self.start or rejected.diagnostics[0].code != "E560":  # it may arrive elsewhere
                    raise
            else:
                if first == self.start or known(found, first):
                    return found
            back *= WIDER

    def stretch(self, atom: str, ask: str, time: int, first: int) -> Case:
        """What the evaluations from `first` on, as far as they matter, look at."""
        from larspark.read.formats.selected_rows import RowSelection  # noqa: PLC0415

        reach = reach_of(self.prepared.analysis) or 0
        fact = question_of(atom, ask, time).fact
        patterns = Relevance.of(self.prepared.program, fact).patterns or {}
        density = self.rows / max(1, self.end - self.start + 1)
        near = time - reach if density * (reach + 1) <= NEAR else time + 1
        selection = RowSelection(first - reach, time + reach + 1, near, time, patterns)
        return self._case(self._rows(selection), first, self.end)

    def _rows(self, selection: RowSelection) -> Iterator[Chunk]:
        from larspark.read.formats.selected_rows import read_selected  # noqa: PLC0415

        return (chunk for file in self.files for chunk in read_selected(*file, selection))

    def _case(self, chunks: Iterable[Chunk], first: int, end: int) -> Case:
        """These rows, as far as they can be taken, for evaluations from `first` on."""
        arrivals: list[Sourced] = []
        refused: list[Refusal] = []
        form = self.prepared.calendar.form
        for chunk in chunks:
            if chunk.refused and self.on_error == "stop":
                raise Rejected([chunk.refused[0].diagnostic])
            arrivals.extend(sourced(chunk))
            refused.extend(map(refusal_of, chunk.refused))
            form = max(form, chunk.form)
        ordered = tuple(self.changes.applied(arrivals, (self.start, end)))
        form = TimeForm.POINTS if self.points else form
        return Case(self.prepared, ordered, self.start, end, "interval", tuple(refused), since=first, form=form)


def _parquet_files(source: str | Sequence[InputFile], prepared: Prepared) -> list[tuple[Path, str, Rules]]:
    """All files, if all of them are Parquet."""
    if isinstance(source, str) and not Path(source).exists():
        return []  # whoever reads it says what is wrong
    files = [(Path(file), predicate, rules) for file, predicate, rules in tables_of(source, prepared)]
    if any(file.suffix.lower() not in PARQUET for file, _, _ in files):
        return []
    return [(file, predicate or file.stem, rules) for file, predicate, rules in files]
