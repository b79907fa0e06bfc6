"""The series that rules read: labels are declared in comments, for a rule file does not say them.

`# series http_requests_total(job, instance, code)` stands anywhere in the file. A sample of the series is the atom
`http_requests_total(job, instance, code, value)`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from larspark.language.facts import Signature
from larspark.language.tree import Atom, ColumnType, Input, Term, Variable
from larspark.translations.declared_comments import declared

_ANY = Variable("_arrival")


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


def declared_series(text: str, file: str, numbered: bool) -> dict[str, Series]:
    """The series that comments declare."""
    found = declared(text, file, "series", frozenset({"value", "arrival"}))
    return {metric: Series(metric, labels, numbered=numbered) for metric, labels in found.items()}
