"""Annotations and result counts of Laser and its benchmarks, read as statements about evaluation times.

An annotation [c,h] says at which evaluation times a formula or a head holds; the judge must hold it exactly there.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest

from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.language.traversal import rewrite
from larspark.language.tree import (
    Always,
    At,
    Atom,
    Constant,
    Formula,
    Operation,
    Program,
    RegisteredWindow,
    Rule,
    Some,
    TimeWindow,
    TupleWindow,
    Variable,
    Windowed,
)
from larspark.semantics.answer_streams import answer_streams
from larspark.semantics.queries import answers, holds
from larspark.semantics.streams import Stream
from larspark.semantics.structures import Structure
from support.notation import fact, literal
from support.vectors import Case, arrivals, cases, formula, window

A = Atom("a")


def covered(intervals: Iterable[list[int]]) -> set[int]:
    return {time for first, last in intervals for time in range(first, last + 1)}


def times_of(program: Program, stream: Stream, derived: Fact, until: int) -> set[int]:
    """The evaluation times at which a fact is in the output."""
    found = set()
    for time in range(stream.start, until + 1):
        (answer,) = answer_streams(program, stream, time)
        found |= {time} if derived in answer.output(time) else set()
    return found


@pytest.mark.parametrize("case", [case for case in cases("annotation") if "formula" in case.data], ids=str)
def test_annotated_formula(case: Case) -> None:
    stream = Stream.of(0, None, arrivals(case.data))
    found: dict[str, set[int]] = {}
    for time in range(45):
        m = Structure.of(stream.until(time), now=time)
        for answer in answers(m, time, formula(case["formula"])):
            found.setdefault(str(sorted(answer.items())), set()).add(time)
    wanted: dict[str, set[int]] = {}
    for annotation in case["expect"]:
        key = str(sorted(annotation["theta"].items()))
        wanted.setdefault(key, set()).update(covered([annotation["interval"]]))
    if case["id"] == "laser-ex8-box-literal-overlap":  # what the printed overlap test loses
        assert wanted == {}
        assert 7 in found["[('X', 'y')]"]
    else:
        for key, times in wanted.items():
            last = case.get("t", 44)
            assert {time for time in found[key] if case.get("t", 0) <= time <= last} == times
        assert found.keys() == wanted.keys()


@pytest.mark.parametrize("case", [case for case in cases("annotation") if "program" in case.data], ids=str)
def test_annotated_head(case: Case) -> None:
    stream = Stream.of(0, None, case.stream.input)
    for derived, intervals in case["expect"]["intervals"].items():
        assert times_of(case.program, stream, fact(derived), 20) == covered(intervals)


@pytest.mark.parametrize("case", cases("ssne"), ids=str)
def test_renewed_head(case: Case) -> None:
    stream = Stream.of(0, None, case.stream.input)
    for derived, intervals in case["expect"]["intervals"].items():
        assert times_of(case.program, stream, fact(derived), 20) == covered(intervals)


@pytest.mark.parametrize("case", cases("annotation_stages"), ids=str)
def test_stages_of_an_annotation(case: Case) -> None:
    atom = literal("a(y)")
    stages = {"a(X)": atom, "some": Some(atom), "window": Windowed(TimeWindow(9), Some(atom))}
    for name, (first, last) in case["expect"].items():
        held = []
        for time in range(40):
            m = Structure.of(Stream.of(0, None, arrivals(case.data)).until(time))
            held += [time] if holds(m, time, stages[name]) else []
        assert held == list(range(first, 40 if last == "inf" else last + 1)), name


@pytest.mark.parametrize("case", cases("laser_annotation"), ids=str)
def test_annotation_of_one_atom(case: Case) -> None:
    at = case["t"]
    modal: dict[str, Formula] = {
        "some": Some(A),
        "always": Always(A),
        "at": At(Constant(at), A),
        "at_ground": At(Constant(case.get("pin", at)), A),
    }
    query = Windowed(TimeWindow(case["window"]), modal[case["modality"]])
    start = at if case["modality"] == "always" else 0  # a box is clipped at the start, otherwise five more were needed
    stream = Stream.of(start, None, [(at, fact("a"))])
    held = {time for time in range(start, 60) if holds(Structure.of(stream.until(time)), time, query)}
    interval = case["expect"]["annotation"]
    assert held == (set() if interval is None else covered([interval]))


@pytest.mark.parametrize("case", cases("tuple_annotation"), ids=str)
def test_annotation_by_count(case: Case) -> None:
    """The atom is in the window from its own number on until as many others have arrived."""
    stream = Stream.of(35, None, [*case.stream.input, *((41, fact(f"c({number})")) for number in range(4))])
    query = Windowed(window(case["window"]), Some(literal(case["atom"])))
    held = [count for count in range(9) if holds(Structure.of(stream.until(42, count)), 42, query)]
    first, last = case["expect"]["count_interval"]
    assert held == list(range(first, last + 1))


def test_annotation_by_count_in_general() -> None:
    """laser-tuple-annotation-general."""
    stream = Stream.of(0, None, [(number, fact(f"c({number})")) for number in range(1, 12)])
    for size in (1, 2, 3, 5):
        for number in range(1, 8):
            query = Windowed(TupleWindow(size), Some(literal(f"c({number})")))
            held = {count for count in range(1, 12) if holds(Structure.of(stream.until(count)), count, query)}
            assert held == set(range(number, min(number + size, 12)))


@pytest.mark.parametrize("case", cases("answer_stream_count"), ids=str)
def test_number_of_answer_streams_when_derived_atoms_are_counted(case: Case) -> None:
    def counting(node: object) -> object:
        return RegisteredWindow("tuple_counting_all", (node.past,)) if isinstance(node, TupleWindow) else node

    assert case["tuple_counting"] == "all"
    program = rewrite(case.program, counting)  # type: ignore[arg-type]
    for time, number in case["expect"]["answer_streams"].items():
        data = Stream.of(case.stream.start, time, [one for one in case.stream.input if one.time <= time])
        assert len(answer_streams(program, data, time)) == number


def generated(data: dict[str, object]) -> list[tuple[int, Fact]]:
    """The arrivals a benchmark generator describes."""
    (first, last), shape = data["timeline"], data["atom"]  # type: ignore[misc]
    found = []
    for time in range(first, last + 1):
        match shape:
            case "p(t*rate+i, t*rate+i), i = 0..rate-1":
                rate = int(str(data["rate"]))
                found += [(time, Fact("p", (time * rate + i, time * rate + i))) for i in range(rate)]
            case "p(floor(t/rep), 0)":
                found.append((time, Fact("p", (time // int(str(data["rep"])), 0))))
            case "p(t,t+1)":
                found.append((time, Fact("p", (time, time + 1))))
            case _:
                raise ValueError(shape)
    return found


@pytest.mark.parametrize("case", cases("result_count"), ids=str)
def test_result_count(case: Case) -> None:
    program = parse_program("\n".join(case["rules"]))
    first, last = case["generator"]["timeline"]
    stream = Stream.of(first, None, generated(case["generator"]))
    counts, before = {}, frozenset[Fact]()
    for time in range(first, last + 1):
        (answer,) = answer_streams(program, stream, time)
        output = answer.output(time)
        counts[time] = len(output)
        if output and "new_heads_per_time_point" in case["expect"]:
            assert len(output - before) == case["expect"]["new_heads_per_time_point"]
        before = output
    assert {time: count for time, count in counts.items() if count} == case["expect"]["counts"]


# -- the rules of the interval calculus ------------------------------------------------------------


def test_a_point_under_a_window() -> None:
    """exact-rule-point-diamond: (u,[c,h]) under past n, future m holds on [max(c,u-m), min(h,u+n)]."""
    stream = Stream.of(0, None, [(7, fact("a"))])
    for shift in range(-3, 4):
        for inner in (0, 2, 4):
            for past, future in ((0, 0), (3, 0), (0, 2), (2, 3), (6, 1)):
                head = At(Operation("+", Variable("T"), Constant(shift)), Atom("b"))
                pinned = Rule(head, (Windowed(TimeWindow(inner), At(Variable("T"), A)),))
                seen = Rule(Atom("c"), (Windowed(TimeWindow(past, future), Some(Atom("b"))),))
                point, valid = 7 + shift, (7, 7 + inner)
                wanted = covered([[max(valid[0], point - future), min(valid[1], point + past)]])
                assert times_of(Program((pinned, seen)), stream, Fact("c"), 20) == wanted


def test_a_now_fact_under_a_window() -> None:
    """exact-rule-now-fact: some holds as long as the fact, always only if the window is the point itself."""
    for past, future in ((0, 0), (2, 0), (0, 1), (4, 2)):
        window = TimeWindow(past, future)
        now = Rule(Atom("b"), (Windowed(TimeWindow(3), Some(A)),))
        bodies = {"some": Some(Atom("b")), "always": Always(Atom("b")), "at": At(Variable("T"), Atom("b"))}
        rules = [Rule(Atom(f"c_{name}"), (Windowed(window, body),)) for name, body in bodies.items()]
        program, stream = Program((now, *rules)), Stream.of(0, None, [(5, fact("a"))])
        assert times_of(program, stream, Fact("c_some"), 12) == {5, 6, 7, 8}
        assert times_of(program, stream, Fact("c_at"), 12) == {5, 6, 7, 8}
        assert times_of(program, stream, Fact("c_always"), 12) == ({5, 6, 7, 8} if past == future == 0 else set())


def test_a_plain_atom_from_a_point() -> None:
    """exact-rule-plain-from-point: only at its own time, if it is derivable there."""
    for shift in range(4):
        for inner in range(4):
            program = parse_program(f"@(T+{shift}) b :- @T a [{inner}]. c :- b.")
            stream = Stream.of(0, None, [(5, fact("a"))])
            assert times_of(program, stream, Fact("c"), 12) == ({5 + shift} if shift <= inner else set())


def test_evaluation_ends_when_time_is_bounded() -> None:
    """laser-prop2-termination: recursion over times inside windows comes to an end."""
    program = parse_program("@(T+1) b :- @T b [3, +3]. @T b :- @T a [5]. c(N) :- N = #count{ T : @T b [3, +4] }.")
    for seed in range(5):
        random = Random(seed)
        stream = Stream.of(0, None, [(random.randint(0, 9), fact("a")) for _ in range(4)])
        assert all(len(answer_streams(program, stream, time)) == 1 for time in range(0, 14, 3))
