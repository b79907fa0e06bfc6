"""Predicates that are read as built-in relations, which the user may have meant as input."""

from __future__ import annotations

from collections.abc import Iterator

from larspark.diagnostics import Diagnostic, Severity
from larspark.language.facts import Signature
from larspark.language.printing.printer import show
from larspark.language.shorthands.relation_predicates import as_comparison
from larspark.language.traversal import atoms
from larspark.language.tree import Program


def note_relations(program: Program, relations: frozenset[Signature]) -> Iterator[Diagnostic]:
    """Say once per predicate what it is read as."""
    told: set[Signature] = set()
    for reader in program.readers:
        for atom in atoms(reader):
            if atom.signature in relations - told:
                told.add(atom.signature)
                yield Diagnostic(
                    "W208",
                    f"`{show(atom)}` is read as `{show(as_comparison(atom))}`.",
                    f"Declare `#input {atom.signature}.` if it arrives in the stream.",
                    atom.origin or reader.origin,
                    Severity.NOTE,
                )
