"""What can be said about foresight before data arrives: connectedness, recursion, strata, delay and window of goals."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from larspark.diagnostics import Diagnostic, Rejected, Severity
from larspark.hypothetical.foresight import GoalWatch, Outlook
from larspark.hypothetical.offline.measures import Measures, evaluated_measures, measure
from larspark.hypothetical.online.query import WatchOptions
from larspark.hypothetical.theory import findings
from larspark.hypothetical.theory.stratification import NotStratified, Strata, stratify
from larspark.hypothetical.theory.structure import is_nonrecursive, unconnected
from larspark.hypothetical.theory.temporal_datalog import is_temporal_datalog, temporal_theory
from larspark.hypothetical.theory.theory import Theory
from larspark.language import tree
from larspark.language.facts import Signature


class SurveyReading(StrEnum):
    TEMPORAL_DATALOG = "Temporal Datalog"
    LARS = "LARS"


@dataclass(frozen=True)
class Survey:
    """The findings about a program."""

    reading: SurveyReading
    connected: bool | None = None
    """Asked of Temporal Datalog only, as are the next two."""
    nonrecursive: bool | None = None
    strata: Strata | None = None
    goals: tuple[tuple[str, Measures | None], ...] = ()
    """Delay and window per goal; None when the goal cannot be foreseen."""
    diagnostics: tuple[Diagnostic, ...] = ()


def survey(
    program: tree.Program, goals: Sequence[str] = (), background: Collection[Signature] = (), bound: int | None = None
) -> Survey | None:
    """Of a resolved program; None when it is LARS and no goal is asked for.

    Without goals, every derived predicate of Temporal Datalog is one, and a goal that cannot be foreseen is a warning.
    A program that may be meant as LARS, being Temporal Datalog only by its form, gets all findings as notes.
    """
    temporal = is_temporal_datalog(program, background)
    if not temporal and not goals:
        return None
    found = _survey(program, goals, temporal, bound)
    if goals or any(isinstance(directive, tree.Temporal) for directive in program.directives):
        return found
    return replace(found, diagnostics=tuple(replace(one, severity=Severity.NOTE) for one in found.diagnostics))


def _survey(program: tree.Program, goals: Sequence[str], temporal: bool, bound: int | None) -> Survey:
    found: list[tuple[str, Measures | None]] = []
    refused: list[Diagnostic] = []
    for goal in goals:
        try:
            foresight = GoalWatch(program, goal, Outlook(options=WatchOptions(bound)))
            found.append((goal, _measures(foresight, bound)))
        except Rejected as rejected:
            found.append((goal, None))
            refused += rejected.diagnostics
    if not temporal:
        return Survey(SurveyReading.LARS, goals=tuple(found), diagnostics=_distinct(refused))
    try:
        theory = temporal_theory(program)
    except Rejected as rejected:
        return Survey(SurveyReading.TEMPORAL_DATALOG, diagnostics=_distinct((*rejected.diagnostics, *refused)))
    strata = stratify(theory)
    if not goals and isinstance(strata, Strata):
        found, refused = _derived(theory, bound)
    loose = [findings.not_connected(clause.head, clause.origin) for clause in unconnected(theory)]
    against = [strata.diagnostic] if isinstance(strata, NotStratified) else []
    return Survey(
        SurveyReading.TEMPORAL_DATALOG,
        not loose,
        is_nonrecursive(theory),
        strata if isinstance(strata, Strata) else None,
        tuple(found),
        _distinct((*against, *loose, *refused)),
    )


def _derived(theory: Theory, bound: int | None) -> tuple[list[tuple[str, Measures | None]], list[Diagnostic]]:
    """Every derived predicate as a goal; what has no end is a warning, as nobody may want to ask for it."""
    found: list[tuple[str, Measures | None]] = []
    warned: list[Diagnostic] = []
    for key in sorted(key for key in theory.visible - theory.inputs if key.temporal):
        name = f"{key.predicate}/{key.arity}"
        try:
            found.append((name, measure(theory, key, bound)))
        except Rejected as rejected:
            found.append((name, None))
            warned += (replace(one, severity=Severity.WARNING) for one in rejected.diagnostics)
    return found, warned


def _measures(foresight: GoalWatch, bound: int | None) -> Measures:
    if foresight.temporal:
        return measure(foresight.theory, foresight.goal.key, bound)
    online = foresight.online
    return evaluated_measures(p for query in (online.query, *online.negated.values()) for p in query.preconditions)


def _distinct(diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(dict.fromkeys(diagnostics))
