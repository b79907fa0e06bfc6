"""Texts where rules want numbers: compared by size, ranked, as bounds of a window, added up or computed with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from larspark.analysis.analysis import Analysis
from larspark.analysis.typing.arguments import ON_NUMBERS, describe_term, positive_atoms
from larspark.diagnostics import Diagnostic, Origin, Severity
from larspark.language.facts import Fact, Signature
from larspark.language.printing.printer import show
from larspark.language.printing.terms import show_term
from larspark.language.traversal import children, time_variables, walk
from larspark.language.tree import (
    Aggregate,
    AggregateElement,
    Atom,
    Call,
    Comparison,
    Constant,
    Formula,
    FunctionImport,
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

Wants: TypeAlias = Comparison | IntervalWindow | Aggregate | Operation | Call

_ADDS = ("sum", "avg")


@dataclass(frozen=True)
class WantedNumber:
    """An argument without a declared type, and what wants a number there."""

    place: Place
    by: Wants
    literal: Formula
    """The literal, or the head, that it stands in."""
    in_tuple: bool = False
    """It stands in an element of an aggregate, so that a tuple is lost and not the whole rule."""

    def message(self, texts: int, values: int) -> str | None:
        """What is odd about texts among the values of the argument; None if nothing is."""
        signature, argument = self.place
        told = f"{texts} of {values} values of argument {argument + 1} of {signature} are texts, and"
        match self.by:
            case Comparison():
                return f"{told} `{show(self.by)}` compares them with a number: every text is greater than any number."
            case IntervalWindow():
                return f"{told} `{show(self.literal)}` wants time points: with a text the rule does not fire."
            case Operation() | Call():
                lost = "the tuple does not count" if self.in_tuple else "the rule does not fire"
                return f"{told} `{show_term(self.by)}` computes with them: with a text it has no value, and {lost}."
            case Aggregate(function) if function in _ADDS:
                return f"{told} `{show(self.by)}` adds them: with a text it has no value, and the rule does not fire."
            case _ if texts < values:
                return f"{told} a rank has them beside numbers: every text is greater than any number."
        return None

    @property
    def origin(self) -> Origin | None:
        return (self.by.origin if isinstance(self.by, Operation | Call) else None) or self.literal.origin

    @property
    def hint(self) -> str:
        (predicate, arity), argument = self.place
        columns = [f"arg{one + 1}" + (": number" if one == argument else "") for one in range(arity)]
        return f"Declare the type, `#input {predicate}({', '.join(columns)}).`"


def wanted_numbers(analysis: Analysis, signatures: Collection[Signature]) -> Iterator[WantedNumber]:
    """The arguments of these predicates where rules want numbers."""
    imported = {one.signature.predicate for one in analysis.program.directives if isinstance(one, FunctionImport)}
    on_numbers = ON_NUMBERS - imported
    for reader in analysis.program.readers:
        atoms = list(positive_atoms(reader.body))
        # what is compared comes first: a comparison may keep texts away from what is computed
        for name, by, literal, scope in (*_wanted(reader, atoms), *_computed(reader, atoms, on_numbers)):
            for atom in scope.atoms:
                for place, term in enumerate(atom.args):
                    if atom.signature in signatures and isinstance(term, Variable) and term.name == name:
                        yield WantedNumber((atom.signature, place), by, literal, scope.in_tuple)


@dataclass(frozen=True)
class _Scope:
    """Where a part of a rule stands."""

    atoms: Sequence[Atom]
    """What binds its variables."""
    in_tuple: bool = False


def _parts(node: Node, scope: _Scope) -> Iterator[tuple[Node, _Scope]]:
    """A node and all below it; of a ranking the element as it was written."""
    yield node, scope
    if isinstance(node, AggregateElement):
        scope = _Scope([*scope.atoms, *positive_atoms(node.body)], in_tuple=True)
    ranking = node.ranking if isinstance(node, Aggregate) else None
    for child in children(node) if ranking is None else [ranking.element]:
        yield from _parts(child, scope)


def _wanted(reader: Reader, atoms: Sequence[Atom]) -> Iterator[tuple[str, Wants, Formula, _Scope]]:
    times = time_variables(reader)
    for literal in reader.body:
        for node, scope in _parts(literal, _Scope(atoms)):
            match node:
                case Comparison(operator, left, right):
                    for side, other in ((left, right), (right, left)):
                        by_size = operator not in ("=", "!=")
                        if isinstance(side, Variable) and _is_number(other, times if by_size else None):
                            yield side.name, node, literal, scope
                case IntervalWindow(start, end):
                    bounds = (one.name for one in (start, end) if isinstance(one, Variable))
                    yield from ((name, node, literal, scope) for name in bounds)
                case Aggregate(ranking=ranking) if ranking is not None:
                    inside = _Scope(list(positive_atoms(list[Node](ranking.element.body))))
                    names = (one.name for one in ranking.element.terms if isinstance(one, Variable))
                    yield from ((name, node, literal, inside) for name in names)


def _computed(
    reader: Reader, atoms: Sequence[Atom], on_numbers: Collection[str]
) -> Iterator[tuple[str, Wants, Formula, _Scope]]:
    """The operands of arithmetic, the arguments of functions of numbers, and what is added up."""
    head = reader.head if isinstance(reader, Rule) else reader.rule.head
    if not any(isinstance(node, Operation | Call | Aggregate) for node in walk(reader)):
        return
    times = time_variables(reader)
    # what a ranking was written as comes before what it was spelled out to
    for literal in sorted((*reader.body, head), key=lambda one: not isinstance(one, Aggregate)):
        for node, scope in _parts(literal, _Scope(atoms)):
            match node:
                case Operation(_, left, right):
                    for one in (left, right):
                        # what is also a time is a number: no text joins it
                        if isinstance(one, Variable) and one.name not in times:
                            yield one.name, node, literal, scope
                case Call(function, args) if function in on_numbers:
                    yield from ((one.name, node, literal, scope) for one in args if isinstance(one, Variable))
                case Aggregate(function, _, _, elements) if function in _ADDS:
                    for element in elements:
                        added = element.terms[0]
                        if isinstance(added, Variable):
                            yield added.name, node, literal, _Scope([*atoms, *positive_atoms(element.body)])


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
    if not texts:
        return
    values = Counter(fact.signature for fact in facts)
    told: set[Place] = set()
    for wanted in wanted_numbers(analysis, {signature for signature, _ in texts}):
        found = texts[wanted.place]
        message = wanted.message(found, values[wanted.place[0]]) if found and wanted.place not in told else None
        if message is not None:
            told.add(wanted.place)
            hint = "Correct the facts, or compare like with like."
            yield Diagnostic("W412", message, hint, wanted.origin, Severity.WARNING)
