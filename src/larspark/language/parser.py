"""From text to tree. Whatever the text is, the outcome is a tree or `Rejected` with every error found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.language.build.statements import Include, Statement, StatementBuilder, depth, shape
from larspark.language.coaching import explain
from larspark.language.facts import Fact
from larspark.language.grammar import grammar
from larspark.language.layout import blank_comments, statements
from larspark.language.simple_atoms import read_simple_atom
from larspark.language.source import Source
from larspark.language.tree import Directive, Duration, Formula, Program, Rule

_DEEPEST = 150
"""Nesting allowed in one statement; keeps every recursive walk over a tree far from Python's own limit."""

_MOST_MISSING_DOTS = 20
"""How often parsing starts again inside one stretch without dots."""

_MOST_INCLUDES = 100
"""How long a chain of includes may be."""

Built = TypeVar("Built")


def parse_program(text: str, file: str = "<text>") -> Program:
    """The program in a text; `file` names it in errors, and includes are looked up beside it."""
    return _Reading().program(Source(file, text))


def parse_file(path: str | Path) -> Program:
    """The program in a file, with its includes."""
    reading = _Reading()
    return reading.program(_read(Path(path), None))


def parse_formula(text: str, file: str = "<formula>") -> Formula:
    """A formula as it may stand in parentheses; a comma list is read as a conjunction."""
    return _parse_single("query", text, file, StatementBuilder.query)


def parse_fact(text: str, file: str = "<atom>") -> Fact:
    """A ground atom without a final dot."""
    return read_simple_atom(text) or _parse_single("ground_atom", text, file, StatementBuilder.ground_atom)


def parse_duration(text: str) -> Duration:
    """A duration such as `250ms` or `3 min`."""
    return _parse_single("duration", text, "<duration>", StatementBuilder.duration)


def _parse_single(start: str, text: str, file: str, build: Callable[[StatementBuilder, Tree[Token]], Built]) -> Built:
    source = Source(file, text)
    blanked, unclosed = blank_comments(source)
    if unclosed:
        raise Rejected(part.diagnostic for part in unclosed)
    outcome = _parse_part(start, source, blanked, 0, build)
    if outcome.built is None or outcome.problems:
        raise Rejected(outcome.problems)
    return outcome.built


@dataclass(frozen=True)
class _Outcome(Generic[Built]):
    """What came of parsing a stretch of text."""

    built: Built | None
    problems: list[Diagnostic]
    resume: int | None = None
    """The offset of a statement that starts inside the stretch, behind a missing dot."""


def _parse_part(
    start: str, source: Source, part: str, offset: int, build: Callable[[StatementBuilder, Tree[Token]], Built]
) -> _Outcome[Built]:
    try:
        tree = grammar().parse(part, start=start)
    except UnexpectedInput as error:
        problem, resume = explain(error, start, source, part, offset)
        return _Outcome(None, [problem], None if resume is None else offset + resume)
    if shape(tree).deepest > _DEEPEST and depth(tree) > _DEEPEST:
        origin = source.origin(offset, offset + 1)
        message = "The statement is nested too deeply."
        return _Outcome(None, [Diagnostic("E105", message, "Split it with an auxiliary predicate.", origin)])
    builder = StatementBuilder(source, offset)
    return _Outcome(build(builder, tree), builder.problems)


def _read(path: Path, included_at: Origin | None) -> Source:
    try:
        return Source(str(path), path.read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        before = error.object[: error.start]
        column = error.start - (before.rfind(b"\n") + 1) + 1
        line = before.count(b"\n") + 1
        origin = Origin(str(path), line, column, line, column + 1)
        hint = "Save the file in UTF-8."
        raise Rejected([Diagnostic("E111", "The file is not UTF-8 text.", hint, origin)]) from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        origin = included_at or Origin(str(path), 1, 1, 1, 1)
        message = f"The file `{path}` cannot be read: {reason}."
        hint = "Check the name; an included file is looked up beside the file that includes it."
        raise Rejected([Diagnostic("E112", message, hint, origin)]) from error


class _Reading:
    """One reading of a program: the files on the way, and what was found in them."""

    def __init__(self) -> None:
        self._rules: list[Rule] = []
        self._directives: list[Directive] = []
        self._problems: list[Diagnostic] = []
        self._path: list[Path] = []
        self._done: set[Path] = set()

    def program(self, source: Source) -> Program:
        self._splice(source)
        if self._problems:
            raise Rejected(self._problems)
        return Program(tuple(self._rules), tuple(self._directives), origin=source.origin(0, len(source.text)))

    def _splice(self, source: Source) -> None:
        self._path.append(_identity(source.file))
        for statement in self._statements(source):
            match statement:
                case Include():
                    self._include(statement, source)
                case Rule():
                    self._rules.append(statement)
                case _:
                    self._directives.append(statement)
        self._done.add(self._path.pop())

    def _statements(self, source: Source) -> list[Statement]:
        text, unclosed = blank_comments(source)
        problems = [part.diagnostic for part in unclosed]
        found: list[Statement] = []
        for part in statements(text):
            if any(part.start <= open_part.start < part.end or not part.closed for open_part in unclosed):
                continue  # what was never closed has swallowed a piece of this statement
            start: int | None = part.start
            for _ in range(_MOST_MISSING_DOTS):
                if start is None:
                    break
                stretch = text[start : part.end]
                outcome = _parse_part("statement", source, stretch, start, StatementBuilder.statement)
                problems.extend(outcome.problems)
                found.extend(outcome.built or ())
                start = outcome.resume
        self._problems.extend(sorted(problems, key=_by_place))
        return found

    def _include(self, include: Include, source: Source) -> None:
        path = Path(source.file).parent / include.path
        identity = _identity(str(path))
        if identity in self._path:
            names = [p.name for p in self._path[self._path.index(identity) :]] + [identity.name]
            message = f"The file includes itself: {' -> '.join(names)}."
            hint = "Remove one of these includes; a file is spliced in once, however often it is named."
            self._problems.append(Diagnostic("E113", message, hint, include.origin))
        elif len(self._path) > _MOST_INCLUDES:
            message = f"The chain of includes is longer than {_MOST_INCLUDES} files."
            self._problems.append(Diagnostic("E113", message, "Include the files from one place.", include.origin))
        elif identity not in self._done:
            try:
                included = _read(path, include.origin)
            except Rejected as rejected:
                self._problems.extend(rejected.diagnostics)
            else:
                self._splice(included)


def _identity(file: str) -> Path:
    try:
        return Path(file).resolve()
    except (OSError, ValueError):
        return Path(file)


def _by_place(problem: Diagnostic) -> tuple[int, int]:
    return (problem.origin.line, problem.origin.column) if problem.origin else (0, 0)
