"""The benchmarks of foresight run, and compare answers before they measure."""

from __future__ import annotations

import pytest

from larspark.bench.experiments import foresight
from larspark.bench.experiments.index import EXPERIMENTS
from larspark.bench.measuring.measure import AnswersDiffer
from larspark.bench.peers.by_hand.turbines import Turbines

NAMES = [name for name in EXPERIMENTS if name.startswith("foresight")]


@pytest.mark.parametrize("name", NAMES)
def test_a_quick_run_gives_figures(name: str) -> None:
    figures = list(EXPERIMENTS[name].run(True))
    assert any(figure.limit is not None for figure in figures)
    assert all(figure.value > 0 for figure in figures)


def test_a_peer_that_differs_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Turbines, "answers", lambda _: iter([(1, 0, 0)]))
    with pytest.raises(AnswersDiffer):
        list(EXPERIMENTS["foresight"].run(True))


def test_rows_are_bounded_by_the_window() -> None:
    found = foresight.memory(60)
    assert found["end"]["rows"] < 3 * found["tenth"]["rows"]
