"""The vectors about the Ticker command line: options, filter, output timing, ticks (thesis sec. 7.1.2 and 7.3)."""

from __future__ import annotations

from typing import Any

import pytest

from larspark.analysis.pipeline import analyse
from larspark.cli.commands import COMMANDS, tick
from larspark.cli.main import parser_for
from larspark.language.parser import parse_program
from larspark.language.resolve import clock_of
from larspark.language.tree import Program
from larspark.reasoners.answer_update import AnswerUpdateReasoner
from larspark.reasoners.protocol import Change
from larspark.runtime.durations import positive_duration
from larspark.tick.engine import TickEngine
from larspark.tick.output import Model, Output, only_predicates
from larspark.tick.ticks import Tick, append
from larspark.tick.timing import is_push, read_timing
from support.analysed import analysed
from support.vectors import Case, all_cases, cases, fact, facts_by_time

FILE = "thesis/ticker_cli"

COMMAND = next(command for command in COMMANDS if command.name == "tick")

ERRORS = {
    "missing_program": "the following arguments are required: -p/--program",
    "stray_argument": "unrecognized arguments: domain.lars",
    "bad_reasoner": "argument -r/--reasoner: invalid choice: 'dlv'",
    "bad_clock": "argument -c/--clock",
}


def options(args: list[str]) -> dict[str, Any]:
    """The options in the words of the vectors; the clock of a program that names none is one second."""
    parsed = parser_for(COMMAND, tick).parse_args(args)
    clock = parsed.clock or clock_of(Program())
    return {
        "program": parsed.program,
        "reasoner": parsed.reasoner,
        "filter": parsed.filter,
        "clock": f"{clock.amount}{clock.unit}",
        "output_every": parsed.outputEvery,
        "input": parsed.input,
        "output": parsed.output,
    }


DAYS = "thesis-tab7.3-clockunit"
"""Ticker knows no days; here every option and every program has the units of the language."""


def test_a_clock_may_count_days() -> None:
    (case,) = (case for case in cases("cli", FILE) if case.id == DAYS)
    assert options(case["args"])["clock"] == "1d"


@pytest.mark.parametrize("case", [case for case in cases("cli", FILE) if case.id != DAYS], ids=str)
def test_options(case: Case, capsys: pytest.CaptureFixture[str]) -> None:
    error = case["expect"].get("error")
    if error is None:
        assert options(case["args"]) == case["expect"]
    else:
        with pytest.raises(SystemExit) as raised:
            options(case["args"])
        assert raised.value.code == 2
        assert ERRORS[error] in capsys.readouterr().err


@pytest.mark.parametrize("case", cases("output_filter", FILE), ids=str)
def test_output_filter(case: Case) -> None:
    analysis = analysed("".join(f"{name}(X) :- a(X).\n" for name in case["intensional"]))
    model = Model(tick.output_filter(case["filter"], analysis))
    last = 0
    for time, facts in facts_by_time(case["answer_stream"]["facts"]).items():
        model.next_time()
        concluded = {one for one in facts if one.signature in analysis.intensional}
        for signal in facts - concluded:
            model.signal(signal)
        model.update(Change(time, appeared=frozenset(concluded)))
        last = time
    assert last == case["at"]
    assert sorted(map(str, model.output(Tick(last, 0)).appeared)) == sorted(case["expect"])


def written(every: str, clock: str, signals: dict[int, int]) -> list[Tick]:
    ticks: list[Tick] = []

    def write(output: Output) -> None:
        ticks.append(output.tick)

    reasoner = AnswerUpdateReasoner(analysed("x :- y."))
    engine = TickEngine(reasoner, 0, read_timing(every, positive_duration(clock)), lambda _: True, write)
    for time, number in signals.items():
        engine.pass_time(time)
        for _ in range(number):
            assert engine.arrive(time, fact("y"))
    engine.finish()
    return ticks


@pytest.mark.parametrize("case", cases("output_timing", FILE), ids=str)
def test_output_timing(case: Case) -> None:
    found = written(case["every"], case["clock"], case["signals"])
    fields = case["expect"][0].keys()
    assert [{field: getattr(tick, field) for field in fields} for tick in found] == case["expect"]


@pytest.mark.parametrize("case", cases("output_change", FILE), ids=str)
def test_output_change(case: Case) -> None:
    model = Model(only_predicates(case["filter"]))
    before: frozenset[Any] = frozenset()
    found = []
    for number, atoms in enumerate(case["models"]):
        after = frozenset(map(fact, atoms))
        model.update(Change(number, appeared=after - before, disappeared=before - after))
        before = after
        if model.changed:
            model.output(Tick(number, 0))
            found.append(number)
    assert found == case["expect"]


@pytest.mark.parametrize("case", cases("asp_reasoner_mode", FILE), ids=str)
def test_push_and_pull(case: Case) -> None:
    second = positive_duration("1s")
    for every, mode in case["cases"].items():
        assert is_push(read_timing(every, second)) is (mode == "push"), every


@pytest.mark.parametrize("case", cases("append_ticks", FILE), ids=str)
def test_append_ticks(case: Case) -> None:
    signals = case["append"]
    found = append(Tick(*case["current_tick"]), signals["time"], len(signals["atoms"]))
    assert [[tick.time, tick.count] for tick in found] == case["expect"]


@pytest.mark.parametrize("case", cases("result_shape", FILE), ids=str)
def test_nothing_derived_is_an_empty_model(case: Case) -> None:
    reasoner = AnswerUpdateReasoner(analyse(parse_program("\n".join(case["program"]))))
    outputs: list[Output] = []
    engine = TickEngine(reasoner, 0, read_timing("time", positive_duration("1s")), lambda _: True, outputs.append)
    engine.pass_time(2)
    assert case["expect"]["model"] == []
    assert outputs == [Output(Tick(1, 0))]


def test_every_case_of_the_file_is_run() -> None:
    kinds = {
        "cli",
        "output_filter",
        "output_timing",
        "output_change",
        "asp_reasoner_mode",
        "append_ticks",
        "result_shape",
    }
    assert {case.kind for case in all_cases() if case.file == FILE} == kinds
