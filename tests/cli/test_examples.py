"""Every example program runs over its recorded stream and concludes what its comments promise."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from larspark.cli.main import main
from larspark.reasoners.registry import REASONERS

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(
    ("name", "time", "expected"),
    [
        ("transport", 42, [{"connection(a1,a2,museum)", "connection(a2,a3,museum)", "approaching(museum,3)"}]),
        ("transport", 59, [{"missing(a1)", "missing(a3)"}]),
        ("cooling", 5, [{"alarm(outlet)", "burst(outlet,5)", "peak(outlet,155)"}]),
        ("machines", 9, [{"alarm(press)", "call(ben,press)"}]),
        ("machines", 14, [{"alarm(press)", "alarm(saw)", "nobody(saw)"}]),
        ("network", 10, [{"lost(n1)", "lost(n4)", "fragile(n4,n3)"}]),
        ("caching", 5, [{"get(n1,film,n2)"}, {"get(n1,film,n3)"}]),
        ("caching", 6, [{"get(n1,film,n3)", "use(random)"}]),
    ],
)
def test_example(name: str, time: int, expected: list[set[str]], capsys: pytest.CaptureFixture[str]) -> None:
    program, stream = EXAMPLES / f"{name}.lars", EXAMPLES / f"{name}.jsonl"
    options = ["--reasoner", "reference", "--models", "all", "--at", str(time), "--format", "json"]
    assert main(["eval", str(program), "--stream", str(stream), *options]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["time"] == time
    for promised, found in zip(expected, answer["answer_streams"], strict=True):
        assert promised <= set(found["now"])


@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.jsonl")))
def test_every_reasoner_that_takes_an_example_says_the_same(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    program, stream = EXAMPLES / f"{name}.lars", EXAMPLES / f"{name}.jsonl"
    main(["check", str(program), "--format", "json"])
    accepting = [one for one in json.loads(capsys.readouterr().out)["reasoners"] if one in REASONERS]
    answers = {}
    for reasoner in accepting:
        options = ["--reasoner", reasoner, "--models", "all", "--format", "json"]
        assert main(["eval", str(program), "--stream", str(stream), *options]) == 0
        answers[reasoner] = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {"clingo", "jtms"} <= set(accepting)
    maintained = answers.pop("jtms")
    assert all(answer == answers["reference"] for answer in answers.values())
    for one, all_of_them in zip(maintained, answers["reference"], strict=True):
        # Truth maintenance keeps one answer stream.
        (found,) = one["answer_streams"]
        assert found in all_of_them["answer_streams"]


def test_machines_from_csv(capsys: pytest.CaptureFixture[str]) -> None:
    folder = EXAMPLES / "machines-csv"
    words = [str(folder / "machines.lars"), "--stream", str(folder), "--on-error", "skip", "--as", "intervals"]
    assert main(["eval", *words, "--format", "json"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out.splitlines()[0]) == {
        "from": "2026-03-10T08:01:00",
        "to": "2026-03-10T08:06:59.999999",
        "atom": "alarm(press)",
        "at": None,
    }
    assert [json.loads(line)["code"] for line in told.err.splitlines()] == ["E403", "E413"]
