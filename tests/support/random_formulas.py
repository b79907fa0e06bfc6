"""Random ground LARS formulas over a, b and e(x), with nested windows of every kind."""

from __future__ import annotations

from random import Random

from larspark.language.facts import Fact, Signature
from larspark.language.tree import (
    HALF_OPEN,
    UNBOUNDED,
    Always,
    And,
    At,
    Atom,
    Constant,
    FilterWindow,
    Formula,
    Implies,
    IntervalWindow,
    Keyed,
    Not,
    Or,
    PartitionWindow,
    Pattern,
    Reset,
    SessionWindow,
    Some,
    TimeWindow,
    Truth,
    TupleWindow,
    Window,
    Windowed,
)
from larspark.semantics.streams import Stream

ATOMS = (Atom("a"), Atom("b"), Atom("e", (Constant("x"),)))
KEYED = ((Keyed(Signature("e", 1), (0,)),), (Keyed(Signature("e", 1), ()), Keyed(Signature("a", 0), ())))
FACTS = (Fact("a"), Fact("b"), Fact("e", ("x",)))


def random_formula(random: Random, depth: int = 3) -> Formula:
    """Entailment tries every time point for each modality, so depth is expensive."""
    if depth == 0 or random.random() < 0.1:
        return random.choice([*ATOMS, *ATOMS, Truth(True), Truth(False)])
    body = random_formula(random, depth - 1)
    match random.randrange(11):
        case 0:
            return Not(body)
        case 1:
            return And((body, random_formula(random, depth - 1)))
        case 2:
            return Or((body, random_formula(random, depth - 1)))
        case 3:
            return Implies(body, random_formula(random, depth - 1))
        case 4 | 5:
            return Some(body)
        case 6 | 7:
            return Always(body)
        case 8:
            return At(Constant(random.randint(0, 14)), body)
        case 9:
            return Reset(body)
    return Windowed(random_window(random), body)


def random_window(random: Random) -> Window:
    match random.randrange(7):
        case 0 | 1:
            return TimeWindow(random.randint(0, 5), random.choice([0, 0, 1, 3]))
        case 2:
            past, future = random.randint(1, 5), random.choice([HALF_OPEN, 0, 2])
            return TimeWindow(past, future, random.randint(1, past + future + 1))
        case 3:
            return random.choice([TimeWindow(UNBOUNDED), TimeWindow(2, UNBOUNDED), TimeWindow(UNBOUNDED, UNBOUNDED)])
        case 4:
            return TupleWindow(random.randint(1, 4), random.choice([0, 0, 1]), random.random() < 0.3)
        case 5:
            return FilterWindow((Pattern("a", ()), Pattern("e", (random.choice([None, "x", "y"]),))))
    start = random.randint(0, 9)
    return random.choice(
        [
            IntervalWindow(Constant(start), Constant(start + random.randint(0, 4))),
            PartitionWindow(random.randint(1, 2), 0, random.choice(KEYED), random.random() < 0.3),
            SessionWindow(random.randint(0, 3), random.choice(KEYED)),
        ]
    )


def random_data(random: Random, end: int | None) -> Stream:
    """Up to 10 arrivals from 0, 2 or 5 on, and some derived atoms."""
    start = random.choice([0, 0, 2, 5])
    last = start + 9 if end is None else end
    arrivals = [(random.randint(start, last), random.choice(FACTS)) for _ in range(random.randint(0, 10))]
    derived = {random.randint(start, last): frozenset({random.choice(FACTS)}) for _ in range(random.randint(0, 2))}
    return Stream.of(start, end, arrivals, derived)
