"""Steps with few arrivals: exact where they take short cuts, and nothing is left of them in memory."""

from random import Random

import pytest
from numba.core.runtime import _nrt_python, rtsys

from larspark import Engine
from larspark.analysis.pipeline import analyse
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.interval.state.arrivals import NOTHING, Arrivals

PINNED = "@T b(X) :- @T a(X) [{reach}]. c(X) :- always b(X) [{window}]."


def arrivals(points: int, likely: float, seed: int) -> list[list[Fact]]:
    random = Random(seed)
    return [[Fact("a", (key,)) for key in (1, 2) if random.random() < likely] for _ in range(points)]


@pytest.mark.parametrize(("reach", "window"), [(6, 3), (4, 4), (9, 1)])
@pytest.mark.parametrize("likely", [0.5, 0.9])
def test_full_windows_of_pinned_conclusions(reach, window, likely):
    # There are far more entries than a window has time points, so that these are looked up one by one.
    engine = Engine(PINNED.format(reach=reach, window=window))
    stream = arrivals(300, likely, seed=window)
    for time, facts in enumerate(stream):
        engine.advance(time, facts)
        (found,) = engine.answer().answer_streams
        full = {
            Fact("c", (key,))
            for key in (1, 2)
            if all(Fact("a", (key,)) in stream[u] for u in range(max(0, time - window), time + 1))
        }
        assert {fact for fact in found.now if fact.predicate == "c"} == full, time


def test_late_points_fill_windows_before_and_behind_them():
    engine = Engine(PINNED.format(reach=8, window=2), lateness=6)
    for time in range(40):
        if time % 5 != 2:
            engine.advance(time, ["a(1)"])
    assert "c(1)" not in map(str, engine.advance(41, []).appeared)
    engine.advance(40, ["a(1)"])
    engine.advance(41, ["a(1)"])
    (found,) = engine.answer().answer_streams
    assert Fact("c", (1,)) in found.now


PROGRAMS = {
    "windows": "q(X,Y) :- p(X) [3], p(Y) [5], X < Y.",
    "negation": "silent(X) :- m(X), not p(X) [3]. loud(X) :- m(X), not silent(X). odd(X) :- loud(X), not p(X) [1].",
    "pinned": "@T b(X) :- @T p(X) [4]. c(X) :- always b(X) [2]. d :- not c(1).",
    "recursion": "r(X,Y) :- e(X,Y), p(X) [4]. r(X,Z) :- r(X,Y), r(Y,Z), not p(Z) [1].",
    "aggregate": "n(N) :- N = #count{ X : p(X) [3] }.",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_steps_give_back_what_they_take(name):
    background = [Fact("m", (key,)) for key in range(6)] + [Fact("e", (key, key + 1)) for key in range(6)]
    analysis = analyse(parse_program(PROGRAMS[name]))
    given = [fact for fact in background if fact.signature in analysis.extensional]
    reasoner, random = IntervalReasoner(analysis, given), Random(1)
    _nrt_python.memsys_enable_stats()

    def steps(first: int, last: int) -> int:
        """How many arrays more there are afterwards."""
        before = rtsys.get_allocation_stats()
        for time in range(first, last):
            facts = [Fact("p", (random.randrange(6),))] if random.random() < 0.8 else []
            arrived = Arrivals.at(time, facts, reasoner.dictionary) if facts else NOTHING
            reasoner.engine.advance(time, arrived)
        after = rtsys.get_allocation_stats()
        return (after.mi_alloc - after.mi_free) - (before.mi_alloc - before.mi_free)

    steps(0, 300)
    assert steps(300, 900) < 20


def test_a_step_that_tells_much_tells_all_of_it():
    # One arrival that meets many: more than the room that is ready for what a step tells.
    engine = Engine("q(X,Y) :- p(X) [all], r(Y) [0].")
    engine.advance(0, [Fact("p", (key,)) for key in range(700)])
    change = engine.advance(1, [Fact("r", (1,))])
    assert change.appeared == {Fact("q", (key, 1)) for key in range(700)}
    assert engine.advance(2, []).disappeared == change.appeared
