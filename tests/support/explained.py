"""Random scenarios as cases that can be asked about."""

from __future__ import annotations

from hypothesis import reject

from larspark.analysis.pipeline import analyse
from larspark.diagnostics import Rejected
from larspark.explain.evaluations.history import RecordPlace, Sourced
from larspark.language.parser import parse_program
from larspark.questions.explaining import Case
from larspark.runtime.prepared import Prepared, prepare
from support.beside_judge import arrivals as read_arrivals
from support.random_programs import CALENDAR, FUNCTIONS, Scenario


def case_of(scenario: Scenario, reasoner: str | None = None) -> Case:
    """A scenario that no reasoner takes is none."""
    found = random_case(scenario, reasoner)
    if found is None:
        reject()
    return found


def random_case(scenario: Scenario, reasoner: str | None = None) -> Case | None:
    """None when no reasoner takes it."""
    signatures = {fact.signature for fact in scenario.background}
    analysis = analyse(scenario.program, background=signatures, allow_functions=True)
    prepared = Prepared(scenario.program, {}, analysis, scenario.background, FUNCTIONS, CALENDAR)
    arrivals = [
        Sourced(time, fact, RecordPlace("stream.jsonl", line))
        for line, (time, fact) in enumerate(scenario.stream.input, 1)
    ]
    try:
        return Case.of(prepared, arrivals, (scenario.stream.start, scenario.times[-1]), reasoner)
    except Rejected:
        return None


def case(program: str, stream: str, timeline: tuple[int, int] | None = None, reasoner: str | None = None) -> Case:
    """`0:a 1:r(1)` are arrivals, each in a line of its own."""
    pairs = read_arrivals(stream)
    arrivals = [Sourced(time, fact, RecordPlace("stream.jsonl", line)) for line, (time, fact) in enumerate(pairs, 1)]
    return Case.of(prepare(parse_program(program, "program.lars")), arrivals, timeline, reasoner)
