"""Declared types through the rules: a text is not compared with a number, nor calculated with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from larspark.analysis.analysis import Analysis
from larspark.analysis.typing.arguments import (
    ON_NUMBERS,
    Described,
    Descriptions,
    describe_arguments,
    describe_term,
    in_scope,
    positive_atoms,
)
from larspark.diagnostics import Diagnostic, Origin
from larspark.language.printing.printer import show
from larspark.language.printing.terms import show_term
from larspark.language.traversal import walk
from larspark.language.tree import Atom, Call, Comparison, Input, Operation, Reader, Term, Variable


def check_types(analysis: Analysis) -> Analysis:
    """Reject what mixes a text and a number, as far as declarations tell; without types everything is allowed."""
    program = analysis.program
    if not any(isinstance(one, Input) and one.types for one in program.directives):
        return analysis
    found = describe_arguments(program)
    return analysis.finding(*(one for reader in program.readers for one in _clashes(reader, found)))


def _clashes(reader: Reader, found: Descriptions) -> Iterator[Diagnostic]:
    yield from _joins(reader, found)
    for literal in reader.body:
        known = in_scope(reader, literal, found)
        for node in walk(literal):
            origin = node.origin or reader.origin
            match node:
                case Comparison(_, left, right):
                    yield from _compared(f"`{show(node)}` compares", (left, right), known, origin)
                case Operation(_, left, right):
                    yield from _calculated(f"`{show_term(node)}` calculates", (left, right), known, origin)
                case Call(function, args) if function in ON_NUMBERS:
                    yield from _calculated(f"`{show_term(node)}` calculates", args, known, origin)


def _compared(
    doing: str, sides: tuple[Term, Term], known: Mapping[str, Described], origin: Origin | None
) -> Iterator[Diagnostic]:
    left, right = (describe_term(side, known) for side in sides)
    if left.kind is None or right.kind is None or left.is_text == right.is_text or not (left.said or right.said):
        return
    text, number = (0, 1) if left.is_text else (1, 0)
    told = (_told(sides[text], (left, right)[text]), _told(sides[number], (left, right)[number]))
    message = f"{doing} a text and a number: {told[0]}, and {told[1]}."
    yield Diagnostic("E207", message, "Compare like with like, or declare another type in `#input`.", origin)


def _calculated(
    doing: str, operands: tuple[Term, ...], known: Mapping[str, Described], origin: Origin | None
) -> Iterator[Diagnostic]:
    for operand in operands:
        told = describe_term(operand, known)
        if told.is_text and told.said:
            message = f"{doing} with a text: {_told(operand, told)}."
            yield Diagnostic("E207", message, "Declare it as a number, or leave it out of the calculation.", origin)


def _joins(reader: Reader, found: Descriptions) -> Iterator[Diagnostic]:
    """A variable that is a text in one atom and a number in another has no value."""
    first: dict[str, tuple[Described, Atom]] = {}
    for atom in positive_atoms(reader.body):
        for term, told in zip(atom.args, found.get(atom.signature, ()), strict=False):
            if not isinstance(term, Variable) or not told.said:
                continue
            before, other = first.setdefault(term.name, (told, atom))
            if before.is_text != told.is_text:
                message = (
                    f"`{term.name}` would have to be a text and a number: {_told(term, before)} in `{show(other)}`, "
                    f"and {_told(term, told)} in `{show(atom)}`."
                )
                hint = "Use two variables, or declare another type in `#input`."
                yield Diagnostic("E207", message, hint, atom.origin or reader.origin)


def _told(term: Term, described: Described) -> str:
    """What a term is and how that is known: `M` is text by `#input readings(…)` at a.lars:1:1."""
    shown = f"`{show_term(term)}` is a {'text' if described.is_text else 'number'}"
    if described.said is None:
        return f"{shown} at {term.origin}" if term.origin else shown
    column = f"`{described.name}: {described.kind}`" if described.name else f"a {described.kind}"
    where = f" at {described.said.origin}" if described.said.origin else ""
    return f"{shown}, {column} of `#input {described.said.signature.predicate}`{where}"
