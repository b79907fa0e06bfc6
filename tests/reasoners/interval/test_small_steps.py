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
    "runs": "c(X) :- always p(X) [1].",
    "counts": "c(X) :- p(X) [3 #]. d(X,T) :- @T p(X) [2 #]. f(X) :- p(X) [1 # per X].",
    "latest": "c(X) :- always p(X) [2 #].",
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


COUNTED = """
    #input z/1.
    seen(X) :- p(X) [4 #].
    seen_at(X,T) :- @T p(X) [4 #].
    full(X) :- always p(X) [4 #].
    seen_once(X) :- @T p(X) [4 #]."""


@pytest.mark.parametrize("seed", range(4))
def test_the_latest_arrivals_one_by_one(seed):
    # Of a predicate that no rule names, of one that is asked for, several at a time point, and more at the same one.
    engine, random, time = Engine(COUNTED), Random(seed), 0
    arrived: list[tuple[int, Fact]] = []
    for _ in range(300):
        time += random.choice((0, 1, 1, 1, 3))
        keys = random.choices((1, 1, 1, 2, 3), k=random.choice((0, 1, 1, 2, 5)))
        facts = [Fact("z" if random.random() < 0.1 else "p", (key,)) for key in keys]
        engine.advance(time, facts)
        arrived += ((time, fact) for fact in facts)
        inside = [(at, fact) for at, fact in arrived[-4:] if fact.predicate == "p"]
        first = arrived[-4][0] if len(arrived) >= 4 else 0
        expected = {Fact(name, fact.args) for _, fact in inside for name in ("seen", "seen_once")}
        expected |= {Fact("seen_at", (*fact.args, at)) for at, fact in inside}
        expected |= {
            Fact("full", fact.args)
            for _, fact in inside
            if all((point, fact) in inside for point in range(first, time + 1))
        }
        (found,) = engine.answer().answer_streams
        assert {fact for fact in found.now if fact.predicate not in ("p", "z")} == expected, (time, arrived[-6:])
