"""Changes of a recording as they are said: `@49 hot(press)` to add, `line 98` or `@35 technician(ann)` to drop."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from larspark.diagnostics import Diagnostic, Rejected
from larspark.explain.history import Sourced
from larspark.explain.words import UNSAID, Words
from larspark.language.facts import Fact
from larspark.language.parser import parse_formula
from larspark.language.tree import At, Atom, Constant

_LINE = re.compile(r"(?:(?P<file>.+):)?\s*(?:line\s+)?(?P<line>\d+)\Z")


def changed(
    arrivals: Sequence[Sourced], add: Iterable[str], drop: Iterable[str], words: Words = UNSAID
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
    return tuple(sorted([*kept, *(arrival(text, words) for text in add)], key=lambda one: one.time))


def _meant(text: str, words: Words) -> Callable[[Sourced], bool]:
    """Which arrivals are dropped."""
    found = _LINE.match(text.strip())
    if found is None:
        wanted = arrival(text, words)
        return lambda one: one[:2] == wanted[:2]
    file, line = found["file"], int(found["line"])
    return lambda one: (
        one.place is not None and one.place.line == line and (file is None or one.place.file.endswith(file))
    )


def arrival(text: str, words: Words = UNSAID) -> Sourced:
    """`@49 hot(press)`; the time may be a timestamp."""
    match parse_formula(text):
        case At(Constant(value), Atom(predicate, args)):
            time = words.point(value)
            values = tuple(arg.value for arg in args if isinstance(arg, Constant))
            if isinstance(time, int) and len(values) == len(args):
                return Sourced(time, words.read(Fact(predicate, values)))
    message = f"`{text}` is not a ground atom with its time."
    raise Rejected([Diagnostic("E561", message, "Write '@49 hot(press)'.")])
