"""One name with several arities is legal, but more often a slip."""

from __future__ import annotations

from larspark.analysis.analysis import Analysis
from larspark.diagnostics import Diagnostic, Severity
from larspark.language.facts import Signature
from larspark.language.traversal import atoms


def warn_arities(analysis: Analysis) -> Analysis:
    """Warn where a predicate is first used with another arity than before."""
    first: dict[str, Signature] = {}
    findings: dict[Signature, Diagnostic] = {}
    for reader in analysis.program.readers:
        for atom in atoms(reader):
            known = first.setdefault(atom.predicate, atom.signature)
            if known != atom.signature and atom.signature not in findings:
                findings[atom.signature] = Diagnostic(
                    "W201",
                    f"{atom.signature} and {known} are two different predicates.",
                    "Check the number of arguments, or rename one of them.",
                    atom.origin or reader.origin,
                    Severity.WARNING,
                )
    return analysis.finding(*findings.values())
