"""T-stratification (Prop. 14): the finite representation is a stratification of the temporal closure."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from larspark.hypothetical.theory.stratification import NotStratified, Strata, edge_times, stratify
from larspark.hypothetical.theory.structure import dependencies
from larspark.hypothetical.theory.temporal_datalog import temporal_theory
from larspark.hypothetical.theory.theory import Theory
from larspark.language.parser import parse_program

LAST = 12


@st.composite
def negation_programs(draw: st.DrawFn, fixed: bool = False) -> str:
    def time(base: str) -> str:
        if fixed and draw(st.integers(0, 4)) == 0:
            return str(draw(st.integers(0, 2)))
        offset = draw(st.integers(-2, 2))
        return f"({base}{offset:+d})" if offset else base

    rules = []
    for _ in range(draw(st.integers(1, 4))):
        head = f"@{time('T')} {draw(st.sampled_from('pqr'))}"
        negated = draw(st.booleans())
        base = "U" if draw(st.integers(0, 7)) == 0 else "T"
        body = f"@{time(base)} {draw(st.sampled_from('pqr'))}"
        rules.append(f"{head} :- @T e, @U e, {'not ' if negated else ''}{body}.")
    return " ".join(rules)


def respects(theory: Theory, strata: Strata) -> bool:
    for edge in dependencies(theory):
        if edge.body.predicate == "e":
            continue
        for t, u in edge_times(edge, LAST):
            head, body = strata.stratum(edge.head, t), strata.stratum(edge.body, u)
            if head < body or (edge.negative and head == body):
                return False
    return True


@settings(max_examples=200)
@given(negation_programs())
def test_proposition_14_strata_stratify_the_closure(text: str) -> None:
    theory = temporal_theory(parse_program(text))
    found = stratify(theory)
    if isinstance(found, Strata):
        assert respects(theory, found)


@settings(max_examples=200)
@given(negation_programs(fixed=True))
def test_a_negative_cycle_of_the_closure_is_always_found(text: str) -> None:
    theory = temporal_theory(parse_program(text))
    closure: nx.DiGraph[object] = nx.DiGraph()
    negative = []
    for edge in dependencies(theory):
        for t, u in edge_times(edge, LAST):
            closure.add_edge((edge.head, t), (edge.body, u))
            if edge.negative:
                negative.append(((edge.head, t), (edge.body, u)))
    part = {node: i for i, nodes in enumerate(nx.strongly_connected_components(closure)) for node in nodes}
    if any(part[u] == part[v] for u, v in negative):
        assert isinstance(stratify(theory), NotStratified)


@pytest.mark.parametrize(
    ("text", "stratified"),
    [
        ("@T p :- @T q, not @(T+1) p.", False),  # no cycle, but an endless descent into the future
        ("@(T+1) p :- @T q, not @T p. @T p :- @(T+1) p.", False),  # up by one step, down by the other
        ("@(T+2) p :- @T q, not @T p. @(T+1) p :- @T p.", True),
        ("@0 p :- @T q, not @3 p.", True),
        ("@0 p :- @T q, not @T p.", False),
        ("@T p :- @T q, @U q, not @U p.", False),
    ],
)
def test_decisions(text: str, stratified: bool) -> None:
    found = stratify(temporal_theory(parse_program(text)))
    assert isinstance(found, Strata) == stratified


def test_the_refusal_shows_the_walk() -> None:
    found = stratify(temporal_theory(parse_program("@T c :- @T a, not @(T+1) b. @(T+1) b :- @T c.")))
    assert isinstance(found, NotStratified)
    assert "c(T) → not b(T+1) → c(T)" in found.diagnostic.message
