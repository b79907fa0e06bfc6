"""Which columns of a table make time, predicate and arguments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.language.tree import ColumnType
from larspark.read.rules import Rules


@dataclass(frozen=True)
class RowLayout:
    """The places of time, atom or predicate, and arguments in a row."""

    time: int | None
    predicate: str = ""
    """The predicate of all rows, unless a column says it."""
    atom: int | None = None
    named: int | None = None
    """The column with the predicate; of the others, the last may be empty."""
    arguments: tuple[int, ...] = ()

    @classmethod
    def of(cls, header: Sequence[str], predicate: str, rules: Rules, origin: Origin | None) -> RowLayout:
        """How a table is read; `Rejected` when its columns do not fit."""
        names = list(header)
        chosen = rules.columns.get(predicate, ())
        time = names.index(rules.time) if rules.timed and rules.time in names else None
        if rules.timed and time is None:
            time = _declared_time(names, predicate, rules)
            if time is None and not rules.live:
                raise _no_time(names, predicate, rules, origin)
        if rules.arity is None and not chosen:
            if "atom" in names:
                return cls(time, atom=names.index("atom"))
            if "predicate" in names:
                named = names.index("predicate")
                return cls(time, named=named, arguments=_others(names, time, named))
        missing = [name for name in chosen if name not in names]
        if missing:
            message = f"There is no column `{missing[0]}`."
            raise Rejected([Diagnostic("E407", message, f"The columns are {', '.join(names)}.", origin)])
        arguments = tuple(map(names.index, chosen)) or _others(names, time)
        if rules.arity is not None and len(arguments) != rules.arity:
            message = f"`{predicate}/{rules.arity}` cannot be read from {len(arguments)} columns."
            raise Rejected([Diagnostic("E407", message, f"The columns are {', '.join(names)}.", origin)])
        return cls(time, predicate, arguments=arguments)

    @property
    def needed(self) -> tuple[int, ...]:
        """The columns that are read, in the order of the table."""
        given = (self.time, self.atom, self.named, *self.arguments)
        return tuple(sorted({place for place in given if place is not None}))


def _declared_time(names: Sequence[str], predicate: str, rules: Rules) -> int | None:
    """Where no column is called `time`: the one column of the type `time`, which stays an argument as well."""
    for one in rules.typed.values():
        if one.signature.predicate == predicate:
            found = [name for name, kind in zip(one.columns, one.types, strict=True) if kind is ColumnType.TIME]
            return names.index(found[0]) if len(found) == 1 and found[0] in names else None
    return None


def _no_time(names: Sequence[str], predicate: str, rules: Rules, origin: Origin | None) -> Rejected:
    message = f"The table of {predicate} has no column `{rules.time}`."
    hint = (
        f"The columns are {', '.join(names)}; call the one with the times `{rules.time}`, or declare it with its type"
    )
    return Rejected([Diagnostic("E407", message, f"{hint}: `#input {predicate}(…, at: time).`", origin)])


def _others(names: Sequence[str], *without: int | None) -> tuple[int, ...]:
    return tuple(place for place in range(len(names)) if place not in without)
