"""Supported answers, schematic: variables may be left, with values excepted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from larspark.hypothetical.theory.bounds import UNBOUNDED, Differences, TimeBound, close, equal_to
from larspark.hypothetical.theory.matching import all_matches, match_literal
from larspark.hypothetical.theory.terms import (
    ABSOLUTE,
    NOW,
    Literal,
    Substitution,
    Term,
    Time,
    apply,
    replaced,
    unify_literals,
)
from larspark.language import tree
from larspark.language.values import Value


class Signed(NamedTuple):
    """A literal: an atom, or the negation of one."""

    literal: Literal
    negative: bool = False

    def __str__(self) -> str:
        return f"not {self.literal}" if self.negative else str(self.literal)

    def apply(self, bound: Mapping[str, Term]) -> Signed:
        return Signed(apply(self.literal, bound), self.negative)


class SchemaSource(NamedTuple):
    """Where a schema comes from: the answer, unmet premises and negated atoms as the precondition has them."""

    answer: Literal = Literal("", ())
    unmet: tuple[Literal, ...] = ()
    negated: tuple[Literal, ...] = ()


@dataclass(frozen=True)
class Schema:
    """What a precondition has become by now: premises met, premises awaited, negated atoms not judged yet."""

    answer: Literal
    met: frozenset[Literal]
    awaited: frozenset[Literal]
    negated: frozenset[Literal] = frozenset()
    conditions: tuple[tree.Comparison, ...] = ()
    differences: Differences = field(default=UNBOUNDED, compare=False)
    times: Mapping[str, int] = field(default_factory=dict, compare=False)
    """The time variables known so far."""
    denied: frozenset[Signed] = frozenset()
    """Negated atoms judged already to be evidence."""
    assumed: frozenset[Signed] = frozenset()
    """Negated atoms judged already to be hypotheses."""
    source: SchemaSource = field(default=SchemaSource(), compare=False)

    @property
    def literals(self) -> tuple[Literal, ...]:
        judged = (signed.literal for signed in (*self.denied, *self.assumed))
        return (self.answer, *self.met, *self.awaited, *self.negated, *judged)


@dataclass(frozen=True)
class SupportedAnswer:
    """⟨θ, E, H⟩: the goal instance, the evidence seen, the hypotheses it still needs.

    It stands for all its instances whose awaited times lie in the future, that respect the bounds and conditions
    and are none of the exceptions; of these, for the ones whose hypotheses are open, coherent and minimal.
    """

    answer: Literal
    evidence: frozenset[Signed]
    hypotheses: frozenset[Signed]
    exceptions: frozenset[tuple[tuple[str, Value], ...]] = frozenset()
    conditions: tuple[tree.Comparison, ...] = ()
    differences: Differences = field(default=UNBOUNDED, compare=False)
    times: Mapping[str, int] = field(default_factory=dict, compare=False)
    schema: Schema | None = field(default=None, compare=False, repr=False)
    """What it was judged from."""

    @property
    def definite(self) -> bool:
        return not self.hypotheses

    @property
    def literals(self) -> list[Literal]:
        return [self.answer, *(s.literal for s in (*self.evidence, *self.hypotheses))]

    def theta(self, goal: Literal) -> dict[str, Term]:
        """The values (or remaining variables) of the goal's variables."""
        bound: Substitution = {}
        match_literal(goal, self.answer, bound)
        return bound


def embeds(general: Iterable[Signed], special: frozenset[Signed], bound: Substitution) -> Iterator[Substitution]:
    """The ways to map a set of literals into another by binding its variables only."""
    wanted = []
    for signed in general:
        if not signed.literal.ground:
            wanted.append(signed)
        elif signed not in special:
            return
    if not wanted:
        yield bound
        return
    candidates = {sign: [s.literal for s in special if s.negative == sign] for sign in (False, True)}
    yield from all_matches([(signed.literal, candidates[signed.negative]) for signed in wanted], bound)


def dominates(general: SupportedAnswer, special: SupportedAnswer) -> bool:
    """Fewer hypotheses for the same answer, or the same with less evidence."""
    bound: Substitution = {}
    if general.exceptions or general.conditions or not match_literal(general.answer, special.answer, bound):
        return False
    for mapped in embeds(general.hypotheses, special.hypotheses, bound):
        if not bounds_follow(general, special, mapped):
            continue
        image = frozenset(Signed(replaced(h.literal, mapped), h.negative) for h in general.hypotheses)
        if any(not _may_coincide(extra, image) for extra in special.hypotheses - image):
            return True
        if any(True for _ in embeds(general.evidence, special.evidence, mapped)):
            return True
    return False


def _may_coincide(signed: Signed, others: Iterable[Signed]) -> bool:
    """Whether some instance of the literal is also an instance of one of the others."""
    return any(
        signed.negative == other.negative and unify_literals(signed.literal, other.literal, {}) for other in others
    )


def bounds_follow(general: SupportedAnswer | Schema, special: SupportedAnswer, mapped: Substitution) -> bool:
    """Whether the bounds of the general answer hold for every instance of the special one."""
    free = general.differences.names - general.times.keys()
    if not free:
        return True
    known = [b for name, t in special.times.items() for b in equal_to(Time(name), t)]
    tight = close([*special.differences.listed(), *known])
    if tight is None:
        return False
    return all(
        tight.implied(TimeBound(_image(x, general, mapped), _image(y, general, mapped), most))
        for (x, y), most in general.differences.most.items()
        if (x in free or y in free) and {x, y} & free <= mapped.keys()
    )


def _image(name: str, general: SupportedAnswer | Schema, mapped: Substitution) -> Time:
    if name == ABSOLUTE or name in general.times:
        return Time(ABSOLUTE, general.times.get(name, 0))
    found = mapped[name]
    return found if isinstance(found, Time) else Time(name)


def minimal_answers_by_time(found: Iterable[SupportedAnswer]) -> list[SupportedAnswer]:
    """Minimal answers of each evaluation time on its own."""
    times: defaultdict[int, list[SupportedAnswer]] = defaultdict(list)
    for answer in found:
        times[answer.times[NOW]].append(answer)
    return [answer for time in sorted(times) for answer in minimal_answers(times[time])]


def minimal_answers(found: Iterable[SupportedAnswer]) -> list[SupportedAnswer]:
    """Drop every answer that another one dominates: the step that Prop. 12 lacks."""
    by_answer: defaultdict[Literal, list[SupportedAnswer]] = defaultdict(list)
    general: list[SupportedAnswer] = []
    for answer in found:
        by_answer[answer.answer].append(answer)
        if not answer.answer.ground:
            general.append(answer)
    kept: list[SupportedAnswer] = []
    for group in by_answer.values():
        if len(group) == 1 and not general:
            kept += group
            continue
        rivals = [*group, *(g for g in general if g.answer != group[0].answer)]
        kept += [answer for place, answer in enumerate(group) if not _is_dominated(place, answer, rivals)]
    return kept


def _is_dominated(place: int, answer: SupportedAnswer, rivals: Sequence[SupportedAnswer]) -> bool:
    """Whether a rival dominates the answer; of two that dominate each other the first stays."""
    return any(
        dominates(other, answer) and (i < place or not dominates(answer, other))
        for i, other in enumerate(rivals)
        if i != place
    )
