"""Components and paths, beside a graph library."""

from __future__ import annotations

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from larspark.analysis.structure.graphs import components, graph_of, ranked_components, shortest_path

NODES = st.integers(0, 7)
EDGES = st.lists(st.tuples(NODES, NODES), max_size=20)


@settings(max_examples=300)
@given(st.lists(NODES, max_size=4), EDGES)
def test_components_are_those_of_the_library_and_in_order(nodes, edges):
    graph, other = graph_of(nodes, edges), nx.DiGraph(edges)
    other.add_nodes_from(nodes)
    found = components(graph)
    assert sorted(map(sorted, found)) == sorted(map(sorted, nx.strongly_connected_components(other)))
    place = {node: number for number, part in enumerate(found) for node in part}
    assert all(place[source] <= place[target] for source, target in edges)


@settings(max_examples=300)
@given(EDGES)
def test_ranked_components_come_in_the_order_of_the_library(edges):
    other = nx.DiGraph(edges)
    condensed = nx.condensation(other)
    first = {node: min(condensed.nodes[node]["members"]) for node in condensed}
    expected = [
        frozenset(condensed.nodes[node]["members"])
        for node in nx.lexicographical_topological_sort(condensed, key=first.__getitem__)
    ]
    assert ranked_components(graph_of([], edges), lambda node: node) == expected


@settings(max_examples=300)
@given(EDGES, NODES, NODES)
def test_a_shortest_path_is_one(edges, source, target):
    graph, other = graph_of([], edges), nx.DiGraph(edges)
    found = shortest_path(graph, source, target)
    if source not in other or target not in other or not nx.has_path(other, source, target):
        assert found is None
        return
    assert found is not None
    assert len(found) == nx.shortest_path_length(other, source, target)
    assert all(edge in edges for edge in found)
    assert [*(a for a, _ in found), target] == [source, *(b for _, b in found)]


def test_a_long_chain_is_no_recursion():
    graph = graph_of([], ((node, node + 1) for node in range(50_000)))
    assert len(components(graph)) == 50_001
