"""Which literal follows from which other one, whatever the stream."""

from __future__ import annotations

from typing import NamedTuple

from larspark.analysis.rewrites.comparisons import bound, is_tighter
from larspark.language.extended_atoms import ExtendedAtom, Quantifier, extended_atom
from larspark.language.tree import Atom, Formula, Not, Term, TimeWindow, points


class SeenAs(NamedTuple):
    """`a`, `a [n, +m]`, `always a [n, +m]`, `@T a [n, +m]` or `@T a`, as what is seen of an atom."""

    atom: Atom
    quantifier: Quantifier
    time: Term | None
    past: int | None
    """None: as far as there is."""
    future: int | None


def seen(literal: Formula) -> SeenAs | None:
    """None for other literals, and for windows that need not contain the evaluation time."""
    match extended_atom(literal):
        case ExtendedAtom(Quantifier.NOW, atom, negated=False):
            return SeenAs(atom, Quantifier.NOW, None, 0, 0)
        case ExtendedAtom(quantifier, atom, (), time, negated=False):
            return SeenAs(atom, quantifier, time, None, None)
        case ExtendedAtom(quantifier, atom, (TimeWindow(past, future, 1),), time, negated=False):
            return SeenAs(atom, quantifier, time, points(past), points(future))
    return None


def implies(strong: Formula, weak: Formula) -> bool:
    """Whether the second literal holds wherever the first does."""
    if strong == weak:
        return True
    if isinstance(strong, Not) and isinstance(weak, Not):
        return implies(weak.body, strong.body)
    tight, loose = bound(strong), bound(weak)
    if tight and loose:
        return tight.term == loose.term and is_tighter(tight, loose)
    one, other = seen(strong), seen(weak)
    return one is not None and other is not None and one.atom == other.atom and shows_more(one, other)


def shows_more(strong: SeenAs, weak: SeenAs) -> bool:
    """The same for what is seen of one atom; only the times count."""
    if strong.time is not None and weak.time is not None and strong.time != weak.time:
        return False
    if weak.quantifier is Quantifier.ALWAYS:
        return strong.quantifier is Quantifier.ALWAYS and _inside(weak, strong)
    if weak.quantifier is Quantifier.AT:
        return strong.quantifier is Quantifier.AT and _inside(strong, weak)
    if strong.quantifier is Quantifier.ALWAYS:
        return True  # a window that slides contains the evaluation time
    if weak.quantifier is Quantifier.SOME:
        return _inside(strong, weak)
    return strong.quantifier is Quantifier.NOW


def _inside(inner: SeenAs, outer: SeenAs) -> bool:
    return _at_most(inner.past, outer.past) and _at_most(inner.future, outer.future)


def _at_most(left: int | None, right: int | None) -> bool:
    return right is None or (left is not None and left <= right)
