"""Rows of a known layout, extended by premises, comparisons and bounds: what an online step is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from larspark.hypothetical.online.relations import EMPTY, PatternRows, PremisePattern, Row, getter
from larspark.hypothetical.theory.bounds import Differences
from larspark.hypothetical.theory.conditions import assignment, holds
from larspark.hypothetical.theory.terms import ABSOLUTE, Literal
from larspark.language import tree
from larspark.language.evaluate import evaluate
from larspark.language.traversal import variables
from larspark.language.values import NotANumber, Value

Layout = tuple[str, ...]
Step = Callable[[list[Row], Mapping[PremisePattern, PatternRows]], list[Row]]


@dataclass(frozen=True)
class Extended:
    """A step together with the layout of the rows it makes."""

    step: Step
    layout: Layout


def join(layout: Layout, literal: Literal) -> Extended:
    """Extend rows by the facts that match a premise."""
    pattern = PremisePattern.of(literal)
    shape, columns = pattern.shape, pattern.names
    keyed = tuple(i for i, name in enumerate(columns) if name in layout)
    rest = tuple(i for i, name in enumerate(columns) if name not in layout)
    key = getter([layout.index(columns[i]) for i in keyed])
    new = layout + tuple(columns[i] for i in rest)
    if not rest:
        whole = tuple(range(len(columns))) == keyed

        def check(rows: list[Row], relations: Mapping[PremisePattern, PatternRows]) -> list[Row]:
            relation = relations.get(shape, EMPTY)
            present = relation.rows if whole else relation.index(keyed, rest)
            return [row for row in rows if key(row) in present]

        return Extended(check, new)

    def extend(rows: list[Row], relations: Mapping[PremisePattern, PatternRows]) -> list[Row]:
        relation = relations.get(shape)
        if relation is None:
            return []
        if len(rows) == 1 and not keyed:
            head = rows[0]
            return [head + row for row in relation.rows] if head else list(relation.rows)
        index = relation.index(keyed, rest)
        return [row + tail for row in rows for tail in index.get(key(row), ())]

    return Extended(extend, new)


def lookup(layout: Layout, literal: Literal, known: Mapping[PremisePattern, PatternRows]) -> Extended:
    """Extend rows by a rigid premise: the same join, over relations that never change."""
    joined = join(layout, literal)
    return Extended(lambda rows, _: joined.step(rows, known), joined.layout)


@dataclass(frozen=True)
class Checked:
    """The conditions that a layout decides, and those it leaves open."""

    extended: Extended | None
    open: tuple[tree.Comparison, ...]


def check(layout: Layout, conditions: Sequence[tree.Comparison], awaited: frozenset[str]) -> Checked:
    """Decide comparisons, compute `X = expression`; variables in `awaited` are only ever bound by their premises."""
    steps: list[Callable[[list[Row]], list[Row]]] = []
    waiting = list(conditions)
    progress = True
    while progress:
        progress = False
        for condition in list(waiting):
            if all(v.name in layout for v in variables(condition)):
                steps.append(_filter(layout, condition))
                waiting.remove(condition)
                progress = True
                continue
            assigned = assignment(condition, frozenset(layout))
            if assigned is not None and assigned[0] not in awaited:
                name, expression = assigned
                steps.append(_compute(layout, expression))
                layout = (*layout, name)
                waiting.remove(condition)
                progress = True
    if not steps:
        return Checked(None, tuple(waiting))

    def run(rows: list[Row], _: Mapping[PremisePattern, PatternRows]) -> list[Row]:
        for step in steps:
            rows = step(rows)
        return rows

    return Checked(Extended(run, layout), tuple(waiting))


def _filter(layout: Layout, condition: tree.Comparison) -> Callable[[list[Row]], list[Row]]:
    return lambda rows: [row for row in rows if holds(condition, dict(zip(layout, row, strict=True)))]


def _compute(layout: Layout, expression: tree.Term) -> Callable[[list[Row]], list[Row]]:
    def run(rows: list[Row]) -> list[Row]:
        found = []
        for row in rows:
            try:
                value: Value = evaluate(expression, dict(zip(layout, row, strict=True)))
            except NotANumber:
                continue
            found.append((*row, value))
        return found

    return run


def respect(layout: Layout, differences: Differences, decided: frozenset[str]) -> Extended | None:
    """Drop rows that violate a bound between known times; pairs inside `decided` were checked before."""
    place = {name: i for i, name in enumerate(layout)}
    known = {*place, ABSOLUTE}
    limits = [
        (place.get(x), place.get(y), most)
        for (x, y), most in differences.most.items()
        if x in known and y in known and not (x in decided and y in decided)
    ]
    if not limits:
        return None

    def within(row: Row) -> bool:
        for x, y, most in limits:
            first, second = 0 if x is None else row[x], 0 if y is None else row[y]
            if not isinstance(first, int) or not isinstance(second, int) or first - second > most:
                return False
        return True

    def run(rows: list[Row], _: Mapping[PremisePattern, PatternRows]) -> list[Row]:
        return [row for row in rows if within(row)]

    return Extended(run, layout)


def sequence(parts: Sequence[Step]) -> Step:
    """Several steps as one."""
    match tuple(parts):
        case (only,):
            return only
        case several:

            def run(rows: list[Row], relations: Mapping[PremisePattern, PatternRows]) -> list[Row]:
                for step in several:
                    if not rows:
                        return rows
                    rows = step(rows, relations)
                return rows

            return run
