"""The predicates of a program, as messages and inputs know them."""

from __future__ import annotations

from dataclasses import dataclass

from larspark.analysis.analysis import Analysis
from larspark.diagnostics import Diagnostic
from larspark.language.calendar import Calendar
from larspark.language.facts import Fact, Signature
from larspark.language.tree import Input
from larspark.runtime.admission import Admission
from larspark.spark.evaluate.messages import numbered


@dataclass(frozen=True)
class ProgramVocabulary:
    analysis: Analysis
    calendar: Calendar

    @property
    def signatures(self) -> frozenset[Signature]:
        return self.analysis.intensional | self.analysis.extensional

    @property
    def numbers(self) -> dict[Signature, int]:
        return numbered(self.signatures)

    @property
    def width(self) -> int:
        return max((signature.arity for signature in self.signatures), default=0)

    def columns_of(self, predicate: str) -> tuple[str, ...]:
        """The columns that `#input tram(id, station)` names."""
        return next((one.columns for one in self.inputs if one.signature.predicate == predicate), ())

    @property
    def inputs(self) -> list[Input]:
        return [one for one in self.analysis.program.directives if isinstance(one, Input)]

    def objection(self, signature: Signature) -> Diagnostic | None:
        return Admission(self.analysis).objection(Fact(signature.predicate, (0,) * signature.arity))
