"""The value that the passes fill in, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

from larspark.analysis.structure.dependencies import Dependencies
from larspark.analysis.structure.window_graph import WindowGraph
from larspark.diagnostics import Diagnostic, Origin, Rejected, Severity
from larspark.language.facts import Signature
from larspark.language.tree import Formula, Hold, Prefer, Program, Reader, Rule


class Fragment(StrEnum):
    """The smallest class a program belongs to; each class contains the ones before it."""

    POSITIVE = "positive"
    """Plain, without negation, aggregates or disjunction: one answer stream, monotone in the data."""
    STRATIFIED = "stratified"
    """Plain, no disjunction, no cycle through negation or aggregates: at most one answer stream."""
    PLAIN = "plain"
    """Plain LARS (thesis sec. 4.1): literals are extended atoms; several answer streams or none."""
    FULL = "full LARS"
    """Any formula in heads and bodies."""


@dataclass(frozen=True, slots=True)
class Component:
    """Predicates that depend on each other, with the rules that define them."""

    predicates: frozenset[Signature]
    rules: tuple[Rule, ...]
    recursive: bool
    """A predicate of the component depends on itself."""


@dataclass(frozen=True, slots=True, order=True)
class Latest:
    """The latest `count` arrivals per value of the arguments at `keys`."""

    keys: tuple[int, ...]
    count: int
    whole: bool = False
    """With all arrivals of the time point of the oldest of them."""


@dataclass(frozen=True, slots=True, order=True)
class KeptSession:
    """The arrivals of the session that goes on, per value of the arguments at `keys`."""

    keys: tuple[int, ...]
    gap: int
    predicates: tuple[tuple[Signature, tuple[int, ...]], ...]
    """All predicates whose arrivals make it go on, with their keys."""


@dataclass(frozen=True, slots=True)
class Retention:
    """How far from the evaluation time a fact of a predicate can matter."""

    past: int | None = 0
    """Time points back; None = for ever."""
    future: int | None = 0
    """Time points ahead (pinned atoms `@(T+5) a`); None = without bound."""
    latest: tuple[Latest, ...] = ()
    """These arrivals matter however old they are."""
    sessions: tuple[KeptSession, ...] = ()
    """So do the arrivals of these."""
    rule: Reader | None = None
    """The rule (or preference) that reaches farthest back."""

    @property
    def bounded(self) -> bool:
        return self.past is not None

    @property
    def by_arrivals(self) -> bool:
        """How long an arrival matters hangs on others."""
        return bool(self.latest or self.sessions)


@dataclass(frozen=True)
class Analysis:
    """Everything known about a program before it sees data."""

    program: Program
    """Constants and durations resolved, when they could be."""
    diagnostics: tuple[Diagnostic, ...] = ()
    resolved: bool = True
    """False: constants or durations are wrong, so window sizes are not known."""
    allow_functions: bool = False

    signatures: Mapping[str, tuple[Signature, ...]] = field(default_factory=dict)
    """Every predicate name with the arities it is used with."""
    intensional: frozenset[Signature] = frozenset()
    extensional: frozenset[Signature] = frozenset()
    """The input signals; a predicate declared `#input` may be intensional as well."""
    background: frozenset[Signature] = frozenset()
    relations: frozenset[Signature] = frozenset()
    """Predicates of the text that are built-in relations, `leq(X,Y)`; in the program they are comparisons."""
    recorded: frozenset[Signature] = frozenset()
    held: Mapping[Signature, Hold] = field(default_factory=dict)
    """Input that holds on after its arrival."""
    shown: frozenset[Signature] = frozenset()
    """What `#show` names; all intensional predicates when nothing is named."""

    dependencies: Dependencies = field(default_factory=Dependencies)
    components: tuple[Component, ...] = ()
    """In evaluation order: a component depends on itself and on earlier ones only."""
    strata: tuple[frozenset[Signature], ...] | None = ()
    """Intensional predicates by negation and aggregates, lowest first; None when there is no stratification."""

    ground: bool = False
    fragment: Fragment = Fragment.FULL
    retention: Mapping[Signature, Retention] = field(default_factory=dict)
    accepts: Mapping[str, tuple[Diagnostic, ...]] = field(default_factory=dict)
    """Reasoner name → the reasons against it; none = it takes the program."""
    lowered: Analysis | None = None
    """Of the plain program that stands for one with full formulas or tangled atoms; `reference` alone runs that one."""

    @cached_property
    def derived(self) -> frozenset[Signature]:
        """The intensional predicates but those that only stand for parts of rules: what people are told of."""
        return frozenset(one for one in self.intensional if not one.hidden)

    @property
    def awaited(self) -> frozenset[Signature]:
        """The extensional predicates but those that only stand for parts of formulas."""
        return frozenset(one for one in self.extensional if not one.hidden)

    @property
    def ok(self) -> bool:
        """No errors; warnings do not count."""
        return all(finding.severity is not Severity.ERROR for finding in self.diagnostics)

    @cached_property
    def window_graph(self) -> WindowGraph:
        return WindowGraph.of(self.program)

    @property
    def window_strata(self) -> Mapping[Formula, int] | None:
        """The level of every extended atom; None when there is recursion through a window."""
        return self.window_graph.levels

    def depending_with(self, heads: Iterable[Signature]) -> frozenset[Signature]:
        """The predicates that depend on one of these as it does on them, those of recursive components and others."""
        return frozenset[Signature]().union(*(self._component_of.get(head, frozenset()) for head in heads))

    @cached_property
    def _component_of(self) -> Mapping[Signature, frozenset[Signature]]:
        return {member: part.predicates for part in self.components for member in part.predicates}

    @property
    def constraints(self) -> tuple[Rule, ...]:
        """The rules that define nothing and only forbid."""
        return tuple(rule for rule in self.program.rules if not self.dependencies.heads(rule))

    @property
    def preferences(self) -> tuple[Prefer, ...]:
        """The preferences that can matter: where there is at most one answer stream, there is nothing to prefer."""
        return () if self.fragment in (Fragment.POSITIVE, Fragment.STRATIFIED) else self.program.preferences

    @property
    def reasoners(self) -> tuple[str, ...]:
        """The reasoners that take this program."""
        return tuple(name for name, reasons in self.accepts.items() if not reasons) if self.ok else ()

    def require(self, reasoner: str | None = None) -> Analysis:
        """This analysis, if the program is right (and right for the reasoner); otherwise `Rejected`."""
        errors = [finding for finding in self.diagnostics if finding.severity is Severity.ERROR]
        if not errors and reasoner is not None:
            errors = list(self.accepts[reasoner])
        if errors:
            raise Rejected(errors)
        return self

    def finding(self, *diagnostics: Diagnostic) -> Analysis:
        """This analysis with more findings, kept in source order."""
        return replace(self, diagnostics=tuple(_in_source_order((*self.diagnostics, *diagnostics))))


def _in_source_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    def place(finding: Diagnostic) -> tuple[str, int, int]:
        origin: Origin | None = finding.origin
        return (origin.file, origin.line, origin.column) if origin else ("", 0, 0)

    return sorted(diagnostics, key=place)
