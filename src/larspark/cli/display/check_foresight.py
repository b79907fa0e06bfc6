"""What `check` says about foresight, as rows of its page and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from larspark.hypothetical.offline.measures import Measures
from larspark.hypothetical.survey import Survey
from larspark.hypothetical.theory.stratification import TemporalComponent


def foresight_rows(survey: Survey) -> Iterator[tuple[str, str]]:
    """What it is read as, then the strata where time orders them, then delay and window of each goal."""
    properties = [
        name if holds else other
        for name, other, holds in (
            ("connected", "not connected", survey.connected),
            ("nonrecursive", "recursive", survey.nonrecursive),
        )
        if holds is not None
    ]
    if survey.strata is not None:
        properties.append("T-stratified")
    yield str(survey.reading), ", ".join(properties)
    ordered = "; ".join(_in_time(c) for c in survey.strata.components if c.scale) if survey.strata else ""
    if ordered:
        yield "strata in time", ordered
    for goal, measures in survey.goals:
        yield goal, "not foreseen: see the diagnostics" if measures is None else _measured(measures)


def foresight_json(survey: Survey) -> dict[str, Any]:
    return {
        "reading": str(survey.reading),
        "connected": survey.connected,
        "nonrecursive": survey.nonrecursive,
        "strata": None if survey.strata is None else [_component(c) for c in survey.strata.components],
        "goals": [
            {"goal": goal, "foreseen": False}
            if measures is None
            else {"goal": goal, "foreseen": True, "delay": measures.delay, "window": measures.window}
            for goal, measures in survey.goals
        ],
    }


def _ranks(component: TemporalComponent) -> dict[str, int]:
    return {f"{key.predicate}/{key.arity}": rank for key, rank in sorted(component.rank.items())}


def _in_time(component: TemporalComponent) -> str:
    """`p/1 at t in 3t, q/1 at t in 3t+1`: the sub-strata of mutually dependent predicates."""
    levels = (
        f"{name} at t in {component.scale}t" + (f"+{rank}" if rank else "") for name, rank in _ranks(component).items()
    )
    last = max((time for _, time in component.first), default=None)
    return ", ".join(levels) + ("" if last is None else f" (up to time {last} one by one)")


def _component(component: TemporalComponent) -> dict[str, Any]:
    """p at t lies in sub-stratum scale*t + rank; `first` lists the first time points where those are others."""
    found: dict[str, Any] = {"scale": component.scale, "rank": _ranks(component)}
    if component.first:
        found["first"] = [
            {"predicate": f"{key.predicate}/{key.arity}", "time": time, "stratum": stratum}
            for (key, time), stratum in sorted(component.first.items())
        ]
    return found


def _measured(measures: Measures) -> str:
    delay = "no delay" if measures.delay is None else f"delay {measures.delay}"
    return f"{delay}, " + ("no window" if measures.window is None else f"window {measures.window}")
