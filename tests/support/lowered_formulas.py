"""Random programs with full formulas in heads and bodies, and what they become."""

from __future__ import annotations

from random import Random

from larspark.language.facts import Fact
from larspark.language.tree import (
    Always,
    And,
    At,
    Atom,
    Constant,
    Formula,
    Implies,
    Not,
    Operation,
    Or,
    Program,
    Reset,
    Rule,
    Some,
    TimeWindow,
    Variable,
    Windowed,
)
from larspark.semantics.streams import Stream
from support.random_formulas import random_formula, random_window

X, T = Variable("X"), Variable("T")
ATOMS = (Atom("a"), Atom("b"), Atom("e", (X,)), Atom("e", (Constant("x"),)), Atom("p"), Atom("q", (X,)))
FACTS = (Fact("a"), Fact("b"), Fact("e", ("x",)), Fact("e", ("y",)))

WRITTEN = (
    "h :- (a or b [3]), not (a and b).",
    "h :- (some (a and b)) [3].",
    "h :- (some (not a)) [2].",
    "h :- (some (not a and not b)) [2].",
    "h :- (always (a or b)) [2].",
    "h :- (always (a -> b)) [3].",
    "h :- (always (not a)) [3 hop 2].",
    "h(X) :- e(X) [4], (always (e(X) or a)) [1].",
    "h :- (always (some a [input 2])) [3].",
    "h :- (some (always a [1] and b)) [4].",
    "h :- (always (a or b)) [3 #].",
    "h :- @T b [4], @T (a or not b) [2].",
    "h(T) :- @T e(_) [3], not (@T a and b [2]).",
    "(h and @T g(X)) :- @T e(X) [2], (a or b).",
    "(g(T) and @T h) :- e(T).",
    "h :- (a and false). g :- b. #record h/0.",
    "(always h [+2]) :- a. g :- h [1].",
    "(always h [3, +1]) :- a. g :- h [1].",
    "(always h [2 hop 3]) :- b.",
    "(a -> h) :- b. (not h) :- e(y).",
    "p(N, X) :- (N, X, 2) = #bottom{ 3; 0, X : e(X) [3], (a -> b) }.",
    "p :- a. q :- (some (p and not b)) [2]. h :- not (p or q).",
    "p :- (a or (some p [2] and b)).",
    "h(N) :- N = #count{ X : (e(X) or (a and e(X) [3])) }.",
    "h | g :- (a or b).",
    "h :- (some (a [input 1, +1] and b)) [4].",
    "h :- (some (some e(x) [of e/1, a/0])) [3].",
)
"""What people write."""


def random_program(random: Random) -> Program:
    """Rules for p, q and h; some with variables, all of which an atom without formula binds."""
    return Program(tuple(_rule(random, number) for number in range(random.randint(1, 3))))


def _rule(random: Random, number: int) -> Rule:
    body: list[Formula] = [_literal(random) for _ in range(random.randint(1, 2))]
    if random.random() < 0.3:
        body.append(random_formula(random, 2))
    head: Formula = random.choice([Atom("h"), Atom("p"), Atom("q", (X,)), Atom("h", (X,)), At(T, Atom("p"))])
    if random.random() < 0.2:
        head = random.choice(
            [And((head, Atom("r"))), Implies(Atom("p"), head), Windowed(TimeWindow(0, 2), Always(Atom("r")))]
        )
    return Rule(head, (Windowed(TimeWindow(4), At(T, Atom("e", (X,)))), *body))


def _literal(random: Random) -> Formula:
    formula = _formula(random, random.randint(1, 3))
    return Not(formula) if random.random() < 0.3 else formula


def _formula(random: Random, depth: int) -> Formula:
    """Mostly of the shapes that people write, with windows around."""
    if depth == 0:
        return random.choice(ATOMS)
    body = _formula(random, depth - 1)
    match random.randrange(12):
        case 0 | 1:
            return And((body, _formula(random, depth - 1)))
        case 2 | 3:
            return Or((body, _formula(random, depth - 1)))
        case 4:
            return Implies(body, _formula(random, depth - 1))
        case 5:
            return Not(body)
        case 6 | 7:
            return Windowed(_window(random), Some(body))
        case 8 | 9:
            return Windowed(_window(random), Always(body))
        case 10:
            return At(random.choice([T, T, Operation("-", T, Constant(1)), Constant(3)]), body)
    return random.choice([Reset(body), Windowed(_window(random), body)])


def _window(random: Random) -> TimeWindow:
    return TimeWindow(random.randint(0, 4)) if random.random() < 0.7 else random_window(random)  # type: ignore[return-value]


def random_arrivals(random: Random) -> Stream:
    start = random.choice([0, 0, 2])
    found = sorted(
        ((random.randint(start, start + 8), random.choice(FACTS)) for _ in range(random.randint(0, 9))),
        key=lambda one: one[0],
    )
    return Stream.of(start, None, found)
