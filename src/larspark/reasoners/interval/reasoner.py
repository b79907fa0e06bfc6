"""The interval reasoner as a reasoner among others: facts in, changes and answers as facts out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from typing import TypeAlias

import numpy as np

from larspark.analysis.analysis import Analysis
from larspark.blocks import Block
from larspark.diagnostics import Diagnostic, Rejected
from larspark.intervals.sets import FOREVER, LATEST
from larspark.intervals.tables.storage import Rows
from larspark.intervals.tables.watch import NEVER
from larspark.language.calendar import Calendar
from larspark.language.evaluate import Functions
from larspark.language.facts import Fact, Signature
from larspark.language.printing.printer import show_meaning
from larspark.language.values import Value
from larspark.reasoners.interval.answers.answers import AnswerView
from larspark.reasoners.interval.answers.conclusions import Conclusions
from larspark.reasoners.interval.answers.validity import outside_of
from larspark.reasoners.interval.engine.changes import RelationChanges
from larspark.reasoners.interval.engine.engine import IntervalEngine
from larspark.reasoners.interval.engine.evaluation import StreamEvaluation
from larspark.reasoners.interval.planning.statistics import Statistics
from larspark.reasoners.interval.state.arrivals import FEW, Arrivals
from larspark.reasoners.interval.state.coding import Coder
from larspark.reasoners.interval.state.dictionary import Dictionary
from larspark.reasoners.interval.state.profile import Profile
from larspark.reasoners.interval.state.snapshot import Snapshot
from larspark.reasoners.protocol import Answer, Change
from larspark.reasoners.results import change_between

Pattern: TypeAlias = tuple[Value | None, ...]
"""Arguments, None standing for any value."""
Patterns: TypeAlias = Mapping[Signature, Collection[Pattern]]


class IntervalReasoner:
    """Evaluates a stratified program; see `IntervalEngine` for what it keeps.

    With `lateness` arrivals may lie that many time points back: the answers they touch are corrected. `statistics`
    (the `sizes` of an engine that has seen a sample) choose the order of joins from the start. Of the predicates that
    are derived, answers and changes have those that are `shown`, or all.
    """

    def __init__(
        self,
        analysis: Analysis,
        background: Iterable[Fact] = (),
        start: int = 0,
        *,
        functions: Functions | None = None,
        calendar: Calendar | None = None,
        lateness: int = 0,
        statistics: Statistics | None = None,
        shown: Set[Signature] | None = None,
    ) -> None:
        analysis.require("interval")
        self._shown = shown
        self._evaluation = StreamEvaluation(
            analysis,
            background,
            start,
            lateness=lateness,
            functions=functions,
            calendar=calendar,
            statistics=statistics,
        )
        self._view: AnswerView | None = None

    @property
    def engine(self) -> IntervalEngine:
        return self._evaluation.engine

    @property
    def dictionary(self) -> Dictionary:
        """The codes of values, for batches of columns."""
        return self._evaluation.dictionary

    @property
    def time(self) -> int:
        """The last time point that has been evaluated."""
        return self._evaluation.time

    @property
    def too_late(self) -> int:
        """How many arrivals came after the allowed lateness and were left out."""
        return self._evaluation.too_late

    @property
    def undefined(self) -> int:
        """How often a rule did not fire because its arithmetic has no value."""
        return self.engine.tables.undefined

    @property
    def takes_past(self) -> bool:
        """Whether arrivals may be taken past the engine: nobody asks what rules cost, and none can be late."""
        return self.engine.tables.profile is None and not self._evaluation.lateness

    @property
    def view(self) -> AnswerView:
        """What holds at the current time; it is followed from now on if it was not."""
        view, engine = self._view, self._evaluation.engine
        if view is None or view.engine is not engine:
            view = self._view = AnswerView(engine, self._shown)
        return view

    def profiled(self) -> Profile:
        """Measure from now on what each rule costs; `Profile.close` counts what is kept."""
        found = self.engine.tables.profile = Profile()
        return found

    # -- evaluation --------------------------------------------------------------------------------

    def advance(self, time: int, atoms: Sequence[Fact] = ()) -> Change:
        """See the protocol; where lateness is allowed, the time may lie back, and then the present is told again."""
        own = self._evaluation
        if own.in_one_go and own.start <= time < LATEST and time >= own.engine.time and len(atoms) <= FEW:
            view = self.view
            return view.change_by(own.whole(time, Arrivals.at(time, atoms, own.dictionary)))
        until = max(time, self.time)
        self._check(until, time)
        return self._advance(until, Arrivals.at(time, atoms, self.dictionary), single=True)

    def advance_batch(self, until: int, arrivals: Arrivals) -> Change:
        """Take a chunk of arrivals and evaluate all time points up to `until`; the change is that at its end."""
        self._check(until, arrivals.earliest)
        return self._advance(until, arrivals)

    def _advance(self, until: int, arrivals: Arrivals, *, single: bool = False) -> Change:
        view, evaluation = self.view, self._evaluation
        late = evaluation.lateness and arrivals.earliest <= evaluation.over(until)
        before = view.answer_stream() if late else None
        for changes in evaluation.parts(until, arrivals, single=single):
            if view.engine is evaluation.engine:
                view.move(changes)
        if view.engine is evaluation.engine:
            return view.change()
        return change_between(self.time, before, self.view.answer_stream())

    def replay(self, until: int, arrivals: Arrivals, earliest: int = FOREVER) -> Iterator[RelationChanges]:
        """The history instead of its end: what the relations gain and lose, as rows with intervals.

        Arrivals that are taken past the engine lie at `earliest` or later.

        What is gained in one part can be lost in the next as far as it lies beyond the time points evaluated; what
        lies before them is a correction by late arrivals. The live view is let go; asking for it again starts from
        what holds then.
        """
        self._check(until, min(arrivals.earliest, earliest))
        self._view = None
        self.engine.stop_watching()
        yield from self._evaluation.parts(until, arrivals)

    @contextmanager
    def as_one(self) -> Iterator[None]:
        """Several steps as one: when one of them is refused, everything is as it was before the first."""
        before = self._evaluation.standing()
        try:
            yield
        except Rejected:
            self._evaluation.go_back(before)
            raise

    def _check(self, until: int, first: int) -> None:
        """Refuse times that cannot be evaluated any more, or not at all."""
        evaluation = self._evaluation
        earliest, current = until if evaluation.lateness else min(until, first), evaluation.time
        if earliest < current:
            raise Rejected([_backwards(earliest, current)])
        for time in (until, first):
            if time != FOREVER and not evaluation.start <= time < LATEST:
                raise Rejected([_outside(time, evaluation.start)])

    def next_change(self) -> int | None:
        """The first later time point at which the answer may change though nothing arrives; None for never."""
        found, revision = self.view.next_change(), self._evaluation.next_revision
        return found if revision == NEVER else revision if found is None else min(found, revision)

    def answer(self, models: int | None = 1) -> Answer:
        del models  # there is at most one
        current = self.view.answer_stream()
        return Answer(self.time, () if current is None else (current,))

    def renumber_values(self) -> None:
        """Forget symbols that no window can see any more.

        A stream of ever new symbols fills the dictionary. This is never done by itself, since it gives new codes to
        all values: batches must be made with `dictionary` after it.
        """
        self._evaluation.renumber_values()

    # -- other rules, other data -------------------------------------------------------------------

    def change_program(
        self,
        analysis: Analysis,
        background: Iterable[Fact] | None = None,
        shown: Set[Signature] | None = None,
    ) -> Change:
        """Go on with other rules, and other given facts if there are. Rules see the input that the old ones kept."""
        analysis.require("interval")
        before = self.view.answer_stream()
        self._evaluation.change(analysis, self._evaluation.background if background is None else background)
        self._shown = shown
        return change_between(self.time, before, self.view.answer_stream())

    def replace_background(self, background: Iterable[Fact]) -> Change:
        """Go on with other given facts."""
        return self.change_program(self._evaluation.analysis, background, self._shown)

    @property
    def kept_rows(self) -> int:
        """How many arrivals windows can still see."""
        return sum(map(len, self._evaluation.log.columns().values()))

    def kept(self, patterns: Patterns | None = None) -> list[tuple[int, Fact]]:
        """The arrivals that windows can still see, in the order of arrival, or those of them that fit."""
        coder, rows = Coder(self.dictionary), list[tuple[int, int, Fact]]()
        found = self._evaluation.log.columns()
        if patterns is not None:
            found = {one: self._fitting(found[one], patterns[one]) for one in found if one in patterns}
        for signature, columns in found.items():
            arguments = tuple(coder.argument(columns[:, place]) for place in range(signature.arity))
            times, places = columns[:, -2], columns[:, -1].tolist()
            rows += zip(places, times.tolist(), Block(signature, times, arguments).facts(), strict=True)
        return [(time, fact) for _, time, fact in sorted(rows, key=lambda row: row[0])]

    # -- what is known without evaluating ----------------------------------------------------------

    @property
    def consistent(self) -> bool:
        """Whether there is an answer stream now."""
        void = self.engine.tables.content(self.engine.network.inconsistent)
        return not bool(((void[:, -2] <= self.time) & (self.time <= void[:, -1])).any())

    def outlook(self, patterns: Patterns) -> list[Block]:
        """What holds from now on if nothing more arrives, with its intervals, as far as it is known by now."""
        conclusions = Conclusions(self.engine, patterns)
        conclusions.follow(RelationChanges(), self.time, FOREVER)
        void = conclusions.void(self.time, FOREVER)
        coder, found = Coder(self.dictionary), list[Block]()
        for signature, pinned, rows in conclusions.since(self.time):
            if signature is not None and len(rows):
                fitting = outside_of(self._fitting(rows, patterns[signature]), void)
                found.append(coder.block(signature, fitting, pinned=pinned))
        return found

    def _fitting(self, rows: Rows, patterns: Collection[Pattern]) -> Rows:
        """The rows whose arguments fit one of the patterns."""
        keep = np.zeros(len(rows), np.bool_)
        for pattern in patterns:
            fits = np.ones(len(rows), np.bool_)
            for place, value in enumerate(pattern):
                if value is not None:
                    fits &= rows[:, place] == self.dictionary.encode(value)
            keep |= fits
        return rows[keep]

    # -- snapshots ---------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """Everything needed to go on elsewhere with the same program."""
        own = self._evaluation
        own.forget()
        records = own.records()
        return Snapshot(
            program=show_meaning(own.analysis.program),
            start=own.start,
            time=own.time,
            lateness=own.lateness,
            arrived=own.log.arrived,
            too_late=own.too_late,
            values=tuple(own.dictionary.values()),
            background=own.background,
            arrivals=own.log.columns(),
            stretches=records.stretches,
            notes=records.notes,
        ).dump()

    @classmethod
    def restore(
        cls,
        data: bytes,
        analysis: Analysis,
        *,
        functions: Functions | None = None,
        calendar: Calendar | None = None,
        shown: Set[Signature] | None = None,
    ) -> IntervalReasoner:
        """The reasoner of a snapshot, at the time at which it was taken."""
        saved = Snapshot.load(data).require(show_meaning(analysis.program))
        reasoner = cls(
            analysis,
            saved.background,
            saved.start,
            functions=functions,
            calendar=calendar,
            lateness=saved.lateness,
            shown=shown,
        )
        reasoner._evaluation.resume(saved)
        return reasoner


def _outside(time: int, start: int) -> Diagnostic:
    return Diagnostic(
        "E411",
        f"Time point {time} lies outside the timeline, which begins at {start} and is counted up to 2^60.",
        "Begin the timeline earlier, or use a coarser clock.",
    )


def _backwards(time: int, current: int) -> Diagnostic:
    return Diagnostic(
        "E405",
        f"Time point {time} lies before {current}, which has been evaluated already.",
        "Bring the input into the order of time, or allow lateness.",
    )
