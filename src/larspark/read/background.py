"""Background data: atoms that hold at every time point."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.facts import Fact, Signature
from larspark.language.parser import parse_file
from larspark.language.printing.printer import show
from larspark.language.tree import Atom, Background, Constant, Program, Rule
from larspark.language.values import Value
from larspark.read.formats.endings import ENDINGS
from larspark.read.places import at_line
from larspark.read.rules import Rules

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
        return _from_text(path, signature)
    if path.suffix.lower() in ENDINGS:
        return _from_records(path, signature)
    hint = f"Files that can be read end in {', '.join((*ENDINGS, *_TEXT))}."
    raise Rejected([Diagnostic("E408", f"The format of `{path}` is not known.", hint, at_line(str(path), 1))])


def _from_records(path: Path, signature: Signature | None) -> tuple[Fact, ...]:
    from larspark.read.sources import read_chunks  # noqa: PLC0415 - a program without such files loads no columns

    rules = Rules(
        timed=False,
        arity=signature and signature.arity,
        fact_objection=None if signature is None else lambda fact, _: _stranger(fact, signature),
    )
    chunks = list(read_chunks(path, rules, signature and signature.predicate))
    problems = [one.diagnostic for chunk in chunks for one in chunk.refused]
    if problems:
        raise Rejected(problems)
    return tuple(dict.fromkeys(fact for chunk in chunks for _, fact in chunk.arrivals()))


def _from_text(path: Path, signature: Signature | None) -> tuple[Fact, ...]:
    facts: dict[Fact, None] = {}
    problems: list[Diagnostic] = []
    for rule in parse_file(path).rules:
        fact = _ground(rule)
        problem = _not_a_fact(rule) if fact is None else signature and _stranger(fact, signature)
        if problem:
            problems.append(replace(problem, origin=rule.origin or at_line(str(path), 1)))
        elif fact is not None:
            facts[fact] = None
    if problems:
        raise Rejected(problems)
    return tuple(facts)


def _stranger(fact: Fact, signature: Signature) -> Diagnostic | None:
    if fact.signature == signature:
        return None
    message = f"`{fact}` does not belong to {signature}."
    return Diagnostic("E407", message, "Remove it, or read the file without `as`.")


def _ground(rule: Rule) -> Fact | None:
    match rule:
        case Rule(Atom(predicate, args), ()):
            values: tuple[Value, ...] = tuple(arg.value for arg in args if isinstance(arg, Constant))
            return Fact(predicate, values) if len(values) == len(args) else None
    return None


def _not_a_fact(rule: Rule) -> Diagnostic:
    message = f"`{show(rule)}` is not a ground fact."
    return Diagnostic("E403", message, "Background data consists of facts such as `plan(l1,a,b,3).`")
