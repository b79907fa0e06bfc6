"""A program as the page shows it: its text, rules with their windows, predicates and their roles."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from larspark.analysis.analysis import Analysis
from larspark.analysis.partitioning.decompose import decompose
from larspark.analysis.partitioning.stages import stages
from larspark.analysis.structure.occurrences import body_occurrences, head_atoms
from larspark.diagnostics import Origin
from larspark.language.calendar import Calendar, TimeForm
from larspark.language.extended_atoms import ExtendedAtom
from larspark.language.facts import Signature
from larspark.language.printing.printer import show
from larspark.language.terms import points
from larspark.language.tree import Hold, Input, Rule
from larspark.runtime.prepared import Prepared
from larspark.web.spans import windows_json

REAL = datetime(1980, 1, 1).timestamp() * 1000
"""Time points after this moment were made from timestamps; before it, they are counted."""


def predicates_of(prepared: Prepared) -> list[Signature]:
    """Those of the lanes, in order: what arrives, then conclusions, each behind what it needs."""
    analysis = prepared.analysis
    derived = [one for component in analysis.components for one in sorted(component.predicates)]
    derived = [one for one in derived if one in analysis.derived]
    derived += sorted(analysis.derived - set(derived))
    arriving = [one for one in _declared(prepared) if one in analysis.extensional]
    arriving += sorted(analysis.extensional - set(arriving))
    return list(dict.fromkeys((*arriving, *derived)))


def _declared(prepared: Prepared) -> Iterator[Signature]:
    for directive in prepared.program.directives:
        if isinstance(directive, Input):
            yield directive.signature


def program_json(prepared: Prepared, file: Path | None = None, text: str | None = None) -> dict[str, Any]:
    """The text as it stands in its file (or is given), otherwise as it is printed."""
    if text is None:
        text = file.read_text(encoding="utf-8") if file and file.suffix == ".lars" else show(prepared.written)
    analysis = prepared.analysis
    return {
        "name": file.name if file else "program",
        "text": text,
        "rules": [rule_json(index, rule) for index, rule in enumerate(analysis.program.rules)],
        "fragment": str(analysis.fragment),
        "reasoners": list(analysis.reasoners),
        "facts": len(prepared.background),
        "stages": _stages(analysis),
        "holds": [
            {"predicate": str(one.signature), "keys": list(one.keys), "length": points(one.length)}
            for one in analysis.program.directives
            if isinstance(one, Hold)
        ],
    }


def _stages(analysis: Analysis) -> list[int | None]:
    """The stage in which each rule runs on Spark; None for facts, and where there are no stages."""
    found: dict[Origin, int] = {}
    for number, stage in enumerate(stages(decompose(analysis)) if analysis.ok else ()):
        found |= {rule.origin: number for rule in stage.rules if rule.origin is not None}
    return [None if rule.origin is None else found.get(rule.origin) for rule in analysis.program.rules]


def predicates_json(prepared: Prepared, predicates: list[Signature]) -> list[dict[str, Any]]:
    analysis = prepared.analysis
    known = analysis.derived | analysis.extensional
    return [
        {
            "name": str(one),
            "input": one in analysis.extensional or one not in known,
            "derived": one in analysis.derived,
            "shown": one in analysis.shown or one not in analysis.derived,
        }
        for one in predicates
    ]


def rule_json(index: int, rule: Rule) -> dict[str, Any]:
    origin = rule.origin
    return {
        "index": index,
        "line": origin.line if origin else None,
        "last_line": origin.end_line if origin else None,
        "text": show(rule),
        "heads": [str(one.signature) for one in head_atoms(rule) if not one.signature.hidden],
        "reads": [_read_json(one) for one in body_occurrences(rule)],
    }


def _read_json(read: ExtendedAtom) -> dict[str, Any]:
    found: dict[str, Any] = {
        "predicate": str(read.signature),
        "negative": read.negated,
        "aggregated": read.aggregated,
    }
    for window in read.windows[-1:]:
        found["window"] = window.show(read.atom)
    if read.windows:
        found["windows"] = windows_json(read.windows)
    return found


def calendar_json(calendar: Calendar, start: int) -> dict[str, Any]:
    """When time point 0 is and how long one lasts, in milliseconds; `real` where times were timestamps."""
    epoch, real = calendar.since_1970.total_seconds() * 1000, form_on_page(calendar, start) is not TimeForm.POINTS
    return {"epoch": epoch, "step": calendar.clock.milliseconds, "clock": show(calendar.clock), "real": real}


def form_on_page(calendar: Calendar, start: int) -> TimeForm:
    """How times are written: as moments where the first one lies in our days."""
    first = calendar.since_1970.total_seconds() * 1000 + start * calendar.clock.milliseconds
    return TimeForm.ZONED if first > REAL else TimeForm.POINTS
