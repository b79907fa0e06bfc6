"""Two renderings of one diagnostic: text with the source line and a caret, and a JSON object."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from larspark.diagnostics.diagnostic import Diagnostic, Severity
from larspark.diagnostics.origin import Origin

if TYPE_CHECKING:
    from rich.text import Text

_WIDEST = 160
"""Longer source lines are cut around the caret."""

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow", Severity.NOTE: "bold cyan"}


def render_text(diagnostics: Iterable[Diagnostic], sources: Mapping[str, str] | None = None) -> str:
    """The diagnostics as plain text, a blank line between them.

    `sources` holds texts that are not files; every other source line is read from the file the origin names.
    """
    lookup = _Lines(sources or {})
    return "\n".join("".join(text for text, _ in _segments(one, lookup)) for one in diagnostics)


def render_rich(diagnostics: Iterable[Diagnostic], sources: Mapping[str, str] | None = None) -> Text:
    """The same text, coloured for a terminal."""
    from rich.text import Text  # noqa: PLC0415  # only terminals pay for it

    lookup = _Lines(sources or {})
    return Text("\n").join(Text.assemble(*_segments(one, lookup)) for one in diagnostics)


def as_json(diagnostic: Diagnostic) -> dict[str, str | int | None]:
    """The JSON object other programs rely on."""
    origin = diagnostic.origin
    return {
        "code": diagnostic.code,
        "severity": str(diagnostic.severity),
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        "file": origin.file if origin else None,
        "line": origin.line if origin else None,
        "column": origin.column if origin else None,
    }


def _segments(diagnostic: Diagnostic, lines: _Lines) -> Iterator[tuple[str, str]]:
    """The text in pieces, each with its style."""
    style = _STYLES[diagnostic.severity]
    if diagnostic.origin:
        yield f"{diagnostic.origin}: ", "bold"
    yield f"{diagnostic.severity} {diagnostic.code}", style
    yield f": {diagnostic.message}\n", ""
    line = lines.at(diagnostic.origin) if diagnostic.origin else None
    if diagnostic.origin and line is not None:
        yield from _excerpt(diagnostic.origin, line, style)
    if diagnostic.hint:
        yield "  hint: ", "green"
        yield f"{diagnostic.hint}\n", ""


def _excerpt(origin: Origin, line: str, style: str) -> Iterator[tuple[str, str]]:
    shown = "".join(character if character.isprintable() else " " for character in line)
    start = origin.column - 1
    end = origin.end_column - 1 if origin.end_line == origin.line else len(shown)
    end = max(min(end, len(shown)), start + 1)
    if len(shown) > _WIDEST:
        cut = max(0, start - _WIDEST // 2)
        shown, start, end = shown[cut : cut + _WIDEST], start - cut, min(end - cut, _WIDEST)
    number = str(origin.line)
    yield f"  {number} | {shown.rstrip()}\n", ""
    yield f"  {' ' * len(number)} | {' ' * start}", ""
    yield f"{'^' * (end - start)}\n", style


class _Lines:
    """Source lines by origin; a file that cannot be read has none."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._lines = {file: text.split("\n") for file, text in sources.items()}

    def at(self, origin: Origin) -> str | None:
        if origin.file not in self._lines:
            try:
                content = Path(origin.file).read_bytes()
                # Of Parquet and the like, whose lines are rows, nothing can be shown.
                text = "" if b"\0" in content[:_WIDEST] else content.decode("utf-8", "replace")
            except (OSError, ValueError):
                text = ""
            self._lines[origin.file] = text.split("\n")
        lines = self._lines[origin.file]
        return lines[origin.line - 1] if 0 < origin.line <= len(lines) and lines != [""] else None
