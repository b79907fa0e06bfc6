"""Instances of schemata: bind variables, and see whether anything can still come of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from larspark.hypothetical.answers.answers import Schema
from larspark.hypothetical.theory.bounds import Differences, close, equal_to
from larspark.hypothetical.theory.conditions import rewritten, settle
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
    resolve,
    time_names,
    unify_literals,
)
from larspark.language.traversal import constants, variables
from larspark.language.values import Value


def bind(schema: Schema, bound: Mapping[str, Term], closed: int) -> Schema | None:
    """The schema under a substitution; None when conditions, bounds or closed time points rule it out."""
    settled = settle(schema.conditions, dict(bound))
    if settled is None:
        return None
    theta = settled.bound
    times = dict(schema.times)
    for name in schema.differences.names - times.keys():
        found = resolve(Time(name), theta)
        if isinstance(found, Time) and found.base == ABSOLUTE:
            times[name] = found.offset
    if not schema.differences.admit(times):
        return None
    differences = schema.differences
    if any(name in theta and name not in times for name in differences.names):  # tied to another free time
        known = [bound for name, value in schema.times.items() for bound in equal_to(Time(name), value)]
        closure = close(bound.apply(theta) for bound in (*differences.listed(), *known))
        if closure is None:
            return None
        differences = closure
    pinned = {
        name: Time(ABSOLUTE, low)
        for name in {variable.name for condition in settled.open for variable in variables(condition)}
        if name in differences.names
        and name not in times
        and (low := differences.low(name, times)) is not None
        and low == differences.high(name, times)
    }
    if pinned:  # the bounds leave one time: conditions about it can be decided
        return bind(schema, {**theta, **pinned}, closed)
    instance = replace(
        schema,
        answer=apply(schema.answer, theta),
        met=frozenset(apply(literal, theta) for literal in schema.met),
        awaited=frozenset(apply(literal, theta) for literal in schema.awaited),
        negated=frozenset(apply(literal, theta) for literal in schema.negated),
        conditions=settled.open,
        times=times,
        differences=differences,
        denied=frozenset(signed.apply(theta) for signed in schema.denied),
        assumed=frozenset(signed.apply(theta) for signed in schema.assumed),
    )
    return instance if may_happen(instance, closed) else None


def may_happen(schema: Schema, closed: int) -> bool:
    """Whether every awaited premise can still arrive: after `closed`, and within the bounds of the times known."""
    for literal in schema.awaited:
        if literal.time is None:
            continue
        latest = latest_time(schema, literal.time)
        if latest is not None and latest <= closed:
            return False
    return _ranges_are_open(schema, closed)


def latest_time(schema: Schema, time: Time) -> int | None:
    if time.base == ABSOLUTE:
        return time.offset
    high = schema.differences.high(time.base, schema.times)
    return None if high is None else high + time.offset


def _ranges_are_open(schema: Schema, closed: int) -> bool:
    """Bounds are closed under composition, so it is enough that every variable's own range is not empty."""
    least: dict[str, int] = {}
    for literal in schema.awaited:
        if literal.time is not None and literal.time.base != ABSOLUTE:
            base = literal.time.base
            least[base] = max(least.get(base, closed + 1 - literal.time.offset), closed + 1 - literal.time.offset)
    for base, low in least.items():
        known_low = schema.differences.low(base, schema.times)
        high = schema.differences.high(base, schema.times)
        if high is not None and max(low, known_low if known_low is not None else low) > high:
            return False
    return True


def towards(schema: Schema, literal: Literal, closed: int) -> Schema | None:
    """The instance of a schema whose answer is this ground atom."""
    bound: Substitution = {}
    if not unify_literals(schema.answer, literal, bound):
        return None
    return bind(schema, bound, closed) if bound else schema


def rename_apart(schema: Schema) -> Schema:
    """The schema with variables that occur nowhere else."""
    times = set(time_names(schema.literals)) | schema.differences.names
    found = {*names(schema.literals), *times, *(v.name for c in schema.conditions for v in variables(c))} - {NOW}
    if not found:
        return schema
    fresh = {name: name + "'" for name in found}
    rename: Substitution = {old: Time(new) if old in times else Var(new) for old, new in fresh.items()}
    most = {(fresh.get(x, x), fresh.get(y, y)): limit for (x, y), limit in schema.differences.most.items()}
    return replace(
        schema,
        answer=apply(schema.answer, rename),
        met=frozenset(apply(literal, rename) for literal in schema.met),
        awaited=frozenset(apply(literal, rename) for literal in schema.awaited),
        negated=frozenset(apply(literal, rename) for literal in schema.negated),
        conditions=tuple(rewritten(condition, rename) for condition in schema.conditions),
        differences=Differences(most),
        times={fresh.get(name, name): value for name, value in schema.times.items()},
    )


def constants_of(schema: Schema) -> Iterator[Value]:
    """The values that a schema speaks of."""
    for literal in schema.literals:
        yield from (arg for arg in literal.args if not isinstance(arg, tuple))
    for condition in schema.conditions:
        yield from (constant.value for constant in constants(condition))
