"""Rule files of Prometheus to LARS programs.

The expression of a rule is evaluated at the evaluation time; what `for` and `keep_firing_for` need of earlier
evaluations is recorded, as a server keeps it.
"""

from __future__ import annotations

from decimal import Decimal

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.facts import Signature
from larspark.language.tree import Atom, Clock, Constant, Directive, Duration, Program, Record, Show, Term
from larspark.language.values import normal
from larspark.translations.naming import Names
from larspark.translations.prometheus.alert_states import alert_rules
from larspark.translations.prometheus.collected import Collected
from larspark.translations.prometheus.expressions import (
    Binary,
    Expression,
    FunctionCall,
    Number,
    VectorAggregation,
    VectorSelector,
)
from larspark.translations.prometheus.functions import (
    FUNCTIONS,
    RANGE_FUNCTIONS,
    absence,
    absence_over_time,
    over_range,
    samples_within_lookback,
)
from larspark.translations.prometheus.operators import (
    aggregated,
    set_operation,
    with_scalar,
    with_vector,
)
from larspark.translations.prometheus.rule_files import RuleGroup, WrittenRule, read
from larspark.translations.prometheus.series import Series, declared_series
from larspark.translations.prometheus.vectors import Vector, VectorElement
from larspark.translations.reading import REPEATED_NAME, UNSUPPORTED

_SECOND = Duration(1, "s")


def translate(
    text: str,
    file: str = "<rules>",
    clock: Duration = _SECOND,
    *,
    left_closed: bool = False,
    numbered: bool = False,
) -> tuple[Program, tuple[Diagnostic, ...]]:
    """The LARS program of a rule file, and what it changes; an alert is a predicate with its labels as arguments."""
    groups, series = read(text, file), declared_series(text, file, numbered)
    taken = {*series, *(rule.name for group in groups for rule in group.rules if not rule.is_alert)}
    translation = _AlertTranslation(Collected(series, clock.milliseconds, left_closed, Names(taken)))
    for group in groups:
        translation.group(group)
    if translation.problems:
        raise Rejected(translation.problems)
    program = translation.program(() if clock == _SECOND else (Clock(clock),))
    return program, tuple(translation.collected.changes.values())


class _AlertTranslation:
    def __init__(self, collected: Collected) -> None:
        self.collected = collected
        self.problems: list[Diagnostic] = []
        self.shown: dict[Signature, tuple[str, ...]] = {}
        self.alerts: set[str] = set()

    def program(self, directives: tuple[Directive, ...]) -> Program:
        collected = self.collected
        inputs = tuple(one.input for _, one in sorted(collected.read.items()))
        records = tuple(Record(signature) for signature in collected.recorded)
        show = (Show(tuple(self.shown), tuple(self.shown.values())),) if self.shown else ()
        return Program(tuple(collected.rules), (*directives, *inputs, *records, *show))

    def group(self, group: RuleGroup) -> None:
        """The rules of a group; what cannot be translated is noted, and the next one follows."""
        before = dict(self.collected.series)
        for rule in group.rules:
            try:
                self._rule(rule, group)
            except Rejected as rejected:
                self.problems += rejected.diagnostics
        # Other groups are evaluated beside this one, in no order: they do not see its records.
        self.collected.series = before

    def _rule(self, rule: WrittenRule, group: RuleGroup) -> None:
        vector = self._vector(rule.expression)
        if not vector.elements:
            hint = "Labels of two sides never agree, or matchers exclude each other: see `on` and `ignoring`."
            raise rule.place.rejected(UNSUPPORTED, f"The expression of `{rule.name}` never has an element.", hint)
        labels = tuple(dict.fromkeys((*vector.labels, *rule.labels)))
        fixed: dict[str, Term] = {name: Constant(value) for name, value in rule.labels.items()}
        elements = tuple(VectorElement({**one.labels, **fixed}, one.value, one.body) for one in vector.elements)
        vector = Vector(labels, elements, vector.rounded)
        if rule.is_alert:
            if rule.name in self.alerts:
                message = f"There are two alerts `{rule.name}`."
                raise rule.place.rejected(REPEATED_NAME, message, "Join the expressions by `or`, or rename one.")
            self.alerts.add(rule.name)
            predicate = alert_rules(self.collected, rule, group, vector)
            self.shown[Signature(predicate, len(labels))] = labels
            return
        if rule.name in self.collected.series:
            message = f"`{rule.name}` is recorded or declared already."
            raise rule.place.rejected(REPEATED_NAME, message, "Choose another name for the record.")
        vector = vector.settled()
        for one in vector.elements:
            head = Atom(rule.name, (*(one.label(label) for label in labels), one.value))
            self.collected.add(head, one)
        self.collected.series[rule.name] = Series(rule.name, labels, derived=True)
        self.shown[Signature(rule.name, len(labels) + 1)] = (*labels, "value")

    # -- expressions -----------------------------------------------------------------------------------

    def _vector(self, node: Expression) -> Vector:
        found = self._value(node)
        if isinstance(found, Decimal):
            hint = "Compare the value of a series, as in `up == 0`."
            raise Rejected([Diagnostic(UNSUPPORTED, "A number alone is no vector.", hint, node.origin)])
        return found

    def _value(self, node: Expression) -> Vector | Decimal:
        """A vector, or the number that an expression without series is."""
        match node:
            case Number(value):
                return value
            case VectorSelector():
                return samples_within_lookback(node, self.collected)
            case VectorAggregation():
                return aggregated(node, self._vector(node.body), self.collected)
            case Binary():
                return self._binary(node)
            case FunctionCall():
                return self._call(node)

    def _call(self, node: FunctionCall) -> Vector:
        match node:
            case FunctionCall("absent", (selected,)):
                return absence(selected, self._vector(selected), self.collected)
            case FunctionCall("absent_over_time"):
                return absence_over_time(node, self.collected)
            case FunctionCall("vector", (body,)):
                number = self._value(body)
                if isinstance(number, Decimal):
                    return Vector((), (VectorElement({}, Constant(normal(number)), ()),))
            case FunctionCall(function) if function in RANGE_FUNCTIONS:
                return over_range(node, self.collected)
        hint = f"There are {', '.join(FUNCTIONS)}."
        raise Rejected([Diagnostic(UNSUPPORTED, f"`{node.function}` of this has no translation.", hint, node.origin)])

    def _binary(self, node: Binary) -> Vector | Decimal:
        left, right = self._value(node.left), self._value(node.right)
        is_set = node.operator in ("and", "or", "unless")
        match left, right:
            case Vector(), Vector():
                self._divided(node)
                return set_operation(node, left, right, self.collected) if is_set else with_vector(node, left, right)
            case (_, _) if is_set:
                message, hint = f"`{node.operator}` is for vectors.", "Compare a series, as in `up == 0`."
                raise Rejected([Diagnostic(UNSUPPORTED, message, hint, node.origin)])
            case Vector(), Decimal():
                return with_scalar(node, left, Constant(normal(right)), scalar_left=False)
            case Decimal(), Vector():
                self._divided(node)
                return with_scalar(node, right, Constant(normal(left)), scalar_left=True)
        assert isinstance(left, Decimal)
        assert isinstance(right, Decimal)
        return _calculated(node, left, right)

    def _divided(self, node: Binary) -> None:
        if node.operator in ("/", "%"):
            self.collected.divides(node.origin)


def _calculated(node: Binary, left: Decimal, right: Decimal) -> Decimal:
    """The number that numbers give."""
    try:
        match node.operator:
            case "+":
                return left + right
            case "-":
                return left - right
            case "*":
                return left * right
            case "/":
                return left / right
            case "%":
                return left % right
    except ArithmeticError:
        pass
    message, hint = f"This `{node.operator}` between numbers has no translation.", "Write its result."
    raise Rejected([Diagnostic(UNSUPPORTED, message, hint, node.origin)])
