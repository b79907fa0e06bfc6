"""Where arrivals come in one by one, as the arrays that `intervals.step` works on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from larspark.intervals.tables.storage import NONE, Column
from larspark.language.facts import Signature
from larspark.reasoners.interval.network import Counted, Filled, Held, Run
from larspark.reasoners.interval.operators.counting import can_pass

ArrivalNode = Held | Run | Counted | Filled
"""A window that looks at arrivals as they come."""


@dataclass(frozen=True)
class Gates:
    """What is known of every predicate that arrives."""

    numbers: Mapping[Signature, int]
    others: int
    """The gate of all other predicates, without their arguments; NONE if nothing looks at them."""
    arrays: list[Column]
    """In the order in which `intervals.network` numbers them."""


def make_gates(
    entering: Mapping[Signature, int],
    windows: Sequence[tuple[ArrivalNode, list[int]]],
    arrived: Column,
) -> Gates:
    """`entering` are the numbers of input relations that parts read; windows come with what describes them."""
    numbers = {one: place for place, one in enumerate(dict.fromkeys((*entering, *_named(node for node, _ in windows))))}
    gates: list[int] = []
    takings: list[int] = []
    sieves: list[int] = []
    for signature in (*numbers, None):
        first = len(takings) // _TAKING
        for place, (node, _) in enumerate(windows):
            if _looks_at(node, signature):
                takings += (place, int(_asked_by(node) == signature), *_sieve(node, signature, sieves))
        arity, relation = (0, NONE) if signature is None else (signature.arity, entering.get(signature, NONE))
        gates += (arity, relation, first, len(takings) // _TAKING)
    others = len(numbers) if any(_looks_at(node, None) for node, _ in windows) else NONE
    columns = (gates, takings, [number for _, window in windows for number in window], sieves)
    return Gates(numbers, others, [*(np.array(column, np.int64) for column in columns), arrived])


_TAKING = 4


def _named(nodes: Iterable[ArrivalNode]) -> Iterable[Signature]:
    """The predicates that windows ask for or count by name."""
    for node in nodes:
        asked = _asked_by(node)
        if asked is not None:
            yield asked
        if isinstance(node, Counted | Filled):
            yield from (signature for patterns in node.filters for signature, _ in patterns)


def _asked_by(node: ArrivalNode) -> Signature | None:
    return node.source.signature if isinstance(node, Run) else node.signature


def _looks_at(node: ArrivalNode, signature: Signature | None) -> bool:
    """Whether arrivals of a predicate matter; None stands for a predicate that nothing names."""
    if isinstance(node, Held | Run):
        return signature is not None and _asked_by(node) == signature
    if node.size == 0:
        return False
    return not node.filters if signature is None else can_pass(node, signature)


def _sieve(node: ArrivalNode, signature: Signature | None, sieves: list[int]) -> tuple[int, int]:
    """Where the columns of a key and the filters are written that concern a predicate."""
    if not isinstance(node, Counted | Filled) or signature is None:
        return NONE, NONE
    keys = len(sieves)
    if node.keys:
        sieves += node.keys[signature]
    filters = len(sieves)
    sieves.append(len(node.filters))
    for patterns in node.filters:
        own = [values for wanted, values in patterns if wanted == signature]
        sieves.append(len(own))
        sieves += (NONE if value is None else value for values in own for value in values)
    return keys, filters if node.filters else NONE
