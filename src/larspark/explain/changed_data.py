"""Changes of a recording as they are said: `@49 hot(press)` to add, `line 98` or `@35 technician(ann)` to drop."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from larspark.diagnostics import Diagnostic, Rejected
from larspark.explain.history import Sourced
from larspark.language.facts import Fact
from larspark.language.parser import parse_formula
from larspark.language.tree import At, Atom, Constant

_LINE = re.compile(r"(?:(?P<file>.+):)?\s*(?:line\s+)?(?P<line>\d+)\Z")


def changed(arrivals: Sequence[Sourced], add: Iterable[str], drop: Iterable[str]) -> tuple[Sourced, ...]:
    """The recording after these changes; what is added arrives last at its time point."""
    kept = list(arrivals)
    for text in drop:
        left = [one for one in kept if not _is_meant(one, text)]
        if len(left) == len(kept):
            message = f"There is no arrival `{text}` to drop."
            raise Rejected([Diagnostic("E565", message, "Say 'line 98', 'FILE:98', or '@35 technician(ann)'.")])
        kept = left
    return tuple(sorted([*kept, *map(_arrival, add)], key=lambda one: one.time))


def _is_meant(one: Sourced, text: str) -> bool:
    found = _LINE.match(text.strip())
    if found is None:
        return one[:2] == _arrival(text)[:2]
    if one.place is None or one.place.line != int(found["line"]):
        return False
    return found["file"] is None or one.place.file.endswith(found["file"])


def _arrival(text: str) -> Sourced:
    match parse_formula(text):
        case At(Constant(int(time)), Atom(predicate, args)):
            values = tuple(arg.value for arg in args if isinstance(arg, Constant))
            if len(values) == len(args):
                return Sourced(time, Fact(predicate, values))
    message = f"`{text}` is not a ground atom with its time."
    raise Rejected([Diagnostic("E561", message, "Write '@49 hot(press)'.")])
