"""Every contestant computes what the definitions say, at every time point of a small stream."""

from __future__ import annotations

import pytest

from larspark.bench.measuring.contestants import PerTimePoint, peers, reasoners
from larspark.bench.peers.one_shot import OneShot
from larspark.bench.workloads.catalogue import WORKLOADS
from larspark.language.facts import Fact
from support.workloads import tiny

UNIQUE = [name for name, workload in WORKLOADS.items() if not workload.several_models]


@pytest.mark.parametrize("name", UNIQUE)
def test_all_contestants_agree_with_the_judge(name):
    task = tiny(name)
    places = range(len(task.steps))
    expected = PerTimePoint(task, "reference").answers(places)
    assert any(expected.values())
    for contestant in (*reasoners(task), *peers(task)):
        assert contestant.answers(places) == expected, contestant.name


def test_with_several_models_each_gives_one_of_them():
    task = tiny("content")
    places = range(len(task.steps))
    literal = OneShot(task, places)
    for contestant in (PerTimePoint(task, "reference"), *reasoners(task), literal):
        for place, answer in contestant.answers(places).items():
            assert literal.accepts(place, answer), (contestant.name, place)


def test_what_is_no_answer_stream_is_not_accepted():
    task = tiny("content")
    last = len(task.steps) - 1
    literal = OneShot(task, [last])
    answer = literal.answers([last])[last]
    time = task.steps[last].time
    assert literal.accepts(last, answer)
    assert not literal.accepts(last, answer | {(time, Fact("need", (99, 1)))})
    assert not literal.accepts(last, answer - {next(iter(answer))})


@pytest.mark.parametrize("name", UNIQUE)
def test_a_pass_of_each_contestant_runs(name):
    task = tiny(name)
    for contestant in (*reasoners(task), *peers(task)):
        assert 0 < contestant.evaluations <= len(task.steps)
        contestant.prepare()()
