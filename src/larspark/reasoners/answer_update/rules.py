"""A stratum as the grounder wants it: rules with their bodies in order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from larspark.language.extended_atoms import Quantifier
from larspark.language.facts import Signature
from larspark.language.traversal import time_variables, walk
from larspark.language.tree import Aggregate, At, Atom, Not, Now, Rule, Term
from larspark.reasoners.answer_update.literals import LiteralReader, Lookup, Step


@dataclass(frozen=True)
class CompiledRule:
    number: int
    """Its place in the program."""
    time: Term | None
    """The T of a head `@T a`."""
    head: Atom | None
    """None: a constraint."""
    steps: tuple[Step, ...]
    momentary: bool
    """The body does not guarantee the head beyond the evaluation: negation, an aggregate, `now`."""
    clocked: bool
    """The rule mentions `now`."""
    times: frozenset[str]
    """The variables that stand for a time point of the timeline and for nothing else."""

    @property
    def internal(self) -> tuple[Lookup, ...]:
        """The positive literals that the stratum itself decides."""
        return tuple(
            step for step in self.steps if isinstance(step, Lookup) and step.internal and not step.read.negated
        )


@dataclass(frozen=True)
class CompiledStratum:
    """Predicates that depend on each other, above everything they read through windows and aggregates."""

    predicates: frozenset[Signature]
    rules: tuple[CompiledRule, ...]

    @property
    def read_at(self) -> frozenset[Signature]:
        """Own predicates that own rules read as `@T a`: what holds now must be visible there, too."""
        return frozenset(
            step.read.signature
            for rule in self.rules
            for step in rule.steps
            if isinstance(step, Lookup) and step.internal and step.read.quantifier is Quantifier.AT
        )

    @property
    def follows_time(self) -> bool:
        """May the ground rules change though nothing fires or expires?"""
        return self.clocked or any(rule.time is not None for rule in self.rules)

    @property
    def clocked(self) -> bool:
        """Does some literal refer to the evaluation time itself, by `now` or by `@T` to what holds now?"""
        return bool(self.read_at) or any(rule.clocked for rule in self.rules)


def compile_stratum(
    predicates: Iterable[Signature], rules: Iterable[tuple[int, Rule]], background: frozenset[Signature]
) -> CompiledStratum:
    own = frozenset(predicates)
    return CompiledStratum(own, tuple(_compile(number, rule, LiteralReader(own, background)) for number, rule in rules))


def _compile(number: int, rule: Rule, reader: LiteralReader) -> CompiledRule:
    time, head = None, rule.head
    if isinstance(head, At):
        time, head = head.time, head.body
    clocked = any(isinstance(part, Now) for part in walk(rule))
    momentary = clocked or any(isinstance(part, Not | Aggregate) for part in walk(rule))
    steps = reader.ordered(rule.body)
    plain = head if isinstance(head, Atom) else None
    return CompiledRule(number, time, plain, steps, momentary, clocked, time_variables(rule))
