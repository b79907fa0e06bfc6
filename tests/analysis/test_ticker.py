"""Ticker's language checks: errors where they are ours, notes of the compatibility check where only Ticker's."""

from __future__ import annotations

import pytest

from larspark.analysis import analyse
from larspark.analysis.ticker_compatibility import ticker_objections, ticker_predicates
from larspark.language.parser import parse_duration, parse_program
from support.vectors import Case, cases

CODES = {
    "tuple_window_on_intensional": "E205",
    "head_variable": "E201",
    "incompatible_clock": "E301",
    "unguarded_variable": "E522",
    "multiple_time_variables": "E521",
}


@pytest.mark.parametrize("case", cases("ticker_check"), ids=str)
def test_checks(case: Case) -> None:
    program = parse_program("\n".join(case["program"]))
    analysis = analyse(program, clock=parse_duration(case["clock"]))
    findings = [finding.code for finding in analysis.diagnostics if finding.severity == "error"]
    if case["reasoner"] == "incremental":
        findings += [finding.code for finding in ticker_objections(program, analysis)]
    if case["expect"] == "ok":
        assert findings == []
    else:
        assert CODES[case["expect"]["error"]] in findings


@pytest.mark.parametrize("case", cases("ticker_predicates"), ids=str)
def test_implicit_classes(case: Case) -> None:
    found = ticker_predicates(parse_program("\n".join(case["program"])))
    assert {
        "intensional": sorted(signature.predicate for signature in found.intensional),
        "signals": sorted(signature.predicate for signature in found.signals),
        "background": sorted(signature.predicate for signature in found.background),
    } == case["expect"]


def objections(text: str) -> list[tuple[str, int]]:
    """What Ticker would say, with the columns it points to."""
    program = parse_program(text)
    analysis = analyse(program)
    assert analysis.ok
    return [(note.code, note.origin.column) for note in ticker_objections(program, analysis) if note.origin]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # one time variable per rule, and guards
        ("h(X) :- @T a(X) [3 s], @U b(X) [4 s].", [("E521", 25), ("E522", 14)]),
        ("h(X) :- g(X), a(X) [3 s]. k :- g(1) [2 s].", [("E522", 11)]),
        ("h(X) :- g(X), not a(X,_) [3 s].", [("E522", 23)]),
        # time variables in arithmetic and relations
        ("@T+1 h :- @T a [3 s].", [("E525", 2)]),
        ("h :- @T a [3 s], @T-1 b [3 s].", [("E525", 19)]),
        ("h :- @T a [3 s], T < 5.", [("E525", 18)]),
        ("h(Z) :- @T a [3 s], Z = T + 1.", [("E525", 25)]),
        ("h :- @now a [3 s].", [("E525", 7)]),
        # rules have one head atom and extended atoms
        (":- a [3 s].", [("E523", 1)]),
        ("a, c :- b [5 s].", [("E523", 4)]),
        ("a, c, d :- b [5 s].", [("E523", 4), ("E523", 7)]),
        # ranges and pools, which stand for several rules
        ("p(1..3).", [("E523", 3)]),
        ("h(X) :- g(Y), X = 1..3, b(Y) [1 s].", [("E523", 19)]),
        ("p(1;2).", [("E523", 1)]),
        ("p(1;2;2,3).", [("E523", 1)]),
        ("h :- g(1;2), not a(3;4) [3 s].", [("E523", 6), ("E523", 18)]),
        ("p(1;2), q :- g.", [("E523", 1), ("E523", 9)]),
        ("h :- g(1..2) [3 s]. h :- g(1) [3 s]. h :- g(2) [3 s].", [("E523", 8)]),
        ("p(1). p(2). a :- b [5 s]. c :- b [5 s].", []),
        ("a | b :- c [3 s].", [("E523", 1)]),
        ("h(N) :- N = #count{ 1 : a [3 s] }.", [("E523", 9)]),
        ("h :- (a or b).", [("E523", 7)]),
        ("h(Y) :- g(X), Y = abs(X).", [("E523", 19)]),
        ("#show h/0. h :- a [3 s].", [("E523", 1)]),
        # sliding time windows with units, and the last atoms
        ("h :- a [3].", [("E524", 9)]),
        ("h :- a [1 d].", [("E524", 9)]),
        ("h :- a [4 s hop 2 s].", [("E524", 9)]),
        ("h :- a [+3 s].", [("E524", 9)]),
        ("h :- a [all].", [("E524", 9)]),
        ("h :- a [3 s] [2 #].", [("E523", 6)]),
        ("h :- a [of a/0].", [("E524", 9)]),
        ("h(X) :- g(X), a(X) [1 # per X].", [("E524", 21)]),
        ("h :- a [from 2 to 4].", [("E524", 9)]),
        # loops
        ("x :- a [3 s], not x.", [("E526", 1)]),
        ("x :- always y [3 s]. y :- x. y :- a [2 s].", [("E526", 6)]),
        ("x :- y [3 s]. y :- x. y :- a [2 s].", []),
        # signals, conclusions, background
        ("#input b/0. b :- a [3 s]. c :- b [2 #].", [("E523", 1), ("E527", 32)]),
        ("#input a/0. h :- a, b [3 s].", [("E523", 1), ("E527", 18)]),
        ('#background "p.csv" as p/0. h :- p [3 s].', [("E523", 1), ("E527", 34)]),
        ("@T h(X,Y) :- f(X), g(Y), @T p(X,Y) [4 min], not always q(Y) [2 #].", []),
        ("h :- @5 a [9 s], leq(1,2).", []),
    ],
)
def test_restrictions(text: str, expected: list[tuple[str, int]]) -> None:
    assert sorted(objections(text)) == sorted(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a :- b [500 ms], c [5 s].", []),
        ("a :- b [500 ms], c [5 s hop 2 s].", ["E524"]),
        ("a :- b [500 ms], c [all].", ["E524"]),
        ("a :- b [500 ms], c [2 # whole].", ["E524"]),
    ],
)
def test_sizes_that_could_not_be_resolved_are_no_other_windows(text: str, expected: list[str]) -> None:
    program = parse_program(text)
    analysis = analyse(program, clock=parse_duration("1 s"))
    assert [one.code for one in analysis.diagnostics if one.severity == "error"] == ["E301"]
    assert [note.code for note in ticker_objections(program, analysis)] == expected


def test_nothing_is_taken_as_it_is_where_larspark_refuses_it() -> None:
    hints = {}
    for text in ("a :- b [2 #]. b :- c [3 s].", "#input b/0. a :- b [2 #]. b :- c [3 s]."):
        program = parse_program(text)
        (note,) = (one for one in ticker_objections(program, analyse(program)) if one.code == "E527")
        hints[text] = note.hint
    assert list(hints.values()) == ["", "larspark takes it as it is."]
