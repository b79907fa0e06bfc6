"""Declarations in comments, for what a rule file in YAML does not say: `# series up(job, instance)`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.translations.reading import REPEATED_NAME, SYNTAX

_FIELD = re.compile(r"[a-zA-Z_@][\w.@-]*")


def declared(text: str, file: str, word: str, own: frozenset[str]) -> Mapping[str, tuple[str, ...]]:
    """The names that comments declare, with their fields; the `own` ones are added by the translation."""
    comment = re.compile(rf"\s*#\s*{word}\s+(\S.*)")
    found: dict[str, tuple[str, ...]] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        said = comment.fullmatch(line.rstrip())
        if said is None:
            continue
        place = Origin(file, number, line.index("#") + 1, number, len(line.rstrip()) + 1)
        parts = re.fullmatch(r"([a-zA-Z_:][\w:]*)\s*\(([^()]*)\)", said[1])
        fields = tuple(filter(None, (field.strip() for field in parts[2].split(",")))) if parts else ()
        if parts is None or not all(map(_FIELD.fullmatch, fields)):
            hint = f"Write `# {word} name(first, second)`, `# {word} name()` if there is none."
            raise Rejected([Diagnostic(SYNTAX, f"This declares no {word} with its fields.", hint, place)])
        if parts[1] in found or len(set(fields)) < len(fields) or own & set(fields):
            message = f"`{parts[1]}` or a field of it is there twice; {', '.join(sorted(own))} are there anyway."
            raise Rejected([Diagnostic(REPEATED_NAME, message, "Leave one of them out.", place)])
        found[parts[1]] = fields
    return found
