"""Random rules in which one construct decides alone: a literal that mostly finds something, and one thing beside it.

In longer bodies something else often fails, and then nothing tells whether the construct was understood.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from larspark.language.facts import Signature
from larspark.language.tree import (
    UNBOUNDED,
    Aggregate,
    Always,
    At,
    Atom,
    Comparison,
    Constant,
    Formula,
    Not,
    Rule,
    Some,
    Term,
    TimeWindow,
    Variable,
    Windowed,
)
from support.generate import aggregates
from support.generate.shape import BACKGROUND, INPUT
from support.generate.since import since

if TYPE_CHECKING:
    from support.generate.rules import RuleMaker

FORMS = {"plain": 2.0, "some": 4.0, "at": 1.0, "at-window": 3.0, "always": 2.0}
WINDOWS = {"time": 6.0, "future": 1.0, "hop": 1.5, "half-open": 0.7, "all": 0.5, "interval": 0.7}
COUNTING = {"tuple": 2.0, "per": 1.0, "session": 1.0}
FREQUENT = (*INPUT[:1], *INPUT[2:3] * 5, *INPUT[3:4] * 2)


def simple(rule: RuleMaker) -> Rule:
    draw, shape = rule.draw, rule.shape
    beside = draw.weighted(_options(rule))
    alone = beside in ("several", "ranked") and draw.chance(0.6)
    body = [] if alone else [_literal(rule, binds=True)]
    match beside:
        case "joined":
            body.append(_literal(rule, binds=True))
        case "compared" if rule.bound:
            body.append(rule.comparison())
        case "in time":
            body.append(rule.in_time())
        case "since":
            body += since(rule)
        case "denied":
            body.append(Not(_literal(rule, binds=False)))
        case "outside" if rule.times:
            body.append(rule.outside_interval())
        case "aggregated":
            body += aggregates.told(rule)
        case "denied aggregate":
            body.append(Not(_compared(rule, Constant(draw.pick([0, 0, 1, 2])))))
        case "several":
            body += _several(rule)
        case "ranked":
            body.append(aggregates.rank(rule, plain=True))
        case "given":
            body += _given(rule)
    level = draw.pick([2, 3, 4]) if rule.level < 2 and rule.bound else rule.level
    head = rule.pinned(rule.head_atom(shape.derived[level]), body)
    draw.random.shuffle(body)
    return Rule(head, tuple(body))


def _options(rule: RuleMaker) -> dict[str, float]:
    shape = rule.shape
    found = {"nothing": 1.5, "joined": 2.5, "compared": 1.5, "in time": 1.5, "since": 0.7}
    if shape.negation != "none":
        found |= {"denied": 2.0, "outside": 1.2}
    if shape.aggregates:
        found |= {"aggregated": 2.5, "denied aggregate": 1.2, "several": 2.0, "ranked": 1.5}
    return found | {"given": 1.5} if shape.background else found


def _literal(rule: RuleMaker, *, binds: bool) -> Formula:
    """One window at most, over an atom whose arguments are variables."""
    draw = rule.draw
    signature = draw.pick((*FREQUENT, *rule.below * 2))
    rule.read.append(signature)
    atom = Atom(signature.predicate, tuple(_argument(rule, binds=binds) for _ in range(signature.arity)))
    kinds = WINDOWS | (COUNTING if rule.setting.counted(signature) else {})
    form = draw.weighted(FORMS)
    if form == "plain":
        return atom
    if form == "always":
        return Windowed(TimeWindow(rule.windows.length(draw.pick([1, 1, 2]))), Always(atom))
    window = rule.windows.wide(draw.weighted(kinds), signature)
    if form == "some":
        return Windowed(window, Some(atom))
    found = At(_moment(rule, signature, binds=binds), atom)
    return found if form == "at" else Windowed(window, found)


def _argument(rule: RuleMaker, *, binds: bool) -> Term:
    draw = rule.draw
    fresh = next((name for name in rule.fresh_data if name not in rule.data), None)
    if binds and fresh and (not rule.data or draw.chance(0.5)):
        rule.from_input.add(fresh)
        return rule.new_data(fresh)
    if rule.data and draw.chance(0.85):
        return Variable(draw.pick(rule.data))
    return rule.any_value() if draw.chance(0.5) else rule.value()


def _moment(rule: RuleMaker, signature: Signature, *, binds: bool) -> Term:
    draw = rule.draw
    fresh = next((name for name in rule.fresh_times if name not in rule.times), None)
    if binds and fresh and (not rule.times or draw.chance(0.4)):
        rule.times.append(fresh)
        if signature in INPUT:
            rule.from_input.add(fresh)
        return Variable(fresh)
    return Variable(draw.pick(rule.times)) if rule.times else rule.moment()


def _several(rule: RuleMaker) -> list[Formula]:
    """Two aggregates, of which the second asks for the value of the first."""
    draw = rule.draw
    first = aggregates.told(rule)
    computing = next(part for part in first if isinstance(part, Aggregate))
    dependent = draw.chance(0.5)
    return [*first, aggregates.dependent(rule, computing) if dependent else _compared(rule, computing.result)]


def _compared(rule: RuleMaker, value: Term) -> Formula:
    """`1 < #count{ V : e(V) [3] }`."""
    function = rule.draw.pick(["count", "sum", "min", "max", "avg"])
    return Aggregate(function, rule.draw.pick(aggregates.OPERATORS), value, (aggregates.plain_element(rule),))


def _given(rule: RuleMaker) -> list[Formula]:
    """`@T bg(Y) [all, +all]`, at a time that another literal gives, or at one that nobody asks for.

    Perhaps its value is compared with others in braces.
    """
    draw = rule.draw
    fresh = next((name for name in rule.fresh_data if name not in rule.data), None)
    known = rule.new_data(fresh) if fresh and draw.chance(0.8) else _argument(rule, binds=True)
    atom = Atom(BACKGROUND.predicate, (known,))
    found: list[Formula] = [atom]
    if rule.times or draw.chance(0.2):
        at = At(Variable(draw.pick([*rule.times * 4, "Anytime"])), atom)
        window = TimeWindow(draw.pick([UNBOUNDED, 2]), UNBOUNDED)
        found = [Windowed(window, at) if draw.chance(0.4) else at]
        if draw.chance(0.25):  # perhaps the interval has a time point in common with what has no end
            between = rule.windows.wide("interval", BACKGROUND)
            found = [Windowed(window, Windowed(between, At(rule.any_value(), atom)))]
    if rule.shape.aggregates and draw.chance(0.5):
        element = aggregates.plain_element(rule)
        given = [one for one in atom.args if not (isinstance(one, Variable) and one.name.startswith("_"))]
        beside = Comparison(draw.pick(aggregates.OPERATORS), element.terms[0], draw.pick([*given, Constant(1)]))
        value = rule.new_data(next((name for name in "NMO" if name not in rule.data), "N"))
        function = draw.pick(["count", "min", "max", "min"])
        found.append(Aggregate(function, "=", value, (aggregates.with_condition(element, beside),)))
    return found
