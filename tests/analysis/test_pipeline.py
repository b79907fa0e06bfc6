"""The pipeline as a whole, on whatever can be parsed."""

from __future__ import annotations

from hypothesis import given, settings

from language.trees import programs
from larspark.analysis import analyse
from larspark.analysis.partitioning.stages import stages
from larspark.analysis.structure.window_graph import LevelOrder
from larspark.language.facts import Signature
from larspark.language.parser import parse_program
from larspark.language.tree import Program
from support.analysed import codes


@given(programs)
@settings(max_examples=200)
def test_no_program_makes_the_analysis_fail(program: Program) -> None:
    analysis = analyse(program)
    stages(analysis)
    assert analysis.accepts["reference"] == ()
    assert all(finding.hint for finding in analysis.diagnostics)
    assert analysis.ok or not analysis.reasoners


@given(programs)
@settings(max_examples=200)
def test_window_strata_respect_every_edge(program: Program) -> None:
    """Answer update, Def. 5."""
    graph = analyse(program).window_graph
    if graph.levels is None:
        return
    for edge in graph.edges:
        upper, lower = graph.levels[edge.upper], graph.levels[edge.lower]
        match edge.order:
            case LevelOrder.AT_LEAST:
                assert upper >= lower
            case LevelOrder.EQUAL:
                assert upper == lower
            case LevelOrder.ABOVE:
                assert upper > lower


def test_clock_and_constants_can_be_given_from_outside() -> None:
    program = parse_program("#const k = 3. h :- a [k], b [2 s].")
    analysis = analyse(program, constants={"k": 7})
    assert [kept.past for kept in analysis.retention.values()] == [7, 2, 0]


def test_background_can_be_given_from_outside() -> None:
    analysis = analyse(parse_program("h(X) :- a(X), b(X)."), background=[Signature("b", 1)])
    assert analysis.extensional == {Signature("a", 1)}


def test_python_functions_need_permission() -> None:
    text = '#function f/1 from "f.py". h(Y) :- a(X), Y = f(X).'
    assert codes(text) == ["E206"]
    assert analyse(parse_program(text), allow_functions=True).ok
