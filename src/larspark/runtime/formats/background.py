"""Background data: atoms that hold at every time point."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.language.facts import Fact, Signature
from larspark.language.parser import parse_file
from larspark.language.printer import show
from larspark.language.tree import Atom, Background, Constant, Program, Rule
from larspark.language.values import Value
from larspark.runtime.formats.arrivals import Record, at_line
from larspark.runtime.formats.files import ENDINGS, read_records
from larspark.runtime.formats.tables import Layout

_TEXT = (".lars", ".lp", ".facts", ".txt")


def read_backgrounds(program: Program) -> tuple[Fact, ...]:
    """The facts of all `#background` directives of a program; paths are relative to the file that says them."""
    facts: list[Fact] = []
    problems: list[Diagnostic] = []
    for directive in (d for d in program.directives if isinstance(d, Background)):
        folder = Path(directive.origin.file).parent if directive.origin else Path()
        try:
            facts.extend(read_background(folder / directive.path, directive.signature))
        except Rejected as rejected:
            problems.extend(rejected.diagnostics)
    if problems:
        raise Rejected(problems)
    return tuple(dict.fromkeys(facts))


def read_background(path: str | Path, signature: Signature | None = None) -> tuple[Fact, ...]:
    """The facts of a file: CSV, Parquet or JSON lines as for streams but without time, or facts as text.

    With a signature, a table holds that predicate, one argument per column, and no other predicate is accepted.
    """
    path = Path(path)
    if path.suffix.lower() in _TEXT:
        found = _from_text(path)
    elif path.suffix.lower() in ENDINGS:
        found = _from_records(path, signature)
    else:
        hint = f"Files that can be read end in {', '.join((*ENDINGS, *_TEXT))}."
        raise Rejected([Diagnostic("E408", f"The format of `{path}` is not known.", hint, at_line(str(path), 1))])
    facts: dict[Fact, None] = {}
    problems: list[Diagnostic] = []
    for item in found:
        if isinstance(item, Diagnostic):
            problems.append(item)
        elif signature is not None and item.fact.signature != signature:
            message = f"`{item.fact}` does not belong to {signature}."
            problems.append(Diagnostic("E407", message, "Remove it, or read the file without `as`.", item.origin))
        else:
            facts[item.fact] = None
    if problems:
        raise Rejected(problems)
    return tuple(facts)


def _from_records(path: Path, signature: Signature | None) -> Iterator[Record | Diagnostic]:
    def layout(file: Path) -> Layout:
        if signature is None:
            return Layout(file.stem, timed=False)
        return Layout(signature.predicate, arity=signature.arity, timed=False)

    return read_records(path, layout)


def _from_text(path: Path) -> Iterator[Record | Diagnostic]:
    for rule in parse_file(path).rules:
        origin = rule.origin or at_line(str(path), 1)
        fact = _ground(rule)
        yield Record(fact, None, origin) if fact else _not_a_fact(rule, origin)


def _ground(rule: Rule) -> Fact | None:
    match rule:
        case Rule(Atom(predicate, args), ()):
            values: tuple[Value, ...] = tuple(arg.value for arg in args if isinstance(arg, Constant))
            return Fact(predicate, values) if len(values) == len(args) else None
    return None


def _not_a_fact(rule: Rule, origin: Origin) -> Diagnostic:
    message = f"`{show(rule)}` is not a ground fact."
    return Diagnostic("E403", message, "Background data consists of facts such as `plan(l1,a,b,3).`", origin)
