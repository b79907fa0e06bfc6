"""Which predicates are derived, which arrive, which are background."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import replace

from larspark.analysis.analysis import Analysis
from larspark.analysis.structure.occurrences import body_occurrences, head_atoms
from larspark.diagnostics import Diagnostic
from larspark.language.facts import Signature
from larspark.language.traversal import walk
from larspark.language.tree import Background, Hold, Input, Keyed, Pattern, Program, Record, Say, Show


def classify_predicates(analysis: Analysis) -> Analysis:
    """Heads are intensional; everything else arrives, unless it is declared as background."""
    program = analysis.program
    read = {found.atom.signature for reader in program.readers for found in body_occurrences(reader)}
    # A window that counts what it filters, or what has its key, depends on atoms that no rule names otherwise.
    read |= {node.signature for node in walk(program) if isinstance(node, Pattern | Keyed)}
    intensional = frozenset(atom.signature for rule in program.rules for atom in head_atoms(rule))
    background = analysis.background | {d.signature for d in program.directives if isinstance(d, Background)}
    declared = {d.signature for d in program.directives if isinstance(d, Input)}
    held = {d.signature for d in program.directives if isinstance(d, Hold)}
    shown = {signature for d in program.directives if isinstance(d, Show) for signature in d.signatures}
    names: dict[str, tuple[Signature, ...]] = {}
    for signature in sorted(read | intensional | background | declared | held):
        names[signature.predicate] = (*names.get(signature.predicate, ()), signature)
    return replace(
        analysis,
        signatures=names,
        intensional=intensional,
        extensional=frozenset(((read | held) - intensional - background) | declared),
        background=frozenset(background),
        recorded=frozenset(d.signature for d in program.directives if isinstance(d, Record)),
        held={d.signature: d for d in program.directives if isinstance(d, Hold)},
        shown=frozenset(shown) or frozenset(one for one in intensional if not one.hidden),
    ).finding(*_contradictions(program, intensional, background, declared))


def _contradictions(
    program: Program, intensional: frozenset[Signature], background: frozenset[Signature], declared: set[Signature]
) -> Iterator[Diagnostic]:
    for rule in program.rules:
        for atom in head_atoms(rule):
            if atom.signature in background:
                yield Diagnostic(
                    "E202",
                    f"{atom.signature} is background data and cannot be derived by a rule.",
                    "Give the rule's head another name, and a rule that makes one of the other.",
                    atom.origin or rule.origin,
                )
    for directive in program.directives:
        if isinstance(directive, Record) and directive.signature not in intensional:
            yield Diagnostic(
                "E203",
                f"{directive.signature} is recorded, but no rule derives it.",
                "Only conclusions can be recorded; input is in the stream anyway.",
                directive.origin,
            )
    yield from _said_twice(program)
    yield from _not_held(program, intensional, background - declared)


def _said_twice(program: Program) -> Iterator[Diagnostic]:
    seen: set[Signature] = set()
    for directive in program.directives:
        if isinstance(directive, Say):
            if directive.signature in seen:
                message = f"There are two sentences for {directive.signature}."
                yield Diagnostic("E145", message, "Keep one `#say` directive for it.", directive.origin)
            seen.add(directive.signature)


def _not_held(program: Program, intensional: frozenset[Signature], given: Set[Signature]) -> Iterator[Diagnostic]:
    """What does not arrive cannot be held, and nothing in two ways."""
    seen: set[Signature] = set()
    for directive in program.directives:
        if not isinstance(directive, Hold):
            continue
        signature = directive.signature
        message, hint = "", "Hold what arrives."
        if signature in intensional:
            message = f"{signature} is held, but a rule derives it."
            hint = f"Conclusions have their own memory: `#record {signature}.`"
        elif signature in given:
            message = f"{signature} is held, but it is background data, which holds always."
        elif signature in seen:
            message, hint = f"{signature} is held twice.", "Keep one `#hold` directive for it."
        seen.add(signature)
        if message:
            yield Diagnostic("E210", message, hint, directive.origin)
