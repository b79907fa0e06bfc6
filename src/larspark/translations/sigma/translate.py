"""Sigma correlations to LARS programs.

The events that a detection finds are recorded, so that windows of correlations see them; so are correlations, which
others may refer to.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from larspark.diagnostics import Diagnostic, Origin, Rejected, Severity
from larspark.language.facts import Signature
from larspark.language.tree import (
    Aggregate,
    AggregateElement,
    At,
    Atom,
    Clock,
    ColumnType,
    Comparison,
    Constant,
    Directive,
    Duration,
    Formula,
    Input,
    Program,
    Record,
    Rule,
    Show,
    Some,
    Term,
    TimeWindow,
    Variable,
    Windowed,
)
from larspark.translations.datalog import fresh_variables, tidy
from larspark.translations.declared_comments import declared
from larspark.translations.naming import Names
from larspark.translations.reading import AS_SETS, UNKNOWN_NAME, UNSUPPORTED, WITH_CASE
from larspark.translations.sigma.rule_files import Correlation, Detection, SigmaRule, read
from larspark.translations.sigma.searches import alternatives

_SECOND = Duration(1, "s")
_ARRIVAL = "arrival"


def translate(
    text: str, file: str = "<sigma>", clock: Duration = _SECOND, *, numbered: bool = False
) -> tuple[Program, tuple[Diagnostic, ...]]:
    """The LARS program of a file of rules, and what it changes; a correlation is a predicate of what it groups by."""
    events = declared(text, file, "event", frozenset({_ARRIVAL}))
    if numbered:
        events = {name: (*fields, _ARRIVAL) for name, fields in events.items()}
    translation = _CorrelationTranslation(dict(events), clock, numbered, Names(events))
    rules = read(text, file, events)
    for rule in _in_order(rules):
        translation.rule(rule, rules)
    if translation.problems:
        raise Rejected(translation.problems)
    return translation.program(() if clock == _SECOND else (Clock(clock),)), tuple(translation.changes.values())


def _in_order(rules: tuple[SigmaRule, ...]) -> list[SigmaRule]:
    """What others refer to before them; a circle is left as it is, and refused for an unknown name."""
    done: list[SigmaRule] = []
    waiting = list(rules)
    while waiting:
        known = {name for one in done for name in one.names}
        ready = [one for one in waiting if isinstance(one, Detection) or known >= set(one.rules)]
        done += ready or waiting
        waiting = [one for one in waiting if one not in ready] if ready else []
    return done


@dataclass(frozen=True)
class FoundPredicate:
    """The predicate of what a rule finds, with the names of its arguments."""

    predicate: str
    fields: tuple[str, ...]
    is_event: bool = True
    """Whether it is an event, rather than a state that a correlation finds."""

    @property
    def signature(self) -> Signature:
        return Signature(self.predicate, len(self.fields))


@dataclass
class _CorrelationTranslation:
    events: dict[str, tuple[str, ...]]
    clock: Duration
    numbered: bool
    names: Names
    found: dict[str, FoundPredicate] = field(default_factory=dict)
    read: set[str] = field(default_factory=set)
    rules: list[Rule] = field(default_factory=list)
    recorded: list[Signature] = field(default_factory=list)
    shown: dict[Signature, tuple[str, ...]] = field(default_factory=dict)
    problems: list[Diagnostic] = field(default_factory=list)
    changes: dict[str, Diagnostic] = field(default_factory=dict)

    def program(self, directives: tuple[Directive, ...]) -> Program:
        inputs = []
        for name in sorted(self.read):
            columns = tuple(re.sub(r"\W", "_", one) for one in self.events[name])
            types = tuple(ColumnType.INTEGER if one == _ARRIVAL else None for one in columns) if self.numbered else ()
            inputs.append(Input(Signature(name, len(columns)), columns, types))
        records = tuple(map(Record, self.recorded))
        names = tuple(tuple(re.sub(r"\W", "_", one) for one in columns) for columns in self.shown.values())
        show = (Show(tuple(self.shown), names),) if self.shown else ()
        return Program(tuple(self.rules), (*directives, *inputs, *records, *show))

    def rule(self, rule: SigmaRule, everything: tuple[SigmaRule, ...]) -> None:
        """The rules of one rule; what cannot be translated is noted."""
        users = [one for one in everything if isinstance(one, Correlation) and set(rule.names) & set(one.rules)]
        try:
            found = self._detection(rule) if isinstance(rule, Detection) else self._correlation(rule)
        except Rejected as rejected:
            self.problems += rejected.diagnostics
            return
        self.found |= dict.fromkeys(rule.names, found)
        if users:
            self.recorded.append(found.signature)
        if not users or any(one.generate for one in users):
            self.shown[found.signature] = found.fields

    # -- detections ------------------------------------------------------------------------------------

    def _detection(self, rule: Detection) -> FoundPredicate:
        fields = self.events[rule.event]
        self.read.add(rule.event)
        found = FoundPredicate(self.names.fresh(_predicate(rule.names[0])), fields)
        variables = fresh_variables(fields, set())
        for tests in alternatives(rule.test):
            body: list[Formula] = []
            for test in tests:
                body.append(Comparison(test.operator, variables[test.field], Constant(test.value)))
                if isinstance(test.value, str) and test.value.lower() != test.value.upper():
                    message = "Texts are compared as they are; Sigma does not tell small letters from capitals."
                    self._change(WITH_CASE, message, "Write the values as the events have them.", rule.place.origin)
            atom = Atom(rule.event, tuple(variables.values()))
            self.rules.append(tidy(Rule(Atom(found.predicate, atom.args), (atom, *body))))
        return found

    # -- correlations ----------------------------------------------------------------------------------

    def _correlation(self, rule: Correlation) -> FoundPredicate:
        window = TimeWindow(self._points(rule))
        parts = [(name, self._referred(name, rule)) for name in rule.rules]
        found = FoundPredicate(self.names.fresh(_predicate(rule.names[0])), rule.group, is_event=False)
        keys = fresh_variables(rule.group, set())
        head = Atom(found.predicate, tuple(keys.values()))
        if rule.kind in ("temporal", "temporal_ordered"):
            body = self._together(rule, parts, keys, window)
        else:
            number = fresh_variables(["N"], {one.name for one in keys.values()})["N"]
            elements = tuple(self._counted(rule, name, part, keys, window) for name, part in parts)
            compared = (Comparison(operator, number, Constant(bound)) for operator, bound in rule.compared)
            group = self._group(rule, parts, keys, window, found.predicate)
            body = (group, Aggregate("count", "=", number, elements), *compared)
        self.rules.append(tidy(Rule(head, body)))
        return found

    def _group(
        self,
        rule: Correlation,
        parts: list[tuple[str, FoundPredicate]],
        keys: dict[str, Variable],
        window: TimeWindow,
        stem: str,
    ) -> Formula:
        """A group is there if something has been found in it, by any of the rules."""
        taken = {"N"} - {one.name for one in keys.values()}
        found: list[Formula] = []
        for name, part in parts:
            terms = self._terms(rule, name, part, keys, taken)
            found.append(Windowed(window, Some(Atom(part.predicate, tuple(terms.values())))))
        if len(found) == 1:
            return found[0]
        group = Atom(self.names.fresh(f"{stem}_group"), tuple(keys.values()))
        self.rules += [tidy(Rule(group, (one,))) for one in found]
        return group

    def _counted(
        self, rule: Correlation, name: str, part: FoundPredicate, keys: dict[str, Variable], window: TimeWindow
    ) -> AggregateElement:
        """What is counted of the events of one rule: themselves, or the values of a field."""
        # Names that occur nowhere else: these variables are local to the element.
        taken = {variable.name for variable in fresh_variables((*rule.group, *part.fields, "N"), set()).values()}
        terms = self._terms(rule, name, part, keys, taken)
        atom = Atom(part.predicate, tuple(terms.values()))
        if rule.kind == "value_count":
            value = terms[self._field(rule, name, part, rule.field)]
            return AggregateElement((value,), (Windowed(window, Some(atom)),))
        if not part.is_event:
            hint = "Count the events of detections; for what correlations find there is `temporal`."
            raise rule.place.rejected(UNSUPPORTED, f"`{name}` is no event that could be counted.", hint)
        if not self.numbered:
            message = "Equal events of one time point count once."
            self._change(AS_SETS, message, "Translate with --arrivals and number the events.", rule.place.origin)
        used = taken | {term.name for term in terms.values() if isinstance(term, Variable)}
        time = fresh_variables(["T"], used)["T"]
        marked: tuple[Term, ...] = (Constant(part.predicate),) if len(rule.rules) > 1 else ()
        return AggregateElement((*marked, *terms.values(), time), (Windowed(window, At(time, atom)),))

    def _together(
        self, rule: Correlation, parts: list[tuple[str, FoundPredicate]], keys: dict[str, Variable], window: TimeWindow
    ) -> tuple[Formula, ...]:
        """All rules have found something, in the order of the rules if it matters."""
        body: list[Formula] = []
        taken = {one.name for one in keys.values()}
        before: Term | None = None
        by_arrival = all(part.is_event for _, part in parts) and self.numbered
        for name, part in parts:
            terms = self._terms(rule, name, part, keys, taken)
            taken |= {term.name for term in terms.values() if isinstance(term, Variable)}
            atom = Atom(part.predicate, tuple(terms.values()))
            if rule.kind == "temporal":
                body.append(Windowed(window, Some(atom)))
                continue
            time = fresh_variables(["T"], taken)["T"]
            taken.add(time.name)
            order = terms[_ARRIVAL] if by_arrival else time
            body.append(Windowed(window, At(time, atom)))
            if before is not None:
                body.append(Comparison("<", before, order))
            before = order
        if rule.kind == "temporal_ordered" and not self.numbered:
            message = "Events of one time point have no order."
            self._change(AS_SETS, message, "Translate with --arrivals and number the events.", rule.place.origin)
        return tuple(body)

    def _terms(
        self, rule: Correlation, name: str, part: FoundPredicate, keys: dict[str, Variable], taken: set[str]
    ) -> dict[str, Term]:
        """The arguments of what a rule has found: the keys where it is grouped by, otherwise new variables."""
        used = taken | {one.name for one in keys.values()}
        terms: dict[str, Term] = dict(fresh_variables(part.fields, used))
        for key, variable in keys.items():
            terms[self._field(rule, name, part, key)] = variable
        return terms

    def _field(self, rule: Correlation, name: str, part: FoundPredicate, wanted: str) -> str:
        aliases = rule.aliases.get(wanted, {})
        found = next((aliases[one] for one in self._all_names(name) if one in aliases), wanted)
        if found not in part.fields:
            message = f"What `{name}` finds has no field `{found}`."
            raise rule.place.rejected(UNKNOWN_NAME, message, f"It has {', '.join(part.fields) or 'none'}.")
        return found

    def _all_names(self, name: str) -> list[str]:
        return [one for one, found in self.found.items() if found == self.found[name]]

    def _referred(self, name: str, rule: Correlation) -> FoundPredicate:
        if name not in self.found:
            hint = "Write the rule into the same file, in a document of its own, not in a circle."
            raise rule.place.rejected(UNKNOWN_NAME, f"There is no rule `{name}`.", hint)
        return self.found[name]

    def _points(self, rule: Correlation) -> int:
        points, rest = divmod(rule.milliseconds, self.clock.milliseconds)
        if rest or not points:
            message = f"The time span is no multiple of the clock, {self.clock.amount} {self.clock.unit}."
            raise rule.place.rejected(UNSUPPORTED, message, "Choose another clock: `--clock 1s`.")
        return points

    def _change(self, code: str, message: str, hint: str, origin: Origin | None) -> None:
        self.changes.setdefault(code, Diagnostic(code, message, hint, origin, Severity.WARNING))


def _predicate(name: str) -> str:
    """`Failed Logon` is called `failed_logon`."""
    found = re.sub(r"\W+", "_", name).strip("_").lower()
    return found if found[:1].isalpha() else f"rule_{found}"
