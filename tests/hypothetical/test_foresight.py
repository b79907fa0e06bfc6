"""Foresight for LARS against every small future, evaluated by the judge."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from larspark.analysis.pipeline import analyse
from larspark.hypothetical.foresight import Foresight, Outlook
from larspark.hypothetical.prospect import Prospect
from larspark.hypothetical.terms import ABSOLUTE, Time, apply
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.language.resolve import resolve
from larspark.reasoners.registry import make_reasoner
from support.foreseen import INPUT, Future, futures, holds, lars_programs

HORIZON = 2
LAST = 3

histories = st.fixed_dictionaries(
    {t: st.lists(st.sampled_from(INPUT), max_size=2, unique=True) for t in range(LAST + 1)}
)


def fed(prospect: Prospect, after: int) -> Iterator[Future]:
    """The futures that consist of exactly the positive hypotheses, one per choice of the open times."""
    answer = prospect.source
    assert answer is not None
    free = sorted(prospect.where)
    ranges = [range(low or 0, (high if high is not None else 99) + 1) for low, high in map(prospect.where.get, free)]  # type: ignore[misc]
    for chosen in product(*ranges):
        times = dict(zip(free, chosen, strict=True))
        if not answer.differences.admit({**answer.times, **times}):
            continue
        bound = {name: Time(ABSOLUTE, value) for name, value in times.items()}
        literals = [apply(s.literal, bound) for s in answer.hypotheses if not s.negative]
        if all(lit.time is not None and lit.time.offset > after for lit in literals):
            yield frozenset((lit.time.offset, Fact(lit.predicate, lit.args)) for lit in literals)  # type: ignore[union-attr, arg-type]


@settings(max_examples=30, deadline=None)
@given(lars_programs(), histories)
def test_foresight_equals_every_small_future(text: str, facts: dict[int, list[Fact]]) -> None:
    program = resolve(parse_program(text))
    analysis = analyse(program).require()
    foresight = Foresight(program, "r(X)", Outlook(horizon=HORIZON))
    for now in range(LAST + 1):
        foresight.advance(now, facts[now])
        if now < LAST - 1:
            continue
        history = frozenset((t, fact) for t in range(now + 1) for fact in facts[t])
        prospects = foresight.prospects()
        for time in range(now, now + HORIZON + 1):
            found = [p for p in prospects if p.at == time]
            possible = {future: holds(analysis, history | future, time) for future in futures(now, time)}
            check_definite(found, possible, exact=time == now)
            sound = check_fed(found, possible, now)
            for fact in INPUT_ARGS:
                wanted = Fact("r", (fact,))
                for future in minimal(possible, wanted):
                    alone = holds(analysis, future, time)
                    assert wanted in alone or (wanted, future) in sound, f"{wanted} at {time} by {future} is missing"


INPUT_ARGS = ("a",)


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
            assert wanted in possible[future], prospect.text
            sound.add((wanted, future))
    return sound


def minimal(possible: dict[Future, frozenset[Fact]], wanted: Fact) -> list[Future]:
    """The smallest futures that make the atom true."""
    makes = [future for future, derived in possible.items() if wanted in derived]
    return [future for future in makes if not any(other < future for other in makes)]


EXAMPLE = "shutdown(X) :- always hot(X) [2]. alarm(X) :- hot(X) [3], smoke(X) [2], not inspected(X) [5]."


def test_certain_now_is_what_the_interval_reasoner_derives() -> None:
    analysis = analyse(parse_program(EXAMPLE)).require()
    signals = [Fact(p, (x,)) for p in ("hot", "smoke", "inspected") for x in ("a", "b")]
    stream = {t: [s for i, s in enumerate(signals) if (t * 7 + i * 5) % (3 + i) == 0] for t in range(25)}
    for predicate in ("shutdown", "alarm"):
        interval = make_reasoner("interval", analysis, (), 0)
        foresight = Foresight(analysis.program, f"{predicate}(X)", Outlook(horizon=0))
        seen = set()
        for time, facts in stream.items():
            interval.advance(time, facts)
            foresight.advance(time, facts)
            now = {fact for fact in interval.answer().answer_streams[0].now if fact.predicate == predicate}
            assert {Fact(predicate, (p.theta["X"],)) for p in foresight.prospects() if p.definite} == now
            seen |= now
        assert seen
