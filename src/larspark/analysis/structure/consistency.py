"""Whether a program can be without an answer stream."""

from __future__ import annotations

from larspark.analysis.analysis import Analysis, Fragment
from larspark.language.extended_atoms import tied_times
from larspark.language.traversal import walk
from larspark.language.tree import At, Constant, Now, Operation, Rule, Term, Variable


def can_be_inconsistent(analysis: Analysis) -> bool:
    """Whether there may be no answer stream: through a choice, a constraint, or a time before the timeline."""
    return (
        analysis.fragment is Fragment.PLAIN
        or bool(analysis.constraints)
        or any(map(can_leave_timeline, analysis.program.rules))
    )


def can_leave_timeline(rule: Rule) -> bool:
    """Whether the head may be pinned to a time before the timeline, where nothing can hold.

    A variable alone stands for time points only (thesis Def. 14), a term may be any number.
    """
    reached = tied_times(rule.body)
    times = (node.time for node in walk(rule.head) if isinstance(node, At))
    return not all(isinstance(time, Variable) or _stays(time, reached) for time in times)


def _stays(time: Term, reached: set[str]) -> bool:
    match time:
        case Now():
            return True
        case Variable(name):
            return name in reached
        case Operation("+", left, Constant(int(length))):
            return length >= 0 and _stays(left, reached)
    return False
