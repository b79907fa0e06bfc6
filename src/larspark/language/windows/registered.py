"""`[name(1, x)]`: a window function that Python registers, over what has arrived."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.values import Value, show_value
from larspark.language.windows.selection import Selection
from larspark.language.windows.sizes import Sizes
from larspark.language.windows.text import WINDOW_WORDS
from larspark.language.windows.window import WindowNode

if TYPE_CHECKING:
    from larspark.language.tree import Atom

SelectionFunction: TypeAlias = Callable[..., Selection]
"""Given the arrivals up to now, in order, now, and the arguments of the window: a part of these."""

_NAME = re.compile(r"[a-z][A-Za-z0-9_]*")
_registered: dict[str, SelectionFunction] = {}


def register_window(name: str, function: SelectionFunction) -> None:
    """Let `a [name(…)]` select what the function returns; the same name again replaces it.

    The function gets a `Selection` (the first and last time point, and the arrivals up to now), the evaluation time,
    and the values in the parentheses. It returns a `Selection` of some of these arrivals, on a part of the timeline.
    What it returns must depend on nothing else.
    """
    if not _NAME.fullmatch(name) or name in WINDOW_WORDS:
        raise ValueError(f"{name!r} is no name for a window: it begins with a small letter and is no word of windows")
    _registered[name] = function


@dataclass(frozen=True)
class RegisteredWindow(WindowNode):
    """Only what arrives can stand under it."""

    counts_arrivals = True
    name: str
    args: tuple[Value, ...] = ()

    def resolved(self, sizes: Sizes) -> WindowNode:
        if self.name not in _registered:
            hint = f"Register it: `larspark.register_window({self.name!r}, function)`."
            sizes.problem("E501", f"There is no window `{self.name}`.", hint, self.origin)
        return self

    def select(self, stream: Selection, now: int) -> Selection:
        if now not in stream:
            return stream
        try:
            found = _registered[self.name](stream, now, *self.args)
        except Exception as error:
            raise self._failed(f"failed: {error}") from error
        if not isinstance(found, Selection) or not _is_part(found, stream):
            raise self._failed("returned something else than a part of the stream")
        return found

    def _failed(self, how: str) -> Rejected:
        message = f"The window function {self.name} {how}."
        hint = "It returns a `Selection` of some arrivals that it is given, in their order."
        return Rejected([Diagnostic("E501", message, hint, self.origin)])

    def show(self, atom: Atom | None) -> str:
        return f"[{self.name}({','.join(map(show_value, self.args))})]"


def _is_part(found: Selection, stream: Selection) -> bool:
    """S' ⊆ S, with the arrivals inside the timeline and in order."""
    if found.empty:
        return not found.arrivals
    ends = stream.last is None or (found.last is not None and found.last <= stream.last)
    order = [(arrival.time, arrival.number) for arrival in found.arrivals]
    return (
        found.first >= stream.first
        and ends
        and order == sorted(order)
        and all(arrival.time in found for arrival in found.arrivals)
        and {*found.arrivals} <= {*stream.arrivals}
    )
