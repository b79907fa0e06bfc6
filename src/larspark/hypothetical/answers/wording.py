"""How literals are written for the user: in the published spelling for Temporal Datalog, pinned for LARS."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from larspark.hypothetical.answers.answers import Signed
from larspark.hypothetical.answers.times import POINTS, WrittenTimes
from larspark.hypothetical.theory.conditions import as_tree
from larspark.hypothetical.theory.terms import (
    ABSOLUTE,
    Literal,
    Substitution,
    Term,
    Time,
    Var,
    apply,
    names,
    show_term,
    time_names,
)
from larspark.hypothetical.theory.theory import Theory
from larspark.language import tree
from larspark.language.facts import Signature
from larspark.language.printing.printer import show
from larspark.language.traversal import atoms, substitute
from larspark.language.values import Value


@dataclass(frozen=True)
class Writer:
    """Writes the literals of one theory."""

    theory: Theory
    times: WrittenTimes = POINTS

    def spelled(self, signed: Signed) -> str:
        """One literal as text: `temp(wt25,high,0)`, `not fixed(a,0)`, `@7 hot(a)`, `@8 not ok(a) [1]`."""
        sign = "not " if signed.negative else ""
        literal = signed.literal
        meaning = self._meaning(literal)
        if isinstance(meaning, Literal) and not self.theory.evaluated:
            return f"{sign}{self._with_time(meaning)}"
        pinned = "" if literal.time is None else f"@{self.time(literal.time)} "
        return f"{pinned}{sign}{self.without_time(literal)}"

    def without_time(self, literal: Literal) -> str:
        """What a literal says, its time left aside."""
        meaning = self._meaning(literal)
        return str(meaning._replace(time=None)) if isinstance(meaning, Literal) else show(meaning)

    def time(self, term: Time) -> str:
        """A time point, or what is known of one."""
        return self.times.text(term.offset) if term.base == ABSOLUTE else show_term(term)

    def value(self, name: str, value: Value, timed: Collection[str]) -> Value:
        """What a variable stands for, those of these names for times."""
        return self.times.value(value) if name in timed else value

    def condition(self, comparison: tree.Comparison, timed: Collection[str]) -> str:
        """A comparison; what is compared with a time is one."""
        left, right = comparison.left, comparison.right
        if isinstance(left, tree.Variable) and left.name in timed:
            right = self._stamped_constant(right)
        if isinstance(right, tree.Variable) and right.name in timed:
            left = self._stamped_constant(left)
        return show(replace(comparison, left=left, right=right))

    def timed_names(self, literals: Iterable[Literal]) -> frozenset[str]:
        """The variables that stand for times."""
        spelled = list(literals)
        args = (one.args[place] for one in spelled for place in self._places(one))
        return frozenset(arg.name for arg in args if isinstance(arg, Var)) | set(time_names(spelled))

    def _with_time(self, literal: Literal) -> Literal:
        """In the published spelling, where the time is the last argument."""
        time = literal.time
        if time is None or time.base != ABSOLUTE:
            return literal
        return literal._replace(args=(*literal.args, self.times.value(time.offset)), time=None)

    def _meaning(self, literal: Literal) -> Literal | tree.Formula:
        wording = self.theory.wording.get(literal.predicate)
        if wording is None:
            return self._stamped(literal)
        given = dict(zip(wording.names, literal.args, strict=False))
        if isinstance(wording.meaning, Literal):
            bound: Substitution = {**given}
            local = {name for name in names((wording.meaning,)) if name not in given}
            bound.update({name: Var("_") for name in local if name.startswith("_")})
            return self._stamped(apply(wording.meaning, bound))._replace(time=literal.time)
        timed = _timed_in(wording.meaning, self.times)
        shown = {name: self._stamped_value(value) if name in timed else value for name, value in given.items()}
        return substitute(wording.meaning, {name: as_tree(value) for name, value in shown.items()})

    def _stamped(self, literal: Literal) -> Literal:
        places = self._places(literal)
        if not places:
            return literal
        args = (self._stamped_value(arg) if place in places else arg for place, arg in enumerate(literal.args))
        return literal._replace(args=tuple(args))

    def _places(self, literal: Literal) -> frozenset[int]:
        return self.times.places_in(Signature(literal.predicate, len(literal.args)))

    def _stamped_value(self, term: Term) -> Term:
        if isinstance(term, Time):
            return self.times.value(term.offset) if term.base == ABSOLUTE else term
        return term if isinstance(term, Var) else self.times.value(term)

    def _stamped_constant(self, term: tree.Term) -> tree.Term:
        return tree.Constant(self.times.value(term.value)) if isinstance(term, tree.Constant) else term

    def grouped(self, literals: Iterable[Signed]) -> str:
        """Several literals, those that differ in time only together: `temp(a,high) at 0, 1`."""
        times: dict[str, list[str | int]] = {}
        for signed in sorted(literals, key=_order):
            text = ("not " if signed.negative else "") + self.without_time(signed.literal)
            time = signed.literal.time
            found = times.setdefault(text, [])
            if time is not None:
                found.append(time.offset if time.base == ABSOLUTE else show_term(time))
        return ", ".join(f"{text} at {self._runs(found)}" if found else text for text, found in times.items())

    def _runs(self, times: list[str | int]) -> str:
        """`0, 1, 4 to 9`."""
        return ", ".join(self._run(run) for run in _consecutive(times))

    def _run(self, run: list[str | int]) -> str:
        shown = [self.times.text(one) if isinstance(one, int) else one for one in run]
        return ", ".join(shown) if len(shown) < 3 else f"{shown[0]} to {shown[-1]}"


def _timed_in(formula: tree.Formula, times: WrittenTimes) -> frozenset[str]:
    """The variables of a formula that stand for times in its atoms."""
    args = (atom.args[place] for atom in atoms(formula) for place in times.places_in(atom.signature))
    return frozenset(arg.name for arg in args if isinstance(arg, tree.Variable))


def _order(signed: Signed) -> tuple[bool, str, tuple[str, ...], int]:
    literal = signed.literal
    return signed.negative, literal.predicate, tuple(map(str, literal.args)), literal.time.offset if literal.time else 0


def _consecutive(times: list[str | int]) -> Iterator[list[str | int]]:
    run: list[str | int] = []
    for time in dict.fromkeys(times):
        if run and not (isinstance(time, int) and isinstance(run[-1], int) and time == run[-1] + 1):
            yield run
            run = []
        run.append(time)
    if run:
        yield run
