from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree

from larspark.bench.experiments import EXPERIMENTS
from larspark.bench.figures import Experiment, Figure
from larspark.bench.measure import measure
from larspark.bench.plot import Panel, draw
from larspark.bench.report import as_markdown, as_text, write
from larspark.bench.task import Task
from support.workloads import tiny

SVG = "{http://www.w3.org/2000/svg}"


def test_a_plot_has_a_line_per_contestant_in_each_panel():
    curves = {"live": [(1, 0.5), (80, 0.9)], "hand": [(1, 0.1), (20, 0.1), (80, 0.12)]}
    root = ElementTree.fromstring(draw("diamond", [Panel("a", "x", curves), Panel("b", "x", {"live": [(50, 1.0)]})]))
    lines = [line.get("points", "").split() for line in root.iter(f"{SVG}polyline")]
    assert [len(line) for line in lines] == [2, 3, 1]
    heights = [float(point.split(",")[1]) for point in lines[0]]
    assert heights[0] > heights[1]  # what costs more is drawn higher


def test_the_report_is_json_a_table_and_a_plot(tmp_path):
    task = tiny("diamond")
    usual = measure(task, 1, {"live", "hand"}.__contains__)
    wider = Task(task.workload, replace(task.parameters, window=5))
    grown = [("window", one) for one in (*usual, *measure(wider, 1, {"live", "hand"}.__contains__))]
    written = write(tmp_path / "out", usual, grown, [])
    assert {path.name for path in written} == {"measurements.jsonl", "table.md", "diamond.svg"}
    objects = [json.loads(line) for line in (tmp_path / "out/measurements.jsonl").read_text().splitlines()]
    assert [(one["contestant"], one["parameters"]["window"]) for one in objects[2:]] == [
        ("live", 3),
        ("hand", 3),
        ("live", 5),
        ("hand", 5),
    ]
    assert objects[0]["ratio"].keys() == {"hand"}
    root = ElementTree.fromstring((tmp_path / "out/diamond.svg").read_text())
    assert [len(line.get("points", "").split()) for line in root.iter(f"{SVG}polyline")] == [2, 2]


def test_text_and_markdown_name_everyone():
    found = measure(tiny("join-chain"), 1)
    names = [one.contestant for one in found]
    assert names == ["live", "replay", "facts", "hand", "polars", "literal"]
    rows = [line.split("|")[2].strip() for line in as_markdown(found).splitlines()[2:]]
    assert rows == names[:3]
    assert [line.split()[0] for line in as_text(found).splitlines()[2:]] == names


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
