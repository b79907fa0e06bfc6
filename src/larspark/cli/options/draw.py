"""The option `--draw`: a recording and what follows as a picture; what it leaves out, it says."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from larspark.cli.display.picture import Bar, draw_svg
from larspark.cli.options.questions import load_case
from larspark.language.facts import Fact
from larspark.web.describe import predicates_of

MOST = 12
"""Atoms of a predicate that are drawn."""


def draw_evaluation(arguments: argparse.Namespace) -> None:
    case = load_case(arguments)
    history = case.side.history
    arriving = [(one.fact, one.time, one.time) for one in case.arrivals]
    holding = [(one.fact, one.first, one.last) for one in history.stretches if one.at is None]
    pinned = sum(one.at is not None for one in history.stretches)
    shown = case.prepared.analysis.shown | case.prepared.analysis.extensional
    groups: dict[str, list[Bar]] = {}
    for signature in predicates_of(case.prepared):
        rows = [row for row in (*arriving, *holding) if row[0].signature == signature and signature in shown]
        if rows:
            kept = _longest([(fact, last - first + 1) for fact, first, last in rows])
            atoms = len({fact for fact, _, _ in rows})
            left_out = f", {len(kept)} of {atoms} atoms" if len(kept) < atoms else ""
            groups[f"{signature}{left_out}"] = sorted(Bar(str(fact), a, b) for fact, a, b in rows if fact in kept)
    more = f" ({pinned} conclusions about other time points are not drawn)" if pinned else ""
    title = f"{Path(arguments.program).name}{more}"
    Path(arguments.draw).write_text(draw_svg(title, groups, case.start, case.end), encoding="utf-8")


def _longest(lengths: list[tuple[Fact, int]]) -> set[Fact]:
    total: Counter[Fact] = Counter()
    for fact, length in lengths:
        total[fact] += length
    return {fact for fact, _ in total.most_common(MOST)}
