"""Temporal Datalog cases: programs in the vectors' notation, histories, and answers in a comparable form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hypothetical.declarative import GroundAnswer
from larspark.hypothetical.answers.answers import SupportedAnswer
from larspark.hypothetical.online.query import WatchOptions
from larspark.hypothetical.online_algorithm import Online
from larspark.hypothetical.theory.temporal_datalog import temporal_theory
from larspark.hypothetical.theory.terms import ABSOLUTE, Literal, Time, Var, show_term
from larspark.hypothetical.theory.theory import Theory
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.language.traversal import atoms
from larspark.language.tree import Atom, Constant, Program, Temporal, Variable
from support.notation import literal

History = Mapping[int, Sequence[Fact]]


def all_temporal(tree: Program) -> Program:
    """In the vectors' notation the last argument of every predicate is its time."""
    signatures = dict.fromkeys(atom.signature for rule in tree.rules for atom in atoms(rule))
    return replace(tree, directives=tuple(Temporal(signature) for signature in signatures))


def theory(rules: Sequence[Any]) -> Theory:
    """The theory of rules in the vectors' notation."""
    text = " ".join(f"{rule['head']} :- {', '.join(rule['body'])}." for rule in rules)
    return temporal_theory(all_temporal(parse_program(text)))


def goal(text: str) -> Literal:
    """`malf(X,T)`."""
    atom = literal(text)
    assert isinstance(atom, Atom)
    *args, time = atom.args
    terms = tuple(
        Var(a.name) if isinstance(a, Variable) else a.value for a in args if isinstance(a, Variable | Constant)
    )
    if isinstance(time, Variable):
        return Literal(atom.predicate, terms, Time(time.name))
    assert isinstance(time, Constant)
    assert isinstance(time.value, int)
    return Literal(atom.predicate, terms, Time(ABSOLUTE, time.value))


def stamped_atom(text: str) -> tuple[int, Fact]:
    """`temp(wt25,high,0)` as a fact with its time."""
    found = goal(text)
    assert found.time is not None
    return found.time.offset, Fact(found.predicate, found.args)  # type: ignore[arg-type]


def history(stream: Mapping[int, Sequence[str]]) -> dict[int, list[Fact]]:
    found: dict[int, list[Fact]] = {}
    for time, texts in stream.items():
        for text in texts:
            about, fact = stamped_atom(text)
            assert about == time
            found.setdefault(time, []).append(fact)
    return found


def run(theory: Theory, goal: Literal, facts: History, until: int, options: WatchOptions | None = None) -> Online:
    online = Online(theory, goal, options)
    for time in range(theory.start, until + 1):
        online.advance(time, facts.get(time, ()))
    return online


Comparable = tuple[tuple[tuple[str, str], ...], frozenset[str], frozenset[str]]


def comparable(theta: Mapping[str, Any], evidence: Iterable[str], hypotheses: Iterable[str]) -> Comparable:
    """An answer as text."""
    return tuple(sorted((k, str(v)) for k, v in theta.items())), frozenset(evidence), frozenset(hypotheses)


def expected(entries: Sequence[Mapping[str, Any]]) -> set[Comparable]:
    return {comparable(e["theta"], e.get("evidence", ()), e["hypotheses"]) for e in entries}


def shown(answer: SupportedAnswer, asked: Literal) -> Comparable:
    theta = {name: show_term(term) for name, term in answer.theta(asked).items()}
    return comparable(theta, map(str, answer.evidence), map(str, answer.hypotheses))


def shown_ground(answer: GroundAnswer, asked: Literal) -> Comparable:
    as_supported = SupportedAnswer(answer.answer, answer.evidence, answer.hypotheses)
    return shown(as_supported, asked)
