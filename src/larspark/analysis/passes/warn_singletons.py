"""A variable that stands in one place only does not join anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from larspark.analysis.analysis import Analysis
from larspark.diagnostics import Diagnostic, Severity
from larspark.language.traversal import variables
from larspark.language.tree import Reader


def warn_singletons(analysis: Analysis) -> Analysis:
    """Warn about named variables that occur once in their rule, unless they are unsafe anyway."""
    unsafe = {finding.origin for finding in analysis.diagnostics if finding.code == "E201"}
    found = (finding for reader in analysis.program.readers for finding in _singletons(reader))
    return analysis.finding(*(finding for finding in found if finding.origin is None or finding.origin not in unsafe))


def _singletons(reader: Reader) -> Iterator[Diagnostic]:
    occurrences = list(variables(reader))
    count = Counter(variable.name for variable in occurrences)
    for variable in occurrences:
        if count[variable.name] == 1 and not variable.anonymous:
            yield Diagnostic(
                "W205",
                f"The variable {variable.name} occurs only once in its rule.",
                "Write `_` if its value does not matter, or check the spelling.",
                variable.origin or reader.origin,
                Severity.WARNING,
            )
