"""Structures: what a formula is evaluated in (thesis Def. 11)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from larspark.language.calendar import Calendar
from larspark.language.evaluate import evaluate
from larspark.language.facts import Fact, Signature
from larspark.language.traversal import constants
from larspark.language.tree import Node, Term
from larspark.language.values import Value
from larspark.semantics.streams import Stream

Binding: TypeAlias = Mapping[str, Value]
"""A substitution σ: values for the names of variables (before Def. 14)."""


@dataclass(frozen=True)
class Environment:
    """What comes from outside the language: functions in terms, and the calendar."""

    functions: Mapping[str, Callable[..., Value]] = field(default_factory=dict)
    calendar: Calendar | None = None


PLAIN = Environment()


@dataclass(frozen=True)
class Structure:
    """M = ⟨S*, W, B⟩, with what terms may refer to."""

    stream: Stream
    """S*, the interpretation stream."""
    background: Mapping[Signature, frozenset[Fact]] = field(default_factory=dict)
    """B, by signature."""
    environment: Environment = PLAIN
    now: int | None = None
    """The evaluation time, the value of `now`."""
    domain: frozenset[Value] = frozenset()
    """C, what a variable ranges over that nothing binds."""

    @classmethod
    def of(
        cls,
        stream: Stream,
        background: Iterable[Fact] = (),
        *,
        now: int | None = None,
        environment: Environment = PLAIN,
        mentioning: Iterable[Node] = (),
    ) -> Structure:
        """A structure whose constants are those of the stream, the background and the formulas `mentioning` them."""
        facts = frozenset(background)
        by_signature: dict[Signature, set[Fact]] = {}
        for fact in facts:
            by_signature.setdefault(fact.signature, set()).add(fact)
        seen = [fact for at_one_time in stream.content.values() for fact in at_one_time]
        domain = {value for fact in (*facts, *seen) for value in fact.args}
        domain.update(value for node in mentioning for value in _mentioned(node))
        indexed = {signature: frozenset(found) for signature, found in by_signature.items()}
        return cls(stream, indexed, environment, now, frozenset(domain))

    def with_stream(self, stream: Stream) -> Structure:
        return replace(self, stream=stream)

    def value(self, term: Term, binding: Binding) -> Value:
        """The value of a ground term; raises NotANumber where arithmetic fails."""
        return evaluate(term, binding, self.now, self.environment.functions, self.environment.calendar)

    def is_background(self, fact: Fact) -> bool:
        """a ∈ B."""
        return bool(self.background) and fact in self.background.get(fact.signature, ())


@lru_cache(256)
def _mentioned(node: Node) -> frozenset[Value]:
    return frozenset(constant.value for constant in constants(node))


class Place(NamedTuple):
    """(M, S, t): where a formula is evaluated (Def. 12); S is a substream of the stream of M."""

    m: Structure
    stream: Stream
    time: int

    def at(self, time: int) -> Place:
        return Place(self.m, self.stream, time)

    def on(self, stream: Stream) -> Place:
        return Place(self.m, stream, self.time)
