"""A part of the time run by itself: two adjacent days give together what one run over both gives."""

from __future__ import annotations

import os
from random import Random

import pytest

from larspark.analysis.pipeline import Analysis, analyse
from larspark.diagnostics import Rejected
from larspark.language.facts import Fact
from larspark.language.parser import parse_fact, parse_program
from larspark.reasoners.reference import ReferenceReasoner
from larspark.spark.bounded.start import seen_before
from larspark.spark.plan.plan import SparkPlan, make_plan
from support.analysed import analysed
from support.bounded_runs import rows_in_partitions
from support.keyed_programs import BACKGROUND, random_arrivals, random_rules

PIECES = 40 if os.environ.get("LARSPARK_EXHAUSTIVE") else 1
APART = 10_000
"""Seeds from one piece to the next."""

Held = set[tuple[str, tuple[object, ...], int | None, int]]
"""Atoms, with the time they are about, and the evaluations at which they hold."""


def held(plan: SparkPlan, arrivals: list[tuple[int, Fact]], begin: int, end: int) -> Held:
    """What a run from `begin` to `end` tells."""
    start = max(0, begin - seen_before(plan))
    rows = rows_in_partitions(plan, arrivals, start, end, 2, begin=begin)
    return {(name, args, at, time) for name, args, first, last, at in rows for time in range(first, last + 1)}


def judged(analysis: Analysis, arrivals: list[tuple[int, Fact]], known: tuple[Fact, ...], begin: int, end: int) -> Held:
    """What holds at every evaluation, by the definition."""
    judge, found = ReferenceReasoner(analysis, known), set[tuple[str, tuple[object, ...], int | None, int]]()
    for time in range(end + 1):
        judge.advance(time, [fact for at, fact in arrivals if at == time])
        for answer in judge.answer().answer_streams if time >= begin else ():
            found |= {(fact.predicate, fact.args, None, time) for fact in answer.now}
            found |= {(fact.predicate, fact.args, at, time) for at, facts in answer.at.items() for fact in facts}
    return found


def daily_program(random: Random) -> str:
    """Rules in stages, over input that may be held, with windows of every kind that begin before a day."""
    text = "\n".join(random_rules(random)).replace("[all]", "[7]")
    text = text.replace("[4 hop 2]", random.choice(["[4 hop 2]", "[tumble 3]", "[3 tumbling]", "[5 hop 3]"]))
    for held_input in ("e(X) per X", "f(X,Y) per X", "g(X,Y)"):
        if random.random() < 0.3:
            text += f"\n#hold {held_input} for {random.randint(0, 4)}."
    return text


@pytest.mark.random
@pytest.mark.parametrize("piece", range(PIECES))
def test_random_programs(piece: int) -> None:
    """Two days give what one run over both gives, and that is what the definition says at every time point."""
    known = tuple(Fact("bg", (value,)) for value in BACKGROUND)
    compared, seed, held_programs = 0, piece * APART, 0
    while compared < 25:
        random = Random(seed)
        seed += 1
        text = daily_program(random)
        analysis = analyse(parse_program(text), background={fact.signature for fact in known})
        arrivals, cut = random_arrivals(random), random.randint(3, 10)
        try:
            plan = make_plan(analysis, known)
            seen_before(plan)
            expected = judged(analysis, arrivals, known, 3, 12)
        except Rejected:
            continue
        both = held(plan, arrivals, 3, 12)
        assert held(plan, arrivals, 3, cut) | held(plan, arrivals, cut + 1, 12) == both, text
        assert both == expected, text
        compared += 1
        held_programs += "#hold" in text
    assert held_programs > 5


def test_windows_reach_over_midnight() -> None:
    """always over [3], and absence over [3], at the first evaluations of the second day."""
    plan = make_plan(analysed("p(X) :- always a(X) [3]. q(X) :- b(X), not a(X) [3]. #hold b(X) per X for 2."))
    stream = [(time, parse_fact("a(x)")) for time in range(6, 12)] + [(9, parse_fact("b(y)")), (9, parse_fact("b(x)"))]
    assert held(plan, stream, 10, 14) == {
        *(("p", ("x",), None, time) for time in (10, 11)),
        *(("q", ("y",), None, time) for time in (10, 11)),
    }


@pytest.mark.parametrize(
    "text",
    [
        "p(X) :- a(X) [all].",
        "p(X) :- a(X) [3 #].",
        "#record p/1. p(X) :- a(X). p(X) :- @(now-1) p(X).",
        "#record p/1. p(X) :- a(X). q(X) :- not p(X) [from now-2 to now-1], a(X).",
        "#hold a/1. p(X) :- a(X).",
        "p(X) :- a(X) [session 3 per X].",
    ],
)
def test_what_reaches_back_for_ever_is_told(text: str) -> None:
    with pytest.raises(Rejected) as caught:
        seen_before(make_plan(analysed(text)))
    (found,) = caught.value.diagnostics
    assert (found.code, found.origin is not None) == ("E615", True)
