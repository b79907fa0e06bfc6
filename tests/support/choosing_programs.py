"""Random programs with choices that are independent of each other, over and under rules without any."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from larspark.analysis.analysis import Analysis
from larspark.analysis.pipeline import analyse
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.language.values import Value
from larspark.spark.plan.plan import SparkPlan, make_plan

VALUES: tuple[Value, ...] = ("x", 2, "two words")
BODIES = (
    "e(X) [2]",
    "f(X, _) [1]",
    "f(_, X)",
    "g(X)",
    "g(X) [3]",
    "bg(X)",
    "@T e(X) [2]",
    "e(X) [2 # per X]",
    "f(X, Z) [2], e(Z) [1]",
)
CONDITIONS = ("not f(X, _) [2]", "g(X)", "not g(X)", "e(X) [all]", "always e(X) [1]", "bg(X)", "not low(X)", "low(X)")


def random_program(random: Random) -> tuple[Analysis, SparkPlan]:
    background = tuple(Fact("bg", (value,)) for value in random.sample([*VALUES, "z"], 2))
    program = parse_program("\n".join(random_rules(random)))
    analysis = analyse(program, background={fact.signature for fact in background}).require()
    return analysis, make_plan(analysis, background)


def random_arrivals(random: Random) -> list[tuple[int, Fact]]:
    times = sorted(random.randint(1, 9) for _ in range(random.randint(1, 10)))
    return [(time, _arrival(random)) for time in times]


def _arrival(random: Random) -> Fact:
    name, arity = random.choice([("e", 1), ("e", 1), ("f", 2), ("strange", 1)])
    return Fact(name, tuple(random.choice(VALUES) for _ in range(arity)))


def random_rules(random: Random) -> Iterator[str]:
    """Below `low` and `g`, choices c1/d1, c2/d2, …, what connects some of them, and what follows from them."""
    yield f"low(X) :- {random.choice(BODIES[:3])}, not bg(X)."
    yield f"{random.choice(['', '@(T + 1) '])}g(X) :- @T f(_, X) [2]."
    count = random.randint(1, 3)
    for number in range(1, count + 1):
        yield from _choice(random, f"c{number}", f"d{number}")
    names = [f"{kind}{number}" for number in range(1, count + 1) for kind in "cd"]
    for _ in range(random.choice([0, 0, 1, 2])):
        first, second = random.choice(names), random.choice(names)
        other = random.choice(
            [f"{second}(X)", f"not {second}(X)", "e(X)", f"{second}(Y), X != Y", "f(X, Y) [2], low(Y)"]
        )
        yield f":- {first}(X), {other}."
    for _ in range(random.randint(0, 3)):
        first, second = random.choice(names), random.choice([*names, "low"])
        head = random.choice(["top(X)", "top(X)", "top(Y)", "over"])
        binder = random.choice([f"{first}(X), f(X, Y) [3]", f"{first}(X) [1], not {second}(X), Y = X"])
        yield f"{head} :- {binder}."
    if random.random() < 0.3:
        yield f"{random.choice(['@(T - 1)', '@(T + 1)'])} late(X) :- @T e(X) [2], {random.choice(names)}(X)."
        yield f"after(X) :- late(X) [2], {random.choice([f'{random.choice(names)}(X)', 'e(X)'])}."


def _choice(random: Random, one: str, other: str) -> Iterator[str]:
    body = random.choice(BODIES)
    condition = random.choice(["", f", {random.choice(CONDITIONS)}"])
    match random.choice(["loop", "loop", "or", "or", "pairs", "wide", "self"]):
        case "loop":
            yield f"{one}(X) :- {body}{condition}, not {other}(X)."
            yield f"{other}(X) :- {body}, not {one}(X)."
        case "or":
            yield f"{one}(X) | {other}(X) :- {body}{condition}."
        case "pairs":
            # What is chosen has a possible second argument, by which constraints join it with data.
            yield f"{one}(X) | {other}(X) :- pick(X, _)."
            yield "pick(X, Y) :- f(X, Y) [2], not miss(X, Y). miss(X, Y) :- f(X, Y) [2], not pick(X, Y)."
            yield f":- pick(X, Y), e(Y), {random.choice(['low(X)', 'e(X) [2]', 'not g(X)'])}."
        case "wide":
            # The choice is about Y, the data goes by X.
            yield f"{one}(Y) | {other}(Y) :- f(X, Y) [2]."
            yield f"{random.choice([one, other])}(Y) :- f(X, Y) [1], e(X) [4]."
        case "self":
            yield f"{one}(X) :- {body}, not {other}(X)."
            yield f"{other}(X) :- {body}{condition}, not {one}(X)."
            yield f"{one}(X) :- {other}(X), g(X), not {one}(X)."
