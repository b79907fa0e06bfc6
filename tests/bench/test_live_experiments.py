"""The experiments around the tick engine and truth maintenance, in their quick form."""

from __future__ import annotations

from larspark.bench.experiments.index import EXPERIMENTS


def test_nothing_is_lost_under_load() -> None:
    figures = list(EXPERIMENTS["live"].run(True))
    used = [figure for figure in figures if figure.what.startswith("atoms used / sent")]
    assert [figure.value for figure in used] == [1] * 4
    assert [figure.details["used"] for figure in used] == [figure.details["sent"] for figure in used]
    assert [figure.unit for figure in figures if figure not in used] == ["s"] * 4


def test_maintenance_compares_window_sizes() -> None:
    figures = list(EXPERIMENTS["maintenance"].run(True))
    assert [figure.what.rpartition(" ")[2] for figure in figures] == ["basic-td", "reach", "strategy"]
    assert all(figure.limit == 2 and set(figure.details["time_points_per_second"]) == {10, 50} for figure in figures)
