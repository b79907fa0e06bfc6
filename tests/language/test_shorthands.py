"""Ranges, pools, several heads, choices, conditions and numbers of times are other spellings of rules."""

from __future__ import annotations

import pytest

from larspark.diagnostics import Rejected
from larspark.language.parser import parse_formula, parse_program
from larspark.language.printing.format import format_program
from larspark.language.printing.printer import show
from larspark.language.resolve import resolve, resolve_formula

SAME = (
    ("p(1..3).", "p(1). p(2). p(3)."),
    ("#const n = 2. p(0..n-1).", "p(0). p(1)."),
    ("p(n..3). #const n = 2.", "p(2). p(3)."),
    ("p(-1 .. 1).", "p(-1). p(0). p(1)."),
    ("p(2..1). q.", "q."),
    ("@(1..2) p :- q.", "@1 p :- q. @2 p :- q."),
    ("p(X) :- X = 1..2, q(X).", "p(X) :- X = 1, q(X). p(X) :- X = 2, q(X)."),
    ("p :- not q(1..2).", "p :- not q(1). p :- not q(2)."),
    ("p(N) :- N = #count{ X : q(X,1..2) }.", "p(N) :- N = #count{ X : q(X,1); X : q(X,2) }."),
    ("#prefer 1, X : X = 1..2, p(X). p(1).", "#prefer 1, X : X = 1, p(X). #prefer 1, X : X = 2, p(X). p(1)."),
    ("p(1;a,b).", "p(1). p(a,b)."),
    ("p(X;Y) :- q(X,Y).", "p(X) :- q(X,Y). p(Y) :- q(X,Y)."),
    ("p :- q(1;2) [5], r.", "p :- q(1) [5], r. p :- q(2) [5], r."),
    ("p(N) :- N = #count{ X : q(X;3) }.", "p(N) :- N = #count{ X : q(X); X : q(3) }."),
    ("a, @T b :- @T c [3].", "a :- @T c [3]. @T b :- @T c [3]."),
    ("a, b.", "a. b."),
    ("{ a } :- b.", 'a | "#: not a" :- b.'),
    ("{ @T a : @T b [2] }.", '@T a | @T "#: not a" :- @T b [2].'),
    (
        "1 { a(X) : q(X); b } N :- c(N).",
        'a(X) | "#: not a"(X) :- c(N), q(X). b | "#: not b" :- c(N).'
        ":- c(N), 1 > #count{ a,X : a(X), q(X); b : b }. :- c(N), N < #count{ a,X : a(X), q(X); b : b }.",
    ),
    ("{ a(1..2) } = 1.", "{ a(Value) : Value = 1..2 } = 1."),
    ("{ a(1;2) } = 1.", "{ a(1); a(2) } = 1."),
    ("p :- q(X) : r(X), s; t.", "p :- 0 = #count{ 1 : r(X), s, not q(X) }, t."),
    ("p :- not q(X) : r(X).", "p :- 0 = #count{ 1 : r(X), q(X) }."),
    (
        "p(M) :- at least 3 times q(M,_) [5].",
        "p(M) :- q(M,_) [5], 3 <= #count{ Time,Any : @Time q(M,Any) [5] }.",
    ),
    (
        "p(M) :- m(M), at most k times q(M) [5 #]. #const k = 2.",
        "p(M) :- m(M), 2 >= #count{ Time : @Time q(M) [5 #] }.",
    ),
    ("p(N) :- N times q [5 min].", "p(N) :- N = #count{ Time : @Time q [5 min] }."),
    ("p(Time) :- r(Time), 2 times q.", "p(Time) :- r(Time), 2 = #count{ Time1 : @Time1 q }."),
)


@pytest.mark.parametrize(("short", "long"), SAME, ids=[short for short, _ in SAME])
def test_a_shorthand_stands_for_rules(short: str, long: str) -> None:
    program = resolve(parse_program(short))
    assert program == resolve(parse_program(long))
    assert resolve(parse_program(show(program))) == program


@pytest.mark.parametrize(("short", "long"), SAME, ids=[short for short, _ in SAME])
def test_formatting_keeps_the_spelling_and_the_meaning(short: str, long: str) -> None:
    laid_out = format_program(short)
    assert "".join(laid_out.split()) == "".join(short.split())
    assert parse_program(laid_out) == parse_program(short)
    assert format_program(laid_out) == laid_out


def test_a_question_with_a_range_asks_for_any_of_its_values() -> None:
    program = parse_program("#const n = 2. a(1).")
    assert resolve_formula(parse_formula("a(1..n)"), program) == parse_formula("a(1) or a(2)")
    assert resolve_formula(parse_formula("a(2..1)"), program) == parse_formula("false")


def test_words_of_the_shorthands_are_ordinary_names_elsewhere() -> None:
    program = parse_program("times(X) :- least(X), most(X) [5], not times(3) [2].")
    assert show(program) == "times(X) :- least(X), most(X) [5], not times(3) [2].\n"


def test_behind_a_time_a_word_of_windows_is_a_name() -> None:
    assert show(parse_program(":- @a to.")) == ":- @a to.\n"


def test_pools_have_a_limit() -> None:
    with pytest.raises(Rejected) as caught:
        parse_program(f"p({','.join(['(1;2)'] * 20)}).".replace("(1;2)", "f(1;2)"))
    assert [one.code for one in caught.value.diagnostics] == ["E138"]


def test_of_the_alternatives_in_a_formula_one_is_to_hold() -> None:
    assert show(parse_formula("p(a;b), q")) == "p(a) and q or p(b) and q"
