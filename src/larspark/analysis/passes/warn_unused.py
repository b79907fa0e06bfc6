"""Predicates that nothing provides or nothing reads: mostly misspelled names."""

from __future__ import annotations

from collections.abc import Iterator

from larspark.analysis.analysis import Analysis
from larspark.analysis.near_names import NearNames
from larspark.analysis.structure.occurrences import body_occurrences, head_atoms
from larspark.diagnostics import Diagnostic, Origin, Severity
from larspark.language.facts import Signature
from larspark.language.tree import Hold, Input, Record, Say, Show


def warn_unused(analysis: Analysis) -> Analysis:
    """Unknown names in directives, undeclared input, and conclusions that nothing uses or shows."""
    return analysis.finding(*_unknown_in_directives(analysis), *_undeclared(analysis), *_unread(analysis))


def _unknown_in_directives(analysis: Analysis) -> Iterator[Diagnostic]:
    used = _first_places(analysis)
    names = NearNames(used)
    for directive in analysis.program.directives:
        match directive:
            case Show(signatures):
                for unknown in (signature for signature in signatures if signature not in used):
                    fact = f"{unknown} is shown, but no rule mentions it"
                    hint = f"Check the spelling, or remove {unknown} from `#show`."
                    yield _warning("W202", fact, hint, names.near(unknown), directive.origin)
            case Hold(signature) if signature not in used:
                fact = f"{signature} is held, but no rule reads it"
                hint = f"Check the spelling, or remove the `#hold` of {signature}."
                yield _warning("W202", fact, hint, names.near(signature), directive.origin)
            case Say(signature) if signature not in used:
                fact = f"`#say` has words for {signature}, but no rule mentions it"
                hint = f"Check the spelling and the number of arguments, or remove the `#say` of {signature}."
                yield _warning("W202", fact, hint, names.near(signature), directive.origin)
            case Input(signature) if signature not in used:
                fact = f"{signature} is declared as input, but no rule reads it"
                hint = f"Check the spelling, or remove the declaration of {signature}."
                yield _warning("W202", fact, hint, names.near(signature), directive.origin)


def _undeclared(analysis: Analysis) -> Iterator[Diagnostic]:
    """Input needs no declaration; it is doubtful beside declared input, or when it looks like another name."""
    declared = {d.signature for d in analysis.program.directives if isinstance(d, Input)}
    given = analysis.intensional | analysis.background | declared
    names = NearNames(given)
    for signature, origin in _first_places(analysis).items():
        if signature in given:
            continue
        near = names.near(signature)
        if declared or near:
            hint = f"Check the spelling, or declare `#input {signature}.`."
            yield _warning("W203", f"{signature} is neither derived nor declared as input", hint, near, origin)


def _unread(analysis: Analysis) -> Iterator[Diagnostic]:
    """With `#show`, a conclusion that is neither shown nor read nor recorded has no effect."""
    read = {found.atom.signature for reader in analysis.program.readers for found in body_occurrences(reader)}
    recorded = {d.signature for d in analysis.program.directives if isinstance(d, Record)}
    without_use = analysis.intensional - analysis.shown - read - recorded
    for signature, origin in _first_places(analysis).items():
        if signature in without_use and not signature.hidden:
            yield Diagnostic(
                "W204",
                f"{signature} is derived, but neither shown nor read by a rule.",
                f"Add it to `#show`, or remove the rules for {signature}.",
                origin,
                Severity.WARNING,
            )


def _first_places(analysis: Analysis) -> dict[Signature, Origin | None]:
    places: dict[Signature, Origin | None] = {}
    for reader in analysis.program.readers:
        for atom in (*head_atoms(reader), *(found.atom for found in body_occurrences(reader))):
            places.setdefault(atom.signature, atom.origin or reader.origin)
    return places


def _warning(code: str, fact: str, hint: str, near: Signature | None, origin: Origin | None) -> Diagnostic:
    message = f"{fact} — did you mean {near}?" if near else f"{fact}."
    return Diagnostic(code, message, hint, origin, Severity.WARNING)
