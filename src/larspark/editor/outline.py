"""What an editor asks about a program: where predicates stand, and what is known of them. Knows no protocol."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from larspark.analysis.analysis import Analysis, Retention
from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.language.facts import Signature
from larspark.language.parser import parse_program
from larspark.language.traversal import atoms
from larspark.language.tree import Directive, Input, Program, Rule, Say
from larspark.language.values import show_value
from larspark.language.words import words
from larspark.runtime.prepared import prepare

_NAME = re.compile(r'"(?:\\.|[^"\\\n])*"|[a-z][A-Za-z0-9_]*')


class NameInText(NamedTuple):
    """The name of a predicate in the text."""

    signature: Signature
    place: Origin
    """Of the name alone."""
    defines: bool
    """In the head of a rule, or in `#input`."""


@dataclass(frozen=True)
class Outline:
    """A text that parses, with everything known about it."""

    file: str
    text: str
    program: Program
    analysis: Analysis
    problems: tuple[Diagnostic, ...]

    @cached_property
    def occurrences(self) -> tuple[NameInText, ...]:
        found = (*_in_rules(self), *_in_directives(self))
        return tuple(sorted(found, key=lambda one: (one.place.file, one.place.line, one.place.column)))

    def at(self, line: int, column: int) -> NameInText | None:
        """The predicate at a position of this file; lines and columns count from 1."""
        for one in self.occurrences:
            place = one.place
            if place.file == self.file and place.line == line and place.column <= column <= place.end_column:
                return one
        return None

    def definitions(self, signature: Signature) -> list[NameInText]:
        return [one for one in self.occurrences if one.signature == signature and one.defines]

    def everywhere(self, signature: Signature) -> list[NameInText]:
        return [one for one in self.occurrences if one.signature == signature]

    def about(self, signature: Signature) -> str:
        """What there is to say about a predicate, in Markdown."""
        return "\n\n".join(filter(None, _told(self, signature)))

    def suggestions(self) -> dict[str, str]:
        """Words that can be completed to, with what they are."""
        predicates = {show_value(one.signature.predicate): "predicate" for one in self.occurrences}
        return {**language_words(), **predicates}


def outline_of(text: str, file: str) -> tuple[Outline | None, tuple[Diagnostic, ...]]:
    """The outline, if the text parses, and everything that is wrong with it."""
    try:
        program = parse_program(text, file)
        prepared = prepare(program)
    except Rejected as rejected:
        return None, rejected.diagnostics
    analysis = prepared.analysis
    return Outline(file, text, program, analysis, prepared.problems), (*analysis.diagnostics, *prepared.problems)


def language_words() -> dict[str, str]:
    """The words of every program, with what they are."""
    known = words()
    plain = dict.fromkeys((*known.reserved, *known.contextual), "word")
    return {**plain, **dict.fromkeys(known.aggregates, "aggregate"), **dict.fromkeys(known.directives, "directive")}


def _in_rules(outline: Outline) -> Iterator[NameInText]:
    for rule in outline.program.rules:
        for part, defines in ((rule.head, True), *((literal, False) for literal in rule.body)):
            for atom in atoms(part):
                place = atom.origin and _name_at(outline, atom.origin, atom.predicate)
                if place:
                    yield NameInText(atom.signature, place, defines)


def _in_directives(outline: Outline) -> Iterator[NameInText]:
    """By their words: directives keep signatures, not places."""
    for directive in outline.program.directives:
        signatures = [signature for signature in _signatures(directive) if directive.origin]
        for signature in signatures:
            assert directive.origin is not None
            place = _name_in(outline, directive.origin, signature)
            if place:
                yield NameInText(signature, place, isinstance(directive, Input))


def _signatures(directive: Directive) -> Iterator[Signature]:
    for value in vars(directive).values():
        for one in value if isinstance(value, tuple) and not isinstance(value, Signature) else (value,):
            if isinstance(one, Signature):
                yield one


def _name_at(outline: Outline, origin: Origin, predicate: str) -> Origin | None:
    """The name that an atom begins with; atoms that a window or `@` surrounds may begin before it."""
    for found in _NAME.finditer(_line(outline, origin), origin.column - 1):
        if found.group() in (predicate, show_value(predicate)):
            return _span(origin, found)
    return None


def _name_in(outline: Outline, origin: Origin, signature: Signature) -> Origin | None:
    name = re.escape(show_value(signature.predicate))
    found = re.compile(rf"{name}(?=\s*[(/])").search(_line(outline, origin), origin.column - 1)
    return found and _span(origin, found)


def _line(outline: Outline, origin: Origin) -> str:
    text = outline.text if origin.file == outline.file else Path(origin.file).read_text(encoding="utf-8")
    return text.split("\n")[origin.line - 1]


def _span(origin: Origin, found: re.Match[str]) -> Origin:
    return Origin(origin.file, origin.line, found.start() + 1, origin.line, found.end() + 1)


def _told(outline: Outline, signature: Signature) -> Iterator[str]:
    analysis = outline.analysis
    yield f"**{signature}** — {_kind(analysis, signature)}"
    yield _columns(outline.program, signature)
    yield from (
        f"Said: “{one.sentence}”."
        for one in outline.program.directives
        if isinstance(one, Say) and one.signature == signature
    )
    for level, stratum in enumerate(analysis.strata or ()):
        if signature in stratum:
            yield f"Stratum {level + 1} of {len(analysis.strata or ())}."
    if signature in analysis.retention:
        yield _kept(analysis.retention[signature])
    readers = [rule for rule in outline.program.rules if _reads(rule, signature)]
    yield f"Read by {_places(readers)}." if readers else "No rule reads it."


def _kind(analysis: Analysis, signature: Signature) -> str:
    kinds = {
        "input": analysis.extensional,
        "derived": analysis.derived,
        "background": analysis.background,
        "recorded": analysis.recorded,
    }
    return ", ".join(kind for kind, members in kinds.items() if signature in members) or "unknown"


def _columns(program: Program, signature: Signature) -> str:
    for directive in program.directives:
        if isinstance(directive, Input) and directive.signature == signature and directive.columns:
            types = directive.types or (None,) * len(directive.columns)
            pairs = zip(directive.columns, types, strict=True)
            return "Columns: " + ", ".join(f"{name}: {kind}" if kind else name for name, kind in pairs) + "."
    return ""


def _kept(kept: Retention) -> str:
    if kept.past is None:
        return "Facts are kept for ever."
    points = "the evaluation time alone" if kept.past == 0 else f"{kept.past} time points"
    latest = "".join(f", and the latest {one.count} however old" for one in kept.latest)
    sessions = "".join(f", and while their session goes on, at most {one.gap} apart" for one in kept.sessions)
    return f"Facts matter for {points}{latest}{sessions}."


def _reads(rule: Rule, signature: Signature) -> bool:
    return any(atom.signature == signature for literal in rule.body for atom in atoms(literal))


def _places(rules: list[Rule]) -> str:
    lines = [f"line {rule.origin.line}" for rule in rules if rule.origin]
    return ", ".join(lines)
