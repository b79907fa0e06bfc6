"""Entailment of ground formulas (thesis Def. 12), and the substitutions under which others are entailed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from larspark.diagnostics import Rejected
from larspark.language.facts import Fact
from larspark.language.traversal import children
from larspark.language.tree import (
    Aggregate,
    Always,
    And,
    At,
    Atom,
    Call,
    Comparison,
    Formula,
    Implies,
    Node,
    Not,
    Operation,
    Or,
    Ranked,
    Reset,
    Some,
    Term,
    Truth,
    Variable,
    Window,
    Windowed,
)
from larspark.language.values import NotANumber, Value, compare
from larspark.semantics.aggregates import aggregate
from larspark.semantics.horizon import extents, instants
from larspark.semantics.names import Enumerate, bindable, equations, names, order, somewhere
from larspark.semantics.structures import Binding, Place, Structure
from larspark.semantics.substitutions import distinct, ranging, unbounded
from larspark.semantics.windows import apply


def entails(place: Place, formula: Formula, binding: Binding) -> bool:
    """M, S, t ⊩ φ for a formula that is ground under the binding; raises NotANumber where arithmetic fails.

    Def. 1 wants a timeline with time points. Where a window selects none, no atom holds, not even of B, and `some`,
    `always` and `@` are false: there is no time point of which they say something.
    """
    m, stream, time = place
    match formula:
        case Atom():
            fact = ground(m, formula, binding)
            return fact in stream.at(time) or (not stream.empty and m.is_background(fact))
        case Truth(value):
            return value
        case Comparison(operator, left, right):
            return compare(operator, m.value(left, binding), m.value(right, binding))
        case Not(body):
            return not _holds(place, body, binding)
        case And(parts):
            return all(entails(place, part, binding) for part in parts)
        case Or(parts):
            return any(entails(place, part, binding) for part in parts)
        case Implies(left, right):
            return not _holds(place, left, binding) or entails(place, right, binding)
        case Some(Atom() as body) if not _recurring(m, body):  # the same atom wherever it is looked for
            contents = [facts for other, facts in stream.content.items() if facts and other in stream]
            wanted = [ground(m, body, binding)] if contents else []
            return any(fact in facts for fact in wanted for facts in contents)
        case Some(body):
            return any(entails(place.at(other), body, binding) for other in _candidates(place, body, binding))
        case Always(body):
            everywhere = instants(place, body, binding)
            return bool(everywhere) and all(entails(place.at(other), body, binding) for other in everywhere)
        case At(term, body):
            other = m.value(term, binding)
            return isinstance(other, int) and other in stream and entails(place.at(other), body, binding)
        case Windowed(window, body):
            return entails(windowed(place, window, binding), body, binding)
        case Reset(body):
            return entails(place.on(m.stream), body, binding)
        case Ranked():
            raise TypeError("resolving spells ranks out")
        case Aggregate(_, operator, result, _):
            bound, found = m.value(result, binding), _aggregated(place, formula, binding)
            return found is not None and compare(operator, bound, found)


def _holds(place: Place, body: Formula, binding: Binding) -> bool:
    """Entailment of what is negated: `_` in it is existential, so that `not bus(_,S)` means no bus at all.

    An instance with a term that has no value does not exist, whether or not there is data to look the term up in.
    """
    for term in _ground_terms(body, binding):
        place.m.value(term, binding)
    if names(body) <= binding.keys():
        return entails(place, body, binding)
    return any(True for _ in solutions(place, body, binding))


def _ground_terms(node: Node, binding: Binding) -> Iterator[Term]:
    """The terms outside aggregates that have a value, or none, whatever `_` stands for."""
    if isinstance(node, Aggregate):  # a tuple without a value is left out, and the result is asked for in any case
        return
    for child in children(node):
        if isinstance(child, Operation | Call) and names(child) <= binding.keys():
            yield child
        else:
            yield from _ground_terms(child, binding)


def ground(m: Structure, atom: Atom, binding: Binding) -> Fact:
    return Fact(atom.predicate, tuple(m.value(arg, binding) for arg in atom.args))


def windowed(place: Place, window: Window, binding: Binding) -> Place:
    """(M, w(S, t), t)."""
    m, stream, time = place
    return place.on(apply(window, stream, time, lambda term: m.value(term, binding)))


def _candidates(place: Place, body: Formula, binding: Binding) -> Iterable[int]:
    """The time points at which the body may hold: an atom that is not background holds at occupied points only."""
    return instants(place, body, binding) if _recurring(place.m, body) else place.stream.occupied()


# -- substitutions ---------------------------------------------------------------------------------


def solutions(place: Place, formula: Formula, binding: Binding) -> Iterator[Binding]:
    """The extensions σ of the binding to the variables of φ with M, S, t ⊩ σ(φ).

    They are read off the structure where the formula allows it; otherwise a variable ranges over all its values.
    Where arithmetic fails, there is no solution.
    """
    if names(formula) <= binding.keys():
        yield from _check(place, formula, binding)
        return
    match formula:
        case Atom():
            yield from _matches(place, formula, binding)
        case And(parts):
            yield from conjunction(place, order(parts, frozenset(binding), frozenset()), formula, binding)
        case Or(parts):
            yield from _disjunction(place, formula, parts, binding)
        case Implies(left, right):
            yield from _disjunction(place, formula, (Not(left), right), binding)
        case Some(body):
            everywhere = (
                solution
                for other in _candidates(place, body, binding)
                for solution in solutions(place.at(other), body, binding)
            )
            yield from distinct(everywhere, names(formula))
        case Always(body):
            # what holds everywhere holds at the first point
            first = () if place.stream.empty else solutions(place.at(place.stream.start), body, binding)
            for solution in distinct(first, names(formula)):
                yield from _check(place, formula, solution)
        case At(term, body):
            yield from _at_a_time(place, term, body, binding)
        case Windowed(window, body):
            for bounds in _needed(place, window, body, formula, binding):
                try:
                    selected = windowed(place, window, bounds)
                except NotANumber:
                    continue
                yield from solutions(selected, body, bounds)
        case Reset(body):
            yield from solutions(place.on(place.m.stream), body, binding)
        case Comparison() if computed := [
            (name, source) for name, source in equations(formula) if names(source) <= binding.keys()
        ]:
            yield from _bind(place.m, *computed[0], binding)
        case Aggregate():
            yield from _solve_aggregate(place, formula, binding)
        case _:
            for extended in ranging(place.m, names(formula) - binding.keys(), formula, binding):
                yield from _check(place, formula, extended)


def conjunction(
    place: Place, steps: tuple[Formula | Enumerate, ...], context: Node, binding: Binding
) -> Iterator[Binding]:
    """The solutions of all steps together; the context tells which variables are time variables."""
    if not steps:
        yield binding
        return
    first, rest = steps[0], steps[1:]
    if isinstance(first, Enumerate):
        extensions = ranging(place.m, [first.name], context, binding)
    else:
        extensions = solutions(place, first, binding)
    for extended in extensions:
        yield from conjunction(place, rest, context, extended)


def _check(place: Place, formula: Formula, binding: Binding) -> Iterator[Binding]:
    try:
        if entails(place, formula, binding):
            yield binding
    except NotANumber:
        return


def _bind(m: Structure, name: str, term: Term, binding: Binding) -> Iterator[Binding]:
    try:
        yield {**binding, name: m.value(term, binding)}
    except NotANumber:
        return


def _matches(place: Place, atom: Atom, binding: Binding) -> Iterator[Binding]:
    """The atoms of v(t) and of B that the atom may stand for.

    A variable that is an argument itself is bound by what is found, also where the atom computes with it.
    """
    m, stream, time = place
    for ready in ranging(m, names(atom) - bindable(atom) - binding.keys(), atom, binding):
        for facts in (stream.at(time), () if stream.empty else m.background.get(atom.signature, ())):
            for fact in facts:
                if fact.predicate == atom.predicate and len(fact.args) == len(atom.args):
                    plain = {
                        arg.name: value
                        for arg, value in zip(atom.args, fact.args, strict=True)
                        if isinstance(arg, Variable)
                    }
                    yield from _same(m, atom, fact, {**plain, **ready})


def _same(m: Structure, atom: Atom, fact: Fact, binding: Binding) -> Iterator[Binding]:
    try:
        if ground(m, atom, binding) == fact:
            yield binding
    except NotANumber:
        return


def _disjunction(place: Place, formula: Formula, parts: tuple[Formula, ...], binding: Binding) -> Iterator[Binding]:
    found = (
        extended
        for part in parts
        for solution in solutions(place, part, binding)
        for extended in ranging(place.m, names(formula) - solution.keys(), formula, solution)
    )
    yield from distinct(found, names(formula))


def _needed(place: Place, part: Node, body: Formula, context: Node, binding: Binding) -> Iterator[Binding]:
    """Values for the variables of a time or window: those that the body seen through it has somewhere in the stream."""
    unbound = names(part) - binding.keys()
    if not unbound:
        yield binding
        return
    possible = solutions(place, somewhere(body, unbound), binding)
    for solution in distinct(possible, unbound):
        bound = {**binding, **{name: solution[name] for name in unbound & solution.keys()}}
        yield from ranging(place.m, unbound - bound.keys(), context, bound)


def _at_a_time(place: Place, term: Term, body: Formula, binding: Binding) -> Iterator[Binding]:
    m, stream, _ = place
    match term:
        case Variable(name) if name not in binding and not (isinstance(body, Atom) and name in bindable(body)):
            for candidate in _candidates(place, body, binding):
                yield from solutions(place.at(candidate), body, {**binding, name: candidate})
            if stream.end is None and _recurring(m, body) and not name.startswith("_"):
                _reject_repetition(place, name, body, binding)
        case _:  # also where the atom itself names the times: `@X a(X)`, `@(X+1) a(X)`
            for ready in _needed(place, term, body, term, binding):
                try:
                    time = m.value(term, ready)
                except NotANumber:
                    continue
                if isinstance(time, int) and time in stream:
                    yield from solutions(place.at(time), body, ready)


def _recurring(m: Structure, body: Formula) -> bool:
    """Whether the body may hold at points without an atom of the stream."""
    return not isinstance(body, Atom) or body.signature in m.background


def _reject_repetition(place: Place, name: str, body: Formula, binding: Binding) -> None:
    """Behind the horizon everything repeats: what holds in one more period holds at infinitely many points."""
    behind = instants(place, body, binding).stop
    _, period, _ = extents(body)
    for time in range(behind, behind + period):
        if any(True for _ in solutions(place.at(time), body, {**binding, name: time})):
            raise Rejected([unbounded(name, body)])


# -- aggregates ------------------------------------------------------------------------------------


def _aggregated(place: Place, formula: Aggregate, binding: Binding) -> Value | None:
    """The value of the aggregate; variables that the binding lacks are local to their element."""
    tuples: set[tuple[Value, ...]] = set()
    for element in formula.elements:
        steps = order(element.body, frozenset(binding), names(element))
        for solution in conjunction(place, steps, element, binding):
            try:
                tuples.add(tuple(place.m.value(term, solution) for term in element.terms))
            except NotANumber:  # an instance whose terms have no value does not exist (ASP-Core-2)
                continue
    return aggregate(formula.function, tuples)


def _solve_aggregate(place: Place, formula: Aggregate, binding: Binding) -> Iterator[Binding]:
    try:
        value = _aggregated(place, formula, binding)
        if value is None:
            return
        if isinstance(formula.result, Variable) and formula.operator == "=" and formula.result.name not in binding:
            yield {**binding, formula.result.name: value}
        elif compare(formula.operator, place.m.value(formula.result, binding), value):
            yield binding
    except NotANumber:
        return


def window_depth(formula: Node) -> int:
    """wnd(φ) (Def. 19): how deep window operators are nested."""
    below = max((window_depth(child) for child in children(formula)), default=0)
    return below + isinstance(formula, Windowed)
