"""`a since b [w]` and `a until b [w]`: temporal logic inside a window, by every reasoner that takes them.

time             0 1 2 3 4 5
b                  *
a                  . * * . *
a since b          |---|
"""

from __future__ import annotations

from random import Random

import pytest

import larspark
from larspark.analysis.pipeline import analyse
from larspark.language import parse_program
from larspark.language.facts import Fact
from larspark.reasoners.reference import ReferenceReasoner
from larspark.semantics.streams import Stream
from support.beside_judge import assert_agrees
from support.evaluations import WAYS
from support.random_programs import Scenario
from support.verdicts import REASONERS, compare, judge

WINDOWS = (
    "", "[0]", "[1]", "[3]", "[+2]", "[2, +2]", "[all]", "[4 hop 2]", "[tumble 2]", "[3 #]", "[2 # whole]",
    "[of a/1, b/1, p/1, q/1]", "[1 # of a/1, b/1 per 1]", "[session 2 of a/1, b/1 per 1]", "[4] [3 #]", "[input 3]",
)  # fmt: skip
DEFINITION = {
    "since": "((some (R and (always (L or R)) [+all])) [all])",
    "until": "((some (R and (always (L or R)) [all])) [+all])",
}
"""The formulas of the language page."""
MANY = 80


def facts(random: Random) -> Stream:
    arrivals = []
    for time in range(8):
        arrivals += [(time, Fact("a", (value,))) for value in (1, 2) if random.random() < 0.7]
        arrivals += [(time, Fact("b", (value,))) for value in (1, 2) if random.random() < 0.25]
        arrivals += [(time, Fact("e", (1,)))] * (random.random() < 0.8)
    return Stream.of(0, None, arrivals)


def drawn(random: Random) -> tuple[str, str]:
    """A program, and the same with the definition instead of the word."""
    word, window = random.choice(["since", "since", "until"]), random.choice(WINDOWS)
    counts = "#" in window or "session" in window
    left, right = (random.choice(["a", "a", "b"] if counts else ["a", "a", "p"]) for _ in "ab")
    right = random.choice([right, "b", "b"] if counts else ["b", "b", "q"])
    own = random.random() < 0.3
    """Whether the left atom alone has the variable, which another literal binds."""
    at = "1" if own else "X"
    written = f"{left}(X) {word} {right}({at}) {window}"
    formula = DEFINITION[word].replace("L", f"{left}(X)").replace("R", f"{right}({at})") + f" {window}"
    bound = [
        "h(X) :- e(X), not ({}).",
        "h(X) :- a(X) [3], not ({}).",
        "h(X) :- a(X) [3], ({}).",
        "h(N) :- N = #count{{ X : a(X) [3], ({}) }}.",
        "h(X) :- e(X), (({}) or p(X)).",
    ]
    others_bind = [
        "h(X) :- e(_), {}.",
        "h(N) :- N = #count{{ X : {}, e(_) }}.",
        "h(X) :- e(X), @T (({})) [2].",
    ]
    rule = random.choice(bound if own else [*bound, *others_bind])
    others = "p(X) :- a(X) [1]. @(T+1) q(X) :- @T b(X) [3].\n"
    return others + rule.format(written), others + rule.format(formula)


def answers(text: str, stream: Stream) -> list[set[Fact]]:
    reasoner = ReferenceReasoner(analyse(parse_program(text)), (), 0)
    found = []
    for time in range(12):
        reasoner.advance(time, [fact for at, fact in stream.input if at == time])
        (one,) = reasoner.answer().answer_streams
        found.append({fact for fact in one.now if fact.predicate == "h"})
    return found


@pytest.mark.random
def test_it_is_what_the_definition_says_and_reasoners_agree() -> None:
    random = Random()
    compared = dict.fromkeys(REASONERS, 0)
    some = 0
    for _ in range(MANY):
        (written, defined), stream = drawn(random), facts(random)
        expected = answers(defined, stream)
        assert answers(written, stream) == expected, f"{written}\n{stream.input}"
        some += any(expected)
        judged = judge(Scenario(parse_program(written), stream, ()), WAYS["points"])
        for name in REASONERS:
            outcome = compare(name, judged)
            assert not outcome.wrong, f"{name}: {outcome.detail}\n{written}\n{stream.input}"
            compared[name] += outcome.kind == "agrees"
    assert some > MANY / 4
    assert compared["interval"] > MANY / 8
    assert compared["answer-update"] > MANY / 5


def test_a_witness_is_needed_and_what_was_before_it_does_not_matter() -> None:
    arrivals = [(1, "b"), (2, "a"), (3, "a"), (5, "a")]
    stream = Stream.of(0, None, [(time, Fact(name, (1,))) for time, name in arrivals])
    found = answers("h(X) :- a(X) since b(X) [5].", stream)
    assert [time for time, facts in enumerate(found) if facts] == [1, 2, 3]


STREAM = "0:a(1) 0:b(1) 1:a(1) 1:a(2) 2:a(1) 2:b(2) 3:a(1) 3:b(3) 4:a(2) 4:b(1) 5:a(1) 6:a(1) 7:b(2) 8:a(2)"


@pytest.mark.parametrize("reasoner", ["interval", "clingo", "jtms", "answer-update"])
@pytest.mark.parametrize(
    "text",
    [
        "w(X) :- a(X) [9], not (a(X) since b(1) [4]).",
        "w(X) :- a(X) [9], not (a(X) until b(_) [+4]).",
        "w(X,Y) :- a(X) [9], not (a(Y) since b(1) [4]), Y = X + 0.",
        "w(X) :- a(X) [9], (a(X) since b(1) [4]).",
        "w :- (a(_) since b(_) [4]).",
        "w(N) :- N = #count{ X : a(X) [9], ((a(X) since b(1) [4])) }.",
        "w(X) :- not (a(X) since b(1) [4]), not (a(X) since b(2) [2]), a(X) [6].",
        "w(X) :- not (a(X) since b(1)), 1 <= #count{ X : a(X) }, b(X) [9].",
    ],
)
def test_variables_of_the_left_atom_alone_and_parentheses(reasoner: str, text: str) -> None:
    assert not analyse(parse_program(text)).accepts[reasoner]
    assert_agrees(reasoner, text, STREAM)


@pytest.mark.parametrize(
    "text",
    [
        "h :- not (a(X) since b [3]).",
        "h :- not (a(X) since b [3]), not (a(X) since c [3]).",
        "h :- not (a(X) since b [3]), 0 = #count{ X : d(X) }.",
        "h :- not (a(X) since b [3]), not d(X).",
    ],
)
def test_a_denied_variable_that_nothing_binds_is_unsafe(text: str) -> None:
    assert "E201" in {one.code for one in analyse(parse_program(text)).diagnostics}


@pytest.mark.parametrize("reasoner", ["interval", "answer-update", "reference"])
def test_values_that_nobody_asks_for(reasoner: str) -> None:
    """b is denied now and before, each time for any value: 2 did not hold before, and 1 does not hold now."""
    engine = larspark.Engine("h(X) :- e(X), not (a(X) since b(X,_) [3]).", reasoner)
    found = []
    for time, arriving in enumerate(["b(1,1)", "a(1)", "b(1,2)", "c"]):
        engine.advance(time, ["e(1)", arriving])
        (stream,) = engine.answer().answer_streams
        found.append(bool(stream.now))
    assert found == [False, False, False, True]
