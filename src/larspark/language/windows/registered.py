"""`[name(1, x)]`: a window function that Python registers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.values import Value, show_value
from larspark.language.windows.selection import Selection
from larspark.language.windows.sizes import Sizes
from larspark.language.windows.text import WINDOW_WORDS
from larspark.language.windows.window import WindowNode

if TYPE_CHECKING:
    from larspark.language.tree import Atom

SelectionFunction: TypeAlias = Callable[..., Selection]
"""Given a stream, in the order of time, now, and the arguments of the window: a part of the stream."""


class Registered(NamedTuple):
    function: SelectionFunction
    everything: bool


_NAME = re.compile(r"[a-z][A-Za-z0-9_]*")
_registered: dict[str, Registered] = {}


def register_window(name: str, function: SelectionFunction, *, everything: bool = False) -> None:
    """Let `a [name(…)]` select what the function returns; the same name again replaces it.

    The function gets a `Selection` (the first and last time point, and the arrivals up to now), the evaluation time,
    and the values in the parentheses. It returns a `Selection` of some of these arrivals, on a part of the timeline.
    What it returns must depend on nothing else.

    With `everything` it is given all atoms of the stream: conclusions as well, whose number is `CONCLUDED`, and what
    lies ahead. Only the reference reasoner runs that.
    """
    if not _NAME.fullmatch(name) or name in WINDOW_WORDS:
        raise ValueError(f"{name!r} is no name for a window: it begins with a small letter and is no word of windows")
    _registered[name] = Registered(function, everything)


@dataclass(frozen=True)
class RegisteredWindow(WindowNode):
    """Only what arrives can stand under it, unless the function is given everything."""

    name: str
    args: tuple[Value, ...] = ()

    @property
    def counts_arrivals(self) -> bool:
        return not self.sees_everything

    @property
    def sees_everything(self) -> bool:
        return self.name in _registered and _registered[self.name].everything

    def resolved(self, sizes: Sizes) -> WindowNode:
        if self.name not in _registered:
            sizes.problem("E501", *self._unknown, self.origin)
        return self

    @property
    def _unknown(self) -> tuple[str, str]:
        hint = f"Register it: `larspark.register_window({self.name!r}, function)`."
        return f"There is no window `{self.name}`.", hint

    def select(self, stream: Selection, now: int) -> Selection:
        if now not in stream:
            return stream
        if self.name not in _registered:
            raise Rejected([Diagnostic("E501", *self._unknown, self.origin)])
        try:
            found = _registered[self.name].function(stream, now, *self.args)
        except Exception as error:
            raise self._failed(f"failed: {error}") from error
        if not isinstance(found, Selection) or not _is_part(found, stream):
            raise self._failed("returned something else than a part of the stream")
        return found

    def _failed(self, how: str) -> Rejected:
        message = f"The window function {self.name} {how}."
        hint = "It returns a `Selection` of some atoms that it is given, in their order."
        return Rejected([Diagnostic("E501", message, hint, self.origin)])

    def show(self, atom: Atom | None) -> str:
        return f"[{self.name}({','.join(map(show_value, self.args))})]"


def _is_part(found: Selection, stream: Selection) -> bool:
    """S' ⊆ S, with the atoms inside the timeline and in order."""
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
