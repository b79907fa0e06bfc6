"""Foresight for LARS against every small future, evaluated by the judge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from larspark.analysis.pipeline import Analysis, analyse
from larspark.diagnostics import Rejected
from larspark.hypothetical.answers.prospect import Prospect
from larspark.hypothetical.foresight import GoalWatch, Outlook
from larspark.hypothetical.online.query import WatchOptions
from larspark.hypothetical.theory.conditions import settle
from larspark.hypothetical.theory.terms import ABSOLUTE, NOW, Substitution, Time, apply, names
from larspark.language.facts import Fact
from larspark.language.parser import parse_fact, parse_program
from larspark.language.resolve import resolve
from larspark.language.tree import Program
from larspark.reasoners.registry import make_reasoner
from support.foreseen import INPUT, PAIRS, Future, futures, holds, joining_programs, lars_programs
from support.tiers import partly

HORIZON = 2
LAST = 3


def histories(facts: tuple[Fact, ...]) -> st.SearchStrategy[dict[int, list[Fact]]]:
    arriving = st.lists(st.sampled_from(facts), max_size=2, unique=True)
    return st.fixed_dictionaries(dict.fromkeys(range(LAST + 1), arriving))


class Hopeless:
    """A goal that is refused because nothing can derive it has no prospects, which the futures must confirm."""

    def advance(self, time: int, facts: Sequence[Fact] = ()) -> None:
        pass

    def prospects(self) -> list[Prospect]:
        return []


def watched(program: Program, outlook: Outlook) -> GoalWatch | Hopeless:
    try:
        return GoalWatch(program, "r(X)", outlook)
    except Rejected as rejected:
        if any(found.code != "E544" for found in rejected.diagnostics):
            raise
        return Hopeless()


def fed(prospect: Prospect, after: int) -> Iterator[Future]:
    """The futures that consist of exactly the positive hypotheses, one per choice of what is still open."""
    answer = prospect.source
    assert answer is not None
    free = sorted(prospect.where)
    ranges = [range(low or 0, (high if high is not None else 99) + 1) for low, high in map(prospect.where.get, free)]  # type: ignore[misc]
    objects = sorted({name for name in names(answer.literals) if name not in {*prospect.where, *answer.times, NOW}})
    for chosen in product(*ranges, *(VALUES for _ in objects)):
        times = dict(zip(free, chosen[: len(free)], strict=True))
        values = dict(zip(objects, chosen[len(free) :], strict=True))
        bound: Substitution = {**values, **{name: Time(ABSOLUTE, value) for name, value in times.items()}}
        if not answer.differences.admit({**answer.times, **times}) or settle(answer.conditions, bound) is None:
            continue
        if any(set(excepted) <= values.items() for excepted in answer.exceptions):
            continue
        literals = [apply(s.literal, bound) for s in answer.hypotheses if not s.negative]
        if all(lit.time is not None and lit.time.offset > after for lit in literals):
            yield frozenset((lit.time.offset, Fact(lit.predicate, lit.args)) for lit in literals)  # type: ignore[union-attr, arg-type]


@partly(150)
@given(lars_programs(), histories(INPUT))
def test_foresight_equals_every_small_future(text: str, facts: dict[int, list[Fact]]) -> None:
    compare_with_futures(text, facts, INPUT)


@partly(100)
@given(joining_programs(), histories(PAIRS))
@example(
    "@(T + 1) p(X,Y) :- @T e(X,Y) [1].\nr(X) :- @T0 p(X,Y) [0], @T1 f(X,Z) [0], T0 != T1.",
    {0: [], 1: [], 2: [], 3: [Fact("e", ("a", 1))]},
)
def test_joins_and_comparisons_equal_every_small_future(text: str, facts: dict[int, list[Fact]]) -> None:
    compare_with_futures(text, facts, PAIRS)


def compare_with_futures(text: str, facts: dict[int, list[Fact]], signals: tuple[Fact, ...]) -> None:
    """Sound, complete and exact now, at the last two time points, for every evaluation up to the horizon."""
    program = resolve(parse_program(text))
    analysis = analyse(program).require()
    foresight = watched(program, Outlook(horizon=HORIZON))
    for now in range(LAST + 1):
        foresight.advance(now, facts[now])
        if now < LAST - 1:
            continue
        history = frozenset((t, fact) for t in range(now + 1) for fact in facts[t])
        compare_at(now, now, foresight.prospects(), analysis, history, signals)


def compare_at(
    now: int, closed: int, prospects: list[Prospect], analysis: Analysis, history: Future, signals: tuple[Fact, ...]
) -> None:
    """Everything after `closed` may still come."""
    for time in range(now, now + HORIZON + 1):
        found = [p for p in prospects if p.at == time]
        possible = {future: holds(analysis, history | future, time) for future in futures(closed, time, signals)}
        check_definite(found, possible, exact=time == now == closed)
        sound = check_fed(found, possible, closed)
        for argument in INPUT_ARGS:
            wanted = Fact("r", (argument,))
            for future in minimal(possible, wanted):
                if future & history:
                    continue
                alone = holds(analysis, future, time)
                assert wanted in alone or (wanted, future) in sound, f"{wanted} at {time} by {future} is missing"


@partly(40)
@given(lars_programs(), histories(INPUT))
def test_an_open_time_point_may_still_bring_everything(text: str, facts: dict[int, list[Fact]]) -> None:
    """As at ticks within a time point: what has arrived counts at once, what has not may still come."""
    program = resolve(parse_program(text))
    analysis = analyse(program).require()
    foresight = watched(program, Outlook(horizon=HORIZON, options=WatchOptions(delay=1)))
    history: Future = frozenset()
    for now in range(LAST + 1):
        foresight.advance(now)
        for fact in facts[now]:
            foresight.advance(now, [fact])
            history |= {(now, fact)}
            if now >= LAST - 1:
                compare_at(now, now - 1, foresight.prospects(), analysis, history, INPUT)


@partly(60)
@given(lars_programs() | joining_programs(), st.data())
def test_what_is_fed_becomes_certain_and_what_is_not_disappears(text: str, data: st.DataObject) -> None:
    """In the interval reasoner, at the time said; without the hypotheses the answer goes when they are due."""
    signals = PAIRS if "Y)" in text else INPUT
    facts = data.draw(histories(signals))
    analysis = analyse(parse_program(text)).require()
    foresight = watched(analysis.program, Outlook(horizon=HORIZON))
    for now in range(LAST + 1):
        foresight.advance(now, facts[now])
    fruitful = [(prospect, future) for prospect in foresight.prospects() for future in fed(prospect, LAST)]
    if fruitful:
        prospect, future = data.draw(st.sampled_from(fruitful))
        assert prospect.at is not None
        interval = make_reasoner("interval", analysis, (), 0)
        again = watched(analysis.program, Outlook(horizon=0))
        for time in range(prospect.at + 1):
            arriving = [*facts.get(time, ()), *(fact for at, fact in future if at == time)]
            interval.advance(time, arriving)
            again.advance(time, arriving)
        wanted = Fact("r", (prospect.theta["X"],))
        assert wanted in interval.answer().answer_streams[0].now, prospect.text
        assert wanted in {Fact("r", (p.theta["X"],)) for p in again.prospects() if p.definite}, prospect.text
    open_now = [p for p in foresight.prospects() if any("not " not in h for h in p.hypotheses)]
    for quiet in range(LAST + 1, LAST + HORIZON + 1):
        foresight.advance(quiet)
        left = foresight.prospects()
        for prospect in left:
            assert prospect.at is not None
            assert prospect.at >= quiet
            assert prospect.source is not None
            for signed in prospect.source.hypotheses:
                assert signed.literal.time is not None
                assert signed.negative or signed.literal.time.base or signed.literal.time.offset > quiet
        assert not [p for p in open_now if p.at == quiet and p in left]


INPUT_ARGS = ("a",)
VALUES = (1, 2)


def check_definite(found: list[Prospect], possible: dict[Future, frozenset[Fact]], exact: bool) -> None:
    definite = {Fact("r", (p.theta["X"],)) for p in found if p.definite}
    for derived in possible.values():
        assert definite <= derived
    if exact:
        assert definite == {f for f in possible[frozenset()] if f.predicate == "r"}


def check_fed(found: list[Prospect], possible: dict[Future, frozenset[Fact]], now: int) -> set[tuple[Fact, Future]]:
    """Feeding the hypotheses makes every answer true, at the time said."""
    sound = set()
    for prospect in found:
        wanted = Fact("r", (prospect.theta["X"],))
        for future in fed(prospect, now):
            if future in possible:  # others need a fact that the stream does not have
                assert wanted in possible[future], prospect.text
                sound.add((wanted, future))
    return sound


def minimal(possible: dict[Future, frozenset[Fact]], wanted: Fact) -> list[Future]:
    """The smallest futures that make the atom true."""
    makes = [future for future, derived in possible.items() if wanted in derived]
    return [future for future in makes if not any(other < future for other in makes)]


@pytest.mark.parametrize(
    ("program", "stream", "told"),
    [
        (
            "r(X) :- e(X) [2], f(X) [1], not f(X).",
            {2: ["e(a)"]},
            ["r(a) at 4: seen e(a) at 2; needs f(a) at 3, not f(a) at 4"],
        ),
        (
            "r(X) :- e(X,Y) [1], f(X,Z), not f(X,Y).",
            {2: ["e(a,1)"]},
            ["r(a) at 3: seen e(a,1) at 2; needs f(a,Z) at 3, not f(a,1) at 3; except Z = 1"],
        ),
        (
            "r(X) :- e(X), f(X,Y) [1], not g(X,Y), Y > 2.",
            {2: ["f(a,1)", "f(a,3)"]},
            ["r(a) at 3: seen f(a,3) at 2; needs e(a) at 3, not g(a,3) at 3"],
        ),
        (
            "r(X) :- e(X,Y) [1], f(X,Z), Y < Z.",
            {2: ["e(a,1)"]},
            ["r(a) at 3: seen e(a,1) at 2; needs f(a,Z) at 3; 1 < Z"],
        ),
    ],
)
def test_hypotheses_never_prove_what_they_deny(program: str, stream: dict[int, list[str]], told: list[str]) -> None:
    foresight = GoalWatch(resolve(parse_program(program)), "r(X)", Outlook(horizon=2))
    for time, atoms in stream.items():
        foresight.advance(time, map(parse_fact, atoms))
    assert [prospect.text for prospect in foresight.prospects()] == told


FIXED = "@3 p(k). @3 p(m). @5 p(k)."


@pytest.mark.parametrize(
    ("program", "stream", "told"),
    [
        ("@3 p(k). r(X) :- p(X).", {0: ["e(a)"]}, ["r(k) at 3: certain"]),
        (f"{FIXED} r(X) :- p(X).", {0: []}, ["r(k) at 3: certain", "r(m) at 3: certain", "r(k) at 5: certain"]),
        (f"{FIXED} r(X) :- p(X).", {4: []}, ["r(k) at 5: certain"]),
        (f"{FIXED} r(X) :- p(X), e(X).", {0: ["e(k)"]}, []),
        (f"{FIXED} r(X) :- p(X), e(X).", {3: ["e(k)"]}, ["r(k) at 3: certain; seen e(k) at 3"]),
        (f"{FIXED} r(X) :- p(X), e(X) [2].", {2: ["e(m)"]}, ["r(m) at 3: certain; seen e(m) at 2"]),
        ("@3 p(k). @4 s(k). r(X) :- p(X) [1], s(X).", {0: []}, ["r(k) at 4: certain"]),
        ("@3 p(k). @4 p(k). r(X) :- always p(X) [1].", {0: []}, ["r(k) at 4: certain"]),
        (f"{FIXED} r(X) :- p(X), not e(X).", {3: ["e(k)"]}, ["r(m) at 3: certain; seen not e(m) at 3"]),
        (
            f"{FIXED} r(X) :- e(X) [2], not p(X).",
            {2: ["e(k)"]},
            ["r(k) at 2: certain; seen e(k) at 2", "r(k) at 4: certain; seen e(k) at 2"],
        ),
        ("@3 p(k). r(now) :- p(X), now > 2.", {0: []}, ["r(3) at 3: certain"]),
        ("@3 p(k) :- e(k) [1]. r(X) :- p(X).", {2: ["e(k)"]}, ["r(k) at 3: certain; seen e(k) at 2"]),
    ],
)
def test_what_is_pinned_to_a_time_is_there_at_that_evaluation(
    program: str, stream: dict[int, list[str]], told: list[str]
) -> None:
    foresight = GoalWatch(resolve(parse_program(program)), "r(X)", Outlook(horizon=5))
    for time, atoms in stream.items():
        foresight.advance(time, map(parse_fact, atoms))
    assert [prospect.text for prospect in foresight.prospects()] == told


@partly(40)
@given(lars_programs(), st.sets(st.sampled_from(["p", "q"]), min_size=1), st.integers(0, 4), histories(INPUT))
def test_facts_pinned_to_a_time_equal_every_small_future(
    text: str, pinned: set[str], at: int, facts: dict[int, list[Fact]]
) -> None:
    compare_with_futures("\n".join([*(f"@{at} {name}(a)." for name in sorted(pinned)), text]), facts, INPUT)


EXAMPLE = "shutdown(X) :- always hot(X) [2]. alarm(X) :- hot(X) [3], smoke(X) [2], not inspected(X) [5]."


def test_certain_now_is_what_the_interval_reasoner_derives() -> None:
    analysis = analyse(parse_program(EXAMPLE)).require()
    signals = [Fact(p, (x,)) for p in ("hot", "smoke", "inspected") for x in ("a", "b")]
    stream = {t: [s for i, s in enumerate(signals) if (t * 7 + i * 5) % (3 + i) == 0] for t in range(25)}
    for predicate in ("shutdown", "alarm"):
        interval = make_reasoner("interval", analysis, (), 0)
        foresight = GoalWatch(analysis.program, f"{predicate}(X)", Outlook(horizon=0))
        seen = set()
        for time, facts in stream.items():
            interval.advance(time, facts)
            foresight.advance(time, facts)
            now = {fact for fact in interval.answer().answer_streams[0].now if fact.predicate == predicate}
            assert {Fact(predicate, (p.theta["X"],)) for p in foresight.prospects() if p.definite} == now
            seen |= now
        assert seen


def test_a_limit_keeps_the_nearest() -> None:
    program = resolve(parse_program(EXAMPLE))
    every, nearest = (GoalWatch(program, "alarm(X)", Outlook(horizon=4, limit=limit)) for limit in (None, 3))
    for foresight in (every, nearest):
        foresight.advance(3, [Fact(p, (x,)) for p, x in (("hot", "a"), ("smoke", "b"), ("hot", "c"), ("smoke", "c"))])
    found = every.prospects()
    assert len(found) > 3
    assert nearest.prospects() == found[:3]
    assert [(len(p.hypotheses), p.at) for p in found] == sorted((len(p.hypotheses), p.at) for p in found)
    assert found[0].definite
