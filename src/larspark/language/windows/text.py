"""How sizes and keys of windows are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from larspark.language.printing.terms import show_term
from larspark.language.terms import UNBOUNDED, Constant, Duration, Extent, Variable
from larspark.language.values import quoted, show_value

if TYPE_CHECKING:
    from larspark.language.tree import Atom

WINDOW_WORDS = frozenset({"all", "of", "from", "hop", "input", "session", "tumble"})
"""Words at the start of a window: a `#const` of that name is quoted there."""


def show_extent(extent: Extent) -> str:
    """The text of a size."""
    match extent:
        case int():
            return str(extent)
        case Duration():
            return show_term(extent)
        case Constant(value):
            return quoted(value) if isinstance(value, str) and value in WINDOW_WORDS else show_value(value)
        case _:
            assert extent is UNBOUNDED
            return "all"


def show_range(past: Extent, future: Extent, sign: str = "") -> str:
    """`3`, `+1`, or `3, +1`, with a sign behind each."""
    ahead = f"+{show_extent(future)}{sign}"
    if future == 0:
        return f"{show_extent(past)}{sign}"
    return ahead if past == 0 else f"{show_extent(past)}{sign}, {ahead}"


def show_key(key: int, atom: Atom | None) -> str:
    """A key by its variable when the atom has it in this place first, else by its position from 1."""
    if atom is not None and key < len(atom.args):
        arg = atom.args[key]
        if isinstance(arg, Variable) and not arg.anonymous and atom.args.index(arg) == key:
            return arg.name
    return str(key + 1)
