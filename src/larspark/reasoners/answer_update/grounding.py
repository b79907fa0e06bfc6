"""Ground rules of a stratum at one evaluation, from what is decided and what may become true."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.evaluate import evaluate
from larspark.language.extended_atoms import Quantifier
from larspark.language.facts import Fact, Signature
from larspark.language.tree import Term
from larspark.language.values import NotANumber, Value
from larspark.reasoners.answer_update.join import Binding, JoinMatch, matches, unify
from larspark.reasoners.answer_update.literals import Lookup
from larspark.reasoners.answer_update.network import BRIDGE, GroundInstance
from larspark.reasoners.answer_update.nodes import LiteralView, Node, PlainAtom
from larspark.reasoners.answer_update.rules import CompiledRule, CompiledStratum
from larspark.reasoners.answer_update.views import AtomTable, ViewRows
from larspark.reasoners.answer_update.world import ChoiceWorld
from larspark.reasoners.pinned import Pinned

NODE_LIMIT = 50_000
"""A stratum that may derive more than this at one time point counts up for ever (`p(X+1) :- p(X)`)."""


MatchKey: TypeAlias = tuple[object, ...]


class InstanceGrounding:
    """Finds the instances by a fixpoint over the atoms that may become true, negation ignored; semi-naive."""

    def __init__(self, stratum: CompiledStratum, world: ChoiceWorld) -> None:
        self._stratum = stratum
        self._world = world
        self._read_at = stratum.read_at
        self.reads: dict[LiteralView, ViewRows] = {}
        """Everything decided that was looked at: unless it changes, the ground rules stay the same."""
        self._possible: set[Node] = set()
        self._tables: dict[tuple[Signature, Quantifier], AtomTable] = defaultdict(AtomTable)
        self._delta: list[Node] = []
        self._found: dict[tuple[int, Node | None, MatchKey], JoinMatch] = {}
        self._bridges: list[GroundInstance] = []

    def instances(self) -> tuple[GroundInstance, ...]:
        self._arrived()
        for rule in self._stratum.rules:
            self._apply(rule, self.candidates)
        while self._delta:
            delta, self._delta = self._delta, []
            fresh: dict[tuple[Signature, Quantifier], AtomTable] = defaultdict(AtomTable)
            for node in delta:
                fresh[_table_key(node)].add(node.time if isinstance(node, Pinned) else None, node.fact)
            for rule in self._stratum.rules:
                for position in rule.internal:
                    if _lookup_key(position) in fresh:
                        self._apply(rule, _with_delta(position, fresh, self.candidates))
        return (*self._bridges, *self._finished())

    # -- Scope, see join.py ------------------------------------------------------------------------

    def value(self, term: Term, binding: Mapping[str, Value]) -> Value:
        return evaluate(term, binding, self._world.time, self._world.functions, self._world.calendar)

    def rows(self, view: LiteralView) -> ViewRows:
        rows = self.reads[view] = self._world.rows(view)
        return rows

    def candidates(self, lookup: Lookup) -> AtomTable:
        return self._tables[_lookup_key(lookup)]

    # ----------------------------------------------------------------------------------------------

    def _arrived(self) -> None:
        """Own predicates that also arrive as input (`#input`, `#record`, background) hold without a rule."""
        for signature in self._stratum.predicates:
            for _, fact in self.rows(LiteralView((), Quantifier.NOW, signature)).entries:
                self._bridge(PlainAtom(fact))
            if signature in self._read_at:
                for time, fact in self.rows(LiteralView((), Quantifier.AT, signature)).entries:
                    self._bridge(Pinned(self._world.time if time is None else time, fact))

    def _bridge(self, head: Node, *body: Node) -> None:
        self._bridges.append(GroundInstance(BRIDGE, head, body, momentary=True))
        self._add(head)

    def _add(self, node: Node) -> None:
        """A new possible atom; `a` and `@t a` are the same thing at evaluation time t."""
        if node in self._possible:
            return
        if len(self._possible) >= NODE_LIMIT:
            raise Rejected([_unbounded(node.fact)])
        self._possible.add(node)
        self._delta.append(node)
        self._tables[_table_key(node)].add(node.time if isinstance(node, Pinned) else None, node.fact)
        now = self._world.time
        if isinstance(node, Pinned) and node.time == now:
            self._bridge(PlainAtom(node.fact), node)
        elif isinstance(node, PlainAtom) and node.fact.signature in self._read_at:
            self._bridge(Pinned(now, node.fact), node)

    def _apply(self, rule: CompiledRule, table_of: Callable[[Lookup], AtomTable]) -> None:
        # The tables grow while they are read, so the matches are finished first.
        for match in list(matches(rule.steps, self, JoinMatch(), table_of)):
            if not all(self._on_timeline(match.binding[name]) for name in rule.times & match.binding.keys()):
                continue
            try:
                head = self._head(rule, match.binding)
            except NotANumber:
                continue
            key = (rule.number, head, _key(match))
            if key not in self._found:
                self._found[key] = match
                if head is not None:
                    self._add(head)

    def _on_timeline(self, time: Value) -> bool:
        return isinstance(time, int) and time >= self._world.start

    def _head(self, rule: CompiledRule, binding: Binding) -> Node | None:
        if rule.head is None:
            return None
        fact = Fact(rule.head.predicate, tuple(self.value(arg, binding) for arg in rule.head.args))
        if rule.time is None:
            return PlainAtom(fact)
        time = self.value(rule.time, binding)
        if not isinstance(time, int):
            raise NotANumber(f"{time} is not a time point")
        # Before the timeline nothing can hold, so such a head acts as `false`.
        return Pinned(time, fact) if time >= self._world.start else None

    def _finished(self) -> Iterator[GroundInstance]:
        """The negative bodies can be read off now that all possible atoms are known; others are out for good."""
        momentary = {rule.number: rule.momentary for rule in self._stratum.rules}
        for (number, head, _), match in self._found.items():
            try:
                negative = tuple(
                    PlainAtom(fact) if time is None else Pinned(time, fact)
                    for lookup, binding in match.open_negations
                    for time, fact, _ in unify(lookup.read, self, binding, self.candidates(lookup))
                )
            except NotANumber:
                continue
            yield GroundInstance(number, head, match.positive, negative, match.seen, momentary[number])


def _key(match: JoinMatch) -> MatchKey:
    return match.positive, match.seen, tuple(tuple(binding.items()) for _, binding in match.open_negations)


def _table_key(node: Node) -> tuple[Signature, Quantifier]:
    return node.fact.signature, Quantifier.AT if isinstance(node, Pinned) else Quantifier.NOW


def _lookup_key(lookup: Lookup) -> tuple[Signature, Quantifier]:
    return lookup.read.signature, lookup.read.quantifier


def _with_delta(
    position: Lookup, fresh: Mapping[tuple[Signature, Quantifier], AtomTable], others: Callable[[Lookup], AtomTable]
) -> Callable[[Lookup], AtomTable]:
    """The new atoms for one literal of a body, all possible ones for the others."""
    return lambda lookup: fresh[_lookup_key(lookup)] if lookup is position else others(lookup)


def _unbounded(fact: Fact) -> Diagnostic:
    return Diagnostic(
        "E505",
        f"The rules for {fact.signature} derive more and more atoms at one time point, such as {fact}.",
        "Bound the recursion, for instance with a comparison on the argument that grows.",
    )
