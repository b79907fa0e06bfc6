"""A program with full formulas as a plain one with the same answer streams, as far as that can be done."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from itertools import count
from typing import TypeVar

from larspark.analysis.formulas.context import Alternatives, Beyond, Context, together
from larspark.analysis.formulas.lower_formula import FormulaLowering
from larspark.analysis.formulas.predicates import NEVER, TICK, FreshNames, Predicates, denied_inside, total
from larspark.analysis.passes.fragments import is_plain_head, is_plain_literal
from larspark.analysis.structure.dependencies import STRICT, Dependencies
from larspark.language.extended_atoms import ExtendedAtom, Quantifier, extended_atom
from larspark.language.facts import Signature
from larspark.language.traversal import atoms, substitute, time_variables, variables
from larspark.language.tree import (
    Aggregate,
    Always,
    And,
    At,
    Atom,
    Comparison,
    Constant,
    Directive,
    Formula,
    Implies,
    Input,
    IntervalWindow,
    Not,
    Or,
    Prefer,
    Program,
    Reader,
    Reset,
    Rule,
    Some,
    TimeWindow,
    Truth,
    Variable,
    Windowed,
)

ReaderT = TypeVar("ReaderT", Rule, Prefer)


@dataclass(frozen=True)
class Lowered:
    """The plain program, and the formulas that stay, with the reasons."""

    program: Program
    beyond: tuple[Beyond, ...]


@dataclass(frozen=True)
class Known:
    """Where atoms come from."""

    background: Set[Signature]
    arriving: Set[Signature]


def lower(program: Program, known: Known) -> Lowered:
    """The program without full formulas."""
    names = FreshNames()
    rules: list[Rule] = []
    directives: list[Directive] = []
    beyond: list[Beyond] = []
    origins: dict[int, Formula] = {}
    for rule in program.rules:
        try:
            found = _rules(rule, names, known)
        except Beyond as reason:
            beyond.append(reason)
            continue
        if found != [rule]:
            origins.update((id(one), next(_formulas(rule))) for one in found)
        rules += found
    for directive in program.directives:
        try:
            directives += _preferences(directive, names, known, rules) if isinstance(directive, Prefer) else [directive]
        except Beyond as reason:
            beyond.append(reason)
    for reach in sorted(names.reaches):
        rules += [Rule(Atom(names.within(reach), (Constant(number),))) for number in range(reach + 1)]
    # A rule whose body never holds is gone, and the `a` of a head `a -> b` stands in a body; what arrives of such
    # predicates, or was recorded, is in the answer still.
    heads, derived = ({head for rule in some for head in Dependencies.heads(rule)} for some in (program.rules, rules))
    left = {atom.signature for rule in program.rules for atom in atoms(rule.head)} & known.arriving - heads
    rules += map(_never, sorted((heads | left) - derived))
    declared = {one.signature for one in directives if isinstance(one, Input)}
    directives += map(Input, sorted(left - declared))
    lowered = replace(program, rules=tuple(rules), directives=tuple(directives))
    return Lowered(lowered, (*beyond, *_denied_in_cycles(lowered, origins)))


def _never(signature: Signature) -> Rule:
    """A rule that concludes nothing."""
    zero = Constant(0)
    return Rule(Atom(signature.predicate, (zero,) * signature.arity), (Comparison("!=", zero, zero),))


def _denied_in_cycles(program: Program, origins: dict[int, Formula]) -> Iterator[Beyond]:
    """Formulas that deny what depends on their own head: splitting them would change the answer streams."""
    dependencies = Dependencies.of(program).present
    heads = dict.fromkeys(head for rule in program.rules for head in dependencies.heads(rule))
    told: set[int] = set()
    for component in dependencies.components(heads):
        for edge in dependencies.inside(component):
            formula = origins.get(id(edge.rule))
            if edge.sign in STRICT and formula is not None and id(formula) not in told:
                told.add(id(formula))
                yield Beyond("It denies what depends on the head of its own rule.", formula)


def _formulas(reader: Reader) -> Iterator[Formula]:
    if isinstance(reader, Rule) and not is_plain_head(reader.head):
        yield reader.head
    yield from (literal for literal in reader.body if not is_plain_literal(literal))


def _rules(rule: Rule, names: FreshNames, known: Known) -> list[Rule]:
    if next(_formulas(rule), None) is None:
        return [rule]
    rule, found = _all_named(rule), list[Rule]()
    for one in _plain_heads(rule):
        if all(map(is_plain_literal, one.body)):
            found.append(_on_timeline(one, rule))
            continue
        lowering = _lowering(one, names, known)
        bodies = [_on_timeline(replace(one, body=body), rule) for body in _bodies(one.body, lowering)]
        found += [*lowering.parts.rules, *bodies]
    return found


def _preferences(preference: Prefer, names: FreshNames, known: Known, rules: list[Rule]) -> list[Prefer]:
    if next(_formulas(preference), None) is None:
        return [preference]
    preference = _all_named(preference)
    lowering = _lowering(preference, names, known)
    bodies = _bodies(preference.body, lowering)
    rules += lowering.parts.rules
    return [_on_timeline(replace(preference, body=body), preference) for body in bodies]


def _all_named(reader: ReaderT) -> ReaderT:
    """A `_` of a formula may come to stand in several literals, as the same value, and in heads: it gets a name."""
    taken, local = {one.name for one in variables(reader)}, set(denied_inside(reader))
    unnamed = {one.name for formula in _formulas(reader) for one in variables(formula) if one.anonymous} - local
    fresh = (name for number in count(1) if (name := f"Any{number}") not in taken)
    return substitute(reader, {name: Variable(next(fresh)) for name in sorted(unnamed)})


def _lowering(reader: Reader, names: FreshNames, known: Known) -> FormulaLowering:
    guards = [
        literal for literal in reader.body if is_plain_literal(literal) and not isinstance(literal, Not | Aggregate)
    ]
    taken = {one.name for one in variables(reader)}
    background = {*known.background, TICK.signature}
    local, clocked = frozenset(denied_inside(reader)), time_variables(reader)
    return FormulaLowering(Predicates(names, background, known.arriving, taken, local, clocked, guards))


def _bodies(body: tuple[Formula, ...], lowering: FormulaLowering) -> Alternatives:
    parts: list[Alternatives] = [[(one,)] if is_plain_literal(one) else lowering.holds(one, Context()) for one in body]
    return together(next(one for one in body if not is_plain_literal(one)), parts)


def _on_timeline(reader: ReaderT, written: Reader) -> ReaderT:
    """Variables for time points stay such, also where the literal that said so has moved to another rule."""
    there = {one.name for one in variables(reader)}
    lost = sorted((time_variables(written) - time_variables(reader)) & there)
    times: tuple[Formula, ...] = tuple(Not(At(Variable(name), NEVER)) for name in lost)
    return replace(reader, body=(*reader.body, *times))


# -- heads -----------------------------------------------------------------------------------------


def _plain_heads(rule: Rule) -> list[Rule]:
    """The rules of a head that says exactly what holds, or what must not."""
    head = rule.head
    if is_plain_head(head):
        return [rule]
    match head:
        case Truth():
            return []
        case And(parts):
            total(head, time_variables(rule))
            return [one for part in parts for one in _plain_heads(replace(rule, head=part))]
        case At(_, And(parts)):
            total(head, time_variables(rule))
            heads = (replace(head, body=part) for part in parts)
            return [one for part in heads for one in _plain_heads(replace(rule, head=part))]
        case Reset(Atom() as atom):
            return [replace(rule, head=atom)]
        case Not(body) if _is_positive(body):
            return [replace(rule, head=Truth(False), body=(*rule.body, body))]
        case Implies(left, right) if _is_positive(left):
            return _plain_heads(replace(rule, head=right, body=(*rule.body, left)))
        case Comparison():
            return [replace(rule, head=Truth(False), body=(*rule.body, Not(head)))]
        case Windowed() if (lasting := _throughout(head)) and (context := Context(lasting.windows)).ends:
            moment = _fresh(rule)
            selected = context.around(At(moment, TICK, origin=head.origin))
            throughout = replace(rule, head=At(moment, lasting.atom, origin=head.origin), body=(*rule.body, selected))
            if context.has_present:
                return [throughout]
            # A head over no time points cannot be satisfied.
            nowhere = Not(context.around(Some(TICK, origin=head.origin)), origin=head.origin)
            return [throughout, replace(rule, head=Truth(False), body=(*rule.body, nowhere))]
    raise Beyond("A head of this form leaves open which atoms hold.", head)


def _throughout(head: Formula) -> ExtendedAtom | None:
    """`always a` in windows that select time points, not atoms."""
    read = extended_atom(head)
    if read is None or read.quantifier is not Quantifier.ALWAYS:
        return None
    return read if all(isinstance(window, TimeWindow | IntervalWindow) for window in read.windows) else None


def _fresh(rule: Rule) -> Variable:
    taken = {one.name for one in variables(rule)}
    return Variable(next(f"U{number}" for number in range(len(taken) + 1) if f"U{number}" not in taken))


def _is_positive(formula: Formula) -> bool:
    match formula:
        case Atom() | Comparison():
            return True
        case And(parts) | Or(parts):
            return all(map(_is_positive, parts))
        case Some(body) | Always(body) | At(_, body) | Windowed(_, body) | Reset(body):
            return _is_positive(body)
    return False
