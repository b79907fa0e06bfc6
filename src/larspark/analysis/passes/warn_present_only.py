"""Windows over conclusions about the present: nothing concluded at an earlier evaluation is in the stream."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from larspark.analysis.analysis import Analysis
from larspark.analysis.structure.occurrences import head_atoms
from larspark.diagnostics import Diagnostic, Severity
from larspark.language.facts import Signature
from larspark.language.printing.printer import show
from larspark.language.traversal import variables
from larspark.language.tree import (
    Always,
    At,
    Atom,
    Comparison,
    Formula,
    Not,
    Program,
    Reader,
    Rule,
    Some,
    TimeWindow,
    Variable,
    Windowed,
)


def warn_present_only(analysis: Analysis) -> Analysis:
    """Warn about windows that look for the past of what is concluded for the present only, with both cures."""
    program = analysis.program
    present = _present_only(analysis)
    seen: set[tuple[Signature, str]] = set()
    found = []
    for reader in program.readers:
        for literal, window, atom in _windowed(reader):
            key = (atom.signature, show(literal))
            if atom.signature in present and key not in seen:
                seen.add(key)
                found.append(_warning(program, reader, literal, window, atom))
    return analysis.finding(*found)


def _present_only(analysis: Analysis) -> frozenset[Signature]:
    """Conclusions that every rule draws about the evaluation time, from what arrives or is concluded."""
    pinned: set[Signature] = set()
    plain: set[Signature] = set()
    for rule in analysis.program.rules:
        for atom in head_atoms(rule):
            (plain if isinstance(rule.head, Atom) and rule.body else pinned).add(atom.signature)
    return frozenset(plain - pinned - analysis.recorded - analysis.extensional - analysis.background)


def _windowed(reader: Reader) -> Iterator[tuple[Formula, TimeWindow, Atom]]:
    """The literals that look back: `a [w]`, `always a [w]`, `@T a [w]`, negated or not."""
    for literal in reader.body:
        match literal:
            case Windowed(
                TimeWindow(past) as window, Some(Atom() as atom) | Always(Atom() as atom) | At(_, Atom() as atom)
            ) | Not(
                Windowed(
                    TimeWindow(past) as window, Some(Atom() as atom) | Always(Atom() as atom) | At(_, Atom() as atom)
                )
            ) if past != 0:
                yield literal, window, atom


def _warning(program: Program, reader: Reader, literal: Formula, window: TimeWindow, atom: Atom) -> Diagnostic:
    rule = next(one for one in program.rules if any(head.signature == atom.signature for head in head_atoms(one)))
    message = (
        f"`{show(literal)}` looks at earlier time points, but {atom.signature} is concluded for the present only, "
        f"by `{show(rule)}`: the window sees it at the evaluation time alone."
    )
    cure = _for_every_time(rule, window)
    record = f"`#record {atom.signature}.`"
    hint = (
        f"Conclude it for all time points of the window, `{show(cure)}`, or keep conclusions, {record}"
        if cure
        else (f"Keep conclusions, {record}, or conclude `@T {show(atom)}` from what holds at T.")
    )
    return Diagnostic("W209", message, hint, literal.origin or reader.origin, Severity.WARNING)


def _for_every_time(rule: Rule, window: TimeWindow) -> Rule | None:
    """`hot(M) :- r(M,C), C > 80.` as `@T hot(M) :- @T r(M,C) [w], C > 80.`; None where it is not as simple."""
    taken = {variable.name for variable in variables(rule)}
    time = Variable(next(name for name in ("T", "T1", "T2", "T3", "Time") if name not in taken))
    body: list[Formula] = []
    for literal in rule.body:
        match literal:
            case Atom():
                body.append(Windowed(window, At(time, literal)))
            case Not(Atom() as atom):
                body.append(Not(Windowed(window, At(time, atom))))
            case Comparison():
                body.append(literal)
            case _:
                return None
    return replace(rule, head=At(time, rule.head), body=tuple(body))
