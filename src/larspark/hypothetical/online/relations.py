"""The facts of one time point as the premises see them: one small relation per pattern, indexed on demand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

from larspark.hypothetical.theory.terms import Literal, Time, Var
from larspark.language.facts import Fact, Signature
from larspark.language.values import Value

Row = tuple[Value, ...]
"""Values of variables, in the order of some layout."""


def getter(positions: Sequence[int]) -> Callable[[Row], Row]:
    """Pick these positions as a tuple, also when there is one or none."""
    match tuple(positions):
        case ():
            return lambda row: ()
        case (only,):
            return lambda row: (row[only],)
        case several:
            return itemgetter(*several)


class PremisePattern(NamedTuple):
    """The arguments of a premise: constants to meet, variables to pick up (a time variable with its offset)."""

    signature: Signature
    constants: tuple[tuple[int, Value], ...]
    variables: tuple[tuple[int, str, int | None], ...]
    """Position, name, and offset for a time variable among the arguments."""

    @classmethod
    def of(cls, literal: Literal) -> PremisePattern:
        constants: list[tuple[int, Value]] = []
        variables: list[tuple[int, str, int | None]] = []
        for position, arg in enumerate(literal.args):
            match arg:
                case Var(name):
                    variables.append((position, name, None))
                case Time(base, offset):
                    variables.append((position, base, offset))
                case _:
                    constants.append((position, arg))
        return cls(Signature(literal.predicate, len(literal.args)), tuple(constants), tuple(variables))

    @property
    def names(self) -> tuple[str, ...]:
        """The distinct variables, in order of first occurrence: the layout of its relation."""
        return tuple(dict.fromkeys(name for _, name, _ in self.variables))

    @property
    def shape(self) -> PremisePattern:
        """The pattern with its variables numbered, so that premises that ask the same share a relation."""
        number = {name: str(i) for i, name in enumerate(self.names)}
        return PremisePattern(self.signature, self.constants, tuple((p, number[n], o) for p, n, o in self.variables))


def extractor(pattern: PremisePattern) -> Callable[[Row], Row | None]:
    """The row that a fact's arguments contribute, None when they do not fit (constants are checked elsewhere)."""
    names = pattern.names
    if len(names) == len(pattern.variables) and all(offset is None for _, _, offset in pattern.variables):
        return getter([position for position, _, _ in pattern.variables])

    def extract(args: Row) -> Row | None:
        found: dict[str, Value] = {}
        for position, name, offset in pattern.variables:
            value = args[position]
            if offset is not None:
                if not isinstance(value, int):
                    return None
                value = value - offset
            if found.setdefault(name, value) != value:
                return None
        return tuple(found[name] for name in names)

    return extract


class PatternRows:
    """Rows of one pattern, with indexes built when first asked for."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows = dict.fromkeys(rows)
        self._indexes: dict[tuple[int, ...], Mapping[Row, Sequence[Row]]] = {}

    def index(self, keyed: tuple[int, ...], rest: tuple[int, ...]) -> Mapping[Row, Sequence[Row]]:
        """The rest of the rows by the keyed positions."""
        if keyed not in self._indexes:
            found: defaultdict[Row, list[Row]] = defaultdict(list)
            key, tail = getter(keyed), getter(rest)
            for row in self.rows:
                found[key(row)].append(tail(row))
            self._indexes[keyed] = found
        return self._indexes[keyed]


EMPTY = PatternRows(())


class Sorter:
    """Distributes the facts of a time point over the patterns; its cost follows the facts."""

    def __init__(self) -> None:
        self._patterns: dict[PremisePattern, Callable[[Row], Row | None]] = {}

    def register(self, pattern: PremisePattern) -> None:
        shape = pattern.shape
        if shape not in self._patterns:
            self._patterns[shape] = extractor(shape)
            self.__dict__.pop("_table", None)

    @cached_property
    def _table(
        self,
    ) -> Mapping[Signature, Sequence[tuple[Callable[[Row], Row], Mapping[Row, Sequence[PremisePattern]]]]]:
        """Per predicate: for each set of constant positions, the patterns by their constants."""
        grouped: defaultdict[Signature, defaultdict[tuple[int, ...], defaultdict[Row, list[PremisePattern]]]] = (
            defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
        )
        for pattern in self._patterns:
            positions = tuple(position for position, _ in pattern.constants)
            values = tuple(value for _, value in pattern.constants)
            grouped[pattern.signature][positions][values].append(pattern)
        return {
            signature: [(getter(positions), dict(by_values)) for positions, by_values in by_positions.items()]
            for signature, by_positions in grouped.items()
        }

    def sort(self, facts: Iterable[Fact]) -> Mapping[PremisePattern, PatternRows]:
        table = self._table
        found: dict[PremisePattern, list[Row]] = {}
        patterns = self._patterns
        for predicate, args in facts:
            for constants, by_values in table.get((predicate, len(args)), ()):  # type: ignore[call-overload]
                for pattern in by_values.get(constants(args), ()):
                    row = patterns[pattern](args)
                    if row is not None:
                        if pattern in found:
                            found[pattern].append(row)
                        else:
                            found[pattern] = [row]
        return {pattern: PatternRows(rows) for pattern, rows in found.items()}
