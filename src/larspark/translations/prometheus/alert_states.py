"""The states of an alert: its condition is true for a while, it fires, and keeps firing for a while.

An alert with `for: N` fires when its condition is true at an evaluation and has been at all of them for N; with
`keep_firing_for: M` it goes on until the condition has been false for M.
"""

from __future__ import annotations

import re

from larspark.language.facts import Signature
from larspark.language.tree import (
    Aggregate,
    AggregateElement,
    Always,
    At,
    Atom,
    Comparison,
    Constant,
    Formula,
    Now,
    Operation,
    Rule,
    Some,
    TimeWindow,
    Variable,
    Windowed,
)
from larspark.translations.datalog import fresh_variables
from larspark.translations.prometheus.collected import Collected
from larspark.translations.prometheus.rule_files import RuleGroup, WrittenRule
from larspark.translations.prometheus.vectors import Vector


def alert_rules(collected: Collected, rule: WrittenRule, group: RuleGroup, vector: Vector) -> str:
    """The rules of an alert; the predicate that holds while it fires."""
    step = collected.points(group.interval, group.place.origin) if group.interval is not None else 1
    pending, keep = (_steps(length, collected.clock * step) * step for length in (rule.pending, rule.keep))
    alert = collected.names.fresh(_predicate(rule.name))
    is_true = alert
    if pending or keep or step > 1:
        is_true = collected.names.fresh(f"{alert}_true")
    evaluated = _evaluations(collected, step)
    for one in vector.elements:
        head = Atom(is_true, tuple(one.label(label) for label in vector.labels))
        collected.add(head, one.filtered(*evaluated))
    if is_true == alert:
        return alert
    args = tuple(fresh_variables(vector.labels, set()).values())
    condition = Atom(is_true, args)
    fires = condition
    if pending:
        fires = Atom(collected.names.fresh(f"{alert}_fires") if keep or step > 1 else alert, args)
        collected.rules.append(Rule(fires, _for(condition, pending, step)))
        collected.record(Signature(is_true, len(args)))
    if keep and pending:
        # A firing alert whose condition is true again before it has ended does not wait once more.
        collected.rules.append(Rule(fires, (condition, _within(fires, keep + step))))
    if keep or step > 1:
        # Between two evaluations an alert is what it was at the first.
        collected.rules.append(Rule(Atom(alert, args), (_within(fires, keep + step - 1),)))
        collected.record(Signature(fires.predicate, len(args)))
    return alert


def _for(condition: Atom, pending: int, step: int) -> tuple[Formula, ...]:
    """The condition is true now and was at all evaluations as far back as that, of which there is a first."""
    window = TimeWindow(pending)
    if step == 1:
        since = At(Operation("-", Now(), Constant(pending)), condition)
        return Windowed(window, Always(condition)), Windowed(window, since)
    terms = fresh_variables(["T", "N"], {arg.name for arg in condition.args if isinstance(arg, Variable)})
    times = AggregateElement((terms["T"],), (Windowed(window, At(terms["T"], condition)),))
    number = Aggregate("count", "=", Constant(pending // step + 1), (times,))
    return condition, number


def _within(atom: Atom, points: int) -> Formula:
    return Windowed(TimeWindow(points), Some(atom))


def _evaluations(collected: Collected, step: int) -> tuple[Formula, ...]:
    """What holds when rules of this interval are evaluated: at its multiples."""
    if step == 1:
        return ()
    return (Comparison("=", Operation("%", Now(), Constant(step)), Constant(0)),)


def _steps(milliseconds: int, step: int) -> int:
    """So many evaluations at least, to have waited so long."""
    return -(-milliseconds // step)


def _predicate(name: str) -> str:
    """`HighErrorRate` is called `high_error_rate`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return re.sub(r"\W+", "_", words).strip("_").lower() or "alert"
