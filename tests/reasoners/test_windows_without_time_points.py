"""A window that selects no time point satisfies no atom formula, in every reasoner."""

from __future__ import annotations

import pytest

from larspark.analysis import analyse
from larspark.language.facts import Fact
from larspark.language.parser import parse_fact, parse_program
from larspark.reasoners.registry import make_reasoner
from larspark.semantics.answer_streams import answer_streams
from larspark.semantics.streams import Stream

PLAIN = ("reference", "interval", "clingo", "answer-update", "jtms")
BACKGROUND = (Fact("bg", (7,)),)
START = 3
STREAM = [(3, "a"), (4, "a"), (3, "e(1)"), (4, "e(1)"), (5, "a"), (5, "machine(1)"), (8, "a"), (8, "e(1)")]


@pytest.mark.parametrize(
    ("text", "first", "reasoners"),
    [
        ("d :- always a [10 hop 5].", 5, PLAIN),
        ("d(X) :- always e(X) [10 hop 5].", None, PLAIN),
        ("d(X) :- always e(X) [4 hop 4].", 4, PLAIN),
        ("d :- always bg(_) [10 hop 5].", 5, PLAIN),
        ("d(X) :- always bg(X) [10 hop 5].", 5, PLAIN),
        ("d(X) :- always bg(X) [10, +1 hop 5].", 5, PLAIN),
        ("d :- bg(_) [10 hop 5].", 5, PLAIN),
        ("@T d :- @T bg(_) [5 hop 5].", 5, PLAIN),
        ("d :- always a [from 1 to 2].", None, PLAIN),
        ("d :- always bg(_) [from 1 to 2].", None, PLAIN),
        ("d :- always bg(_) [from 9 to 8].", None, PLAIN),
        ("d :- always bg(_) [from 3 to 3].", 3, PLAIN),
        ("d :- bg(_) [from 1 to 2].", None, PLAIN),
        ("d :- not always a [10 hop 5].", 3, PLAIN),
        ("d :- not always bg(_) [from 1 to 2].", 3, PLAIN),
        ("d :- machine(X) [all], always a [from X + 0 to X + 1].", None, ("reference", "interval", "answer-update")),
        ("d :- machine(X) [all], not always a [from X + 0 to X + 1].", 5, ("reference", "interval", "answer-update")),
        ("d :- (bg(7)) [10 hop 5].", 5, PLAIN),
        ("d :- (not bg(7)) [10 hop 5].", 3, PLAIN),
        ("d :- (always (a or not a)) [10 hop 5].", 5, PLAIN),
        ("d :- (always (bg(X))) [10 hop 5], X > 0.", 5, PLAIN),
    ],
)
def test_no_atom_formula_holds(text: str, first: int | None, reasoners: tuple[str, ...]) -> None:
    """The first time point at which d holds is given; every reasoner says what the definition says, at all of them."""
    program = parse_program(f"{text} seen :- machine(_).", "t.lars")
    analysis = analyse(program, background={fact.signature for fact in BACKGROUND})
    arrivals = [(time, parse_fact(atom)) for time, atom in STREAM]
    stream = Stream.of(START, None, arrivals)
    running = [make_reasoner(name, analysis, BACKGROUND, START) for name in reasoners]
    met = None
    for time in range(START, 12):
        (expected,) = answer_streams(analysis.program, stream, time, background=BACKGROUND)
        if met is None and any(fact.predicate == "d" for facts in expected.derived.values() for fact in facts):
            met = time
        for name, reasoner in zip(reasoners, running, strict=True):
            reasoner.advance(time, [fact for at, fact in arrivals if at == time])
            (found,) = reasoner.answer().answer_streams
            assert found.now == expected.output(time), (name, time)
            elsewhere = {at: facts for at, facts in expected.derived.items() if at != time}
            assert dict(found.at) == elsewhere, (name, time)
    assert met == first


@pytest.mark.parametrize("name", PLAIN)
def test_no_alarm_before_the_first_pivot(name: str) -> None:
    analysis = analyse(parse_program("alarm(M) :- always hot(M) [10 hop 5], machine(M).", "t.lars"))
    reasoner = make_reasoner(name, analysis, (), START)
    for time in range(START, START + 5):
        reasoner.advance(time, [Fact("machine", (1,))])
        (found,) = reasoner.answer().answer_streams
        assert not found.now


@pytest.mark.parametrize("end", [None, 9])
def test_a_head_without_time_points_cannot_be_satisfied(end: int | None) -> None:
    """As a head `@T a` before the timeline, and by the definition of answer streams too."""
    analysis = analyse(parse_program("always p [from 1 to 2] :- a.", "t.lars"))
    stream = Stream.of(START, end, [(4, Fact("a"))])
    assert answer_streams(analysis.program, stream, 4) == []
