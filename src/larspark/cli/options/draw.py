"""The option `--draw`: a recording and what follows as a picture; what it leaves out, it says."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from larspark.cli.display.picture import Axis, Bar, draw_svg
from larspark.cli.options.questions import load_case
from larspark.explain.evaluations.history import Stretch
from larspark.language.facts import Fact
from larspark.web.describe import predicates_of

MOST = 12
"""Atoms of a predicate that are drawn."""


def draw_evaluation(arguments: argparse.Namespace) -> None:
    case = load_case(arguments)
    history = case.side.history
    arriving = [_Mark(one.fact, one.time, one.time, False) for one in case.arrivals]
    marks = dict.fromkeys((*arriving, *map(_mark, history.stretches)))
    rows = [one for one in marks if case.start <= one.first <= case.end]
    outside = len(marks) - len(rows)
    shown = case.prepared.analysis.shown | case.prepared.analysis.extensional
    groups: dict[str, list[Bar]] = {}
    for signature in predicates_of(case.prepared):
        own = [row for row in rows if row.fact.signature == signature and signature in shown]
        if own:
            kept = _longest(own)
            atoms = len({row.fact for row in own})
            left_out = f", {len(kept)} of {atoms} atoms" if len(kept) < atoms else ""
            groups[f"{signature}{left_out}"] = sorted(Bar(str(one.fact), *one[1:]) for one in own if one.fact in kept)
    more = f" ({outside} conclusions about times outside are not drawn)" if outside else ""
    calendar, words = case.prepared.calendar, case.words
    moments = words.time(case.start) != str(case.start)
    axis = Axis(case.start, case.end, words.time, calendar.clock.milliseconds if moments else None)
    title = f"{Path(arguments.program).name}{more}"
    Path(arguments.draw).write_text(draw_svg(title, groups, axis), encoding="utf-8")


class _Mark(NamedTuple):
    fact: Fact
    first: int
    last: int
    pinned: bool


def _mark(one: Stretch) -> _Mark:
    return _Mark(one.fact, one.first, one.last, False) if one.at is None else _Mark(one.fact, one.at, one.at, True)


def _longest(marks: list[_Mark]) -> set[Fact]:
    total: Counter[Fact] = Counter()
    for one in marks:
        total[one.fact] += one.last - one.first + 1
    return {fact for fact, _ in total.most_common(MOST)}
