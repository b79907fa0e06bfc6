"""Random Temporal Datalog programs and streams, and the instances of online answers over a finite universe."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from hypothesis import assume
from hypothesis import strategies as st

from larspark.hypothetical.answers import Signed, SupportedAnswer
from larspark.hypothetical.conditions import settle
from larspark.hypothetical.antichains import minimal_sets
from larspark.hypothetical.declarative import GroundAnswer, Universe
from larspark.hypothetical.negation import Fate
from larspark.hypothetical.online import Online
from larspark.hypothetical.terms import ABSOLUTE, Literal, Substitution, Time, Var, apply, names, time_names
from larspark.language.facts import Fact

CONSTANTS = ("a", "b")
INPUT = {"e": 1, "f": 2, "g": 0}
"""Input predicates with their object arguments."""
LAYERS = ("p", "q", "r")
"""Derived predicates of one object argument, each defined over the ones before it and the input."""
SHALLOW = ("p", "r")

MOST_INSTANCES = 2_000
"""More instances than this are too many to compare one by one."""

Rules = list[str]


@st.composite
def _atom(draw: st.DrawFn, below: tuple[str, ...], variables: tuple[str, ...], times: tuple[str, ...]) -> str:
    predicate = draw(st.sampled_from([*INPUT, *below, *below]))
    arity = INPUT.get(predicate, 1)
    args = [draw(st.sampled_from([*variables, *variables, *CONSTANTS])) for _ in range(arity)]
    offset = draw(st.integers(-1, 1))
    base = draw(st.sampled_from(times))
    return f"{predicate}({','.join([*args, base + (f'{offset:+d}' if offset else '')])})"


@dataclass(frozen=True)
class Shape:
    """What random programs may contain. The judge lists every set of premises, so what multiplies them is rationed."""

    negation: bool = False
    several: bool = False
    """Whether the rules of one layer may use a second time variable."""
    layers: tuple[str, ...] = LAYERS
    body: int = 3
    """The most positive atoms in a body."""
    local: bool = True
    """Whether a rule may have two object variables."""


@st.composite
def _rule(draw: st.DrawFn, shape: Shape, layer: int, times: tuple[str, ...]) -> str:
    objects = ("X", "Y") if shape.local else ("X",)
    body = [draw(_atom(shape.layers[:layer], objects, times)) for _ in range(draw(st.integers(1, shape.body)))]
    text = ",".join(body)
    bound = [v for v in objects if f"({v}" in text or f",{v}" in text]
    if not any(f"{sep}T" in text for sep in "(,"):
        body.append("g(T)")
    if shape.negation:
        for _ in range(draw(st.integers(0, 1))):
            denied_times = times if "U" in text else ("T",)
            body.append(f"not {draw(_atom(shape.layers[:layer], tuple(bound) or ('a',), denied_times))}")
        if draw(st.integers(0, 5)) == 0 and bound:
            body.append(f"not {shape.layers[layer]}({bound[0]},T-2)")
    if "U" in text and draw(st.booleans()):
        body.append(draw(st.sampled_from(["U < T", "U != T", "U - T <= 1"])))
    if len(bound) == 2 and draw(st.integers(0, 2)) == 0:
        body.append("X != Y")
    head = draw(st.sampled_from([*bound, "a"]))
    offset = draw(st.integers(0, 1))
    return f"{shape.layers[layer]}({head},T{f'+{offset}' if offset else ''}) :- {', '.join(body)}."


@st.composite
def programs(draw: st.DrawFn, shape: Shape = Shape()) -> Rules:  # noqa: B008 - frozen
    """Rules whose goals reach at most six time points into the past and three ahead; `r/1` is always defined."""
    depth = len(shape.layers)
    loose = draw(st.integers(0, depth - 1)) if shape.several else None
    rules = [
        draw(_rule(shape, layer, ("T", "U") if layer == loose else ("T",)))
        for layer in range(depth)
        for _ in range(draw(st.integers(1, 2)))
    ]
    below = shape.layers[-2]
    return [*rules, f"r(X,T) :- {below}(X,T), e(X,T)."] if draw(st.booleans()) else rules


@st.composite
def streams(draw: st.DrawFn, last: int) -> dict[int, list[Fact]]:
    facts = [Fact(p, args) for p, n in INPUT.items() for args in product(CONSTANTS, repeat=n)]
    return {t: draw(st.lists(st.sampled_from(facts), max_size=4, unique=True)) for t in range(last + 1)}


def instances(online: Online, answers: list[SupportedAnswer], universe: Universe) -> frozenset[GroundAnswer]:
    """The ground supported answers that schematic ones stand for, by the definition of `SupportedAnswer`.

    Sets of premises are compared pairwise, so an example with very many instances is left to hypothesis to replace.
    """
    assume(sum(_choices(answer, universe) for answer in answers) <= MOST_INSTANCES)
    found = {ground for answer in answers for ground in _ground(online, answer, universe)}
    result = set()
    for goal in {g.answer for g in found}:
        same = [g for g in found if g.answer == goal]
        for hypotheses in minimal_sets(g.hypotheses for g in same):
            for evidence in minimal_sets(g.evidence for g in same if g.hypotheses == hypotheses):
                result.add(GroundAnswer(goal, hypotheses, evidence))
    return frozenset(result)


def _padded(universe: Universe) -> range:
    """An offset may lead back into the universe."""
    return range(universe.first - 6, universe.last + 7)


def _choices(answer: SupportedAnswer, universe: Universe) -> int:
    """How many ways there are to instantiate a schematic answer."""
    times = len(set(time_names(answer.literals)))
    objects = len(set(names(answer.literals))) - times
    return int(len(_padded(universe)) ** times * len(universe.constants) ** objects)


def _ground(online: Online, answer: SupportedAnswer, universe: Universe) -> Iterator[GroundAnswer]:
    free = set(names(answer.literals))
    times = sorted(set(time_names(answer.literals)))
    objects = sorted(free - set(times))
    for values in product(*[_padded(universe)] * len(times), *[universe.constants] * len(objects)):
        chosen = dict(zip((*times, *objects), values, strict=True))
        if any(all(chosen.get(name) == value for name, value in excepted) for excepted in answer.exceptions):
            continue
        bound: Substitution = {n: Time(ABSOLUTE, v) if n in times else v for n, v in chosen.items()}
        settled = settle(answer.conditions, bound)
        if settled is None or not answer.differences.admit({**answer.times, **{t: chosen[t] for t in times}}):
            continue
        evidence = frozenset(Signed(apply(s.literal, bound), s.negative) for s in answer.evidence)
        hypotheses = frozenset(Signed(apply(s.literal, bound), s.negative) for s in answer.hypotheses)
        if not all(s.literal.time.offset in universe.times for s in hypotheses if s.literal.time):
            continue
        instance = replace(answer, answer=apply(answer.answer, bound), evidence=evidence, hypotheses=hypotheses)
        if (
            all(_is_open(online, h) for h in hypotheses)
            and online.negation.coherent(hypotheses)
            and not online.holds_anyway(instance)
        ):
            yield GroundAnswer(instance.answer, hypotheses, evidence)


def _is_open(online: Online, hypothesis: Signed) -> bool:
    if hypothesis.negative:
        return online.negation.fate(hypothesis.literal) is Fate.OPEN
    assert hypothesis.literal.time is not None
    about = hypothesis.literal.time.offset
    facts = online.arrived.get(about, set())
    return about > online.closed and Fact(hypothesis.literal.predicate, hypothesis.literal.args) not in facts  # type: ignore[arg-type]


def within(answers: frozenset[GroundAnswer], last: int, universe: Universe) -> set[GroundAnswer]:
    """Answers about time points up to `last` whose hypotheses stay clear of the end of the universe."""
    return {
        a
        for a in answers
        if a.answer.time is not None
        and a.answer.time.offset <= last
        and all(h.literal.time is None or h.literal.time.offset <= universe.last - 3 for h in a.hypotheses)
    }


def text(rules: Rules) -> str:
    declared = [*(f"{p}/{n + 1}" for p, n in INPUT.items()), *(f"{p}/2" for p in LAYERS)]
    return "\n".join([*(f"#temporal {signature}." for signature in declared), *rules])


def goal_r() -> Literal:
    return Literal("r", (Var("X"),), Time("T"))
