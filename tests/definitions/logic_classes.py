"""Classes of formulas and windows for which the characterisations hold (thesis Def. 25, 29 and 31)."""

from __future__ import annotations

from larspark.language.traversal import children, walk
from larspark.language.tree import (
    FilterWindow,
    Formula,
    Implies,
    IntervalWindow,
    Node,
    Not,
    Or,
    Program,
    Some,
    TimeWindow,
    Truth,
    Window,
    Windowed,
)
from larspark.semantics.entailment import windowed
from larspark.semantics.streams import Stream
from larspark.semantics.structures import Place, Structure


def is_bi_formula(formula: Formula) -> bool:
    """φ ∈ F_bi (Def. 25): no implication, and ◇ only below a negation or a window.

    The definition has no ∨, which chooses between two formulas as ◇ does between time points; it is harmless where
    what holds on the left also holds on the right, as in disjunctive heads.
    """
    return not any(isinstance(part, Implies) for part in walk(formula)) and not _choice_outside(formula)


def _choice_outside(node: Node) -> bool:
    if isinstance(node, Not | Windowed):
        return False
    if isinstance(node, Or):
        return any(isinstance(part, Not | Windowed | Some) for part in walk(node))
    return isinstance(node, Some) or any(map(_choice_outside, children(node)))


def is_ht_formula(formula: Formula) -> bool:
    """φ ∈ F_HT (Def. 31): monotone windows, implications that are negations, none of them below ◇, ∨ or a negation."""
    return _is_ht(formula, negation_allowed=True)


def _is_ht(node: Node, *, negation_allowed: bool) -> bool:
    match node:
        case Not(body) | Implies(body, Truth(value=False)):
            return negation_allowed and _is_ht(body, negation_allowed=False)
        case Implies():
            return False
        case Windowed(window, body):
            return is_monotone_window(window) and _is_ht(body, negation_allowed=negation_allowed)
        case Some() | Or():
            return all(_is_ht(child, negation_allowed=False) for child in children(node))
        case _:
            return all(_is_ht(child, negation_allowed=negation_allowed) for child in children(node))


def is_bi_program(program: Program) -> bool:
    return all(is_bi_formula(part) for rule in program.rules for part in (rule.head, *rule.body))


def is_ht_program(program: Program) -> bool:
    return all(is_ht_formula(part) for rule in program.rules for part in (rule.head, *rule.body))


def is_monotone_window(window: Window) -> bool:
    """Whether more atoms in the stream mean more atoms in the window (Def. 29).

    A tuple window is not: an atom that arrives pushes another one out. A function of Python is not known to be.
    """
    return isinstance(window, TimeWindow | FilterWindow | IntervalWindow)


def preserves_substreams(window: Window, small: Stream, big: Stream, time: int) -> bool:
    """One instance of Def. 29: w(S1, t) ⊆ w(S2, t) for S1 ⊆ S2, and equal timelines if S1 and S2 have equal ones."""
    structures = (Structure.of(stream) for stream in (small, big))
    first, second = (windowed(Place(m, m.stream, time), window, {}).stream for m in structures)
    same_timeline = small.timeline != big.timeline or first.timeline == second.timeline
    return first.substream_of(second) and same_timeline
