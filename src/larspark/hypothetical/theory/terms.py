"""Terms and literals of Temporal Datalog, and their unification.

A term is a value, an object variable, or a time term T+k (AAAI 2020, Sect. 2). Addition of constants is invertible, so
a most general unifier never needs new variables (Lemma 5): `unify` binds the variables of its *left* side first, and
resolution puts the renamed clause there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from larspark.language.values import Value, show_value


class Var(NamedTuple):
    """An object variable."""

    name: str


class Time(NamedTuple):
    """The time term base+offset; without a base it is the time point `offset`."""

    base: str
    offset: int = 0

    def shifted(self, by: int) -> Time:
        return Time(self.base, self.offset + by)


ABSOLUTE = ""
"""The base of a time point, and the name of the origin 0 among the time variables."""

NOW = "now"
"""The evaluation time of LARS: one variable shared by a whole derivation, never renamed."""

Term: TypeAlias = Value | Var | Time
Substitution: TypeAlias = dict[str, Term]


class Key(NamedTuple):
    """A predicate with the number of its object arguments; temporal and rigid predicates never meet."""

    predicate: str
    arity: int
    temporal: bool


class Literal(NamedTuple):
    """An atom p(args, time); a rigid atom has no time."""

    predicate: str
    args: tuple[Term, ...]
    time: Time | None = None

    @property
    def key(self) -> Key:
        return Key(self.predicate, len(self.args), self.time is not None)

    @property
    def ground(self) -> bool:
        return not (self.time is not None and self.time.base) and not any(isinstance(arg, tuple) for arg in self.args)

    def resembles(self, other: Literal) -> bool:
        """Whether both have the same key."""
        return (
            self.predicate == other.predicate
            and len(self.args) == len(other.args)
            and (self.time is None) == (other.time is None)
        )

    def __str__(self) -> str:
        parts = [show_term(arg) for arg in self.args]
        if self.time is not None:
            parts.append(show_term(self.time))
        return f"{show_value(self.predicate)}({','.join(parts)})" if parts else show_value(self.predicate)


def show_term(term: Term) -> str:
    match term:
        case Var(name):
            return name
        case Time(base, offset) if base == ABSOLUTE:
            return str(offset)
        case Time(base, 0):
            return base
        case Time(base, offset):
            return f"{base}+{offset}" if offset > 0 else f"{base}{offset}"
        case _:
            return show_value(term)


def names(literals: Iterable[Literal]) -> Iterator[str]:
    """All occurrences of variables."""
    for literal in literals:
        for term in (*literal.args, *([literal.time] if literal.time is not None else [])):
            if isinstance(term, Var):
                yield term.name
            elif isinstance(term, Time) and term.base != ABSOLUTE:
                yield term.base


def time_names(literals: Iterable[Literal]) -> Iterator[str]:
    """All occurrences of time variables."""
    for literal in literals:
        for term in (*literal.args, *([literal.time] if literal.time is not None else [])):
            if isinstance(term, Time) and term.base != ABSOLUTE:
                yield term.base


def resolve(term: Term, bound: Mapping[str, Term]) -> Term:
    """The term under a triangular substitution."""
    while True:
        match term:
            case Var(name):
                if name not in bound:
                    return term
                term = bound[name]
            case Time(base, offset):
                if base == ABSOLUTE or base not in bound:
                    return term
                value = bound[base]
                if isinstance(value, Time):
                    term = value.shifted(offset)
                elif isinstance(value, int):
                    return Time(ABSOLUTE, value + offset)
                else:
                    raise ValueError(f"time variable {base} bound to {value!r}")
            case _:
                return term


def resolve_object(term: Term, bound: Mapping[str, Term]) -> Term:
    """The same in an object position, where a time point is a plain integer."""
    resolved = resolve(term, bound)
    return resolved.offset if isinstance(resolved, Time) and resolved.base == ABSOLUTE else resolved


def apply(literal: Literal, bound: Mapping[str, Term]) -> Literal:
    time = literal.time
    if time is not None:
        resolved = resolve(time, bound)
        if not isinstance(resolved, Time):
            raise ValueError(f"{resolved!r} is no time")
        time = resolved
    return Literal(literal.predicate, tuple(resolve_object(arg, bound) for arg in literal.args), time)


def replaced(literal: Literal, matched: Mapping[str, Term]) -> Literal:
    """The literal under a match: all variables replaced at once, since both sides may use the same names."""

    def once(term: Term) -> Term:
        match term:
            case Var(name):
                return matched.get(name, term)
            case Time(base, offset):
                found = matched.get(base, Time(base))
                return found.shifted(offset) if isinstance(found, Time) else term
            case _:
                return term

    time = None if literal.time is None else once(literal.time)
    return Literal(literal.predicate, tuple(map(once, literal.args)), time if isinstance(time, Time) else None)


def unify(left: Term, right: Term, bound: Substitution) -> bool:
    """Extend `bound` to a most general unifier, variables of `left` first; False when there is none."""
    left, right = resolve_object(left, bound), resolve_object(right, bound)
    if left == right and type(left) is type(right):
        return True
    match left, right:
        case Var(name), _:
            bound[name] = right
        case _, Var(name):
            bound[name] = left
        case Time(a, i), Time(b, j):
            if a == b:
                return False
            if a == NOW:
                bound[b] = Time(a, i - j)
            else:
                bound[a] = Time(b, j - i)
        case (Time(base, offset), int(value)) | (int(value), Time(base, offset)):
            bound[base] = Time(ABSOLUTE, value - offset)
        case _:
            return False
    return True


def unify_literals(left: Literal, right: Literal, bound: Substitution) -> bool:
    """Unify two literals of the same predicate in place."""
    if not left.resembles(right):
        return False
    if not all(unify(a, b, bound) for a, b in zip(left.args, right.args, strict=True)):
        return False
    if left.time is None or right.time is None:
        return left.time is right.time
    return unify(left.time, right.time, bound)
