"""Unification, pre-processing, and programs that are refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from larspark.diagnostics import Rejected
from larspark.diagnostics.catalogue import CATALOGUE
from larspark.hypothetical.offline.resolution import Resolution
from larspark.hypothetical.online_algorithm import Online
from larspark.hypothetical.theory.structure import unconnected
from larspark.hypothetical.theory.temporal_datalog import is_temporal_datalog, temporal_theory
from larspark.hypothetical.theory.terms import Literal, Time, Var, apply, names, unify_literals
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from support.temporal import goal

terms = st.one_of(st.sampled_from(["a", "b"]), st.sampled_from([Var("X"), Var("Y")]))
clause_terms = st.one_of(st.sampled_from(["a", "b"]), st.sampled_from([Var("X#1"), Var("Y#1")]))


@settings(max_examples=200)
@given(st.tuples(terms, terms), st.tuples(clause_terms, clause_terms), st.integers(-2, 2), st.integers(-2, 2))
def test_lemma_5_unification_brings_no_new_variables_into_the_goal(
    asked: tuple[object, object], head: tuple[object, object], i: int, j: int
) -> None:
    """Lemma 5."""
    wanted = Literal("p", asked, Time("T", i))  # type: ignore[arg-type]
    clause = Literal("p", head, Time("T#1", j))  # type: ignore[arg-type]
    bound: dict[str, object] = {}
    if unify_literals(clause, wanted, bound):  # type: ignore[arg-type]
        unified = apply(wanted, bound)  # type: ignore[arg-type]
        assert unified == apply(clause, bound)  # type: ignore[arg-type]
        assert set(names([unified])) <= set(names([wanted]))


BOTH = (
    "@(T+1) cool(X) :- @T flag(X), @(T+1) flag(X).",
    "#temporal cool/2. #temporal flag/2. cool(X,T+1) :- flag(X,T), flag(X,T+1).",
)


def test_both_spellings_are_the_same_theory() -> None:
    one, other = (temporal_theory(parse_program(text)) for text in BOTH)
    assert one.clauses == other.clauses


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (BOTH[0], True),
        (BOTH[1], True),
        ("bad(high). @T flag(X) :- @T temp(X,L), bad(L).", True),
        ("alarm(X) :- hot(X) [5].", False),
        ("@T a :- @T b, c.", False),
    ],
)
def test_what_is_read_as_temporal_datalog(text: str, expected: bool) -> None:
    assert is_temporal_datalog(parse_program(text)) == expected


def test_rigid_predicates_are_given() -> None:
    program = "hot(high). hot(L) :- like(L,high). like(very,high). @T flag(X) :- @T temp(X,L), hot(L)."
    online = Online(temporal_theory(parse_program(program)), goal("flag(X,T)"))
    online.advance(0, [Fact("temp", ("a", "very")), Fact("temp", ("b", "low"))])
    assert [str(a.answer) for a in online.answers()] == ["flag(a,0)"]


def test_comparisons_filter_and_compute() -> None:
    program = "@T rise(X,D) :- @(T-1) temp(X,V), @T temp(X,W), D = W - V, D > 5."
    online = Online(temporal_theory(parse_program(program)), Literal("rise", (Var("X"), Var("D")), Time("T")))
    online.advance(0, [Fact("temp", ("a", 10)), Fact("temp", ("b", 10))])
    online.advance(1, [Fact("temp", ("a", 20)), Fact("temp", ("b", 12)), Fact("temp", ("c", 1))])
    assert {str(a.answer) for a in online.answers() if a.definite} == {"rise(a,10,1)"}


def rejection(program: str, asked: str) -> tuple[str, ...]:
    with pytest.raises(Rejected) as caught:
        Online(temporal_theory(parse_program(program)), goal(asked))
    assert all(d.code in CATALOGUE for d in caught.value.diagnostics)
    return tuple(d.code for d in caught.value.diagnostics)


@pytest.mark.parametrize(
    ("program", "asked", "code"),
    [
        ("@T p(X,Y) :- @T e(X).", "p(X,T)", "E540"),
        ("@T p(X) :- @T e(X), not @T f(X,Y).", "p(X,T)", "E540"),
        ("#temporal p/2. #temporal e/2. p(X,T) :- e(X,T) [5].", "p(X,T)", "E541"),
        ("@(T*2) p(X) :- @T e(X).", "p(X,T)", "E542"),
        ("@T p(X) :- @T e(X).", "q(X,T)", "E544"),
        ("@(T+1) p(X) :- @T p(X). @T p(X) :- @T e(X).", "p(X,T)", "E545"),
        ("@T p(X) :- @T q(X), not @T p(X).", "p(X,T)", "E547"),
        ("#temporal p/0. @T q(X) :- @T e(X).", "q(X,T)", "E554"),
    ],
)
def test_refused_programs(program: str, asked: str, code: str) -> None:
    assert rejection(program, asked)[0] == code


def test_unconnected_rules_are_named() -> None:
    theory = temporal_theory(parse_program("@0 d(X) :- @T1 a(X), @T2 b(X). @T c(X) :- @T a(X)."))
    assert [str(clause.head) for clause in unconnected(theory)] == ["d(X,0)"]


def test_a_recursion_that_runs_in_circles_ends() -> None:
    program = "@T p(X) :- @T q(X). @T q(X) :- @T p(X). @T q(X) :- @T e(X)."
    found = Resolution(temporal_theory(parse_program(program))).preconditions(goal("p(X,T)"))
    assert [[str(lit) for lit in p.premises] for p in found] == [["e(X,T)"]]
