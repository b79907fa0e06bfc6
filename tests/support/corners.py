"""Small programs by hand, each about one corner of a construct, over streams with something at every border.

Random programs meet most of these corners, but seldom where nothing else decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.language.traversal import atoms
from larspark.language.tree import Input
from larspark.semantics.streams import Stream
from support.kept import facts_in
from support.random_programs import Scenario

# Half of the programs run with small limits, those with an odd number of arrivals: of these streams, the second.
NUMBERS = (
    "0: e(1). f(1,2).",
    "1: e(2). a. e(2).",
    "2: a. e(1). f(2,3). r(1). r(2,3).",
    "3: a. b. e(3). f(1,-4). r(2). r.",
    "4: e(2). e(0). r(1).",
    "7: e(1). f(1,2). f(1,2). r(3).",
    "8: b. e(-4). f(2,2). r(1). r(2). r(2,2).",
    "9: a. f(3,1).",
    "10: a. e(2). f(1,5). r(2). r.",
    "11: e(3). a.",
)
MIXED = (
    "0: e(x). f(x,1.5). r(x).",
    "1: e(1.5). a. r(2.5).",
    "2: f(x,2). f(1,0.5). e(7). r(1,0.5).",
    '3: e("two words"). e(2). f(2,x). r("1").',
    "4: e(-0.25). f(x,1.5). f(1,2). r(1).",
    "6: e(x). f(1,2.5). g(x,1.5,2).",
    "7: b. a. e(0.001). r(2.5). r. f(0.5,0.00000000000000000001).",
    '8: f(x,"two words"). e(2.5). e(2). g(1,1.5,x).',
    "9: e(1152921504606846976). f(1,1152921504606846975). e(-1152921504606846976).",
    "10: f(1,9223372036854775808). e(x). f(2,12345678901234567890.5). r(x).",
    "12: e(1.5). f(2,0.1234567890123456789012345678901234).",
)
WINDOWS = (
    "[0]", "[2]", "[+2]", "[1, +1]", "[3 hop 2]", "[2, +1 hop 3]", "[4 hop 4]", "[tumble 3]", "[hop 2 over 4]",
    "[all]", "[all, +all]", "[2, +all]", "[from 2 to 8]", "[from 8 to 2]", "[from now-3 to now-1]",
    "[of r(1), e/1]", "[of r/1] [2]", "[2] [of r(2), r(1)]", "[4] [from 3 to 9]", "[3] [2 hop 2]",
    "[2 hop 2] [1]", "[from 2 to 9] [3 hop 3]", "[2, +all] [3, +1]", "[1, +all] [from 3 to 7]", "[1, +2 hop 2]",
    "[all, +1]", "[from 3 to 9] [from 2 to 6]", "[2, +2]", "[+2 hop 3]",
)  # fmt: skip
COUNTING = (
    "[1 #]", "[3 #]", "[2 # whole]", "[3 #, +1 #]", "[1 # per 1]", "[2 # per 1]", "[1 # whole per 1]",
    "[2 # of r/1]", "[2 # of r/1, e/1]", "[session 1]", "[session 2 per 1]", "[session 0 per 1]", "[3] [2 #]",
    "[2 #] [1]", "[3 #] [1 # per 1]", "[of r/1] [2 # whole]", "[from 2 to 8] [2 #]", "[2 #] [from 2 to 9]",
    "[4 hop 2] [2 #]", "[3 #] [2 hop 2]", "[2 #] [tumble 3]", "[session 2] [1]",
)  # fmt: skip
SOURCES = {
    "arrives": "",
    "is concluded": "r(X) :- e(X) [1].",
    "is pinned ahead": "@(T+2) r(X) :- @T e(X) [1].",
    "is pinned": "@T r(X) :- @T e(X) [2], b [3].",
    "is recorded": "#record r/1. r(X) :- e(X), a.",
    "is recorded ahead": "#record r/1. @(T+1) r(X) :- @T e(X) [0].",
    "is recorded in both ways": "#record r/1. r(X) :- e(X) [1]. @(T+1) r(X) :- @T e(X) [0].",
    "arrives and is recorded": "#input r/1. #record r/1. r(X) :- e(X), a.",
    "is held": "#hold r/1.",
    "is held by key": "#hold r/1 per 1 for 2.",
    "arrives and is concluded": "#input r/1. r(X) :- e(X) [1].",
    "arrives and is pinned": "#input r/1. @(T+1) r(X) :- @T e(X) [1].",
    "is taken back": "r(X) :- e(X) [2], not f(X,_) [1].",
}
READINGS = ("t(X,T) :- @T r(X) {}.", "s(X) :- r(X) {}.", "s(X) :- always r(X) {}.", "s(X) :- e(X) [3], not r(X) {}.")
AGGREGATED = (
    "p(N) :- N = #sum{{ X : r(X,_) {} }}.",
    "p(N) :- N = #count{{ V : r(_,V) {} }}.",
    "p(X,N) :- e(X) [9], N = #max{{ V : r(X,V) {} }}.",
    "p(X,N) :- r(X,_) {0}, N = #sum{{ V : r(X,V) {0} }}.",
    "p(N,M) :- N = #count{{ X : r(X,_) {0} }}, M = #min{{ V : r(_,V) {0} }}.",
    "p(X,N,M) :- e(X) [9], N = #max{{ V : r(X,V) {0} }}, M = #sum{{ V : r(X,V) {0} }}.",
    "p(V,N) :- f(_,V) [9], N = #count{{ X : r(X,V) {} }}.",
    "p(N) :- N = #avg{{ V,X : r(X,V) {}, V != 3 }}.",
)
"""What is made of the values of longer atoms, whatever they are stored for."""
LENGTHS = {
    0: {"e(X)": "a", "e/1": "a/0", "f(X,_)": "b", "(X)": "", "(X,T)": "(T)", "/1": "/0", " per 1": "", "r(1), ": "",
        "r(2), ": "", "(1)": "", "(2)": ""},
    2: {"e(X)": "f(X,V)", "e/1": "f/2", "(X)": "(X,V)", "(X,T)": "(X,V,T)", "/1": "/2", "(1)": "(1,_)",
        "(2)": "(2,3)"},
}  # fmt: skip
"""How what is written about atoms with one argument becomes one about others."""
STARTS = (0, 5, 40)
TIMED = re.compile("now|from|@X|, T ")
GIVEN = (
    "#input r/1. t(X,T) :- @T r(X) {}.",
    "s(X) :- r(X) {}.",
    "#input r/1. s(X) :- always r(X) {}.",
    "p :- not r(2) {}.",
    "t(X,T) :- @T r(X) {}, @T a [4].",
    "#input r/1. t(X,N) :- @T r(X) {}, @T a [4], N = #count{{ Y : e(Y) [from T to now] }}.",
)
ALSO_GIVEN = (
    "s(X) :- r(X) [from 3 to 90].",
    "s(X) :- r(X) [2] [from 5 to 6].",
    "s(X) :- e(X) [9], not r(5) [2] [from 2 to 4].",
    "#input r/1. s(X) :- r(X) [2 #] [2] [from 2 to 4].",
    "t(X,T) :- @T r(X) [1, +all], e(T) [9].",
    "t(X,T) :- @T r(X), e(T) [9].",
    "t(X,T) :- @T r(X) [3, +all hop 2], e(T) [9].",
    "s(X) :- always r(X) [from T to now], @T a [3].",
    "#input r/1. s(X) :- always r(X) [from T-1 to T], @T e(_) [3].",
    "s(X) :- e(X) [9], not always r(X) [from T to X], @T a [3].",
    "t(X,N) :- @T r(X), e(T) [9], N = #count{ K : e(K) [4], K != X }.",
    "s(T) :- r(1) [1, +all] [from T to T+1], @T a [9].",
    "t(X,Y) :- r(X) [2, +all] [from X to Y], e(Y) [9].",
    "s(Y) :- e(Y) [9], not r(1) [1, +all] [from Y to Y+1].",
    "t(X,T) :- @_ r(X) [1, +all] [0, +all] [from T-1 to T], @T a [9].",
    "#input r/1. s(N) :- N = #max{ X : always r(X) [1] }.",
    "#input r/1. t(N,M) :- N = #count{ X : always r(X) [2] }, M = #sum{ X : r(X) [1], X < 9 }.",
    "#input r/1. s(N) :- N = #min{ X : r(X) [1], not e(X) [2] }.",
    "#input r/1. s(X) :- @now r(X), not t(X). t(X) :- r(X), not s(X).",
    "#input r/1. t(X) :- @now r(X), not s(X). s(X) :- r(X), not t(X).",
    "s(Y) :- always e(Y) [from X to now], @_ r(X) [1, +all].",
)
KEYED_GIVEN = (
    "s(X) | t(X) :- r(X). :- t(X), not e(X) [2]. :- s(X), e(X) [2].",
    "s(X) | t(X) :- r(X), now > 7. :- t(X).",
    "s(X) | t(X) :- r(X). :- t(X), now > 6. :- s(X), now <= 6. :- s(X), e(X).",
    "s(X) | t(X) :- r(X), not e(X) [1], now > 7. :- t(X).",
    "s(X) | t(X) :- r(X), not e(X), now > 7. :- t(X).",
    "s(X) | t(X) :- r(X) [from 6 to 9]. :- t(X). k(X) :- e(X) [1], t(X).",
    "s(X) | t(X) :- r(X) [2 hop 3] [1]. :- t(X). k(X) :- e(X) [1], t(X).",
    "s(X) | t(X) :- r(X) [1 hop 2] [0]. :- t(X). k(X) :- e(X) [1], t(X).",
    "s(X) | t(X) :- r(X). :- t(X). @(now+1) k(X) :- s(X), not e(X) [1].",
    "s(X) | t(X) :- r(X). :- t(X). @9 k(X) :- s(X), not e(X) [1].",
    "s(X) | t(X) :- r(X). :- t(X). k(X) :- s(X), not @8 r(X), not e(X) [1].",
    "s(X) | t(X) :- r(X), not f(X,_) [1]. :- t(X). k :- s(X), e(X) [1]. q(Y) :- f(X,Y) [3], not s(X).",
    "s(X) | t(X) :- e(X) [1], not r(X). :- t(X). k(X) :- r(X), not s(X).",
    "s(X) | t(X) :- r(X), not e(X) [all]. :- t(X).",
    "s(X) | t(X) :- r(X) [3 hop 4]. :- t(X).",
    "s(X) | t(X) :- r(X) [1], now > 7. :- t(X).",
)
"""Choices by keys, some of which are given: they go on without data, by the clock as well."""
GIVEN_FACTS = (Fact("r", (1,)), Fact("r", (5,)))

WAYS = "%% "
"""Begins a line with the ways in which the rules up to the next empty line are evaluated."""


@dataclass(frozen=True)
class Corner:
    """Rules over both streams, and the ways that are asked for; none: it does not matter which."""

    scenarios: tuple[Scenario, Scenario]
    ways: tuple[str, ...]


@cache
def rule_corners() -> tuple[Corner, ...]:
    """Every line of rules, over late streams only where times are not compared with small numbers."""
    found: list[Corner] = []
    ways: tuple[str, ...] = ()
    for line in (Path(__file__).parent / "corner_rules.txt").read_text().splitlines():
        if line.startswith(WAYS):
            ways = tuple(line.removeprefix(WAYS).split(", "))
        elif not line:
            ways = ()
        elif not line.startswith("%"):
            start = STARTS[len(found) % (2 if TIMED.search(line) else 3)]
            found.append(Corner((_scenario(line, start, NUMBERS), _scenario(line, start, MIXED)), ways))
    return tuple(found)


@cache
def window_corners() -> tuple[Scenario, ...]:
    """Atoms of every origin and length, read through most windows, in different ways in turn."""
    return tuple(_derived())


@cache
def aggregate_corners() -> tuple[Scenario, ...]:
    """Aggregates of the values of atoms of every origin."""
    return tuple(
        _scenario(f"{_of_length(source, 2)} {use.format(window)}", start, lines)
        for number, source in enumerate(SOURCES.values())
        for place, use in enumerate(AGGREGATED)
        for window in (("[2]", "[0]", "[3 hop 2]", "[tumble 3]", "[all]")[(number + place) % 5],)
        for start, lines in (((0, NUMBERS), (5, MIXED))[(number + place) % 2],)
    )


@cache
def given_corners() -> tuple[Scenario, ...]:
    """The same of facts that are given."""
    return tuple(_given())


@cache
def keyed_corners() -> tuple[Scenario, ...]:
    """Keys that are decided apart, with and without data."""
    return tuple(
        _scenario(rules, start, lines, GIVEN_FACTS)
        for rules in KEYED_GIVEN
        for start, lines in ((0, NUMBERS), (2, MIXED))
    )


def _derived() -> Iterator[Scenario]:
    for number, source in enumerate(SOURCES.values()):
        windows = WINDOWS if source and not source.startswith(("#input", "#hold")) else (*WINDOWS, *COUNTING)
        for place, window in enumerate(windows):
            if source and (number + place // 3) % 3 == 0:
                continue
            reading = READINGS[(number + place // 2) % len(READINGS)].format(window)
            lines = (NUMBERS, MIXED)[place // 2 % 2]
            yield _scenario(_of_length(f"{source} {reading}", (number + place) % 3), STARTS[place % 2], lines)


@cache
def lasting_corners() -> tuple[Scenario, ...]:
    """What lasts is seen by each window over a stretch, where nobody asks for its time."""
    return tuple(
        _scenario(f"{source} s(X) :- r(X) {window}.", STARTS[place % 2], (NUMBERS, MIXED)[place // 2 % 2])
        for number, source in enumerate(one for one in SOURCES.values() if "#record" in one or "#hold" in one)
        for place, window in enumerate(WINDOWS)
        if (place + number) % 2 == 0
    )


def _given() -> Iterator[Scenario]:
    for place, window in enumerate((*WINDOWS, *COUNTING)):
        for turn in range(0, len(GIVEN), 3):
            rules = GIVEN[(place + turn) % len(GIVEN)].format(window)
            yield _scenario(rules, STARTS[(place + turn) % 3], (NUMBERS, MIXED)[turn // 3], GIVEN_FACTS)
    for rules in ALSO_GIVEN:
        yield _scenario(rules, 0, NUMBERS, GIVEN_FACTS)
        yield _scenario(rules, 5, MIXED, GIVEN_FACTS)


def _of_length(rules: str, length: int) -> str:
    """The rules about atoms with so many arguments instead of one."""
    for old, new in LENGTHS.get(length, {}).items():
        rules = rules.replace(old, new)
    return rules


def _scenario(rules: str, start: int, lines: tuple[str, ...], given: tuple[Fact, ...] = ()) -> Scenario:
    """What is concluded or given arrives only where the program says that it does, and with as many arguments."""
    program = parse_program(rules)
    named = {atom.signature for rule in program.rules for atom in atoms(rule)}
    declared = {one.signature for one in program.directives if isinstance(one, Input)}
    known = {atom.signature for rule in program.rules for atom in atoms(rule.head)}
    known |= {fact.signature for fact in given}
    timed = (line.partition(":") for line in lines)
    arrivals = [
        (start + int(time), fact)
        for time, _, facts in timed
        for fact in facts_in(facts)
        if fact.signature not in known - declared
        and (fact.signature in named or all(fact.predicate != one.predicate for one in named))
    ]
    return Scenario(program, Stream.of(start, None, arrivals), given)
