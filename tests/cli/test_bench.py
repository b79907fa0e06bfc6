from __future__ import annotations

import json

from larspark.bench.experiments.index import EXPERIMENTS
from larspark.bench.nexmark.engines import ENGINES
from larspark.bench.workloads.catalogue import WORKLOADS


def test_json_is_one_object_per_measurement_with_ratios(larspark):
    outcome = larspark("bench", "diamond", "reach", "content", "--quick", "--json")
    assert outcome.status == 0, outcome.err
    found = {(one["workload"], one["contestant"]): one for one in outcome.json}
    assert {"live", "replay", "facts", "hand", "polars", "literal"} == {who for name, who in found if name == "diamond"}
    assert found["diamond", "live"]["ratio"].keys() == {"hand", "polars", "literal"}
    assert found["content", "clingo"]["ratio"].keys() == {"literal"}
    assert len({one["answers"]["hash"] for (name, _), one in found.items() if name == "reach"}) == 1


def test_parameters_and_contestants_can_be_chosen(larspark):
    words = "bench diamond --window 2 --rate 3 --points 9 --seed 5 --only live,hand --repetitions 2 --json"
    live, hand = larspark(*words.split()).json
    assert (live["contestant"], hand["contestant"]) == ("live", "hand")
    assert live["atoms"] == 27
    assert len(live["passes"]) == 2
    assert live["parameters"]["window"] == 2
    assert live["parameters"]["seed"] == 5


def test_the_list_explains_everything(larspark):
    outcome = larspark("bench", "--list")
    assert outcome.status == 0
    assert all(name in outcome.out for name in (*WORKLOADS, *EXPERIMENTS))


def test_an_unknown_workload_is_rejected_with_a_near_name(larspark):
    outcome = larspark("bench", "dimond", "--format", "json")
    assert outcome.status == 1
    (error,) = outcome.errors
    assert error["code"] == "E703"
    assert "diamond" in error["hint"]


def test_a_number_that_is_none_is_wrong_usage(larspark):
    assert larspark("bench", "diamond", "--window", "-1").status == 2


def test_an_unknown_contestant_is_wrong_usage(larspark):
    outcome = larspark("bench", "diamond", "--only", "hands")
    assert outcome.status == 2
    assert "answer-update, hand, polars" in outcome.err


def test_the_optimiser_is_measured_beside_the_program_as_written(larspark):
    found = larspark("bench", "--optimiser", "unused-join", "diamond", "--quick", "--json").json
    assert [one["contestant"] for one in found] == ["live", "facts"] * 2
    assert [one["rewrites"] for one in found] == [["drop-unreachable-rules"]] * 2 + [[]] * 2
    assert [one["predicted"] for one in found] == [1.2, 1.2, 1.0, 1.0]
    assert "the same program" in larspark("bench", "--optimiser", "diamond", "--quick").out


def test_an_experiment_runs_by_its_name_and_its_figures_are_json(larspark, tmp_path):
    outcome = larspark("bench", "memory", "--quick", "--json", "--report", str(tmp_path))
    assert outcome.status == 0, outcome.err
    assert {one["what"] for one in outcome.json} == {"per live atom, diamond", "per live atom, join-chain"}
    assert all(one["experiment"] == "memory" and one["limit"] == 250 for one in outcome.json)
    kept = [json.loads(line) for line in (tmp_path / "measurements.jsonl").read_text().splitlines()]
    assert [one["what"] for one in kept] == [one["what"] for one in outcome.json]


def test_the_full_report_can_be_made_bit_by_bit(larspark, tmp_path):
    """The command of the documents, for one workload and in its quick form."""
    page = tmp_path / "page.md"
    page.write_text("<!-- measured: workloads -->\n<!-- end -->\n<!-- measured: plots -->\n<!-- end -->\n")
    words = ("--full", "--quick", "--report", tmp_path / "out", "--page", page)
    assert "1 of 5: diamond; about" in larspark("bench", "diamond", *words).err
    outcome = larspark("bench", "diamond", "box-unique", *words)
    assert "5 of 10 jobs are measured already" in outcome.err
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "measurements.jsonl",
        "diamond.svg",
        "box-unique.svg",
    }
    assert page.read_text().count("| live |") == 2
    assert page.read_text().count(".svg)") == 2


def test_queries_of_nexmark_are_measured(larspark):
    outcome = larspark("bench", "nexmark", "q2", "q8", "--quick", "--json")
    assert outcome.status == 0, outcome.err
    found = {(one["engine"], one["query"]): one for one in outcome.json}
    assert [*found] == [(engine, query) for query in ("q2", "q8") for engine in ("larspark", "file")]
    assert {one["events"] for one in found.values()} == {5_000}
    assert all(one["cpu"] > 0 for one in found.values())
    for query in ("q2", "q8"):
        assert found["larspark", query]["rows"] == found["file", query]["rows"]
    assert found["larspark", "q2"]["rows"] > 0


def test_engines_of_nexmark_that_live_elsewhere_need_a_folder(larspark):
    outcome = larspark("bench", "nexmark", "q2", "--engines", "larspark,duckdb", "--quick", "--format", "json")
    assert outcome.status == 1
    assert [error["code"] for error in outcome.errors] == ["E703"]
    assert larspark("bench", "nexmark", "--engines", "larspark,storm").status == 2


def test_an_unknown_query_of_nexmark_is_rejected(larspark):
    outcome = larspark("bench", "nexmark", "q24", "--format", "json")
    assert outcome.status == 1
    assert [error["code"] for error in outcome.errors] == ["E703"]


def test_the_help_names_all_engines_of_nexmark(larspark):
    told = " ".join(larspark("bench", "--help").out.split())
    assert ", ".join(ENGINES) in told
    titles = ("Flink", "Siddhi", "Spark SQL", "DuckDB", "polars")
    assert all(title in larspark("bench", "--list").out for title in titles)
