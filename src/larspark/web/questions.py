"""Questions that a page asks about a program and what has arrived; all answers are JSON values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from larspark.diagnostics import Diagnostic, Rejected
from larspark.explain.evaluations.history import Refusal, Sourced
from larspark.explain.faces.face import why_explanation, why_not_explanation
from larspark.language.calendar import TimeForm
from larspark.language.parser import parse_program
from larspark.questions.explaining import Case, compare_programs
from larspark.questions.other_rules import reach_of
from larspark.runtime.prepared import Prepared
from larspark.runtime.recording import Recording
from larspark.web.counts import rule_counts
from larspark.web.describe import form_on_page
from larspark.web.picture import proof_json
from larspark.write.times import TimeWriter

FARTHEST = 20_000
"""Time points that are looked at one by one, at most."""
SHOWN = 2_000
"""Differences that are sent, at most."""


@dataclass(frozen=True)
class SeenSoFar:
    """What has been seen up to now: the basis of every answer."""

    prepared: Prepared
    arrivals: tuple[Sourced, ...]
    refused: tuple[Refusal, ...]
    start: int
    end: int
    reasoner: str
    complete_from: int | None = 0
    """Answers from here on rest on everything that they depend on; None: older arrivals matter and are gone."""

    @property
    def case(self) -> Case:
        if self.complete_from is None:
            raise Rejected([_forgotten("The answer depends on arrivals that are no longer kept.")])
        return Case(self.prepared, self.arrivals, self.start, self.end, self.reasoner, self.refused, form=self._form)

    @property
    def _form(self) -> TimeForm:
        return form_on_page(self.prepared.calendar, self.start)

    def require(self, time: int) -> None:
        if not self.start <= time <= self.end:
            message = f"Time point {time} has not been evaluated; it goes from {self.start} to {self.end}."
            raise Rejected([Diagnostic("E411", message, "Ask about a time in between.")])
        if self.complete_from is not None and time < self.complete_from:
            raise Rejected([_forgotten(f"What happened before {self.complete_from} is no longer kept.")])

    def why(self, atom: str, time: int) -> dict[str, Any]:
        self.require(time)
        return proof_json(why_explanation(self.case.why(atom, time)[0]))

    def why_not(self, atom: str, time: int) -> dict[str, Any]:
        self.require(time)
        return proof_json(why_not_explanation(self.case.why_not(atom, time)))

    def what_if(self, add: Sequence[str], drop: Sequence[str]) -> dict[str, Any]:
        self.require(self.start)
        return _differences(self.case.what_if(add, drop))

    def preview(self, text: str, name: str) -> dict[str, Any]:
        """What other rules would have concluded."""
        other = replace(self.case, prepared=self.other(text, name))
        return _differences(compare_programs(self.case, other))

    def other(self, text: str, name: str) -> Prepared:
        """The program as edited, in the same clock, constants, background and permissions."""
        return self.prepared.with_program(parse_program(text, name)).require(self.reasoner)

    def counts(self) -> dict[str, Any]:
        return {"counts": rule_counts(self.case)}

    def foresee(self, goal: str, horizon: int) -> dict[str, Any]:
        """What may become true, seen from now."""
        from larspark.hypothetical.foresight import Outlook  # noqa: PLC0415 - a quick start matters to who serves
        from larspark.python.foresight import Subject  # noqa: PLC0415

        subject = Subject.of(self.prepared)
        reach = None if subject.temporal else reach_of(self.prepared.analysis)
        begin = self.start if reach is None else max(self.start, self.end - reach - 1)
        if self.end - begin > FARTHEST:
            message = f"From {begin} to {self.end} are too many time points to look at one by one."
            raise Rejected([Diagnostic("E411", message, "Use `larspark foresee` on the recording.")])
        times = TimeWriter(self.prepared.calendar, self._form, self.prepared.time_places)
        watched = subject.watch(goal, Outlook(horizon, SHOWN), begin)
        recent = [(one.time, one.fact) for one in self.arrivals if one.time >= begin]
        for time, facts in Recording.of_facts(recent, (begin, self.end)).time_points(self.end):
            watched.advance(time, facts)
        answers = [{**one.as_json(), "text": one.text} for one in watched.prospects(times)]
        return {"time": self.end, "answers": answers}


def _differences(found: Sequence[Any]) -> dict[str, Any]:
    return {"differences": [one.as_json() for one in found[:SHOWN]], "in_all": len(found)}


def _forgotten(message: str) -> Diagnostic:
    return Diagnostic("E566", message, "Start with a larger --history, or ask about a recording.")


def complete_from(prepared: Prepared, start: int, kept_from: int) -> int | None:
    """From where on evaluations see all that they depend on, when arrivals before `kept_from` are gone."""
    if kept_from <= start:
        return start
    reach = None if prepared.analysis.recorded else reach_of(prepared.analysis)
    return None if reach is None else kept_from + reach
