"""From windows to text."""

from __future__ import annotations

from larspark.language.print_terms import show_term
from larspark.language.tree import (
    HALF_OPEN,
    UNBOUNDED,
    Atom,
    Constant,
    Duration,
    Extent,
    FilterWindow,
    IntervalWindow,
    KeyedWindow,
    PartitionWindow,
    Pattern,
    PluginWindow,
    SessionWindow,
    TimeWindow,
    TupleWindow,
    Variable,
    Window,
)
from larspark.language.values import quoted, show_value

_WINDOW_WORDS = frozenset({"all", "of", "from", "hop", "input", "session", "tumble"})
"""Words at the start of a window: a `#const` of that name is quoted there."""


def show_window(window: Window, atom: Atom | None) -> str:
    """The text of a window; `atom` is the one it follows, if there is exactly one, to name the keys of `per`."""
    match window:
        case TimeWindow(length, future, hop) if future == HALF_OPEN:
            hops = "tumble " if hop == length else f"hop {show_extent(hop)} over "
            return f"[{hops}{show_extent(length)}]"
        case TimeWindow(past, future, hop):
            return f"[{_range(past, future, '')}{_hop(past, future, hop)}]"
        case TupleWindow(past, future):
            return f"[{_range(past, future, ' #')}]"
        case PartitionWindow(past, future):
            of, per = _keys(window, atom)
            return f"[{_range(past, future, ' #')}{of} per{per}]"
        case SessionWindow(gap, keys=keys):
            of, per = _keys(window, atom)
            return f"[session {show_extent(gap)}{of}{' per' if keys else ''}{per}]"
        case FilterWindow(patterns):
            return f"[of {', '.join(map(show_pattern, patterns))}]"
        case IntervalWindow(start, end):
            return f"[from {show_term(start)} to {show_term(end)}]"
        case PluginWindow(name, args):
            return f"[{name}({','.join(map(show_value, args))})]"


def _keys(window: KeyedWindow, atom: Atom | None) -> tuple[str, str]:
    """The predicate, where it is not that of the atom, and the keys."""
    here = atom is not None and atom.signature == window.signature
    names = ", ".join(_key(key, atom if here else None) for key in window.keys)
    return "" if here else f" of {window.signature}", f" {names}" if names else ""


def show_pattern(pattern: Pattern) -> str:
    name = show_value(pattern.predicate)
    if all(arg is None for arg in pattern.args):
        return f"{name}/{len(pattern.args)}"
    return f"{name}({','.join('_' if arg is None else show_value(arg) for arg in pattern.args)})"


def _range(past: Extent, future: Extent, sign: str) -> str:
    ahead = f"+{show_extent(future)}{sign}"
    if future == 0:
        return f"{show_extent(past)}{sign}"
    return ahead if past == 0 else f"{show_extent(past)}{sign}, {ahead}"


def _hop(past: Extent, future: Extent, hop: Extent) -> str:
    if hop == 1:
        return ""
    return " tumbling" if hop == past and future == 0 else f" hop {show_extent(hop)}"


def show_extent(extent: Extent) -> str:
    """The text of a size."""
    match extent:
        case int():
            return str(extent)
        case Duration():
            return show_term(extent)
        case Constant(value):
            return quoted(value) if isinstance(value, str) and value in _WINDOW_WORDS else show_value(value)
        case _:
            assert extent is UNBOUNDED
            return "all"


def _key(key: int, atom: Atom | None) -> str:
    """A key by its variable when the atom has it in this place first, else by its position from 1."""
    if atom is not None and key < len(atom.args):
        arg = atom.args[key]
        if isinstance(arg, Variable) and not arg.anonymous and atom.args.index(arg) == key:
            return arg.name
    return str(key + 1)
