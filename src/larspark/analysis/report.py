"""The analysis as a value for other programs: the JSON shape of `larspark check`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from larspark.analysis.analysis import Analysis, Retention
from larspark.analysis.partitioning.decompose import decompose
from larspark.analysis.partitioning.stages import Stage, stages
from larspark.diagnostics import Diagnostic, Origin, Severity
from larspark.diagnostics.render import as_json
from larspark.language.facts import Signature
from larspark.language.tree import Reader


def as_report(analysis: Analysis) -> dict[str, Any]:
    """Everything `check` knows; the keys are stable."""
    return {
        "ok": analysis.ok,
        "fragment": fragment_name(analysis),
        "strata": None if analysis.strata is None else [_names(stratum) for stratum in analysis.strata],
        "reasoners": list(analysis.reasoners),
        "retention": {
            str(signature): _retention(kept) for signature, kept in analysis.retention.items() if not signature.hidden
        },
        "partitioning": {"stages": [_stage(stage) for stage in stages(decompose(analysis))]},
        "diagnostics": [as_json(finding) for finding in (*analysis.diagnostics, *reasons(analysis))],
    }


def rejected_report(diagnostics: tuple[Diagnostic, ...]) -> dict[str, Any]:
    """The same keys for a text that is not a program."""
    findings = [as_json(finding) for finding in diagnostics]
    nothing: dict[str, Any] = {"fragment": None, "strata": None, "reasoners": [], "retention": {}, "partitioning": {}}
    return {"ok": False, **nothing, "diagnostics": findings}


def fragment_name(analysis: Analysis) -> str:
    return f"ground {analysis.fragment}" if analysis.ground else str(analysis.fragment)


def reasons(analysis: Analysis) -> Iterator[Diagnostic]:
    """Why some reasoners do not take the program, as notes; a reason that several share is told once."""
    against: dict[Diagnostic, list[str]] = {}
    for name, objections in analysis.accepts.items():
        for objection in objections:
            against.setdefault(objection, []).append(name)
    for objection, names in against.items():
        message = f"Not for {', '.join(names)}: {objection.message[0].lower()}{objection.message[1:]}"
        yield replace(objection, message=message, severity=Severity.NOTE)


def _names(signatures: Iterable[Signature]) -> list[str]:
    return [str(signature) for signature in sorted(signatures) if not signature.hidden]


def _retention(kept: Retention) -> dict[str, Any]:
    return {
        "past": kept.past,
        "future": kept.future,
        "latest": [
            {"count": one.count, "per": [key + 1 for key in one.keys]} | ({"whole": True} if one.whole else {})
            for one in kept.latest
        ],
        "sessions": [{"gap": one.gap, "per": [key + 1 for key in one.keys]} for one in kept.sessions],
        "rule": _place(kept.rule),
    }


def _stage(stage: Stage) -> dict[str, Any]:
    return {
        "level": stage.level,
        "predicates": _names(stage.written),
        "keys": [{"rule": _place(key.rule), "variable": key.variable} for key in stage.keys],
        "routes": {str(one): place + 1 for one, place in sorted(stage.positions.items())},
        "one_partition": not stage.keyed,
        "chooses": stage.chooses,
        "because": [{"reason": found.because, "rule": _place(found.rule)} for found in stage.obstacles],
    }


def _place(rule: Reader | None) -> dict[str, Any] | None:
    origin: Origin | None = rule.origin if rule else None
    return {"file": origin.file, "line": origin.line, "column": origin.column} if origin else None
