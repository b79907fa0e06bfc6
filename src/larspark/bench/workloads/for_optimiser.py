"""Programs as people write them before they think of speed: each gives the optimiser something to do."""

from __future__ import annotations

from larspark.bench.workloads import streams
from larspark.bench.workloads.programs import ProgramText
from larspark.bench.workloads.task import Parameters, Workload


def _in_between(parameters: Parameters) -> str:
    return f"""
        #show far/2.
        recent(A,B) :- p(A,B) [{parameters.window}].
        apart(A,B) :- recent(A,B), B > 10.
        far(A,B) :- apart(A,B), B > 20."""


def _late_comparison(parameters: Parameters) -> str:
    return f"""
        #show high/1.
        level(A,B) :- p(A,B).
        level(A,B) :- p(A,B), p(B,A).
        high(A) :- level(A,B) [{parameters.window}], B > {parameters.rate * parameters.points * 9 // 10}."""


def _three_windows(parameters: Parameters) -> str:
    n = parameters.window
    return f"seen(A,B) :- p(A,B) [{n}], p(A,B) [{2 * n}], p(A,B) [{3 * n}]."


def _special_case(parameters: Parameters) -> str:
    n = parameters.window
    return f"""
        linked(A) :- p(A,_) [{n}].
        linked(A) :- p(A,B) [{n}], p(B,_) [{n}]."""


def _unused_join(parameters: Parameters) -> str:
    n = parameters.window
    return f"""
        #show seen/2.
        seen(A,B) :- p(A,B) [{n}].
        linked(A,C) :- p(A,B) [{n}], p(B,C) [{n}]."""


def _equality(parameters: Parameters) -> str:
    return f"seven(A) :- p(A,B) [{parameters.window}], B = 7."


def _made(name: str, summary: str, program: ProgramText) -> Workload:
    return Workload(name, summary, program, streams.chain, Parameters())


MADE = {
    workload.name: workload
    for workload in (
        _made("in-between", "two predicates that only lead to the next one, and two comparisons", _in_between),
        _made(
            "late-comparison", "a predicate is derived for all values and read for a tenth of them", _late_comparison
        ),
        _made("three-windows", "one atom under three windows, the smallest of which says everything", _three_windows),
        _made("special-case", "a self-join beside a rule that concludes the same without it", _special_case),
        _made("unused-join", "a self-join that nothing shown depends on", _unused_join),
        _made("equality", "a variable that can have one value only", _equality),
    )
}
