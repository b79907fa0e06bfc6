"""Texts where rules want numbers: compared with them by size, ranked beside them, or as bounds of a window."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from larspark.analysis.analysis import Analysis
from larspark.analysis.typing.arguments import comparisons, describe_term, positive_atoms
from larspark.diagnostics import Diagnostic, Severity
from larspark.language.facts import Fact, Signature
from larspark.language.printing.printer import show
from larspark.language.traversal import time_variables, walk
from larspark.language.tree import (
    Aggregate,
    Atom,
    Comparison,
    Constant,
    Formula,
    IntervalWindow,
    Node,
    Operation,
    Reader,
    Rule,
    Term,
    Variable,
)

Place: TypeAlias = tuple[Signature, int]
"""An argument of a predicate."""


@dataclass(frozen=True)
class WantedNumber:
    """An argument without a declared type, and what wants a number there."""

    place: Place
    by: Comparison | IntervalWindow | Aggregate
    literal: Formula

    def message(self, texts: int, values: int) -> str | None:
        """What is odd about texts among the values of the argument; None if nothing is."""
        signature, argument = self.place
        told = f"{texts} of {values} values of argument {argument + 1} of {signature} are texts, and"
        match self.by:
            case Comparison():
                return f"{told} `{show(self.by)}` compares them with a number: every text is greater than any number."
            case IntervalWindow():
                return f"{told} `{show(self.literal)}` wants time points: with a text the rule does not fire."
            case _ if texts < values:
                return f"{told} a rank has them beside numbers: every text is greater than any number."
        return None

    @property
    def hint(self) -> str:
        (predicate, arity), argument = self.place
        columns = [f"arg{one + 1}" + (": number" if one == argument else "") for one in range(arity)]
        return f"Declare the type, `#input {predicate}({', '.join(columns)}).`"


def wanted_numbers(analysis: Analysis, signatures: Collection[Signature]) -> Iterator[WantedNumber]:
    """The arguments of these predicates where rules want numbers."""
    for reader in analysis.program.readers:
        for literal in reader.body:
            for name, by, atoms in _wanted(reader, literal):
                for atom in atoms:
                    for place, term in enumerate(atom.args):
                        if atom.signature in signatures and isinstance(term, Variable) and term.name == name:
                            yield WantedNumber((atom.signature, place), by, literal)


def _wanted(
    reader: Reader, literal: Formula
) -> Iterator[tuple[str, Comparison | IntervalWindow | Aggregate, Sequence[Atom]]]:
    times, atoms = time_variables(reader), list(positive_atoms(reader.body))
    for comparison in comparisons(literal):
        for side, other in ((comparison.left, comparison.right), (comparison.right, comparison.left)):
            by_size = comparison.operator not in ("=", "!=")
            if isinstance(side, Variable) and _is_number(other, times if by_size else None):
                yield side.name, comparison, atoms
    for node in walk(literal):
        match node:
            case IntervalWindow(start, end):
                yield from ((one.name, node, atoms) for one in (start, end) if isinstance(one, Variable))
            case Aggregate(ranking=ranking) if ranking is not None:
                ranked: list[Node] = [*ranking.element.body]
                inside = list(positive_atoms(ranked))
                yield from ((one.name, node, inside) for one in ranking.element.terms if isinstance(one, Variable))


def _is_number(term: Term, times: Collection[str] | None) -> bool:
    """Whether a term has no other values; `times` for an order: what is calculated is a number, or has no value."""
    if times is not None and (isinstance(term, Operation) or (isinstance(term, Variable) and term.name in times)):
        return True
    told = describe_term(term, {})
    return told.kind is not None and not told.is_text


def stated_facts(analysis: Analysis) -> Iterator[Fact]:
    """The facts that the program itself states."""
    for rule in analysis.program.rules:
        match rule:
            case Rule(Atom(predicate, args), ()) if all(isinstance(one, Constant) for one in args):
                yield Fact(predicate, tuple(one.value for one in args if isinstance(one, Constant)))


def texts_among(facts: Sequence[Fact], analysis: Analysis) -> Iterator[Diagnostic]:
    """What is odd about facts that always hold."""
    texts = Counter(
        (fact.signature, place) for fact in facts for place, value in enumerate(fact.args) if isinstance(value, str)
    )
    values = Counter(fact.signature for fact in facts)
    told: set[Place] = set()
    for wanted in wanted_numbers(analysis, {signature for signature, _ in texts}):
        found = texts[wanted.place]
        message = wanted.message(found, values[wanted.place[0]]) if found and wanted.place not in told else None
        if message is not None:
            told.add(wanted.place)
            hint = "Correct the facts, or compare like with like."
            yield Diagnostic("W412", message, hint, wanted.literal.origin, Severity.WARNING)
