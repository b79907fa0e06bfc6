"""Models, the reduct and minimality, word by word (thesis Def. 17 and 18)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.tree import Formula
from larspark.language.values import NotANumber
from larspark.semantics.entailment import entails
from larspark.semantics.interpretations import Atoms, TimedFact, by_time
from larspark.semantics.rules import OrderedRule, exists
from larspark.semantics.structures import Binding, Place, Structure

Instance = tuple[OrderedRule, Binding]


def interpreted(m: Structure, time: int, atoms: Atoms) -> Place:
    """Where rules are evaluated: at `time` in the structure of the stream of M extended by the atoms."""
    stream = m.stream
    derived = {t: facts | stream.derived.get(t, frozenset()) for t, facts in by_time(atoms).items()}
    extended = stream.with_derived({**stream.derived, **derived})
    return Place(m.with_stream(extended), extended, time)


def reduct(rules: Sequence[OrderedRule], place: Place) -> list[Instance]:
    """P^{M,t}: the instances of rules whose body holds (3.5). An instance without a value for a term does not exist."""
    return [
        (rule, binding) for rule in rules for binding in rule.instances(place) if exists(place, rule.rule.head, binding)
    ]


def _defined(place: Place, formula: Formula, binding: Binding) -> bool | None:
    """Entailment; None where arithmetic fails."""
    try:
        return entails(place, formula, binding)
    except NotANumber:
        return None


def is_model(instances: Sequence[Instance], place: Place) -> bool:
    """M, t ⊨ β(r) → H(r) for all the instances (Def. 17)."""
    return all(
        _defined(place, rule.rule.head, binding)
        or not all(_defined(place, literal, binding) for literal in rule.rule.body)
        for rule, binding in instances
    )


def is_answer_stream(rules: Sequence[OrderedRule], m: Structure, time: int, atoms: Atoms) -> bool:
    """Whether the atoms make M a ⊆-minimal model of its own reduct (Def. 18)."""
    instances = reduct(rules, interpreted(m, time, atoms))
    return is_model(instances, interpreted(m, time, atoms)) and not any(
        is_model(instances, interpreted(m, time, smaller)) for smaller in proper_subsets(atoms)
    )


def proper_subsets(atoms: Atoms) -> Iterator[Atoms]:
    """From the smallest on."""
    return (frozenset(chosen) for size in range(len(atoms)) for chosen in combinations(sorted(atoms, key=str), size))


def enumerate_answer_streams(
    rules: Sequence[OrderedRule], m: Structure, time: int, potential: frozenset[TimedFact], limit: int
) -> Iterator[Atoms]:
    """All sets of potential atoms that are answer streams, by trying each of them.

    Answer streams are minimal models of the program (Theorem 4): what contains one is not tried.
    """
    if 1 << len(potential) > limit:
        raise Rejected([too_many(f"2^{len(potential)} candidates", limit)])
    found: list[Atoms] = []
    for candidate in (*proper_subsets(potential), potential):
        if not any(smaller <= candidate for smaller in found) and is_answer_stream(rules, m, time, candidate):
            found.append(candidate)
            yield candidate


def too_many(what: str, limit: int) -> Diagnostic:
    return Diagnostic(
        "E504",
        f"The reference semantics would have to try {what}, more than its limit of {limit}.",
        "Use another reasoner, a smaller stream, or raise the limit.",
    )
