"""The ground instances of a program over some values and time points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from larspark.language.evaluate import evaluate
from larspark.language.traversal import rewrite, substitute, variables
from larspark.language.tree import Call, Comparison, Constant, Node, Operation, Program, Rule
from larspark.language.values import NotANumber, Value, compare
from larspark.semantics.names import time_names


def grounded(program: Program, values: Sequence[Value], times: Sequence[int]) -> Program:
    """Time variables range over the time points, others over the values; instances without a value do not exist."""
    rules = dict.fromkeys(instance for rule in program.rules for instance in _instances(rule, values, times))
    return replace(program, rules=tuple(rules))


def _instances(rule: Rule, values: Sequence[Value], times: Sequence[int]) -> Iterator[Rule]:
    names = sorted({variable.name for variable in variables(rule)})
    ranges = [times if name in time_names(rule) else values for name in names]
    for choice in product(*ranges):
        binding = {name: Constant(value) for name, value in zip(names, choice, strict=True)}
        try:
            instance = rewrite(substitute(rule, binding), _computed)
        except NotANumber:
            continue
        comparisons = [part for part in instance.body if isinstance(part, Comparison)]
        if all(_holds(part) for part in comparisons):
            yield replace(instance, body=tuple(part for part in instance.body if not isinstance(part, Comparison)))


def _computed(node: Node) -> Node:
    return Constant(evaluate(node, {})) if isinstance(node, Operation | Call) else node


def _holds(part: Comparison) -> bool:
    assert isinstance(part.left, Constant)
    assert isinstance(part.right, Constant)
    return compare(part.operator, part.left.value, part.right.value)
