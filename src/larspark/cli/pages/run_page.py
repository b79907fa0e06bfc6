"""The report of a bounded run on Spark: what it has written, over the input, with proofs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from larspark.diagnostics import Diagnostic, Rejected
from larspark.explain.evaluations.history import AnswerHistory, Sourced
from larspark.questions.explaining import Case
from larspark.runtime.naming import table_names
from larspark.runtime.prepared import Prepared
from larspark.runtime.sourced import read_sourced
from larspark.web.counts import rule_counts
from larspark.web.picture import Extras, first_proofs, picture_of
from larspark.web.report import write_report
from larspark.web.tables import table_stretches

if TYPE_CHECKING:
    from larspark.reasoners.interval.state.profile import Profile

PROVED = 12
"""Proofs of a report; each evaluates a part of the input again."""
LARGEST = 1_000_000
"""Intervals that a page can show."""


def require_page(inputs: Sequence[object], table_format: str, changes: bool) -> None:
    """`Rejected` where there will be nothing that a report can be made of."""
    if table_format != "parquet" or changes or not all(isinstance(one, str) for one in inputs):
        message = "A report is made of Parquet tables of intervals over files."
        raise Rejected([Diagnostic("E705", message, "Leave out --html, or --table-format and --changes.")])


def write_run_page(
    prepared: Prepared,
    program: Path,
    inputs: Sequence[str],
    tables: Mapping[str, Path],
    file: Path,
    profile: Profile | None = None,
) -> None:
    """What rules and stages cost is as the run has measured it, with `--profile`."""
    predicates = {name: signature.predicate for name, signature in table_names(prepared.analysis.shown).items()}
    stretches = tuple(
        one for name, place in tables.items() for one in table_stretches(predicates[name], place, prepared.calendar)
    )
    arrivals: list[Sourced] = []
    for source in inputs:
        arrivals += read_sourced(source, prepared, "skip").arrivals
    if len(stretches) + len(arrivals) > LARGEST:
        message = f"{len(stretches)} intervals and {len(arrivals)} atoms are more than a page can show."
        raise Rejected([Diagnostic("E705", message, "Write a report of a part: --timeline T0 T1.")])
    case = Case.of(prepared, sorted(arrivals, key=attrgetter("time")))
    history = AnswerHistory(case.start, case.end, stretches)
    ask = f"{program} --stream {inputs[0]}"
    extras = Extras("run", tuple(first_proofs(case, history, PROVED)), ask=ask)
    write_report(
        picture_of(case, program, extras, history)
        | {"counts": rule_counts(case, profile), "measured": "on Spark" if profile else None},
        file,
    )
