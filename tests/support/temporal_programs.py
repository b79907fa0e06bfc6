"""Random Temporal Datalog programs and streams, and the instances of online answers over a finite universe."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product

from hypothesis import strategies as st

from hypothetical.antichains import minimal_sets
from hypothetical.declarative import GroundAnswer, Universe
from larspark.hypothetical.answers.answers import Signed, SupportedAnswer
from larspark.hypothetical.negation.statuses import AtomStatus
from larspark.hypothetical.online_algorithm import Online
from larspark.hypothetical.theory.conditions import settle
from larspark.hypothetical.theory.terms import ABSOLUTE, Literal, Substitution, Time, Var, apply, names, time_names
from larspark.language.facts import Fact

CONSTANTS = ("a", "b")
INPUT = {"e": 1, "f": 2, "g": 0}
"""Input predicates with their object arguments."""
LAYERS = ("p", "q", "r")
"""Derived predicates of one object argument, each defined over the ones before it and the input."""
SHALLOW = ("p", "r")

Rules = list[str]
Stream = dict[int, list[Fact]]
"""Facts by the time they are about."""
Arrivals = dict[int, list[tuple[int, Fact]]]
"""Facts with the time they are about, by the time at which they arrive."""


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
    facts: bool = False
    """Whether the program may state facts about its derived predicates."""


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
    if shape.facts:
        stated = st.tuples(st.sampled_from(shape.layers), st.sampled_from(CONSTANTS), st.integers(0, 4))
        rules += [f"{predicate}({value},{time})." for predicate, value, time in draw(st.lists(stated, max_size=2))]
    below = shape.layers[-2]
    return [*rules, f"r(X,T) :- {below}(X,T), e(X,T)."] if draw(st.booleans()) else rules


@st.composite
def streams(draw: st.DrawFn, last: int) -> Stream:
    facts = [Fact(p, args) for p, n in INPUT.items() for args in product(CONSTANTS, repeat=n)]
    return {t: draw(st.lists(st.sampled_from(facts), max_size=4, unique=True)) for t in range(last + 1)}


def punctual(facts: Stream) -> Arrivals:
    """Every fact arrives at the time it is about."""
    return {time: [(time, fact) for fact in here] for time, here in facts.items()}


@st.composite
def late_arrivals(draw: st.DrawFn, last: int, delay: int) -> Arrivals:
    """Facts arrive within `delay` time points from their own on, in any order; what comes after `last` is left out."""
    arrivals: Arrivals = {time: [] for time in range(last + 1)}
    for time, here in draw(streams(last)).items():
        for fact in here:
            arrivals.get(time + draw(st.integers(0, delay - 1)), []).append((time, fact))
    return arrivals


@dataclass(frozen=True)
class Frame:
    """What is compared: answers up to a time, whose hypotheses stay clear of the end of the universe."""

    universe: Universe
    last: int
    clear: int = 3

    def holds(self, answer: GroundAnswer) -> bool:
        at = answer.answer.time
        return (at is None or at.offset <= self.last) and all(
            h.literal.time is None or h.literal.time.offset <= self.universe.last - self.clear
            for h in answer.hypotheses
        )


def instances(online: Online, answers: Iterable[SupportedAnswer], frame: Frame) -> set[GroundAnswer]:
    """The ground supported answers that schematic ones stand for, by the definition of `SupportedAnswer`."""
    found: defaultdict[Literal, list[GroundAnswer]] = defaultdict(list)
    for ground, answer in raw_instances(online, answers, frame).items():
        instance = replace(answer, answer=ground.answer, evidence=ground.evidence, hypotheses=ground.hypotheses)
        if not online.holds_anyway(instance):
            found[ground.answer].append(ground)
    return {
        GroundAnswer(goal, hypotheses, evidence)
        for goal, same in found.items()
        for hypotheses in minimal_sets(g.hypotheses for g in same)
        for evidence in minimal_sets(g.evidence for g in same if g.hypotheses == hypotheses)
    }


def raw_instances(
    online: Online, answers: Iterable[SupportedAnswer], frame: Frame
) -> dict[GroundAnswer, SupportedAnswer]:
    """All instances whose hypotheses are open and coherent, minimal or not, with what they are instances of."""
    return {
        ground: answer
        for answer in answers
        for ground in _ground(online, answer, frame)
        if all(_is_open(online, h) for h in ground.hypotheses) and online.negation.coherent(ground.hypotheses)
    }


def _ground(online: Online, answer: SupportedAnswer, frame: Frame) -> Iterator[GroundAnswer]:
    """All instances that respect exceptions, conditions and bounds."""
    times = sorted(set(time_names(answer.literals)))
    objects = sorted(set(names(answer.literals)) - set(times))
    ranges = [_times(online, answer, name, frame) for name in times]
    for values in product(*ranges, *[frame.universe.constants] * len(objects)):
        chosen = dict(zip((*times, *objects), values, strict=True))
        if any(all(chosen.get(name) == value for name, value in excepted) for excepted in answer.exceptions):
            continue
        bound: Substitution = {n: Time(ABSOLUTE, v) if n in times else v for n, v in chosen.items()}
        if settle(answer.conditions, bound) is not None and answer.differences.admit(
            {**answer.times, **{t: chosen[t] for t in times}}
        ):
            evidence = frozenset(signed.apply(bound) for signed in answer.evidence)
            hypotheses = frozenset(signed.apply(bound) for signed in answer.hypotheses)
            found = GroundAnswer(apply(answer.answer, bound), hypotheses, evidence)
            if frame.holds(found):
                yield found


def _times(online: Online, answer: SupportedAnswer, name: str, frame: Frame) -> range:
    """The values of a free time variable that put its hypotheses after the closed time, into the frame."""
    hypotheses = (signed.literal.time for signed in answer.hypotheses if not signed.negative)
    offsets = [time.offset for time in hypotheses if time is not None and time.base == name]
    return range(online.closed + 1 - min(offsets), frame.universe.last - frame.clear - max(offsets) + 1)


def _is_open(online: Online, hypothesis: Signed) -> bool:
    if hypothesis.negative:
        return online.negation.status(hypothesis.literal) is AtomStatus.OPEN
    assert hypothesis.literal.time is not None
    about = hypothesis.literal.time.offset
    facts = online.arrived.get(about, set())
    return about > online.closed and Fact(hypothesis.literal.predicate, hypothesis.literal.args) not in facts  # type: ignore[arg-type]


def text(rules: Rules) -> str:
    declared = [*(f"{p}/{n + 1}" for p, n in INPUT.items()), *(f"{p}/2" for p in LAYERS)]
    return "\n".join([*(f"#temporal {signature}." for signature in declared), *rules])


def goal_r() -> Literal:
    return Literal("r", (Var("X"),), Time("T"))
