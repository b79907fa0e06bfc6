"""The forms of the language, each beside the tree it means."""

from __future__ import annotations

from decimal import Decimal

import pytest

from larspark.language import parse_fact, parse_formula, parse_program, show
from larspark.language.facts import Fact, Signature
from larspark.language.tree import (
    HALF_OPEN,
    UNBOUNDED,
    Aggregate,
    AggregateElement,
    Always,
    And,
    At,
    Atom,
    Comparison,
    Constant,
    Duration,
    FilterWindow,
    Formula,
    Implies,
    Input,
    IntervalWindow,
    Keyed,
    Not,
    Now,
    Operation,
    Or,
    PartitionWindow,
    Pattern,
    Reset,
    Rule,
    SessionWindow,
    Some,
    TimeWindow,
    Truth,
    TupleWindow,
    Variable,
    Window,
    Windowed,
)
from larspark.language.values import Value

A, B, T, X = Atom("a"), Atom("b"), Variable("T"), Variable("X")
FIVE = TimeWindow(5)
ONLY_A = FilterWindow((Pattern("a", ()),))
FRESH_A = Reset(Windowed(FIVE, Some(A)))
X_IF_A = AggregateElement((X,), (A,))
SHIFTED = Operation("+", Operation("-", T, X), Constant(1))


def body(text: str) -> Formula:
    (rule,) = parse_program(f"h :- {text}.").rules
    (literal,) = rule.body
    return literal


@pytest.mark.parametrize(
    ("spellings", "meaning"),
    [
        (["a"], A),
        (["@T a", "a at T"], At(T, A)),
        (["a [5]", "some a [5]", "a in [5]", "some a in [5]"], Windowed(FIVE, Some(A))),
        (["always a [5]", "a always [5]", "a always in [5]"], Windowed(FIVE, Always(A))),
        (["@T a [5]", "a at T [5]", "a at T in [5]"], Windowed(FIVE, At(T, A))),
        (["not a [5]", "not a in [5]"], Not(Windowed(FIVE, Some(A)))),
        (["(a) [5]"], Windowed(FIVE, A)),
        (["a [of a/0] [1 #]", "a [1 # of a/0]"], Windowed(ONLY_A, Windowed(TupleWindow(1), Some(A)))),
        (["a [input 5]", "reset a [5]", "reset (a [5])"], FRESH_A),
        (["(always (some a [input 5])) [9]", "always (a [input 5]) [9]"], Windowed(TimeWindow(9), Always(FRESH_A))),
        (["@(T + 3 min) a", "a at T + 3 min"], At(Operation("+", T, Duration(3, "min")), A)),
        (["@5 s", "s at 5"], At(Constant(5), Atom("s"))),
        (["@T+30 a", "@(T+30) a", "a at T+30"], At(Operation("+", T, Constant(30)), A)),
        (["@T-X+1 a [5]", "@(T-X+1) a [5]"], Windowed(FIVE, At(SHIFTED, A))),
        (["not @T+5 s", "not @(T+5) s"], Not(At(Operation("+", T, Constant(5)), Atom("s")))),
        (["@now-1 (a or b)", "@(now-1) (a or b)"], At(Operation("-", Now(), Constant(1)), Or((A, B)))),
        (["(a and b or not a -> b)"], Implies(Or((And((A, B)), Not(A))), B)),
        (["X = 1"], Comparison("=", X, Constant(1))),
        (["#count{X : a} > 3", "3 < #count{X : a}"], Aggregate("count", "<", Constant(3), (X_IF_A,))),
        (["true"], Truth(True)),
    ],
)
def test_both_spellings(spellings: list[str], meaning: Formula) -> None:
    for spelling in spellings:
        assert body(spelling) == meaning


ON_AND_OFF = (Keyed(Signature("p", 2), (0,)), Keyed(Signature("q", 1), (0,)))


@pytest.mark.parametrize(
    ("text", "window"),
    [
        ("[5 s]", TimeWindow(Duration(5, "s"))),
        ("[5s]", TimeWindow(Duration(5, "s"))),
        ("[500 msec]", TimeWindow(Duration(500, "ms"))),
        ("[5 s hop 2 s]", TimeWindow(Duration(5, "s"), 0, Duration(2, "s"))),
        ("[5 tumbling]", TimeWindow(5, 0, 5)),
        ("[tumble 10 s]", TimeWindow(Duration(10, "s"), HALF_OPEN, Duration(10, "s"))),
        ("[hop 2 over k]", TimeWindow(Constant("k"), HALF_OPEN, 2)),
        ("[+5]", TimeWindow(0, 5)),
        ("[3, +1 hop 2]", TimeWindow(3, 1, 2)),
        ("[k]", TimeWindow(Constant("k"))),
        ("[all]", TimeWindow(UNBOUNDED)),
        ("[3 #]", TupleWindow(3)),
        ("[3#]", TupleWindow(3)),
        ("[3 #, +1 #]", TupleWindow(3, 1)),
        ("[1 # per X]", PartitionWindow(1, 0, (Keyed(Signature("p", 2), (0,)),))),
        ("[1 # per 2, X]", PartitionWindow(1, 0, (Keyed(Signature("p", 2), (1, 0)),))),
        ("[3 # whole]", TupleWindow(3, 0, whole=True)),
        ("[3 #, +1 # whole]", TupleWindow(3, 1, whole=True)),
        ("[1 # whole per X]", PartitionWindow(1, 0, (Keyed(Signature("p", 2), (0,)),), whole=True)),
        ("[1 # of p/2, q/1 per X]", PartitionWindow(1, 0, ON_AND_OFF)),
        ("[1 # of p/2, q/1 per 1]", PartitionWindow(1, 0, ON_AND_OFF)),
        ("[1 # of p(D,_), q(D) per D]", PartitionWindow(1, 0, ON_AND_OFF)),
        ("[2 # of p(_,D), q(D) per D]", PartitionWindow(2, 0, (Keyed(Signature("p", 2), (1,)), ON_AND_OFF[1]))),
        ("[session 3 of p/2, q/1 per X]", SessionWindow(3, ON_AND_OFF)),
        ("[session 10 s per X]", SessionWindow(Duration(10, "s"), (Keyed(Signature("p", 2), (0,)),))),
        ("[session k of p/2 per 2]", SessionWindow(Constant("k"), (Keyed(Signature("p", 2), (1,)),))),
        ("[session 3]", SessionWindow(3, (Keyed(Signature("p", 2), ()),))),
        ("[of p/2, bus(b1,_)]", FilterWindow((Pattern("p", (None, None)), Pattern("bus", ("b1", None))))),
        ("[from 3 to X+1]", IntervalWindow(Constant(3), Operation("+", X, Constant(1)))),
    ],
)
def test_windows(text: str, window: Window) -> None:
    atom = Atom("p", (X, Constant("c")))
    assert body(f"p(X,c) {text}") == Windowed(window, Some(atom))


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("a", A),
        ("@T a", At(T, A)),
        ("a at T+5", At(Operation("+", T, Constant(5)), A)),
        ("a | b", Or((A, B))),
        ("(a and not b)", And((A, Not(B)))),
        ("always a [5]", Windowed(FIVE, Always(A))),
        ('"Two Words"(X)', Atom("Two Words", (X,))),
    ],
)
def test_heads(text: str, head: Formula) -> None:
    assert parse_program(f"{text} :- b.").rules == (Rule(head, (B,)),)
    assert parse_program(f"{text}. {text} :- .").rules == (Rule(head), Rule(head))


def test_a_constraint_has_the_head_false() -> None:
    assert parse_program(":- a, b.").rules == (Rule(Truth(False), (A, B)),)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-3", -3),
        ("1.50", Decimal("1.5")),
        ("2.0", 2),
        ('"abc"', "abc"),
        ("0.1", Decimal("0.1")),
        (f"-0.{'3' * 34}", Decimal(f"-0.{'3' * 34}")),
        (f"-{10**60 + 1}", -(10**60) - 1),
        (str(10**60), 10**60),
    ],
)
def test_values(text: str, value: Value) -> None:
    assert parse_fact(f"p({text})") == Fact("p", (value,))
    assert body(f"p({text})") == Atom("p", (Constant(value),))


@pytest.mark.parametrize("text", ["1-2-3", "1-(2-3)", "-X^2", "(-X)^2", "2^3^X", "2*(X+1)", "X- -3", "-(X+1)"])
def test_arithmetic_binds_as_usual(text: str) -> None:
    """Printing adds only the parentheses that are needed."""
    assert show(body(f"X = {text}")) == f"X = {text.replace(' ', '')}"


def test_anonymous_variables_are_fresh_in_their_rule() -> None:
    first, second = parse_program("a :- p(_,_), q(_). b :- p(_,X).").rules
    assert first.body == (Atom("p", (Variable("_1"), Variable("_2"))), Atom("q", (Variable("_3"),)))
    assert second.body == (Atom("p", (Variable("_1"), X)),)
    assert show(first) == "a :- p(_,_), q(_)."


def test_layout_and_comments_stand_anywhere() -> None:
    text = "a % one\n:- // two\n b /* three\n lines */ ( %* four *% X )\n\t[ 5\ns ] . c:-d.e."
    assert parse_program(text) == parse_program("a :- b(X) [5 s]. c :- d. e.")


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("a :- X = Y % 2, b.", "a :- X = Y \\ 2, b."),
        ("a :- X = Y % Z.", "a :- X = Y \\ Z."),
        ("a :- X = (Y+1) % (Z-1) * 3.", "a :- X = (Y+1) \\ (Z-1) * 3."),
        ("a :- p(X%2).", "a :- p(X \\ 2)."),
        ("a :- X = Y % 2\n, b.", "a :- X = Y \\ 2, b."),
        ("a :- b, % 5 cars\n c.", "a :- b, c."),
        ("a :- b % 5 cars\n , c.", "a :- b, c."),
        ("a :- b % see above\n , c.", "a :- b, c."),
        ("a :- b. % 5.\nc.", "a :- b. c."),
        ("a :- p(X) % X and so on\n .", "a :- p(X)."),
        ("%\na.", "a."),
    ],
)
def test_percent_is_modulo_between_operands_and_else_a_comment(text: str, same: str) -> None:
    assert parse_program(text) == parse_program(same)


def test_directives() -> None:
    text = """#clock 500 ms. #const k = -5. #show p/1, q/2. #input tram(id, station), bus/2. #record alarm/1.
    #background "plan.csv" as plan/4. #function humidex/2 from "helpers.py". #temporal cool/2.
    #prefer 2 : a. #prefer X + 1 @ 3, X, b : p(X) [5], not q(_).
    """
    program = parse_program(text)
    assert Input(Signature("tram", 2), ("id", "station")) in program.directives
    assert show(program).splitlines() == [
        "#clock 500 ms.",
        "#const k = -5.",
        "#show p/1, q/2.",
        "#input tram(id, station).",
        "#input bus/2.",
        "#record alarm/1.",
        '#background "plan.csv" as plan/4.',
        '#function humidex/2 from "helpers.py".',
        "#temporal cool/2.",
        "#prefer 2 : a.",
        "#prefer X+1@3, X, b : p(X) [5], not q(_).",
    ]


def test_a_formula_on_its_own_may_be_a_comma_list() -> None:
    assert parse_formula("a [5], not b") == And((Windowed(FIVE, Some(A)), Not(B)))


def test_every_node_knows_where_it_came_from() -> None:
    (rule,) = parse_program("a :-\n  b(X) [5].", "f.lars").rules
    assert str(rule.body[0].origin) == "f.lars:2:3"
    assert str(rule.origin) == "f.lars:1:1"


def test_a_head_at_a_sum_needs_no_parentheses() -> None:
    (rule,) = parse_program("@T+30 a :- @T b.").rules
    assert rule.head == At(Operation("+", T, Constant(30)), A)
    assert show(rule) == "@(T+30) a :- @T b."
