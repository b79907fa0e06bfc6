"""Imports run one way: no module needs, through others, itself."""

from __future__ import annotations

import grimp
import networkx as nx


def test_no_module_needs_itself() -> None:
    graph = grimp.build_graph("larspark", exclude_type_checking_imports=True, cache_dir=None)
    imports = nx.DiGraph(
        (module, imported) for module in graph.modules for imported in graph.find_modules_directly_imported_by(module)
    )
    assert imports.number_of_edges() > 2000
    assert [sorted(found) for found in nx.strongly_connected_components(imports) if len(found) > 1] == []
