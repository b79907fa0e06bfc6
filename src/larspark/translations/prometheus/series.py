"""The series that rules read: labels are declared in comments, for a rule file does not say them.

`# series http_requests_total(job, instance, code)` stands anywhere in the file. A sample of the series is the atom
`http_requests_total(job, instance, code, value)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.language.facts import Signature
from larspark.language.tree import Atom, ColumnType, Input, Term, Variable
from larspark.translations.reading import REPEATED_NAME, SYNTAX

_DECLARATION = re.compile(r"\s*#\s*series\b(.*)")
_SERIES = re.compile(r"\s*([a-zA-Z_:][\w:]*)\s*\(([^()]*)\)\s*")
_ANY = Variable("_arrival")
_LABEL = re.compile(r"[a-zA-Z_]\w*")


@dataclass(frozen=True)
class Series:
    """A metric with its labels; `derived` ones are computed by a recording rule."""

    metric: str
    labels: tuple[str, ...]
    derived: bool = False
    numbered: bool = False
    """Whether a sample has the number of its arrival as last argument."""

    @property
    def signature(self) -> Signature:
        return Signature(self.metric, len(self.labels) + (2 if self.numbered else 1))

    @property
    def input(self) -> Input:
        number = ("arrival",) if self.numbered else ()
        types = (*(ColumnType.TEXT for _ in self.labels), ColumnType.NUMBER, *(ColumnType.INTEGER for _ in number))
        return Input(self.signature, (*self.labels, "value", *number), types)

    def sample(self, labels: Iterable[Term], value: Term, arrival: Term = _ANY) -> Atom:
        """The atom of a sample."""
        return Atom(self.metric, (*labels, value, *((arrival,) if self.numbered else ())))


def declared(text: str, file: str, numbered: bool) -> Mapping[str, Series]:
    """The series that comments declare."""
    found: dict[str, Series] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        comment = _DECLARATION.fullmatch(line)
        if comment is None:
            continue
        place = Origin(file, number, line.index("#") + 1, number, len(line) + 1)
        series = _SERIES.fullmatch(comment[1])
        labels = tuple(filter(None, (label.strip() for label in series[2].split(",")))) if series else ()
        if series is None or not all(map(_LABEL.fullmatch, labels)):
            hint = "Write `# series name(label, label)`, `# series name()` if there is none."
            raise Rejected([Diagnostic(SYNTAX, "This does not say the labels of a series.", hint, place)])
        if series[1] in found or len(set(labels)) < len(labels) or {"value", "arrival"} & set(labels):
            message = f"`{series[1]}` or one of its labels is there twice; samples have `value` and `arrival`."
            raise Rejected([Diagnostic(REPEATED_NAME, message, "Leave one of them out.", place)])
        found[series[1]] = Series(series[1], labels, numbered=numbered)
    return found
