"""Diagnostics on standard error, as text or as JSON objects."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping

from larspark.diagnostics import Diagnostic
from larspark.diagnostics.render import as_json, render_rich, render_text


def report(diagnostics: Iterable[Diagnostic], style: str, sources: Mapping[str, str] | None = None) -> None:
    """Text is coloured on a terminal only; `sources` holds texts that are not files."""
    if style == "json":
        for diagnostic in diagnostics:
            print(json.dumps(as_json(diagnostic), ensure_ascii=False), file=sys.stderr)
    elif sys.stderr.isatty():
        from rich.console import Console  # noqa: PLC0415 - only terminals pay for it

        Console(stderr=True, highlight=False).print(render_rich(diagnostics, sources), soft_wrap=True, end="")
    else:
        sys.stderr.write(render_text(diagnostics, sources))
