"""How literals are written for the user: in the published spelling for Temporal Datalog, pinned for LARS."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from larspark.hypothetical.answers.answers import Signed
from larspark.hypothetical.theory.conditions import as_tree
from larspark.hypothetical.theory.terms import ABSOLUTE, Literal, Substitution, Var, apply, names, show_term
from larspark.hypothetical.theory.theory import Theory
from larspark.language import tree
from larspark.language.printing.printer import show
from larspark.language.traversal import substitute


@dataclass(frozen=True)
class Writer:
    """Writes the literals of one theory."""

    theory: Theory

    def spelled(self, signed: Signed) -> str:
        """One literal as text: `temp(wt25,high,0)`, `not fixed(a,0)`, `@7 hot(a)`, `@8 not ok(a) [1]`."""
        sign = "not " if signed.negative else ""
        literal = signed.literal
        meaning = self._meaning(literal)
        if isinstance(meaning, Literal) and not self.theory.evaluated:
            return f"{sign}{meaning}"
        pinned = "" if literal.time is None else f"@{show_term(literal.time)} "
        return f"{pinned}{sign}{self.without_time(literal)}"

    def without_time(self, literal: Literal) -> str:
        """What a literal says, its time left aside."""
        meaning = self._meaning(literal)
        return str(meaning._replace(time=None)) if isinstance(meaning, Literal) else show(meaning)

    def _meaning(self, literal: Literal) -> Literal | tree.Formula:
        wording = self.theory.wording.get(literal.predicate)
        if wording is None:
            return literal
        given = dict(zip(wording.names, literal.args, strict=False))
        if isinstance(wording.meaning, Literal):
            bound: Substitution = {**given}
            local = {name for name in names((wording.meaning,)) if name not in given}
            bound.update({name: Var("_") for name in local if name.startswith("_")})
            return apply(wording.meaning, bound)._replace(time=literal.time)
        return substitute(wording.meaning, {name: as_tree(value) for name, value in given.items()})

    def grouped(self, literals: Iterable[Signed]) -> str:
        """Several literals, those that differ in time only together: `temp(a,high) at 0, 1`."""
        times: dict[str, list[str | int]] = {}
        for signed in sorted(literals, key=_order):
            text = ("not " if signed.negative else "") + self.without_time(signed.literal)
            time = signed.literal.time
            found = times.setdefault(text, [])
            if time is not None:
                found.append(time.offset if time.base == ABSOLUTE else show_term(time))
        return ", ".join(f"{text} at {_runs(found)}" if found else text for text, found in times.items())


def _order(signed: Signed) -> tuple[bool, str, tuple[str, ...], int]:
    literal = signed.literal
    return signed.negative, literal.predicate, tuple(map(str, literal.args)), literal.time.offset if literal.time else 0


def _runs(times: list[str | int]) -> str:
    """`0, 1, 4 to 9`."""
    return ", ".join(_run(run) for run in _consecutive(times))


def _consecutive(times: list[str | int]) -> Iterator[list[str | int]]:
    run: list[str | int] = []
    for time in dict.fromkeys(times):
        if run and not (isinstance(time, int) and isinstance(run[-1], int) and time == run[-1] + 1):
            yield run
            run = []
        run.append(time)
    if run:
        yield run


def _run(run: list[str | int]) -> str:
    return ", ".join(map(str, run)) if len(run) < 3 else f"{run[0]} to {run[-1]}"
