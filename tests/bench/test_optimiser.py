"""The optimiser beside the program as written."""

from __future__ import annotations

from dataclasses import replace

import pytest

from larspark.analysis.rewrites.optimise import optimise
from larspark.bench.experiments import optimiser as measuring
from larspark.bench.experiments.optimiser import Gain, as_text, gains
from larspark.bench.measuring.measure import AnswersDiffer
from larspark.bench.measuring.suite import RunRequest, single_task
from larspark.bench.workloads.catalogue import WORKLOADS
from larspark.bench.workloads.for_optimiser import MADE


@pytest.mark.parametrize("name", MADE)
def test_every_program_made_for_the_optimiser_is_rewritten_and_keeps_its_answers(name):
    found = gains(single_task(MADE[name], RunRequest({}, quick=True)), repetitions=1)
    assert [one.contestant for one in found] == ["live", "facts"]
    assert all(one.plan.steps for one in found)


@pytest.mark.parametrize("name", ["three-windows", "unused-join"])
def test_the_predicted_factor_is_reached(name):
    # with columns both have a margin of three and more, so that a busy machine does not matter
    live, _ = gains(single_task(MADE[name], RunRequest({"points": 100})), repetitions=3)
    assert live.reached, as_text(live)


@pytest.mark.parametrize("name", sorted(set(WORKLOADS) - {"cooling"}))
def test_the_programs_of_the_suite_have_nothing_to_rewrite(name):
    task = single_task(WORKLOADS[name], RunRequest({}, quick=True))
    assert replace(task, optimised=True).analysis.program == task.analysis.program


def test_a_program_that_says_something_else_is_found(monkeypatch):
    task = single_task(MADE["equality"], RunRequest({}, quick=True))
    other = single_task(MADE["three-windows"], RunRequest({}, quick=True))
    monkeypatch.setattr(measuring, "replace", lambda *_, **__: other)
    with pytest.raises(AnswersDiffer, match="the optimised program differs at time point"):
        gains(task, 1)


@pytest.mark.parametrize(
    ("name", "after", "reached"),
    [
        ("three-windows", 0.76, True),
        ("three-windows", 0.78, False),
        ("equality", 1.04, True),
        ("equality", 1.06, False),
    ],
)
def test_gains_are_held_against_the_prediction(name, after, reached):
    task = single_task(MADE[name], RunRequest({}, quick=True))
    found = Gain(task, "live", optimise(task.analysis.program), 1.0, after)
    assert found.reached is reached
    assert found.as_json()["reached"] is reached
    assert ("missed" in as_text(found)) is not reached
