"""Everything the page shows of a program over a recording, as one JSON value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from larspark.diagnostics import Rejected
from larspark.explain.differences.differences import AnswerDifference
from larspark.explain.evaluations.history import AnswerHistory, Refusal, Sourced
from larspark.explain.faces.face import Explanation, why_explanation
from larspark.questions.explaining import Case
from larspark.web.describe import calendar_json, predicates_json, predicates_of, program_json
from larspark.web.marks import AnswerMark, MarkKind, lanes_json

SCHEMA = "larspark/page@1"
PROVED = 60
"""Conclusions whose proofs go into a report, one of each atom; the page says how the others are asked for."""


EVALUATED = 300_000
"""Arrivals that are evaluated again for the proofs of a report, about; long recordings have fewer proofs."""


@dataclass(frozen=True)
class Extras:
    """What a command adds to the picture."""

    command: str = "eval"
    proofs: tuple[Explanation, ...] = ()
    differences: tuple[AnswerDifference, ...] | None = None
    prospects: tuple[dict[str, Any], ...] | None = None
    """What is foreseen at each evaluation."""
    ask: str = ""
    """The command line that answers a question which the report does not."""
    cursor: int | None = None
    selected: str | None = None
    """An atom, as its lane is called."""
    more: dict[str, Any] = field(default_factory=dict)


def picture_of(case: Case, file: Path | None, extras: Extras, history: AnswerHistory | None = None) -> dict[str, Any]:
    """A recording and what follows from it; `history` where that is already known."""
    history = history or case.side.history
    marks = [*arrival_marks(case.arrivals), *history_marks(history), *refused_marks(case.refused)]
    seen = dict.fromkeys(mark.fact.signature for mark in marks)
    prepared = case.prepared
    predicates = list(dict.fromkeys((*predicates_of(prepared), *seen)))
    return {
        "schema": SCHEMA,
        "title": file.name if file else "program",
        "command": extras.command,
        "start": case.start,
        "end": case.end,
        "calendar": calendar_json(prepared.calendar, case.start),
        "program": program_json(prepared, file),
        "predicates": predicates_json(prepared, predicates),
        "lanes": lanes_json(marks, predicates),
        "void": [list(span) for span in history.void],
        "accounts": accounts_json(case.arrivals, case.refused),
        "proofs": [proof_json(one) for one in extras.proofs],
        "differences": None if extras.differences is None else [one.as_json() for one in extras.differences],
        "prospects": None if extras.prospects is None else list(extras.prospects),
        "ask": extras.ask,
        "cursor": case.end if extras.cursor is None else extras.cursor,
        "selected": extras.selected,
        **extras.more,
    }


def arrival_marks(arrivals: Iterable[Sourced]) -> Iterator[AnswerMark]:
    return (AnswerMark(one.fact, MarkKind.INPUT, one.time, one.time) for one in arrivals)


def history_marks(history: AnswerHistory) -> Iterator[AnswerMark]:
    for fact, at, first, last in history.stretches:
        yield AnswerMark(fact, MarkKind.HOLDS if at is None else MarkKind.PINNED, first, last, at)


def refused_marks(refused: Iterable[Refusal]) -> Iterator[AnswerMark]:
    for one in refused:
        if one.time is not None and one.fact is not None:
            yield AnswerMark(one.fact, MarkKind.REFUSED, one.time, one.time)


def accounts_json(arrivals: Sequence[Sourced], refused: Sequence[Refusal]) -> dict[str, Any]:
    """What became of the input."""
    return {"used": len(arrivals), "refused": [refusal_json(one) for one in refused]}


def refusal_json(one: Refusal) -> dict[str, Any]:
    return {
        "time": one.time,
        "atom": None if one.fact is None else str(one.fact),
        "reason": one.reason,
        "code": one.code,
        "file": one.place.file if one.place else None,
        "line": one.place.line if one.place else None,
    }


def proof_json(one: Explanation) -> dict[str, Any]:
    return {"question": one.json["question"], "text": one.text, "json": dict(one.json)}


def first_proofs(case: Case, history: AnswerHistory, most: int = PROVED) -> list[Explanation]:
    """A proof for the first stretch of every shown atom, as many as go into a report."""
    shown = case.prepared.analysis.shown
    most = min(most, max(3, EVALUATED // (len(case.arrivals) + 1)))
    asked: dict[object, tuple[str, int]] = {}
    for fact, at, first, _ in sorted(history.stretches, key=lambda one: one.first):
        if fact.signature in shown and len(asked) < most:
            asked.setdefault((fact, at is None), (str(fact) if at is None else f"@{at} {fact}", first))
    found = []
    for atom, time in asked.values():
        try:
            found.append(why_explanation(case.why(atom, time)[0]))
        except Rejected:  # some reasoners cannot explain every program; the report goes without
            break
    return found
