from __future__ import annotations

from dataclasses import replace

import pytest

from larspark.bench.measuring import measure as measuring
from larspark.bench.measuring.contestants import NAMES, ByHandPass, peers, reasoners
from larspark.bench.measuring.measure import Answers, AnswersDiffer, measure
from larspark.bench.measuring.run import do
from larspark.bench.measuring.store import Store
from larspark.bench.measuring.suite import RunRequest, growing, single_task
from larspark.bench.reporting.targets import TARGETS, Target, verdict
from larspark.bench.workloads.catalogue import WORKLOADS
from larspark.bench.workloads.task import Task
from larspark.language.facts import Fact
from support.workloads import tiny


class Forgetful(ByHandPass):
    """Forgets an atom of the last answer."""

    name = "forgetful"

    def answers(self, places):
        found = super().answers(places)
        last = max(found)
        return {**found, last: frozenset(list(found[last])[1:])}


def test_a_wrong_answer_is_found_before_anything_is_timed(monkeypatch):
    monkeypatch.setattr(measuring, "peers", lambda task: [*peers(task), Forgetful(task)])
    monkeypatch.setattr(measuring, "cpu_seconds", lambda _: pytest.fail("timed"))
    with pytest.raises(AnswersDiffer, match="forgetful and literal differ at time point 7"):
        measure(tiny("diamond"))


def test_measurements_have_the_ratio_to_each_peer(monkeypatch):
    seconds = {"live": 0.004, "replay": 0.002, "facts": 0.02, "hand": 0.001, "polars": 0.008, "literal": 0.08}
    monkeypatch.setattr(measuring, "cpu_seconds", lambda run: seconds[run])
    for contestant in (*reasoners(tiny("diamond")), *peers(tiny("diamond"))):
        monkeypatch.setattr(type(contestant), "prepare", lambda self: self.name)
    found = {one.contestant: one for one in measure(tiny("diamond"), repetitions=2)}
    assert found["live"].ratios == pytest.approx({"hand": 4.0, "polars": 0.5, "literal": 0.05})
    assert found["hand"].ratios.keys() == {"polars", "literal"}
    # 0.004 s over 8 time points with 3 atoms each
    assert found["live"].us_per_atom == pytest.approx(0.004e6 / 24)
    assert found["live"].as_json()["us_per_time_point"]["median"] == 500.0
    assert len({one.answers for one in found.values()}) == 1


def test_only_some_take_part():
    found = measure(tiny("diamond"), 1, {"replay", "hand"}.__contains__)
    assert [one.contestant for one in found] == ["replay", "hand"]


def test_the_hash_depends_on_the_atoms_and_on_their_times():
    one, other = (0, Fact("q", (1, 2))), (1, Fact("q", (1, 2)))
    hashes = {Answers.of(found).hash for found in ([{one}], [{other}], [{one, other}], [{one}, {other}], [set()])}
    assert len(hashes) == 5


@pytest.mark.parametrize("name", WORKLOADS)
def test_contestants_can_be_chosen_by_their_names(name):
    task = tiny(name)
    assert {contestant.name for contestant in (*reasoners(task), *peers(task))} <= set(NAMES)


def test_every_target_is_about_something_that_is_measured():
    for target in TARGETS:
        workload = WORKLOADS[target.workload]
        assert target.contestant in {contestant.name for contestant in reasoners(tiny(target.workload))}
        windows = {workload.defaults.window, *workload.axes["window"]}
        assert target.where.get("window", workload.defaults.window) in windows


def test_a_target_is_met_or_missed():
    (hand,) = measure(tiny("diamond"), 1, {"hand"}.__contains__)
    for limit, expected in ((1e9, "≤ 1e+09 µs/atom: met"), (1e-9, "≤ 1e-09 µs/atom: missed")):
        target = Target("diamond", "hand", limit, "us/atom", {"window": 3})
        assert target.meant_for(hand)
        assert verdict(hand, (target,)) == expected
    assert verdict(hand, (Target("diamond", "hand", 1, "us/atom", {"window": 4}),)) == ""


@pytest.mark.parametrize("name", WORKLOADS)
def test_every_workload_grows_in_its_window_and_most_in_their_rate(name):
    axes = WORKLOADS[name].axes
    assert "window" in axes
    assert name in ("sparse", "idle", "long-window") or axes.keys() & {"rate", "probability"}
    assert all(list(sizes) == sorted(sizes) for sizes in axes.values())


@pytest.mark.parametrize("window", [1, 80, 500])
def test_a_growing_window_is_filled(window):
    workload = replace(WORKLOADS["diamond"], axes={"window": (window,)})
    run = RunRequest({"rate": 1}, 1, only=frozenset({"hand"}))
    (job,) = growing(workload, run)
    (record,) = job.work(())
    assert record["parameters"]["window"] == window
    assert record["points"] > window


def test_who_is_too_slow_does_not_grow(monkeypatch):
    monkeypatch.setattr(measuring, "PATIENCE", 1e-9)
    workload = replace(WORKLOADS["diamond"], axes={"window": (2, 3), "rate": (4,)})
    run = RunRequest({"points": 5}, 2, quick=True, only=frozenset({"live", "hand"}))
    store = Store()
    found = [
        (job.name, record["contestant"])
        for job, record in do([*growing(workload, run)], run, store, again=False, tell=lambda _: None)
    ]
    assert found == [
        ("diamond window=2", "live"),
        ("diamond window=2", "hand"),
        ("diamond rate=4", "live"),
        ("diamond rate=4", "hand"),
    ]
    assert all(len(record["passes"]) == 1 for record in store)


def test_given_parameters_win_over_the_usual_ones():
    task: Task = single_task(WORKLOADS["diamond"], RunRequest({"window": 7, "rate": 2}))
    assert (task.parameters.window, task.parameters.rate) == (7, 2)
    assert task.atoms == 2 * task.parameters.points
