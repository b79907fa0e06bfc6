"""Predicates that nothing provides or nothing reads: mostly misspelled names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from larspark.analysis.analysis import Analysis
from larspark.analysis.occurrences import body_occurrences, head_atoms
from larspark.diagnostics import Diagnostic, Origin, Severity
from larspark.language.facts import Signature
from larspark.language.tree import Input, Record, Show


def warn_unused(analysis: Analysis) -> Analysis:
    """Unknown names in directives, undeclared input, and conclusions that nothing uses or shows."""
    return analysis.finding(*_unknown_in_directives(analysis), *_undeclared(analysis), *_unread(analysis))


def _unknown_in_directives(analysis: Analysis) -> Iterator[Diagnostic]:
    used = _first_places(analysis)
    for directive in analysis.program.directives:
        match directive:
            case Show(signatures):
                for signature in signatures:
                    if signature not in used:
                        yield _warning(
                            "W202", f"{signature} is shown, but no rule mentions it", signature, used, directive.origin
                        )
            case Input(signature) if signature not in used:
                yield _warning(
                    "W202", f"{signature} is declared as input, but no rule reads it", signature, used, directive.origin
                )


def _undeclared(analysis: Analysis) -> Iterator[Diagnostic]:
    """Input needs no declaration; it is doubtful beside declared input, or when it looks like another name."""
    declared = {d.signature for d in analysis.program.directives if isinstance(d, Input)}
    given = analysis.intensional | analysis.background | declared
    for signature, origin in _first_places(analysis).items():
        if signature in given:
            continue
        if declared or _near(signature, given):
            yield _warning("W203", f"{signature} is neither derived nor declared as input", signature, given, origin)


def _unread(analysis: Analysis) -> Iterator[Diagnostic]:
    """With `#show`, a conclusion that is neither shown nor read nor recorded has no effect."""
    read = {found.atom.signature for rule in analysis.program.rules for found in body_occurrences(rule)}
    recorded = {d.signature for d in analysis.program.directives if isinstance(d, Record)}
    wanted = analysis.shown | read | recorded
    for signature, origin in _first_places(analysis).items():
        if signature in analysis.intensional - wanted:
            yield Diagnostic(
                "W204",
                f"{signature} is derived, but neither shown nor read by a rule.",
                f"Add it to `#show`, or remove the rules for {signature}.",
                origin,
                Severity.WARNING,
            )


def _first_places(analysis: Analysis) -> dict[Signature, Origin | None]:
    places: dict[Signature, Origin | None] = {}
    for rule in analysis.program.rules:
        for atom in (*head_atoms(rule), *(found.atom for found in body_occurrences(rule))):
            places.setdefault(atom.signature, atom.origin or rule.origin)
    return places


def _near(signature: Signature, others: Iterable[Signature]) -> Signature | None:
    """The predicate that was probably meant: a name of some length with a letter lost, added or swapped."""
    names = {str(other): other for other in others if other != signature}
    if len(signature.predicate) < 3:
        return None
    close = get_close_matches(str(signature), names, n=1, cutoff=0.8)
    return names[close[0]] if close else None


def _warning(
    code: str, fact: str, signature: Signature, others: Iterable[Signature], origin: Origin | None
) -> Diagnostic:
    near = _near(signature, others)
    message = f"{fact} — did you mean {near}?" if near else f"{fact}."
    hint = f"Check the spelling, or declare `#input {signature}.`."
    return Diagnostic(code, message, hint, origin, Severity.WARNING)
