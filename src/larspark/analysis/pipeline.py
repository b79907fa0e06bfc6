"""The whole middle end: a tuple of passes and a loop. Every pass is one file, takes the analysis and returns it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from larspark.analysis.analysis import Analysis
from larspark.analysis.formulas.lower_formulas import lower_formulas
from larspark.analysis.passes.accept import accept
from larspark.analysis.passes.bound_retention import bound_retention
from larspark.analysis.passes.check_functions import check_functions
from larspark.analysis.passes.check_safety import check_safety
from larspark.analysis.passes.check_tuple_windows import check_tuple_windows
from larspark.analysis.passes.check_types import check_types
from larspark.analysis.passes.classify_predicates import classify_predicates
from larspark.analysis.passes.fragments import find_fragment
from larspark.analysis.passes.note_relations import note_relations
from larspark.analysis.passes.stratify import stratify
from larspark.analysis.passes.warn_arities import warn_arities
from larspark.analysis.passes.warn_dates import warn_dates
from larspark.analysis.passes.warn_dead_rules import warn_dead_rules
from larspark.analysis.passes.warn_endless import warn_endless
from larspark.analysis.passes.warn_present_only import warn_present_only
from larspark.analysis.passes.warn_rank_names import warn_rank_names
from larspark.analysis.passes.warn_singletons import warn_singletons
from larspark.analysis.passes.warn_unused import warn_unused
from larspark.diagnostics import Rejected
from larspark.language.facts import Signature
from larspark.language.resolve import resolve
from larspark.language.shorthands.relation_predicates import relations_of, without_relations
from larspark.language.shorthands.temporal_arguments import pinned
from larspark.language.tree import Duration, Program
from larspark.language.values import Value

__all__ = ["PASSES", "Analysis", "analyse"]

PASSES: tuple[Callable[[Analysis], Analysis], ...] = (
    classify_predicates,
    warn_arities,
    check_functions,
    check_safety,
    check_tuple_windows,
    check_types,
    warn_singletons,
    warn_unused,
    warn_dead_rules,
    warn_present_only,
    warn_dates,
    stratify,
    warn_endless,
    find_fragment,
    bound_retention,
    accept,
)


def analyse(
    program: Program,
    *,
    clock: Duration | None = None,
    constants: Mapping[str, Value] | None = None,
    background: Iterable[Signature] = (),
    allow_functions: bool = False,
) -> Analysis:
    """Everything that can be known before data arrives; a bad program is described, never raised.

    `background` names predicates whose data is given outside the program.
    """
    given = frozenset(background)
    relations = relations_of(program, given)
    spelled_out = without_relations(program, relations)
    try:
        resolved = pinned(resolve(spelled_out, clock, constants))
        analysis = Analysis(resolved, background=given, allow_functions=allow_functions)
    except Rejected as rejected:
        analysis = Analysis(spelled_out, rejected.diagnostics, False, allow_functions, background=given)
    told = (*note_relations(program, relations), *warn_rank_names(spelled_out))
    analysis = replace(analysis, relations=relations).finding(*told)
    return lower_formulas(_passed(analysis), _passed)


def _passed(analysis: Analysis) -> Analysis:
    for step in PASSES:
        analysis = step(analysis)
    return analysis
