"""Window strata for the answer-update reasoner."""

from __future__ import annotations

from dataclasses import replace

from larspark.analysis.analysis import Analysis
from larspark.analysis.structure.window_graph import WindowGraph


def stratify_windows(analysis: Analysis) -> Analysis:
    """The stream dependency graph; its levels are computed when somebody asks."""
    return replace(analysis, window_graph=WindowGraph.of(analysis.program))
