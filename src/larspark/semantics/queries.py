"""Queries and their answers (thesis Def. 13 and 14)."""

from __future__ import annotations

from larspark.language.tree import At, Constant, Formula, Variable
from larspark.language.values import Value, order_key
from larspark.semantics.entailment import entails, solutions
from larspark.semantics.names import names
from larspark.semantics.structures import Place, Structure
from larspark.semantics.substitutions import distinct


def holds(structure: Structure, time: int, formula: Formula) -> bool:
    """?⟨M, t, φ⟩ for a ground formula; outside the timeline the answer is no."""
    return time in structure.stream and entails(Place(structure, structure.stream, time), formula, {})


def answers(structure: Structure, time: int | str, formula: Formula) -> list[dict[str, Value]]:
    """?⟨M, u, φ⟩: the substitutions under which φ holds at u, a time point or the name of a time variable.

    Evaluating φ at u is evaluating @_u φ anywhere (Example 23).
    """
    query = At(Variable(time) if isinstance(time, str) else Constant(time), formula)
    wanted = sorted(name for name in names(query) if not name.startswith("_"))
    found = solutions(Place(structure, structure.stream, structure.stream.start), query, {})
    listed = [{name: solution[name] for name in wanted} for solution in distinct(found, frozenset(wanted))]
    return sorted(listed, key=lambda answer: [order_key(answer[name]) for name in wanted])
