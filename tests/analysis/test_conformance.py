"""The conformance kinds about stratification: expected levels, edges, and which programs have none."""

from __future__ import annotations

import pytest

from larspark.analysis import analyse
from larspark.language.tree import Always, At, Atom, Constant, Formula, Some, TimeWindow, Windowed
from support.vectors import Case, cases


def label(node: Formula) -> str:
    """The notation of the vectors: `x`, `@t x`, `[3] @t y`."""
    match node:
        case Atom(predicate):
            return predicate
        case At(Constant(time), body):
            return f"@{time} {label(body)}"
        case At(_, body):
            return f"@T {label(body)}"
        case Windowed(TimeWindow(past), body):
            return f"[{past}] {label(body)}"
        case Some(body):
            return f"some {label(body)}"
        case Always(body):
            return f"always {label(body)}"
    raise AssertionError(node)


def levels(case: Case) -> dict[str, int]:
    """By label; of several extended atoms with one label the highest level."""
    strata = analyse(case.program).window_strata
    assert strata is not None
    found: dict[str, int] = {}
    for node, level in strata.items():
        found[label(node)] = max(level, found.get(label(node), 0))
    return found


@pytest.mark.parametrize("case", cases("window_stratification"), ids=str)
def test_window_stratification(case: Case) -> None:
    assert (analyse(case.program).window_strata is not None) == case["expect"]["stratified"]
    if case["expect"]["stratified"]:
        assert case["expect"]["levels"].items() <= levels(case).items()


@pytest.mark.parametrize("case", cases("neg_stratification"), ids=str)
def test_stratification_by_negation(case: Case) -> None:
    assert (analyse(case.program).strata is not None) == case["expect"]["stratified"]


@pytest.mark.parametrize("case", cases("strata"), ids=str)
def test_strata(case: Case) -> None:
    found = levels(case)
    assert case["expect"]["levels"].items() <= found.items()
    for level, names in case["expect"].get("strata", {}).items():
        for name in names:
            head = case.program.rules[int(name.removeprefix("r")) - 1].head
            assert found[label(head)] == level


@pytest.mark.parametrize("case", cases("s_stratified"), ids=str)
def test_stream_stratified(case: Case) -> None:
    assert (analyse(case.program).window_strata is not None) == case["expect"]


@pytest.mark.parametrize("case", cases("dependency_graph"), ids=str)
def test_stream_dependency_graph(case: Case) -> None:
    graph = analyse(case.program).window_graph
    edges = [[label(edge.upper), edge.order.value, label(edge.lower)] for edge in graph.edges]
    assert sorted(edges) == sorted(case["expect"]["edges"])
    if "nodes" in case["expect"]:
        assert sorted(map(label, graph.nodes)) == sorted(case["expect"]["nodes"])
