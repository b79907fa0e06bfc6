"""Changes of a recording as they are said: `@49 hot(press)` to add, `line 98` or `@35 technician(ann)` to drop."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from larspark.diagnostics import Diagnostic, Rejected
from larspark.explain.evaluations.history import Sourced, Span
from larspark.explain.phrasing import UNSAID, Phrasing
from larspark.language.facts import Fact
from larspark.language.parser import parse_formula
from larspark.language.tree import At, Atom, Constant
from larspark.semantics.interpretations import TimedFact

_LINE = re.compile(r"(?:(?P<file>.+):)?\s*(?:line\s+)?(?P<line>\d+)\Z")


@dataclass(frozen=True)
class ArrivalChanges:
    """Arrivals to add and to drop, each named by its time and its atom."""

    added: tuple[Sourced, ...] = ()
    dropped: frozenset[TimedFact] = frozenset()

    @classmethod
    def of(cls, add: Iterable[str], drop: Iterable[str], words: Phrasing = UNSAID) -> ArrivalChanges:
        """`Rejected` where lines are to be dropped: only who reads all of a file knows them."""
        texts = list(drop)
        for text in texts:
            if _LINE.match(text.strip()):
                message = f"`{text}` names a line, and the history is not read line by line."
                raise Rejected([Diagnostic("E565", message, "Name the arrival: '@35 technician(ann)'.")])
        dropped = frozenset((one.time, one.fact) for one in (arrival(text, words) for text in texts))
        return cls(tuple(sorted((arrival(text, words) for text in add), key=_time)), dropped)

    def __bool__(self) -> bool:
        return bool(self.added or self.dropped)

    def applied(self, arrivals: Iterable[Sourced], span: Span) -> list[Sourced]:
        """To the arrivals of a span of time."""
        kept = [one for one in arrivals if (one.time, one.fact) not in self.dropped]
        return sorted([*kept, *(one for one in self.added if span[0] <= one.time <= span[1])], key=_time)


NO_CHANGES = ArrivalChanges()


def _time(one: Sourced) -> int:
    return one.time


def changed(
    arrivals: Sequence[Sourced], add: Iterable[str], drop: Iterable[str], words: Phrasing = UNSAID
) -> tuple[Sourced, ...]:
    """The recording after these changes; what is added arrives last at its time point."""
    kept = list(arrivals)
    for text in drop:
        is_meant = _meant(text, words)
        left = [one for one in kept if not is_meant(one)]
        if len(left) == len(kept):
            message = f"There is no arrival `{text}` to drop."
            raise Rejected([Diagnostic("E565", message, "Say 'line 98', 'FILE:98', or '@35 technician(ann)'.")])
        kept = left
    return tuple(sorted([*kept, *(arrival(text, words) for text in add)], key=_time))


def lines_in(drop: Iterable[str]) -> list[tuple[str | None, int]]:
    """The files and lines that are to be dropped."""
    found = (_LINE.match(text.strip()) for text in drop)
    return [(one["file"], int(one["line"])) for one in found if one]


def _meant(text: str, words: Phrasing) -> Callable[[Sourced], bool]:
    """Which arrivals are dropped."""
    found = _LINE.match(text.strip())
    if found is None:
        wanted = arrival(text, words)
        return lambda one: one[:2] == wanted[:2]
    file, line = found["file"], int(found["line"])
    return lambda one: (
        one.place is not None and one.place.line == line and (file is None or one.place.file.endswith(file))
    )


def arrival(text: str, words: Phrasing = UNSAID) -> Sourced:
    """`@49 hot(press)`; the time may be a timestamp."""
    match parse_formula(text):
        case At(Constant(value), Atom(predicate, args)):
            time = words.point(value)
            values = tuple(arg.value for arg in args if isinstance(arg, Constant))
            if isinstance(time, int) and len(values) == len(args):
                return Sourced(time, words.read(Fact(predicate, values)))
    message = f"`{text}` is not a ground atom with its time."
    raise Rejected([Diagnostic("E561", message, "Write '@49 hot(press)'.")])
