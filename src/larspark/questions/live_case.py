"""Questions to a running engine."""

from __future__ import annotations

from typing import Any

from larspark.diagnostics import Diagnostic, Rejected
from larspark.explain.evaluations.history import Sourced
from larspark.explain.evaluations.relevance import MANY, Relevance
from larspark.explain.questions import question_of
from larspark.language.calendar import TimeForm
from larspark.questions.choices import ChosenAnswers
from larspark.questions.explaining import Case
from larspark.questions.histories import LiveOutlook
from larspark.runtime.running import IntervalRunning, Running


def live_case(running: Running, time: int, asked: str, ask: str, form: TimeForm | None = None) -> Case:
    """The present of a running engine; `Rejected` where it depends on evaluations that are gone."""
    prepared = running.prepared
    fact = question_of(asked, ask, time).fact
    if prepared.analysis.recorded:
        message = "The answer depends on conclusions that were recorded by earlier evaluations."
        raise Rejected([Diagnostic("E566", message, "Ask about a recording: `larspark why … --stream S --at T`.")])
    relevance = Relevance.of(prepared.program, fact)
    narrowed = relevance if relevance.patterns is not None and running.kept_rows > MANY[ask] else None
    arrivals = tuple(Sourced(at, fact) for at, fact in running.kept(narrowed.patterns if narrowed else None))
    derived = prepared.analysis.derived
    known: dict[str, Any] = (
        {"outlook": LiveOutlook(running.reasoner, derived, time)}
        if isinstance(running, IntervalRunning)
        else {"chosen": ChosenAnswers(running.reasoner, derived, (), gone_by=True)}
    )
    return Case(prepared, arrivals, running.start, time, running.name, live=True, form=form, narrowed=narrowed, **known)
