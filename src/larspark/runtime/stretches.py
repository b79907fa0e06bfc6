"""Answers of reasoners that work with facts, evaluation by evaluation, as blocks with intervals and changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

import numpy as np

from larspark.blocks import Block, Numbers
from larspark.blocks.arguments import columns_of
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.facts import Fact, Signature
from larspark.reasoners.protocol import Answer, Change
from larspark.write.points import Span

Seen = tuple[int | None, Fact]
"""An atom with the time it is pinned to, if it is."""


def points_of(answers: Iterable[Answer]) -> Iterator[Span]:
    """The first answer stream at every evaluation."""
    for answer in answers:
        time, void = answer.time, _void(answer)
        yield Span(time, time, tuple(_blocks(dict.fromkeys(_seen(answer), time), time)), void)


def changes_of(answers: Iterable[Answer]) -> Iterator[tuple[Span, Span]]:
    """What the first answer stream gains and loses, from one evaluation to the next."""
    before: frozenset[Seen] = frozenset()
    for answer in answers:
        now, time, void = _seen(answer), answer.time, _void(answer)
        gained, lost = (
            Span(time, time, tuple(_blocks(dict.fromkeys(atoms, time), time)), void)
            for atoms in (now - before, before - now)
        )
        yield gained, lost
        before = now


def spans_of(change: Change) -> tuple[Span, Span]:
    """What a change says has come, and what has gone."""
    time, void = change.time, np.array([] if change.consistent else [change.time], np.int64)
    here: tuple[frozenset[Fact], ...] = (change.appeared, change.disappeared)
    gained, lost = (
        Span(time, time, tuple(_blocks(dict.fromkeys([*((None, one) for one in now), *at], time), time)), void)
        for now, at in zip(here, (change.pinned, change.unpinned), strict=True)
    )
    return gained, lost


def intervals_of(answers: Iterable[Answer]) -> Iterator[Block]:
    """Every atom of the first answer stream with the intervals in which it holds, when they have ended."""
    for since, last in ended(answers):
        yield from _blocks(since, last)


def ended(answers: Iterable[Answer]) -> Iterator[tuple[Mapping[Seen, int], int]]:
    """What has held, since when, and its last evaluation, whenever something ends."""
    since: dict[Seen, int] = {}
    last = 0
    for answer in answers:
        now = _seen(answer)
        yield {atom: first for atom, first in since.items() if atom not in now}, last
        since = {atom: since.get(atom, answer.time) for atom in now}
        last = answer.time
    yield since, last


def _void(answer: Answer) -> Numbers:
    return np.array([] if answer.answer_streams else [answer.time], np.int64)


def _seen(answer: Answer) -> frozenset[Seen]:
    if not answer.answer_streams:
        return frozenset()
    stream = answer.answer_streams[0]
    pinned = ((time, fact) for time, facts in stream.at.items() for fact in facts)
    return frozenset([*((None, fact) for fact in stream.now), *pinned])


def _blocks(since: Mapping[Seen, int], last: int) -> Iterator[Block]:
    def kind(row: tuple[Seen, int]) -> tuple[Signature, bool]:
        (at, fact), _ = row
        return fact.signature, at is not None

    for (signature, pinned), group in groupby(sorted(since.items(), key=kind), kind):
        rows = sorted(group, key=lambda row: row[1])
        yield Block(
            signature,
            np.array([first for _, first in rows], np.int64),
            columns_of((fact.args for (_, fact), _ in rows), signature.arity),
            np.full(len(rows), last, np.int64),
            _times([at for (at, _), _ in rows if at is not None]) if pinned else None,
        )


def _times(pinned: list[int]) -> Numbers:
    """The times of conclusions as a column; some reasoners count further than a column can."""
    if max(pinned) >= 2**63:
        message = f"A rule concludes something for time point {max(pinned)}; time points are counted up to 2^60."
        raise Rejected([Diagnostic("E411", message, "Check the values that become times, or use a coarser clock.")])
    return np.array(pinned, np.int64)
