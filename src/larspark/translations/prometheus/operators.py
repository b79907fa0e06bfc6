"""Operators between vectors and scalars, and aggregations."""

from __future__ import annotations

from collections.abc import Iterable

from larspark.language.tree import (
    Aggregate,
    AggregateElement,
    Atom,
    Comparison,
    Constant,
    Not,
    Operation,
    Term,
    Variable,
)
from larspark.translations.datalog import fresh_variables
from larspark.translations.prometheus.collected import Collected
from larspark.translations.prometheus.expressions import Binary, Matching, VectorAggregation
from larspark.translations.prometheus.vectors import Vector, VectorElement, joined, quotient

COMPARISONS = {"==": "=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def with_scalar(node: Binary, vector: Vector, scalar: Term, scalar_left: bool) -> Vector:
    """`vector > 5`, `100 * vector`."""
    if node.operator not in COMPARISONS:
        vector = vector.settled()

    def sides(element: VectorElement) -> tuple[Term, Term]:
        return (scalar, element.value) if scalar_left else (element.value, scalar)

    elements = [result for one in vector.elements for result in _results(node, one, *sides(one))]
    return Vector(vector.labels, tuple(elements), _is_rounded(node, vector))


def _is_rounded(node: Binary, *vectors: Vector) -> bool:
    if node.operator in COMPARISONS:
        return not node.as_number and any(vector.rounded for vector in vectors)
    return node.operator == "/"


def _results(node: Binary, element: VectorElement, left: Term, right: Term) -> Iterable[VectorElement]:
    """What an operation on the values makes of an element; comparisons filter, or give 1 and 0."""
    operator = COMPARISONS.get(node.operator)
    if operator is None:
        value = quotient(left, right) if node.operator == "/" else Operation(node.operator, left, right)
        yield element.computed(value)
    elif not node.as_number:
        yield element.filtered(Comparison(operator, left, right))
    else:
        for compared, number in ((operator, 1), (_OPPOSITE[operator], 0)):
            yield element.filtered(Comparison(compared, left, right)).computed(Constant(number))


def matched_labels(matching: Matching, left: Vector, right: Vector) -> tuple[str, ...]:
    """The labels in which elements of both sides agree."""
    if matching.on:
        return tuple(dict.fromkeys(matching.labels))
    everything = dict.fromkeys((*left.labels, *right.labels))
    return tuple(label for label in everything if label not in matching.labels)


def with_vector(node: Binary, left: Vector, right: Vector) -> Vector:
    """`vector / on (job) vector`: elements that agree in the labels, one of each or many of one side."""
    labels = matched_labels(node.matching, left, right)
    many, one = (right, left) if node.matching.many == "right" else (left, right)
    kept = labels if not node.matching.many else tuple(dict.fromkeys((*many.labels, *node.matching.included)))
    if node.operator not in COMPARISONS:
        left, right = left.settled(), right.settled()
        many, one = many.settled(), one.settled()
    elements: list[VectorElement] = []
    for first in many.elements:
        for second in one.elements:
            pair = joined(first, second, labels)
            if pair is None:
                continue
            found, other = pair
            taken = node.matching.included
            terms = {label: (other if label in taken else found).label(label) for label in kept}
            both = VectorElement(terms, found.value, (*found.body, *other.body))
            values = (other.value, found.value) if node.matching.many == "right" else (found.value, other.value)
            if node.operator in COMPARISONS and not node.as_number:
                both = VectorElement(terms, values[0], both.body)
            elements += _results(node, both, *values)
    return Vector(kept, tuple(elements), _is_rounded(node, left))


def set_operation(node: Binary, left: Vector, right: Vector, collected: Collected) -> Vector:
    """`and`, `or`, `unless`: which elements there are is decided by labels alone."""
    labels = matched_labels(node.matching, left, right)
    match node.operator:
        case "and":
            elements = []
            for first in left.elements:
                for second in right.elements:
                    pair = joined(first, second, labels)
                    if pair is not None:
                        elements.append(pair[0].filtered(*pair[1].body))
            return Vector(left.labels, tuple(elements), left.rounded)
        case "unless":
            if not right.elements:
                return left
            name = collected.predicate("excluded", right, labels, False)
            return Vector(left.labels, tuple(_without(one, name, labels) for one in left.elements), left.rounded)
    others = right.elements
    if left.elements:
        name = collected.predicate("first_choice", left, labels, False)
        others = tuple(_without(one, name, labels) for one in right.elements)
    return Vector(
        tuple(dict.fromkeys((*left.labels, *right.labels))), (*left.elements, *others), left.rounded or right.rounded
    )


def _without(element: VectorElement, predicate: str, labels: tuple[str, ...]) -> VectorElement:
    return element.filtered(Not(Atom(predicate, tuple(element.label(label) for label in labels))))


def aggregated(node: VectorAggregation, vector: Vector, collected: Collected) -> Vector:
    """`sum by (job) (vector)`."""
    named = node.grouping.labels
    labels = tuple(label for label in vector.labels if (label in named) != node.grouping.without)
    if not vector.elements:
        return Vector(labels, ())
    name, whole = collected.named("vector", vector)
    (element,) = whole.elements
    (row,) = element.body
    assert isinstance(row, Atom)
    inner = fresh_variables([*whole.labels, "value"], {term.name for term in row.args if isinstance(term, Variable)})
    keys = {label: element.labels[label] for label in labels}
    member = Atom(name, (*(keys.get(label, inner[label]) for label in whole.labels), inner["value"]))
    others = tuple(term for term in member.args[:-1] if term not in keys.values())
    group = [term if term in keys.values() else Variable(f"_{place}") for place, term in enumerate(row.args)]
    anyone = Atom(name, tuple(group))
    if node.function == "group":
        return Vector(labels, (VectorElement(keys, Constant(1), (anyone,)),))
    terms = (inner["value"], *others)
    result = element.value
    aggregate = Aggregate(node.function, "=", result, (AggregateElement(terms, (member,)),))
    return Vector(labels, (VectorElement(keys, result, (anyone, aggregate)),), node.function == "avg")
