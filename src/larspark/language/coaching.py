"""What a syntax error probably meant."""

from __future__ import annotations

from lark.exceptions import UnexpectedInput

from larspark.diagnostics import Diagnostic
from larspark.language.source import Source


def explain(error: UnexpectedInput, source: Source, part: str, offset: int) -> Diagnostic:
    """One diagnostic for a statement that the grammar refused."""
    position = error.pos_in_stream if isinstance(error.pos_in_stream, int) and error.pos_in_stream >= 0 else len(part)
    return Diagnostic("E101", "This is not expected here.", "", source.origin(offset + position, offset + position + 1))
