"""The reasoners by name, imported only when used."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import cast

from larspark.analysis.formulas.lower_formulas import as_plain
from larspark.analysis.pipeline import Analysis
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.calendar import Calendar
from larspark.language.evaluate import Functions
from larspark.language.facts import Fact
from larspark.loading import load
from larspark.reasoners.protocol import Reasoner

REASONERS = {
    "interval": "larspark.reasoners.interval:IntervalReasoner",
    "reference": "larspark.reasoners.reference:ReferenceReasoner",
    "clingo": "larspark.reasoners.clingo:ClingoReasoner",
    "jtms": "larspark.reasoners.jtms:JtmsReasoner",
    "answer-update": "larspark.reasoners.answer_update:AnswerUpdateReasoner",
}

DEFAULT = "interval"


def make_reasoner(
    name: str,
    analysis: Analysis,
    background: Sequence[Fact] = (),
    start: int = 0,
    *,
    functions: Functions | None = None,
    calendar: Calendar | None = None,
    **options: object,
) -> Reasoner:
    """A reasoner of this name for a program it accepts; `start` is the first time point of the timeline.

    `options` are those of this reasoner.
    """
    if name not in REASONERS:
        raise Rejected([_unknown(name)])
    analysis.require(name)
    if name != "reference":
        analysis, background = as_plain(analysis, background)
    module, _, cls = REASONERS[name].partition(":")
    factory = getattr(load(module), cls)
    return cast(Reasoner, factory(analysis, background, start, functions=functions, calendar=calendar, **options))


def _unknown(name: str) -> Diagnostic:
    near = get_close_matches(name, REASONERS, 1)
    hint = f"Did you mean {near[0]}?" if near else f"Choose one of {', '.join(REASONERS)}."
    return Diagnostic("E701", f"There is no reasoner {name!r}.", hint)
