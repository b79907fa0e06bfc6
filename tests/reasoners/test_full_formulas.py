"""Full formulas: what they are lowered to has the answer streams of the definition, and so have the reasoners."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import larspark
from larspark.analysis.analysis import Analysis, Fragment
from larspark.analysis.formulas.predicates import TICKS
from larspark.analysis.pipeline import analyse
from larspark.diagnostics import Rejected
from larspark.language.facts import Fact
from larspark.language.parser import parse_fact, parse_program
from larspark.language.printing.printer import show
from larspark.language.tree import Program
from larspark.reasoners.protocol import AnswerStream
from larspark.reasoners.registry import make_reasoner
from larspark.semantics.answer_streams import answer_streams
from larspark.semantics.interpretations import Interpretation
from larspark.semantics.streams import Stream
from support.lowered_formulas import WRITTEN, random_arrivals, random_program
from support.verdicts import ALL_MODELS, REASONERS, TooDear, bounded

Atoms = frozenset[tuple[int, Fact]]
Models = frozenset[Atoms]


def judged(program: Program, stream: Stream, time: int, background: tuple[Fact, ...] = ()) -> Models:
    so_far = Stream.of(stream.start, None, [one for one in stream.input if one.time <= time])
    found = answer_streams(program, so_far, time, background=background)
    return frozenset(_visible(one, time) for one in found)


def _visible(found: Interpretation, time: int) -> Atoms:
    both = [*found.atoms, *((time, fact) for fact in found.output(time))]
    return frozenset((at, fact) for at, fact in both if not fact.signature.hidden)


def _atoms(time: int, found: AnswerStream) -> Atoms:
    pinned = [(at, fact) for at, facts in found.at.items() for fact in facts]
    both = [*pinned, *((time, fact) for fact in found.now)]
    return frozenset((at, fact) for at, fact in both if not fact.signature.hidden)


def lowered(program: Program) -> Analysis | None:
    analysis = analyse(program)
    return analysis if analysis.ok and analysis.lowered is not None else None


def compare(analysis: Analysis, stream: Stream, names: tuple[str, ...]) -> None:
    """Every reasoner that takes the program, at every time point up to some after the last arrival."""
    assert analysis.lowered is not None
    running = {name: make_reasoner(name, analysis, (), stream.start) for name in names if not analysis.accepts[name]}
    told = f"{show(analysis.program)}{show(analysis.lowered.program)}{stream.input}"
    for time in range(stream.start, stream.start + 11):
        expected = judged(analysis.program, stream, time)
        assert judged(analysis.lowered.program, stream, time, (TICKS,)) == expected, f"{time}: {told}"
        for name, reasoner in running.items():
            reasoner.advance(time, [one.fact for one in stream.input if one.time == time])
            found = reasoner.answer(None if name in ALL_MODELS else 1).answer_streams
            models = frozenset(_atoms(time, one) for one in found)
            same = models == expected if name in ALL_MODELS else models <= expected
            assert same, f"{name} {time}: {told}"
            assert bool(models) == bool(expected), f"{name} {time}: {told}"


@pytest.mark.random
@settings(max_examples=25)
@given(st.integers(0, 10**9))
def test_random_formulas_beside_the_judge(seed: int) -> None:
    random = Random(seed)
    analysis = lowered(random_program(random))
    if analysis is None:
        return
    try:
        with bounded():
            compare(analysis, random_arrivals(random), REASONERS)
    except (Rejected, TooDear):
        return


INNER = (
    "reset b",
    "reset (some b [2])",
    "reset e(X)",
    "reset (not b)",
    "reset (e(_) [of e/1])",
    "b [input 2]",
    "(some b) [input 2]",
    "(always b) [input 1]",
    "(b [input 2]) or a",
    "e(_) [input 1] and not a",
    "not (b [input 1])",
    "(some e(_)) [0]",
    "b [2]",
    "some e(_)",
    "@(now-1) (always (e(_) [2]))",
)
OUTER = ("some ({})", "always ({})", "some (not ({}))", "@(now-1) ({})", "@5 ({})", "{}")
AROUND = (
    *("[2]", "[4 hop 4]", "[10 hop 10]", "[hop 2 over 4]", "[2, +1 hop 3]", "[1, +1]", "[+2]", "[all]", "[of b/0]"),
    *("[3 #]", "[1 #]", "[1 # whole]", "[1 # of b/0]", "[session 1 of b/0]", "[from 3 to 9]", "[from 9 to 8]"),
    *("[from now-3 to now-2]", "[2] [from 3 to 9]", "[of b/0] [2]", "[from 4 to 8] [2]"),
)
GONE = Stream.of(
    3, None, [(5, Fact("b")), (6, Fact("b")), (6, Fact("e", ("x",))), (8, Fact("a")), (9, Fact("b")), (11, Fact("a"))]
)


@pytest.mark.random
@settings(max_examples=80)
@given(st.sampled_from(INNER), st.sampled_from(OUTER), st.sampled_from(AROUND), st.booleans())
def test_what_is_said_elsewhere_of_a_time_point_that_windows_select(
    inner: str, outer: str, window: str, denied: bool
) -> None:
    formula = f"({outer.format(inner)}) {window}"
    head = "f(X)" if "X" in inner else "f"
    body = f"e(X) [9], not {formula}" if denied and "X" in inner else f"not {formula}" if denied else formula
    analysis = lowered(parse_program(f"{head} :- {body}."))
    if analysis is not None:
        compare(analysis, GONE, REASONERS)


@pytest.mark.parametrize(
    "text",
    [
        "f :- (some (reset b)) [4 hop 4].",
        "f :- (some (reset b)) [1 #].",
        "f :- (some (b [input 2])) [2] [from 3 to 9].",
        "f :- (always (not (b [input 1]))) [tumble 4].",
        "f :- (some (((some (e(_)))) [0])) [2].",
        "f :- (some (@(now-1) (always (e(_) [2])))) [+2].",
    ],
)
def test_formulas_that_were_once_answered_otherwise(text: str) -> None:
    analysis = lowered(parse_program(text))
    assert analysis is not None
    compare(analysis, GONE, REASONERS)


@pytest.mark.parametrize("text", WRITTEN)
def test_what_people_write_is_lowered(text: str) -> None:
    analysis = lowered(parse_program(text))
    assert analysis is not None
    for seed in range(6):
        compare(analysis, random_arrivals(Random(seed)), REASONERS)


BEYOND = (
    ("h :- not (h or b).", "It denies what depends on the head of its own rule."),
    ("h :- (some (a [2 #])) [3].", "Such a window has no encoding at another time point than the present."),
    ("h :- (some (some (a [1])  [2])) [3].", "Windows in windows at another time point"),
    ("h :- (N = #count{ X : e(X) }) [3], e(N).", "An aggregate under a window"),
    ("(always h [from T to T + 2]) :- @T a [3].", "A head of this form leaves open which atoms hold."),
    ("(some h [2]) :- a.", "A head of this form leaves open which atoms hold."),
    ("(h(X) and g(X + 1)) :- e(X).", "Arithmetic in a part of it may have no value."),
    ("h :- e(X), (X + 1 > 3 or a).", "Arithmetic in a part of it may have no value."),
    ("p :- not (always (e(_) [1])) [2].", "A `_` of what is denied is one value at all time points of an `always`."),
)


@pytest.mark.parametrize(("text", "reason"), BEYOND)
def test_what_remains_for_the_definition_is_told_with_its_place(text: str, reason: str) -> None:
    analysis = analyse(parse_program(text))
    assert analysis.ok
    assert analysis.lowered is None
    assert analysis.reasoners == ("reference",)
    for name in REASONERS:
        (told,) = analysis.accepts[name]
        assert told.code == "E511"
        assert reason in told.message
        assert told.origin is not None
        assert told.origin.line == 1


def test_conclusions_of_parts_are_not_shown() -> None:
    analysis = analyse(parse_program("h :- (always (a or b)) [2].")).require("interval")
    reasoner = make_reasoner("interval", analysis, (), 0)
    reasoner.advance(0, [parse_fact("a")])
    now = reasoner.answer(1).answer_streams[0].now
    assert {fact.predicate for fact in now if fact.signature in analysis.shown} == {"h"}
    assert analysis.fragment is Fragment.FULL


@pytest.mark.parametrize("reasoner", [*REASONERS, "reference"])
def test_what_arrives_of_a_predicate_whose_rules_never_hold(reasoner: str) -> None:
    engine = larspark.Engine("#input s/1. s(1) :- (a or b), false.", reasoner)
    assert engine.advance(3, ["s(5)", "a"]).appeared == {parse_fact("s(5)")}


@pytest.mark.parametrize("declared", ["", "#input p/0. "])
@pytest.mark.parametrize("reasoner", [*REASONERS, "reference"])
def test_what_arrives_of_a_predicate_on_the_left_in_a_head(reasoner: str, declared: str) -> None:
    analysis = analyse(parse_program(declared + "(p -> q) :- b.")).require(reasoner)
    running = make_reasoner(reasoner, analysis, (), 0)
    running.advance(0, [parse_fact("p"), parse_fact("b")])
    assert running.answer(1).answer_streams[0].now == {parse_fact("p"), parse_fact("q")}


@pytest.mark.parametrize("reasoner", ["interval", "clingo", "jtms", "answer-update"])
def test_an_engine_goes_on_from_its_snapshot(reasoner: str) -> None:
    program = "h(X) :- (always (a(X) or b(X))) [2]. k :- (always (some a(1) [input 1])) [2]."
    engine = larspark.Engine(program, reasoner=reasoner)
    engine.advance(1, ["a(1)"])
    again = larspark.Engine.restore(engine.snapshot(), program)
    for time in range(2, 6):
        assert engine.advance(time, ["b(1)"]) == again.advance(time, ["b(1)"])
        assert engine.answer() == again.answer()


def test_rules_with_formulas_join_a_running_engine() -> None:
    engine = larspark.Engine("g(X) :- a(X) [3].")
    engine.advance(1, ["a(1)"])
    engine.add_rule("h(X) :- (some (a(X) and b)) [2], a(X) [3].")
    engine.advance(1, ["b"])
    assert set(map(str, engine.answer().answer_streams[0].now)) == {"g(1)", "h(1)"}
