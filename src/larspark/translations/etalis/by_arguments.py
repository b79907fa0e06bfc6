"""ETALIS as LARS with explicit interval arguments (thesis sec. 4.4, end): exact for all rules, NOT included.

An atom p(X) with interval [From, To] becomes `p_interval(X, From, To)`, so overlapping intervals stay apart. Every
atom of the rules may also be an atomic event, which lasts one time point.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from larspark.language.facts import Signature
from larspark.language.tree import At, Atom, Comparison, Constant, Not, Operation, Program, Rule, Show, Term, Variable
from larspark.translations.etalis.patterns import (
    AbsentPattern,
    Combined,
    EventRule,
    Operator,
    events,
    mentioned,
    with_names,
)
from larspark.translations.etalis.relations import Body, Unfolding, end_variables
from larspark.translations.naming import Names


def translate(rules: Iterable[EventRule]) -> Program:
    """Rules that derive `head_interval(X, From, To)` for exactly the intervals of the minimal model."""
    return _PatternTranslation(tuple(rules)).program()


def interval_predicates(rules: Iterable[EventRule]) -> dict[Signature, str]:
    """The predicate that holds the intervals of each atom of the rules."""
    found = tuple(rules)
    atoms = [atom for rule in found for atom in (rule.head, *events(rule.pattern))]
    signatures = dict.fromkeys(atom.signature for atom in atoms)
    names = Names(signature.predicate for signature in signatures)
    return {signature: names.fresh(f"{signature.predicate}_interval") for signature in signatures}


def separability_guard(rules: Iterable[EventRule]) -> Program:
    """Rules to add to the translation: `inseparable(p)` when two intervals of an atom of p overlap or touch.

    While nothing is inseparable, the translation by interval windows is exact as well (thesis Def. 45, extended
    to atomic events: they merge in the same way).
    """
    found = tuple(rules)
    predicates = interval_predicates(found)
    head = Names([*predicates.values(), *(s.predicate for s in predicates)]).fresh("inseparable")
    start, end, other_start, other_end = (Variable(name) for name in ("T1", "T2", "T3", "T4"))
    guards = []
    for signature, predicate in predicates.items():
        args = tuple(Variable(f"X{number}") for number in range(1, signature.arity + 1))
        pair = (
            Atom(predicate, (*args, start, end)),
            Atom(predicate, (*args, other_start, other_end)),
        )
        inseparable = Atom(head, (Constant(signature.predicate),))
        touching = (
            Comparison("<", start, other_start),
            Comparison("<=", other_start, Operation("+", end, Constant(1))),
        )
        together = (Comparison("=", start, other_start), Comparison("<", end, other_end))
        guards += [Rule(inseparable, (*pair, *touching)), Rule(inseparable, (*pair, *together))]
    return Program(tuple(guards))


def guarded(program: Program, rules: Iterable[EventRule]) -> Program:
    """The translation together with its guard, whose finding is shown."""
    guard = separability_guard(rules)
    heads = dict.fromkeys(rule.head.signature for rule in guard.rules if isinstance(rule.head, Atom))
    return Program((*program.rules, *guard.rules), (*program.directives, Show(tuple(heads))))


class _PatternTranslation:
    def __init__(self, rules: tuple[EventRule, ...]) -> None:
        self.rules = rules
        self.predicates = interval_predicates(rules)
        self.names = Names([*self.predicates.values(), *(s.predicate for s in self.predicates)])
        self.written: list[Rule] = []

    def program(self) -> Program:
        for rule in self.rules:
            self._write(rule)
        heads = dict.fromkeys(rule.head.signature for rule in self.rules)
        shown = tuple(Signature(self.predicates[head], head.arity + 2) for head in heads)
        return Program((*self._atomic(), *self.written), (Show(shown),) if shown else ())

    def _atomic(self) -> Iterator[Rule]:
        """a'(T,T) ← @_T a, for every atom of the rules."""
        time = Variable("T")
        for signature, predicate in self.predicates.items():
            args = tuple(Variable(f"X{number}") for number in range(1, signature.arity + 1))
            yield Rule(Atom(predicate, (*args, time, time)), (At(time, Atom(signature.predicate, args)),))

    def _write(self, rule: EventRule) -> None:
        ends = end_variables(mentioned(rule.pattern))
        start, end = next(ends), next(ends)
        unfolding = Unfolding(self._event, lambda absent, s, e: self._absent(rule.head, absent, s, e, unfolding), ends)
        for body in unfolding.bodies(rule.pattern, start, end):
            self.written.append(Rule(self._interval(rule.head, start, end), body, origin=rule.origin))

    def _interval(self, atom: Atom, start: Term, end: Term) -> Atom:
        return Atom(self.predicates[atom.signature], (*atom.args, start, end), origin=atom.origin)

    def _event(self, atom: Atom, start: Variable, end: Variable) -> Body:
        return (self._interval(atom, start, end),)

    def _absent(
        self, head: Atom, absent: AbsentPattern, start: Variable, end: Variable, unfolding: Unfolding
    ) -> Iterator[Body]:
        """I(q SEQ r) without I(q SEQ p SEQ r), the latter as a predicate of its own."""
        # A valuation fixes the anonymous variables of q and r too: they are arguments of the predicate.
        taken = mentioned(absent)
        first, last = with_names(absent.first, taken), with_names(absent.last, taken)
        keys = tuple(Variable(name) for name in sorted(mentioned(first) | mentioned(last)))
        excluded = Atom(self.names.numbered(f"{head.predicate}_not"), (*keys, start, end))
        between = Combined(Operator.SEQ, Combined(Operator.SEQ, first, absent.body), last)
        for body in unfolding.bodies(between, start, end):
            self.written.append(Rule(excluded, body))
        for body in unfolding.bodies(Combined(Operator.SEQ, first, last), start, end):
            yield *body, Not(excluded)
