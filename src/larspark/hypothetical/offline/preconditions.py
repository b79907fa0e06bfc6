"""Preconditions: what would have to arrive, in all generality, for the goal to hold (AAAI 2020, Sect. 5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count

from larspark.hypothetical.theory.bounds import UNBOUNDED, Differences, TimeBound, close, equal_to
from larspark.hypothetical.theory.conditions import rewritten, settle
from larspark.hypothetical.theory.matching import all_matches, match_literal
from larspark.hypothetical.theory.terms import (
    ABSOLUTE,
    NOW,
    Literal,
    Substitution,
    Term,
    Time,
    Var,
    apply,
    names,
    replaced,
    resolve,
    resolve_object,
    time_names,
    unify_literals,
)
from larspark.language import tree
from larspark.language.traversal import variables

RENAMED = "#"
"""Separates the name of a variable from the number that a renamed clause gives it."""


@dataclass(frozen=True)
class Precondition:
    """A computed answer with premises over the empty history: if the premises arrive, `answer` holds.

    It stands for all its instances that respect `conditions` and `differences`.
    """

    answer: Literal
    premises: tuple[Literal, ...]
    """Extensional temporal atoms."""
    rigid: tuple[Literal, ...] = ()
    negated: tuple[Literal, ...] = ()
    conditions: tuple[tree.Comparison, ...] = ()
    differences: Differences = UNBOUNDED

    def theta(self, goal: Literal) -> dict[str, Term]:
        """The substitution of the goal's variables; variables left as they are do not occur in it."""
        bound: dict[str, Term] = {}
        for asked, found in zip(goal.args, self.answer.args, strict=True):
            if isinstance(asked, Var) and asked != found:
                bound[asked.name] = found
        if goal.time is not None and self.answer.time is not None and goal.time.base not in (ABSOLUTE, NOW):
            found_time = self.answer.time.shifted(-goal.time.offset)
            if found_time != Time(goal.time.base):
                bound[goal.time.base] = resolve_object(found_time, {})
        return bound

    @property
    def earliest(self) -> tuple[Literal, ...]:
        """M: the premises and negated atoms at the least offset, when all times hang on one variable."""
        timed = [lit for lit in (*self.premises, *self.negated) if lit.time is not None]
        least = min((lit.time.offset for lit in timed if lit.time is not None), default=0)
        return tuple(lit for lit in timed if lit.time is not None and lit.time.offset == least)

    @property
    def connected(self) -> bool:
        """Whether all premises hang on one time variable or on fixed time points."""
        return len({lit.time.base for lit in (*self.premises, *self.negated) if lit.time is not None}) <= 1


def instantiate(general: Precondition, bounds: Sequence[TimeBound], bound: Substitution) -> Precondition | None:
    """Apply a substitution and settle what can be settled; None when nothing can satisfy it."""
    settled = settle(general.conditions, bound)
    if settled is None:
        return None
    theta = settled.bound
    try:
        differences = close([*(b.apply(theta) for b in bounds), *_at_the_evaluation(theta)])
        if differences is None:
            return None
        return Precondition(
            apply(general.answer, theta),
            tuple(dict.fromkeys(apply(literal, theta) for literal in general.premises)),
            tuple(dict.fromkeys(apply(literal, theta) for literal in general.rigid)),
            tuple(dict.fromkeys(apply(literal, theta) for literal in general.negated)),
            tuple(dict.fromkeys(rewritten(condition, theta) for condition in settled.open)),
            differences,
        )
    except ValueError:  # a time variable was equated with a symbol
        return None


def _at_the_evaluation(bound: Substitution) -> tuple[TimeBound, ...]:
    """The evaluation time where a conclusion pinned to a time has fixed it: no literal speaks of it any more."""
    found = resolve(Time(NOW), bound)
    return equal_to(Time(NOW), found.offset) if isinstance(found, Time) and found.base == ABSOLUTE else ()


def subsumes(general: Precondition, special: Precondition) -> bool:
    """Whether every instance of `special` contains an instance of `general` for the same answer.

    The minimality of preconditions is meant modulo instantiation, otherwise Prop. 12 fails.
    """
    return any(True for _ in _embeddings(general, special))


def _embeddings(general: Precondition, special: Precondition) -> Iterator[Substitution]:
    """The matches of the general's variables, renamed apart, that show it to be contained in the special one."""
    apart = renamed_apart(general)
    for match in _matches(apart, special):
        if {rewritten(condition, match) for condition in apart.conditions} <= set(special.conditions) and all(
            special.differences.implied(b.apply(match)) for b in apart.differences.listed()
        ):
            yield match


def renamed_apart(precondition: Precondition) -> Precondition:
    """The same with variables that occur nowhere else."""
    return _renamed(precondition, {name: name + "'" for name in _variables(precondition) - {NOW}})


def may_embed(general: Precondition, answer: Literal, premises: Sequence[Literal]) -> bool:
    """Whether the premises of some instance of a precondition could be among these, for the same answer."""
    apart = renamed_apart(general)

    def search(rest: Sequence[tuple[Literal, Sequence[Literal]]], bound: Substitution) -> bool:
        if not rest:
            return True
        literal, candidates = rest[0]
        for candidate in candidates:
            extended = dict(bound)
            if unify_literals(literal, candidate, extended) and search(rest[1:], extended):
                return True
        return False

    wanted: list[tuple[Literal, Sequence[Literal]]] = [(apart.answer, (answer,))]
    wanted += [(literal, premises) for literal in apart.premises]
    return search(wanted, {})


def _matches(general: Precondition, special: Precondition) -> Iterator[Substitution]:
    """One-way matches of the general's variables that map its answer onto the other and its parts into the other's."""
    start: Substitution = {}
    if not match_literal(general.answer, special.answer, start):
        return
    wanted = [
        *((lit, special.premises) for lit in general.premises),
        *((lit, special.rigid) for lit in general.rigid),
        *((lit, special.negated) for lit in general.negated),
    ]
    bounds = general.differences.listed()

    def admits(match: Substitution) -> bool:
        """Whether the bounds between times that have an image hold there: many premises have many images."""
        known = match.keys() | {ABSOLUTE, NOW}
        ready = (bound for bound in bounds if bound.left.base in known and bound.right.base in known)
        return all(special.differences.implied(bound.apply(match)) for bound in ready)

    yield from all_matches(wanted, start, admits)


def minimal(found: Sequence[Precondition]) -> tuple[Precondition, ...]:
    """Those not subsumed by another; of two that subsume each other the first stays."""
    kept: list[Precondition] = []
    for candidate in map(_condensed, found):
        if any(subsumes(other, candidate) for other in kept):
            continue
        kept = [other for other in kept if not subsumes(candidate, other)]
        kept.append(candidate)
    return tuple(kept)


def _condensed(precondition: Precondition) -> Precondition:
    """Its smallest instance that asks as much: p(X,b), p(X,Y) asks no more than p(X,b)."""
    for premise in precondition.premises:
        rest = replace(precondition, premises=tuple(lit for lit in precondition.premises if lit != premise))
        for match in _embeddings(precondition, rest):
            return _condensed(_image(precondition, match))
    return precondition


def _image(precondition: Precondition, match: Substitution) -> Precondition:
    """The instance of a precondition under a match of its (renamed) variables into itself."""
    apart = renamed_apart(precondition)

    def images(literals: Sequence[Literal]) -> tuple[Literal, ...]:
        return tuple(dict.fromkeys(replaced(literal, match) for literal in literals))

    premises, rigid, negated = images(apart.premises), images(apart.rigid), images(apart.negated)
    left = {*names((precondition.answer, *premises, *rigid, *negated)), ABSOLUTE, NOW}
    most = {pair: limit for pair, limit in precondition.differences.most.items() if left.issuperset(pair)}
    conditions = tuple(c for c in precondition.conditions if all(v.name in left for v in variables(c)))
    return Precondition(precondition.answer, premises, rigid, negated, conditions, Differences(most))


def grouped_by_variable(literals: Sequence[Literal]) -> Mapping[str, tuple[Literal, ...]]:
    """Literals by their time variable, each group ordered by offset."""
    groups: dict[str, list[Literal]] = {}
    for literal in literals:
        if literal.time is not None:
            groups.setdefault(literal.time.base, []).append(literal)
    return {
        base: tuple(sorted(found, key=lambda lit: lit.time.offset if lit.time else 0)) for base, found in groups.items()
    }


def readable(precondition: Precondition) -> Precondition:
    """Give renamed variables their own names back where nothing else is called so."""
    found = sorted(_variables(precondition))
    taken = {name for name in found if RENAMED not in name}
    rename: dict[str, str] = {}
    for name in found:
        if RENAMED in name:
            plain = name.partition(RENAMED)[0]
            candidates = chain([plain], (f"{plain}{number}" for number in count(1)))
            rename[name] = next(candidate for candidate in candidates if candidate not in taken)
            taken.add(rename[name])
    return _renamed(precondition, rename) if rename else precondition


def _variables(precondition: Precondition) -> set[str]:
    conditions = {variable.name for condition in precondition.conditions for variable in variables(condition)}
    return {*names(_literals(precondition)), *precondition.differences.names, *conditions}


def _literals(precondition: Precondition) -> tuple[Literal, ...]:
    return (precondition.answer, *precondition.premises, *precondition.rigid, *precondition.negated)


def _renamed(precondition: Precondition, rename: Mapping[str, str]) -> Precondition:
    times = {*time_names(_literals(precondition)), *precondition.differences.names}
    bound: Substitution = {old: Time(new) if old in times else Var(new) for old, new in rename.items()}
    return Precondition(
        apply(precondition.answer, bound),
        tuple(apply(literal, bound) for literal in precondition.premises),
        tuple(apply(literal, bound) for literal in precondition.rigid),
        tuple(apply(literal, bound) for literal in precondition.negated),
        tuple(rewritten(condition, bound) for condition in precondition.conditions),
        Differences({(rename.get(x, x), rename.get(y, y)): m for (x, y), m in precondition.differences.most.items()}),
    )
