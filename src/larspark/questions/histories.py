"""Answers over time as explanations see them: evaluated over a timeline, or once with what follows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from larspark.blocks import Block
from larspark.blocks.arguments import values_of
from larspark.explain.evaluations.history import AnswerHistory, Shown, Sourced, Span, Stretch, spans_of
from larspark.explain.evaluations.relevance import Pattern, Patterns, fits
from larspark.intervals.sets import FOREVER
from larspark.language.facts import Fact, Signature
from larspark.read import Rules, chunk_of_facts
from larspark.reasoners.protocol import Answer, AnswerStream
from larspark.runtime.pointwise import Wanted, evaluate
from larspark.runtime.prepared import Prepared
from larspark.runtime.recording import Recording
from larspark.runtime.stretches import ended
from larspark.semantics.interpretations import Atoms

if TYPE_CHECKING:
    from larspark.reasoners.interval import IntervalReasoner


@dataclass(frozen=True)
class LiveOutlook:
    """What a running engine with the interval reasoner has concluded."""

    reasoner: IntervalReasoner
    derived: Collection[Signature]
    time: int
    followed: AnswerHistory | None = None
    """The evaluations on the way, where they were asked for."""

    def present(self, patterns: Patterns | None) -> Atoms | None:
        if not self.reasoner.consistent:
            return None
        found: list[tuple[int, Fact]] = []
        for block in self._outlook(patterns):
            assert block.until is not None
            now = block.take(np.flatnonzero((block.times <= self.time) & (self.time <= block.until)))
            found += zip(repeat(self.time) if now.at is None else now.at.tolist(), now.facts(), strict=False)
        return frozenset(found)

    def coming(self, patterns: Patterns | None, end: int) -> AnswerHistory | None:
        del end  # it is known for ever
        if not self.reasoner.engine.knows_the_end:
            return None
        return AnswerHistory(self.time, FOREVER, tuple(stretches(self._outlook(patterns))))

    def _outlook(self, patterns: Patterns | None) -> list[Block]:
        known = {one: frozenset([(None,) * one.arity]) for one in self.derived} if patterns is None else patterns
        return self.reasoner.outlook({one: known[one] for one in self.derived if one in known})


def evaluated_at(
    prepared: Prepared, start: int, arrivals: Sequence[Sourced], time: int, shown: Shown | None = None
) -> LiveOutlook:
    """One evaluation by the interval reasoner, which also knows what holds later if nothing arrives.

    What is `shown` is told for the evaluations before as well.
    """
    from larspark.reasoners.interval import IntervalReasoner  # noqa: PLC0415 - loads kernels
    from larspark.reasoners.interval.state.coding import Coder  # noqa: PLC0415

    reasoner, derived = prepared.reasoner("interval", start), prepared.analysis.derived
    assert isinstance(reasoner, IntervalReasoner)
    pairs = sorted(((one.time, one.fact) for one in arrivals), key=itemgetter(0))
    blocks = chunk_of_facts(pairs, Rules()).blocks
    if shown is not None:
        return LiveOutlook(reasoner, derived, time, _followed(reasoner, derived, [blocks], (start, time), shown))
    for _ in reasoner.replay(time, Coder(reasoner.dictionary).arrivals(blocks)):
        pass
    return LiveOutlook(reasoner, derived, time)


def history(
    prepared: Prepared,
    arrivals: Sequence[Sourced],
    timeline: Span,
    reasoner: str,
    shown: Shown | None = None,
) -> AnswerHistory:
    """The (chosen) answer stream at every evaluation of a timeline: all derived predicates, or these."""
    return evaluated(prepared, recording_of(arrivals, timeline), reasoner, shown)


def recording_of(arrivals: Iterable[Sourced], timeline: Span) -> Recording:
    """What arrives on a timeline, in columns."""
    pairs = sorted(((one.time, one.fact) for one in arrivals if one.time <= timeline[1]), key=itemgetter(0))
    return Recording.of_facts(pairs, timeline)


def evaluated(prepared: Prepared, recording: Recording, reasoner: str, shown: Shown | None = None) -> AnswerHistory:
    """The same over columns."""
    start, end = recording.start, recording.end
    running, derived = prepared.reasoner(reasoner, start), prepared.analysis.derived
    if reasoner == "interval":
        from larspark.reasoners.interval import IntervalReasoner  # noqa: PLC0415 - loads kernels

        assert isinstance(running, IntervalReasoner)
        return _followed(running, derived, recording.chunks(), (start, end), shown)
    wanted = Wanted(_of_these(derived, shown))
    return history_of_answers(list(evaluate(running, recording, wanted)), start, end, _patterns(shown))


def _followed(
    reasoner: IntervalReasoner,
    derived: frozenset[Signature],
    chunks: Iterable[Sequence[Block]],
    timeline: Span,
    shown: Shown | None,
) -> AnswerHistory:
    """What the interval reasoner concludes at every evaluation of a timeline, at whose end it stands then."""
    from larspark.runtime.replay import Replay  # noqa: PLC0415 - loads kernels

    replay, fitting = Replay(reasoner, _of_these(derived, shown)), _patterns(shown)
    blocks = list(replay.intervals(chunks, timeline[1]))
    if fitting is not None:
        blocks = [_fitting(block, fitting[block.signature]) for block in blocks]
    return AnswerHistory(*timeline, tuple(stretches(blocks)), tuple(replay.void))


def _of_these(derived: frozenset[Signature], shown: Shown | None) -> frozenset[Signature]:
    return derived if shown is None else derived & frozenset([shown.signature] if isinstance(shown, Fact) else shown)


def history_of_answers(
    answers: Sequence[Answer], start: int, end: int, fitting: Patterns | None = None
) -> AnswerHistory:
    """The chosen answer streams of evaluations, one after the other; of their atoms all, or those that fit."""
    found = (Stretch(fact, at, first, last) for since, last in ended(answers) for (at, fact), first in since.items())
    if fitting is not None:
        found = (one for one in found if any(fits(pattern, one.fact.args) for pattern in fitting[one.fact.signature]))
    return AnswerHistory(start, end, tuple(found), _void(answers))


def _patterns(shown: Shown | None) -> Patterns | None:
    """What atoms must fit to be shown; None: all of their predicates are."""
    if isinstance(shown, Fact):
        return {shown.signature: frozenset([shown.args])}
    return shown if isinstance(shown, Mapping) else None


def _fitting(block: Block, patterns: Collection[Pattern]) -> Block:
    """The rows whose arguments fit one of the patterns."""
    if any(all(value is None for value in pattern) for pattern in patterns):
        return block
    rows = zip(*map(values_of, block.arguments), strict=True)
    chosen = [place for place, args in enumerate(rows) if any(fits(pattern, args) for pattern in patterns)]
    return block.take(np.array(chosen, np.int64))


def stretches(blocks: Iterable[Block]) -> Iterator[Stretch]:
    for block in blocks:
        assert block.until is not None
        about = [None] * len(block) if block.at is None else block.at.tolist()
        for row in zip(block.facts(), about, block.times.tolist(), block.until.tolist(), strict=True):
            yield Stretch(*row)


def _void(answers: Iterable[Answer]) -> tuple[Span, ...]:
    return tuple(spans_of(answer.time for answer in answers if not answer.answer_streams))


def atoms_of_stream(time: int, stream: AnswerStream) -> Atoms:
    """All atoms of an answer stream, each with the time point it is about."""
    pinned = ((at, fact) for at, facts in stream.at.items() for fact in facts)
    return frozenset([*pinned, *((time, fact) for fact in stream.now)])
