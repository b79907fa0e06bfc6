"""Reading case files: a program, what arrives, and what is expected when.

program alarms.lars
case hot for long
  set limit = 80
  set turbine(w1,north)
  send 36..46 hot(press)
  marble technician(ann) ...x...x
  expect 46 alarm(press), not siren
  expect never crowd(_)
  expect within 40..50 alarm(press)
  expect 46 exactly alarm(press), siren
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.explain.evaluations.history import RecordPlace, Sourced, Span
from larspark.language.facts import Fact
from larspark.language.parser import parse_fact, parse_formula
from larspark.language.tree import Atom, Constant, Not
from larspark.language.values import Value


@dataclass(frozen=True)
class ExpectedAtom:
    """An atom, perhaps with `_`, that must be there or must not."""

    pattern: Atom
    negated: bool = False

    def fits(self, fact: Fact) -> bool:
        pairs = zip(self.pattern.args, fact.args, strict=False)
        return self.pattern.signature == fact.signature and all(
            not isinstance(arg, Constant) or arg.value == value for arg, value in pairs
        )


@dataclass(frozen=True)
class Expectation:
    """What must hold at an evaluation, within a span of them, or never."""

    line: int
    text: str
    kind: str
    """at, exactly, within or never."""
    span: Span
    atoms: tuple[ExpectedAtom, ...]


@dataclass(frozen=True)
class RuleCase:
    name: str
    line: int
    sent: tuple[Sourced, ...]
    expectations: tuple[Expectation, ...]
    end: int
    """The last evaluation."""
    constants: Mapping[str, Value] = field(default_factory=dict)
    """Set over the program's own."""
    background: tuple[Fact, ...] = ()
    """What always holds, if it is set: instead of what the program reads from files."""


@dataclass(frozen=True)
class CaseFile:
    path: Path
    program: Path
    stream: Path | None
    reasoner: str | None
    cases: tuple[RuleCase, ...]


@dataclass
class _Open:
    """A case that is being read."""

    name: str
    line: int
    sent: list[Sourced] = field(default_factory=list)
    expectations: list[Expectation] = field(default_factory=list)
    end: int = 0
    constants: dict[str, Value] = field(default_factory=dict)
    background: list[Fact] = field(default_factory=list)

    def set(self, text: str) -> None:
        """`k = 5`, or a fact."""
        name, equals, value = text.partition("=")
        if equals and "(" not in name:
            self.constants[name.strip()] = parse_fact(f"set({value})").args[0]
        else:
            self.background.append(parse_fact(text))

    def closed(self) -> RuleCase:
        sent, expected = tuple(sorted(self.sent, key=lambda one: one.time)), tuple(self.expectations)
        return RuleCase(self.name, self.line, sent, expected, self.end, self.constants, tuple(self.background))


_SPAN = re.compile(r"(\d+)(?:\.\.(\d+))?\Z")
FOR_EVER = 1 << 40
MOST_SENT = 1_000_000
"""Atoms that one line may send."""


def read_case_file(path: Path) -> CaseFile:
    """`Rejected` with the line where something is wrong."""
    names: dict[str, str] = {}
    cases: list[_Open] = []
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise _wrong(path, 1, "The file is not text in UTF-8.") from error
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.split("%", 1)[0].strip()
        if not line:
            continue
        word, _, rest = line.partition(" ")
        try:
            _read_line(word, rest.strip(), number, str(path), names, cases)
        except Rejected as rejected:
            raise _wrong(path, number, rejected.diagnostics[0].message) from rejected
        except ValueError as error:
            raise _wrong(path, number, f"{error}.") from error
    if "program" not in names:
        raise _wrong(path, 1, "The file names no program.")
    folder = path.parent
    stream = folder / names["stream"] if "stream" in names else None
    program = folder / names["program"]
    return CaseFile(path, program, stream, names.get("reasoner"), tuple(one.closed() for one in cases))


def _read_line(word: str, rest: str, number: int, file: str, names: dict[str, str], cases: list[_Open]) -> None:
    if word in ("program", "stream", "reasoner"):
        names[word] = rest
        return
    if word == "case":
        cases.append(_Open(rest or f"line {number}", number))
        return
    if not cases:
        raise ValueError(f"`{word}` stands before the first case")
    case, place = cases[-1], RecordPlace(file, number)
    match word:
        case "send":
            when, _, atom = rest.partition(" ")
            first, last = _span(when)
            if last - first >= MOST_SENT:
                raise ValueError(f"`{when}` sends at more than {MOST_SENT} time points")
            case.sent += (Sourced(time, parse_fact(atom), place) for time in range(first, last + 1))
            case.end = max(case.end, last)
        case "marble":
            atom, _, marbles = rest.rpartition(" ")
            case.sent += (Sourced(time, parse_fact(atom), place) for time, one in enumerate(marbles) if one == "x")
            case.end = max(case.end, len(marbles) - 1)
        case "set":
            case.set(rest)
        case "advance":
            case.end = max(case.end, _span(rest)[1])
        case "expect":
            expectation = _expectation(rest, number)
            case.expectations.append(expectation)
            if expectation.kind != "never":
                case.end = max(case.end, expectation.span[1])
        case _:
            raise ValueError(f"`{word}` is none of program, stream, reasoner, case, set, send, marble, advance, expect")


def _expectation(text: str, number: int) -> Expectation:
    word, _, rest = text.partition(" ")
    if word == "never":
        return Expectation(number, text, "never", (0, FOR_EVER), _wanted(rest))
    if word == "within":
        when, _, rest = rest.strip().partition(" ")
        return Expectation(number, text, "within", _span(when), _wanted(rest))
    kind, atoms = ("exactly", rest.removeprefix("exactly")) if rest.startswith("exactly") else ("at", rest)
    return Expectation(number, text, kind, _span(word), _wanted(atoms))


def _wanted(text: str) -> tuple[ExpectedAtom, ...]:
    if not text.strip():
        return ()
    found: list[ExpectedAtom] = []
    for part in re.split(r",(?![^()]*\))", text):
        match parse_formula(part.strip()):
            case Atom() as atom:
                found.append(ExpectedAtom(atom))
            case Not(Atom() as atom):
                found.append(ExpectedAtom(atom, True))
            case _:
                raise ValueError(f"`{part.strip()}` is neither an atom nor `not` an atom")
    return tuple(found)


def _span(text: str) -> Span:
    found = _SPAN.match(text.strip())
    if found is None:
        raise ValueError(f"`{text}` is no time point and no span such as 3..8")
    return int(found[1]), int(found[2] or found[1])


def _wrong(path: Path, line: int, message: str) -> Rejected:
    origin = Origin(str(path), line, 1, line, 2)
    hint = "docs/explanations.md shows case files."
    return Rejected([Diagnostic("E567", message, hint, origin)])
