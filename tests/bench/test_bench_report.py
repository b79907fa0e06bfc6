from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from larspark.bench.experiments.index import EXPERIMENTS
from larspark.bench.measuring.figures import Experiment, Figure
from larspark.bench.measuring.measure import Measurement, measure
from larspark.bench.measuring.run import do
from larspark.bench.measuring.store import Store
from larspark.bench.measuring.suite import RunRequest, growing, single
from larspark.bench.reporting.curves import plots
from larspark.bench.reporting.page import filled
from larspark.bench.reporting.plot import Panel, draw
from larspark.bench.reporting.report import as_figure, heading, line
from larspark.bench.workloads.catalogue import WORKLOADS
from support.workloads import tiny

SVG = "{http://www.w3.org/2000/svg}"


def test_a_plot_has_a_line_per_contestant_in_each_panel():
    curves = {"live": [(1, 0.5), (80, 0.9)], "hand": [(1, 0.1), (20, 0.1), (80, 0.12)]}
    root = ElementTree.fromstring(
        draw("diamond", [Panel("a", "x", "y", curves), Panel("b", "x", "y", {"live": [(50, 1.0)]})])
    )
    lines = [line.get("points", "").split() for line in root.iter(f"{SVG}polyline")]
    assert [len(line) for line in lines] == [2, 3, 1]
    heights = [float(point.split(",")[1]) for point in lines[0]]
    assert heights[0] > heights[1]  # what costs more is drawn higher


def records(*names: str, only: str = "live,hand", **given: int) -> list[dict[str, object]]:
    """Tiny measurements of these workloads as they are, and of their growth."""
    run = RunRequest({"points": 12, **given}, 1, quick=True, only=frozenset(only.split(",")))
    store = Store()
    jobs = [job for name in names for job in (single(WORKLOADS[name], run), *growing(WORKLOADS[name], run))]
    for _ in do(jobs, run, store, again=False, tell=lambda _: None):
        pass
    return list(store)


def test_measurements_survive_json():
    (live, *_) = measure(tiny("diamond"), 2)
    kept = Measurement.from_json(json.loads(json.dumps(live.as_json())))
    assert kept.us_per_point == pytest.approx(live.us_per_point, abs=1e-3)
    assert kept.answers == live.answers
    assert Measurement.from_json(kept.as_json()) == kept


def test_there_is_a_plot_per_workload_with_a_panel_per_axis():
    found = plots(records("diamond", "reach"))
    assert found.keys() == {"diamond", "reach"}
    titles = [text.text for text in ElementTree.fromstring(found["diamond"]).iter(f"{SVG}text")]
    assert {"against window", "against rate", "CPU µs per atom"} <= set(titles)
    lines = [line.get("points", "").split() for line in ElementTree.fromstring(found["diamond"]).iter(f"{SVG}polyline")]
    assert [len(line) for line in lines] == [2, 2, 2, 2]  # two sizes of two axes, live and hand


def test_figures_with_an_axis_are_curves():
    figure = Figure("turbine", 2.5, "µs", axis="time points before", at=100)
    (text,) = plots([{"experiment": "foresight", **figure.as_json()}]).values()
    assert "time points before" in text
    assert as_figure(figure.as_json()) == figure


def test_a_run_goes_on_where_it_stopped(tmp_path):
    run = RunRequest({"points": 8}, 1, quick=True, only=frozenset({"live"}))
    jobs = [single(WORKLOADS["diamond"], run), *growing(WORKLOADS["diamond"], run)]
    told: list[str] = []
    first = do(jobs, run, Store(tmp_path), again=False, tell=told.append)
    assert next(first)[0].name == "diamond"
    assert next(first)[0].name == "diamond window=1"
    first.close()  # in the middle of the second job
    rest = [job.name for job, _ in do(jobs, run, Store(tmp_path), again=False, tell=told.append)]
    assert rest == ["diamond window=1", "diamond window=5", "diamond rate=50", "diamond rate=200"]
    assert "1 of 5 jobs are measured already" in told
    assert told[-1].startswith("4 of 4: diamond rate=200; about")
    assert [*do(jobs, run, Store(tmp_path), again=False, tell=told.append)] == []
    assert len([*do(jobs[:1], run, Store(tmp_path), again=True, tell=told.append)]) == 1
    other = RunRequest({"points": 9}, 1, quick=True, only=frozenset({"live"}))
    assert len([*do(jobs[:1], other, Store(tmp_path), again=False, tell=told.append)]) == 1
    assert len(list(Store(tmp_path))) == 5


PAGE = """\
# Results

Written by hand.

<!-- measured: workloads -->
old
<!-- end -->

<!-- measured: growth -->
<!-- end -->

<!-- measured: experiments -->
<!-- end -->

<!-- measured: plots -->
<!-- end -->

<!-- measured: conditions -->
<!-- end -->

More by hand.
"""


def test_the_page_is_filled_and_what_is_written_by_hand_stays():
    settings = records("diamond")[0]["settings"]
    figure = {"experiment": "memory", "settings": settings, **Figure("per atom", 240, "bytes", 250).as_json()}
    page = filled(PAGE, [*records("diamond"), figure], "../benchmarks")
    assert "old" not in page
    assert page.startswith("# Results\n\nWritten by hand.\n")
    assert page.endswith("More by hand.\n")
    assert "| memory | per atom | 240 bytes | ≤ 250 bytes: met |" in page
    assert "| diamond | live | window 1 to 5 |" in page
    assert "![diamond](../benchmarks/diamond.svg)" in page
    assert "quick sizes, which say nothing about speed" in page
    assert filled(page, [*records("diamond"), figure], "../benchmarks").count("measured:") == PAGE.count("measured:")


def test_the_page_in_the_documents_shows_the_measurements_that_are_kept():
    root = Path(__file__).parents[2]
    page = (root / "docs/benchmarks.md").read_text(encoding="utf-8")
    kept = list(Store(root / "benchmarks"))
    assert filled(page, kept, "../benchmarks") == page
    assert all((root / f"benchmarks/{name}.svg").exists() for name in plots(kept))


def test_the_tables_name_everyone():
    found = measure(tiny("join-chain"), 1)
    assert [one.contestant for one in found] == ["live", "replay", "facts", "hand", "polars", "literal"]
    assert [line(one).split()[0] for one in found] == [one.contestant for one in found]
    assert heading(found[0]).startswith("join-chain: 24 atoms, rate 3, window 3, points 8")


def test_a_figure_tells_whether_its_limit_is_kept():
    assert Figure("size", 240, "bytes", 250).verdict == "≤ 250 bytes: met"
    assert Figure("speed", 240, "atoms/s", 250, at_least=True).verdict == "≥ 250 atoms/s: missed"
    assert Figure("size", 240, "bytes").verdict == ""


def test_an_experiment_that_needs_more_than_is_installed_tells_it():
    assert Experiment("x", "", lambda _: [], 1, needs=("json", "no_such_module")).missing == ["no_such_module"]


def test_memory_is_measured_in_its_own_process():
    sizes = list(EXPERIMENTS["memory"].run(True))
    assert [one.what for one in sizes] == ["per live atom, diamond", "per live atom, join-chain"]
    (soak,) = EXPERIMENTS["soak"].run(True)
    assert soak.details["resident_bytes"]["end"] > 0
    assert 0.5 < soak.value < 2


def test_idle_time_is_measured_beside_busy_time():
    found = list(EXPERIMENTS["idle-time"].run(True))
    assert [one.limit for one in found] == [1, None] * 3


def test_small_steps_are_measured_beside_code_written_by_hand():
    found = list(EXPERIMENTS["small-steps"].run(True))
    assert len(found) == 9
    assert all(one.limit == 3 and one.value > 0 < one.details["hand"] for one in found)


def test_what_lasts_is_measured_beside_a_window():
    found = list(EXPERIMENTS["lasting"].run(True))
    assert [one.limit for one in found] == [2, 2, 1] * 2


def test_dear_rules_are_measured_beside_plain_ones():
    found = list(EXPERIMENTS["dear-rules"].run(True))
    assert [one.what.rpartition(", ")[2] for one in found] == ["replay", "live"] * 3
    assert all(one.value > 0 for one in found)


def test_many_rules_are_measured_beside_the_few_that_are_touched():
    found = list(EXPERIMENTS["many-rules"].run(True))
    assert [one.limit for one in found] == [1, 1.25, 1, 1.25, 2]


def test_a_start_is_measured_in_a_process_of_its_own():
    (warm,) = EXPERIMENTS["start"].run(True)
    assert warm.details["cpu_seconds"] > 0.05
    assert warm.value > 0.05


def test_the_order_of_joins_is_measured_where_answers_agree():
    (found,) = EXPERIMENTS["join-order"].run(True)
    assert found.at_least
    assert found.value > 0
