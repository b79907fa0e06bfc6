"""Where a part of a formula is evaluated, and the extended atoms that say something there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from larspark.language.extended_atoms import around, extended_atom
from larspark.language.traversal import variables
from larspark.language.tree import (
    UNBOUNDED,
    Always,
    At,
    Atom,
    FilterWindow,
    Formula,
    IntervalWindow,
    Now,
    PartitionWindow,
    Some,
    Term,
    TimeWindow,
    TupleWindow,
    Window,
    Windowed,
)

Conjunction: TypeAlias = tuple[Formula, ...]
"""Literals of a rule body."""
Alternatives: TypeAlias = list[Conjunction]
"""Bodies of which one must hold."""


MOST = 500
"""How many bodies one rule may become."""


class Beyond(Exception):
    """A formula that is not lowered, with the reason."""

    def __init__(self, reason: str, formula: Formula) -> None:
        super().__init__(reason)
        self.reason = reason
        self.formula = formula


@dataclass(frozen=True)
class Context:
    """The substream that the windows select at the evaluation time, and the time point that is looked at."""

    windows: tuple[Window, ...] = ()
    time: Term = field(default_factory=Now)
    reach: tuple[int, int] | None = None
    """How far behind and ahead of the present the time point lies at most, if that is known."""
    sure: bool = True
    """The time point is surely one of the substream."""

    @property
    def present(self) -> bool:
        """The time point is the evaluation time."""
        return isinstance(self.time, Now)

    def inside(self, window: Window) -> Context:
        sure = self.sure and (self.present or not isinstance(window, IntervalWindow))
        return replace(self, windows=(*self.windows, window), sure=sure)

    def at(self, time: Term) -> Context:
        """At another of the selected time points."""
        match self.windows:
            case (TimeWindow(int(past), int(future), 1), *_) if future >= 0:
                return replace(self, time=time, reach=(past, future), sure=True)
        return replace(self, time=time, reach=None, sure=True)

    def earlier(self, time: Term, past: int, future: int) -> Context:
        """At a time point that a window selects from this one."""
        reach = None if self.reach is None else (self.reach[0] + past, self.reach[1] + future)
        return replace(self, time=time, reach=reach)

    @property
    def reset(self) -> Context:
        """The same time point in the whole stream."""
        return replace(self, windows=(), sure=True)

    def literal(self, atom: Atom) -> Formula:
        """The atom at the time point, in the substream."""
        if self.present and not self.windows:
            return atom
        if atom.signature.hidden and (among := self.for_conclusions) not in (None, self):
            return among.literal(atom)
        pinned = At(self.time, atom, origin=atom.origin)
        if not self.windows and self.reach is not None:  # lets reasoners forget what lies farther back
            return Windowed(TimeWindow(*self.reach), pinned, origin=atom.origin)
        return self.around(pinned)

    def throughout(self, quantifier: type[Some | Always], atom: Atom) -> Formula:
        """`always a` or `some a` in the substream."""
        hidden = atom.signature.hidden
        context = (self.for_conclusions if hidden else None) or self
        return context.around(quantifier(atom, origin=atom.origin))

    def around(self, formula: Formula) -> Formula:
        return around(self.windows, formula)

    @property
    def has_present(self) -> bool:
        """The evaluation time is surely one of the time points of the substream."""
        return all(map(_keeps_present, self.windows))

    @property
    def has_time(self) -> bool:
        """The time point that is looked at is surely one of the substream."""
        return self.has_present if self.present else self.sure

    @property
    def ends(self) -> bool:
        """There is a last time point in the substream, known without the values of variables."""
        return any(
            one.future is not UNBOUNDED if isinstance(one, TimeWindow) else not any(variables(one))
            for one in self._cutting
        )

    @property
    def _cutting(self) -> tuple[Window, ...]:
        return tuple(one for one in self.windows if not isinstance(one, FilterWindow))

    @property
    def for_conclusions(self) -> Context | None:
        """The same time points with atoms that rules derive: filters and tuple windows do not let them through."""
        if any(not isinstance(one, TimeWindow | IntervalWindow) for one in self._cutting):
            return None
        return replace(self, windows=self._cutting)

    def moves_with(self, window: Window) -> bool:
        """Whether the window selects from here what it selects from the present."""
        return self.present or isinstance(window, FilterWindow | IntervalWindow)


def _keeps_present(window: Window) -> bool:
    match window:
        case TimeWindow(_, future, hop):
            return hop == 1 and (future is UNBOUNDED or (isinstance(future, int) and future >= 0))
        case FilterWindow() | TupleWindow() | PartitionWindow():
            return True
    return False


def together(formula: Formula, parts: Iterable[Alternatives]) -> Alternatives:
    """One alternative of each part; literals that stand in several stand once."""
    found: Alternatives = [()]
    for part in parts:
        found = [tuple(dict.fromkeys((*one, *other))) for one in found for other in part]
        if len(found) > MOST:
            raise Beyond(f"It stands for more than {MOST} rules.", formula)
    return found


def times(literals: Iterable[Formula], time: Term) -> list[Formula]:
    """The literals about this time point."""
    return [one for one in literals if (read := extended_atom(one)) is not None and read.time == time]


def pinned_atom(literal: Formula) -> Atom | None:
    """The atom of `@T a` in windows."""
    read = extended_atom(literal)
    return read.atom if read is not None and read.time is not None and not read.negated else None
