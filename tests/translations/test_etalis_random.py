"""Random event rules: the model over intervals is the judge of both translations."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from larspark.language.facts import Fact
from larspark.translations.etalis import by_arguments, by_windows
from larspark.translations.etalis.minimal_model import minimal_model
from larspark.translations.etalis.parser import parse
from larspark.translations.etalis.separability import Separability, analyse, inseparable_atoms
from support.translated import judged

pytestmark = pytest.mark.thorough

OPERATORS = ["SEQ", "AND", "PAR", "OR", "EQUALS", "MEETS", "DURING", "STARTS", "FINISHES"]
VALUES = [1, 2, "k"]
END = 6
"""The last time point; every one from 0 on is evaluated."""


@dataclass(frozen=True)
class Options:
    negation: bool
    spread: int
    """The shortest distance of two events of the same predicate."""


def patterns(draw: st.DrawFn, names: list[str], options: Options, depth: int) -> str:
    """The text of a pattern over atoms `name(X)`; X is bound in every alternative."""
    kinds = ["atom"] if depth == 0 else ["atom", "binary", "binary", "binary", "within", "where", "time", "not"]
    match draw(st.sampled_from(kinds)):
        case "binary":
            operator = draw(st.sampled_from(OPERATORS))
            left, right = (patterns(draw, names, options, depth - 1) for _ in range(2))
            return f"({left}) {operator} ({right})"
        case "within":
            return f"({patterns(draw, names, options, depth - 1)}).{draw(st.integers(0, 6))}"
        case "where":
            condition = draw(st.sampled_from(["X > 1", "X + 1 = 2", "X != k", "true", "false", "X mod 2 = 0, X < 9"]))
            return f"({patterns(draw, names, options, depth - 1)}) WHERE ({condition})"
        case "time":
            return f"({patterns(draw, names, options, depth - 1)}) AND {draw(st.integers(0, END))}"
        case "not" if options.negation:
            absent, first, last = (patterns(draw, names, options, depth - 1) for _ in range(3))
            return f"NOT({absent}).[{first}, {last}]"
        case _:
            return f"{draw(st.sampled_from(names))}(X)"


@st.composite
def rule_bases(draw: st.DrawFn, options: Options) -> str:
    """Rules h1, h2, … where each may use those before it; sometimes a head with two rules, or recursion by SEQ."""
    names = ["a", "b", "c"]
    rules = []
    for number, depth in enumerate(draw(st.sampled_from([(1,), (2,), (1, 1), (2, 1), (1, 2)])), start=1):
        for _ in range(draw(st.sampled_from([1, 1, 2]))):
            rules.append(f"h{number}(X) <- {patterns(draw, names, options, depth)}.")
        names.append(f"h{number}")
    if options.negation and draw(st.booleans()):
        rules.append(f"h1(X) <- h1(X) SEQ {draw(st.sampled_from('abc'))}(X).")
    return "\n".join(rules)


@st.composite
def event_streams(draw: st.DrawFn, options: Options) -> list[tuple[int, Fact]]:
    found = []
    for predicate in "abc":
        for value in draw(st.lists(st.sampled_from(VALUES), max_size=2, unique=True)):
            time = draw(st.integers(0, 4))
            found.append((time, Fact(predicate, (value,))))
            later = time + draw(st.integers(options.spread, END))
            if later <= END:
                found.append((later, Fact(predicate, (value,))))
    return sorted(found, key=lambda arrival: arrival[0])


FREE = Options(negation=True, spread=1)
SPARSE = Options(negation=False, spread=3)


@settings(max_examples=320, suppress_health_check=[HealthCheck.too_slow])
@given(rule_bases(FREE), event_streams(FREE))
def test_interval_arguments_hold_the_minimal_model(text: str, events: list[tuple[int, Fact]]) -> None:
    rules = parse(text)
    program, predicates = by_arguments.translate(rules), by_arguments.interval_predicates(rules)
    guarded = by_arguments.guarded(program, rules)
    for now in range(END + 1):
        seen = [event for event in events if event[0] <= now]
        model = minimal_model(rules, seen)
        answer = judged(guarded, events, now).output(now)
        expected = {
            Fact(predicates[fact.signature], (*fact.args, *interval))
            for fact, found in model.items()
            for interval in found
            if fact.signature in predicates
        }
        touching = {Fact("inseparable", (f.predicate,)) for f in inseparable_atoms(model) if f.signature in predicates}
        own = {*predicates.values(), "inseparable"}
        assert {fact for fact in answer if fact.predicate in own} == expected | touching


@settings(max_examples=300, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(rule_bases(SPARSE), event_streams(SPARSE))
def test_interval_windows_agree_while_intervals_are_separable(text: str, events: list[tuple[int, Fact]]) -> None:
    rules = parse(text)
    assume(not inseparable_atoms(minimal_model(rules, events)))
    heads = {rule.head.signature for rule in rules}
    program = by_windows.translate(rules)
    for now in range(END + 1):
        model = minimal_model(rules, [event for event in events if event[0] <= now])
        expected = {
            (time, fact)
            for fact, found in model.items()
            for start, end in found
            for time in range(start, end + 1)
            if fact.signature in heads
        }
        answer = judged(program, events, now)
        assert {(time, fact) for time, fact in answer.atoms if fact.signature in heads} == expected


@settings(max_examples=300)
@given(rule_bases(FREE), event_streams(SPARSE))
def test_heads_that_inherit_separability_have_it(text: str, events: list[tuple[int, Fact]]) -> None:
    rules = parse(text)
    model = minimal_model(rules, events)
    inherited = {head for head, verdict in analyse(rules).items() if verdict is Separability.INHERITED}
    assert not {fact for fact in inseparable_atoms(model) if fact.signature in inherited}


intervals = st.tuples(st.integers(0, 6), st.integers(0, 3)).map(lambda found: (found[0], sum(found)))
additions = st.dictionaries(
    st.builds(Fact, st.sampled_from(["a", "b", "h1"]), st.tuples(st.sampled_from(VALUES))),
    st.frozensets(intervals, min_size=1, max_size=2),
    max_size=2,
)


@settings(max_examples=100)
@given(rule_bases(SPARSE), event_streams(SPARSE), additions)
def test_the_minimal_model_is_part_of_every_model(
    text: str, events: list[tuple[int, Fact]], more: dict[Fact, frozenset[tuple[int, int]]]
) -> None:
    rules = parse(text)
    smallest, larger = minimal_model(rules, events), minimal_model(rules, events, more)
    assert all(found <= larger[fact] for fact, found in smallest.items())
