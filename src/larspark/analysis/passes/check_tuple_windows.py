"""Tuple windows count arrivals, so only input can stand under them."""

from __future__ import annotations

from larspark.analysis.analysis import Analysis
from larspark.analysis.structure.occurrences import body_occurrences, counted_beside
from larspark.diagnostics import Diagnostic


def check_tuple_windows(analysis: Analysis) -> Analysis:
    """Reject an intensional predicate under a tuple window, unless it is declared `#input` as well."""
    counted = analysis.extensional | analysis.background
    return analysis.finding(
        *(
            Diagnostic(
                "E205",
                f"{found.atom.signature} is derived, but a tuple window counts only what arrives.",
                "Use a time window, or apply the tuple window to the input the conclusion follows from.",
                found.atom.origin or reader.origin,
            )
            for reader in analysis.program.readers
            for occurrence in body_occurrences(reader)
            for found in (occurrence, *counted_beside(occurrence))
            if found.atom.signature not in counted and any(window.counts_arrivals for window in found.windows)
        )
    )
