"""MATCH_RECOGNIZE as rules: a state for each part of the pattern, recorded at the row that it is reached at.

A state knows the keys, the time of the first row, and the values of earlier rows that are asked for later. The next
row of the partition takes it further.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product

from sqlglot import exp

from larspark.language.facts import Signature
from larspark.language.tree import (
    At,
    Atom,
    Comparison,
    Constant,
    Formula,
    IntervalWindow,
    Keyed,
    Not,
    Now,
    Operation,
    PartitionWindow,
    Rule,
    Some,
    Term,
    Variable,
    Windowed,
)
from larspark.translations.cql.expressions import All, AnyOf, Condition, Exists, NoTranslation, condition, term
from larspark.translations.cql.match_recognize import MatchRecognize, PatternVariable
from larspark.translations.cql.scope import Table
from larspark.translations.datalog import fresh_variables, tidy
from larspark.translations.naming import Names

_DISJOINT = {
    "<": {"=", ">", ">="},
    ">": {"=", "<", "<="},
    "=": {"<", ">", "!="},
    "<=": {">"},
    ">=": {"<"},
    "!=": {"="},
}


@dataclass(frozen=True)
class Remembered:
    """A value of the first or the last row of a part of the pattern."""

    part: str
    first: bool
    column: str

    @property
    def name(self) -> str:
        return f"{self.part}_{'first_' if self.first else ''}{self.column}"


@dataclass
class RowPattern:
    """The rules of one MATCH_RECOGNIZE over a stream."""

    predicate: str
    stream: Table
    match: MatchRecognize
    names: Names
    rules: list[Rule] = field(default_factory=list)
    recorded: list[Signature] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.columns = {column.lower(): column for column in self.stream.columns}
        self.parts = {part.name: part for part in self.match.pattern}
        self.defined = dict(self.match.defined)
        self.row = fresh_variables(self.stream.arguments, set())
        taken = {one.name for one in self.row.values()}
        self.before = fresh_variables([f"previous {column}" for column in self.stream.arguments], taken)
        taken |= {one.name for one in self.before.values()}
        self.remembered = list(dict.fromkeys(self._asked()))
        self.values = fresh_variables([one.name for one in self.remembered], taken)
        taken |= {one.name for one in self.values.values()}
        times = fresh_variables(["Start", "Before"], taken)
        self.start, self.time = times["Start"], times["Before"]
        self.states = {
            part.name: self.names.fresh(f"{self.predicate}_{part.name.lower()}") for part in self.match.pattern
        }

    @property
    def outputs(self) -> tuple[str, ...]:
        """The columns of a match: the keys, and the measures."""
        return (*self.match.keys, *(name for name, _ in self.match.measures))

    def write(self) -> None:
        """The rules of all states, and of the matches."""
        pattern = self.match.pattern
        for place, part in enumerate(pattern):
            follower = pattern[place + 1] if place + 1 < len(pattern) else None
            if part.repeated and part.greedy and follower is not None and not self._excludes(part, follower):
                raise NoTranslation(
                    self._place(part),
                    f"A row may be both {part.name} and {follower.name}, so it would wait for later rows.",
                    f"Write {part.name}+?, or conditions that exclude each other.",
                )
            self._reached(part, pattern[place - 1] if place else None)
            if part.repeated:
                assert follower is not None
                self._repeated(part, follower)
            if follower is not None:
                self.recorded.append(self._state(part, {}).signature)
        self._matches(pattern[-1])

    # -- states ----------------------------------------------------------------------------------------

    def _reached(self, part: PatternVariable, last: PatternVariable | None) -> None:
        """The first row of a part, behind the last row of the part before."""
        body: tuple[Formula, ...] = (self._now(),)
        values: dict[str, Term] = dict(self.values)
        if last is None:
            start: Term = Now()
            values = {name: Constant(0) for name in values}
        else:
            start = self.start
            body += (*self._previous(), At(self.time, self._state(last, values)), *self._within())
        taken = {**values, **self._own(part, first=True)}
        for tests in self._tests(part, part):
            self._add(self._state(part, taken, start), (*body, *tests))

    def _repeated(self, part: PatternVariable, follower: PatternVariable) -> None:
        """One more row of a part, if it is not one of the next part: as few as possible."""
        body = (self._now(), *self._previous(), At(self.time, self._state(part, self.values)), *self._within())
        taken = {**self.values, **self._own(part, first=False)}
        for tests, others in product(self._tests(part, part), self._tests(follower, follower, positive=False)):
            self._add(self._state(part, taken, self.start), (*body, *tests, *others))

    def _matches(self, last: PatternVariable) -> None:
        found = self._state(last, self.values)
        keys = tuple(self.row[self._column(key)] for key in self.match.keys)
        body: tuple[Formula, ...] = (self._now(), found)
        if self.match.past_last_row:
            if any(part.repeated for part in self.match.pattern):
                message = "With `+` the next match cannot be told to begin behind the last row of one."
                raise NoTranslation(self._place(last), message, "Write AFTER MATCH SKIP TO NEXT ROW.")
            ended = Atom(self.names.fresh(f"{self.predicate}_ended"), keys)
            overlapped = Windowed(IntervalWindow(self.start, Operation("-", Now(), Constant(1))), Some(ended))
            body += (Not(overlapped),)
            self._add(ended, body)
            self.recorded.append(ended.signature)
        values: list[Term] = []
        for number, (_, measure) in enumerate(self.match.measures):
            value = term(measure, lambda node: self._value(node, last, measured=True))
            if not isinstance(value, Variable | Constant):
                new = Variable(f"Measure{number}")
                body += (Comparison("=", new, value),)
                value = new
            values.append(value)
        self._add(Atom(self.predicate, (*keys, *values)), body)

    def _state(self, part: PatternVariable, values: Mapping[str, Term], start: Term | None = None) -> Atom:
        keys = tuple(self.row[self._column(key)] for key in self.match.keys)
        known = tuple(values.get(one.name, self.values[one.name]) for one in self.remembered)
        return Atom(self.states[part.name], (*keys, start or self.start, *known))

    def _own(self, part: PatternVariable, first: bool) -> dict[str, Term]:
        """What the present row leaves to be remembered of its part."""
        mine = [one for one in self.remembered if one.part == part.name and (first or not one.first)]
        return {one.name: self._present(one.column) for one in mine}

    def _add(self, head: Atom, body: tuple[Formula, ...]) -> None:
        # `now` in the arguments of a head gets a variable.
        args: list[Term] = []
        for arg in head.args:
            if isinstance(arg, Now):
                new = Variable("Present")
                if Comparison("=", new, arg) not in body:
                    body += (Comparison("=", new, arg),)
                args.append(new)
            else:
                args.append(arg)
        self.rules.append(tidy(Rule(Atom(head.predicate, tuple(args)), body)))

    # -- rows ------------------------------------------------------------------------------------------

    def _now(self) -> Atom:
        return Atom(self.stream.name, tuple(self.row.values()))

    def _previous(self) -> tuple[Formula, ...]:
        """The row of the partition before the present one."""
        keys = {self._column(key) for key in self.match.keys}
        signature = Signature(self.stream.name, len(self.stream.arguments))
        places = tuple(place for place, column in enumerate(self.stream.arguments) if column in keys)
        window = PartitionWindow(2, 0, (Keyed(signature, places),))
        args = tuple(
            self.row[column] if column in keys else self.before[f"previous {column}"]
            for column in self.stream.arguments
        )
        return Windowed(window, At(self.time, Atom(self.stream.name, args))), Comparison("<", self.time, Now())

    def _within(self) -> tuple[Formula, ...]:
        if self.match.within is None:
            return ()
        return (Comparison(">=", self.start, Operation("-", Now(), Constant(self.match.within))),)

    # -- expressions -----------------------------------------------------------------------------------

    def _tests(self, part: PatternVariable, place: PatternVariable, positive: bool = True) -> list[tuple[Formula, ...]]:
        """The alternatives of a definition, or of its negation; a part without one takes every row."""
        if part.name not in self.defined:
            return [()] if positive else []
        found = condition(self.defined[part.name], lambda node: self._value(node, part), positive)
        tests = [tuple(choice) for choice in _alternatives(found)]
        asks_before = any(node.name.upper() == "PREV" for node in self.defined[part.name].find_all(exp.Anonymous))
        if part == self.match.pattern[0] and asks_before:
            return [(*self._previous(), *choice) for choice in tests]
        return tests

    def _excludes(self, part: PatternVariable, follower: PatternVariable) -> bool:
        """Whether no row can be both, seen from the comparisons of the same values."""
        both = product(self._tests(part, part), self._tests(follower, follower))
        return all(any(_disjoint(one, other) for one in ones for other in others) for ones, others in both)

    def _value(self, node: exp.Expr, part: PatternVariable, measured: bool = False) -> Term | None:
        """A column of the present row, of the row before, or one that is remembered."""
        match node:
            case exp.Anonymous() if node.name.upper() == "PREV" and len(node.expressions) == 1 and not measured:
                column = self._column_of(node.expressions[0])
                if column == self.stream.time:
                    return self.time
                return self.row[column] if self._is_key(column) else self.before[f"previous {column}"]
            case exp.First() | exp.Last() if node.args.get("expression") is None:
                return self._of_part(node.this, part, isinstance(node, exp.First), measured)
            case exp.Column():
                return self._of_part(node, part, False, measured)
        return None

    def _of_part(self, node: exp.Expr, part: PatternVariable, first: bool, measured: bool) -> Term:
        column = self._column_of(node)
        wanted = node.table.upper() if isinstance(node, exp.Column) else ""
        if wanted in ("", part.name) and not (first and part.repeated):
            return self._present(column)
        if wanted == part.name or wanted not in self.parts:
            message = f"`{node.sql()}` cannot be asked for here."
            raise NoTranslation(node, message, f"There are the rows {', '.join(self.parts)}, and PREV.")
        order = list(self.parts)
        if not measured and order.index(wanted) > order.index(part.name):
            raise NoTranslation(node, f"{wanted} comes after {part.name}.", "Test it where it is defined.")
        return self.values[Remembered(wanted, first and self.parts[wanted].repeated, column).name]

    def _asked(self) -> Iterator[Remembered]:
        """Values of rows that a later row or a measure asks for."""
        last = self.match.pattern[-1].name
        for own, found in (*self.match.defined, *((last, one) for _, one in self.match.measures)):
            for node in found.find_all(exp.Column):
                part = node.table.upper()
                if part in self.parts and part != own:
                    first = isinstance(node.parent, exp.First) and self.parts[part].repeated
                    yield Remembered(part, first, self._column_of(node))

    def _present(self, column: str) -> Term:
        return Now() if column == self.stream.time else self.row[column]

    def _is_key(self, column: str) -> bool:
        return column in {self._column(key) for key in self.match.keys}

    def _column_of(self, node: exp.Expr) -> str:
        if not isinstance(node, exp.Column):
            raise NoTranslation(node, f"`{node.sql()}` is no column.", "Name a column of the stream.")
        return self._column(node.name, node)

    def _column(self, name: str, node: exp.Expr | None = None) -> str:
        found = self.columns.get(name.lower())
        if found is None:
            message = f"There is no column `{name}` in `{self.stream.name}`."
            raise NoTranslation(node or exp.column(name), message, f"Its columns are {', '.join(self.stream.columns)}.")
        return found

    def _place(self, part: PatternVariable) -> exp.Expr:
        return self.defined.get(part.name, exp.column(part.name))


def _alternatives(found: Condition) -> list[tuple[Formula, ...]]:
    match found:
        case Comparison():
            return [(found,)]
        case AnyOf(parts):
            return [choice for part in parts for choice in _alternatives(part)]
        case All(parts):
            return [tuple(one for part in choice for one in part) for choice in product(*map(_alternatives, parts))]
        case Exists(query):
            raise NoTranslation(query, "A definition cannot ask other tables.", "Use comparisons of rows.")


def _disjoint(one: Formula, other: Formula) -> bool:
    match one, other:
        case Comparison(first, left, right), Comparison(second, left2, right2) if (left, right) == (left2, right2):
            return second in _DISJOINT[first]
    return False
