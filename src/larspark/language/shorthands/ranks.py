"""`#top` and `#bottom`, spelled out as counts: a tuple is the R-th when R − 1 others come before it.

    best(A,R,P,B) :- auction(A), (R,P,B) = #top{ 10; Q,C : bid(A,C,Q) [all] }.

is the rule

    best(A,R,P,B) :- auction(A), bid(A,B,P) [all], R = N + 1, N < 10,
                     N = #count{ Q,C : bid(A,C,Q) [all], Q > P;  Q,C : bid(A,C,Q) [all], Q = P, C > B }.

The count remembers what it was spelled out from, so that a reasoner may keep the tuples in order instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count

from larspark.diagnostics import Diagnostic, Origin
from larspark.language.printing.terms import show_term
from larspark.language.shorthands.ranges import is_range
from larspark.language.traversal import substitute, variables, walk
from larspark.language.tree import (
    Aggregate,
    AggregateElement,
    Comparison,
    Constant,
    Formula,
    Node,
    Not,
    Operation,
    Ranked,
    Ranking,
    Rule,
    Term,
    Variable,
)

BEFORE = {"top": ">", "bottom": "<"}
"""How the tuples that come first compare with the others."""


def spelled_out(rule: Rule, problems: list[Diagnostic]) -> Rule:
    """The rule with counts in place of ranks."""
    if not any(isinstance(part, Ranked) for part in walk(rule)):
        return rule
    literals: list[Formula] = []
    fresh = _fresh_names(rule)
    for literal in rule.body:
        if isinstance(literal, Ranked):
            outside = _names_outside(rule, literal)
            literals += _literals(literal, outside, fresh) if _is_sound(literal, problems) else ()
        else:
            literals.append(literal)
    problems += misplaced((rule.head, *literals))
    return replace(rule, body=tuple(literals))


def misplaced(nodes: Iterable[Node]) -> Iterator[Diagnostic]:
    """Ranks that do not stand by themselves in a body."""
    for node in nodes:
        for part in walk(node):
            if isinstance(part, Ranked):
                message = f"#{part.function} stands inside something else."
                hint = "Let it be a literal of a rule of its own, and use what that rule concludes."
                yield Diagnostic("E310", message, hint, part.origin)


def several(function: str, origin: Origin | None) -> Diagnostic:
    """A range or a pool inside stands for several literals, or elements."""
    hint = "Derive the tuples with a rule of their own."
    return Diagnostic(
        "E310", f"#{function} has one literal and one kind of tuples: no ranges and no pools.", hint, origin
    )


def _is_sound(ranked: Ranked, problems: list[Diagnostic]) -> bool:
    found: list[Diagnostic] = []
    match ranked.limit:
        case Constant(int(limit)) if limit > 0:
            pass
        case limit:
            message = f"#{ranked.function} cannot list {show_term(limit)} tuples."
            found.append(Diagnostic("E310", message, "Use a positive whole number, or a constant.", ranked.origin))
    places, length = len(ranked.result), len(ranked.element.terms)
    if places != length + 1:
        message = f"The result has {places} places, but a rank and a tuple of {length} have {length + 1}."
        hint = f"Write the rank first, then the tuple: `(R,X) = #{ranked.function}{{ 3; Y : p(Y) [5] }}`."
        found.append(Diagnostic("E310", message, hint, ranked.origin))
    found += misplaced(ranked.element.body)
    if any(is_range(part) for part in walk(ranked)):
        found.append(several(ranked.function, ranked.origin))
    problems += found
    return not found


def _literals(ranked: Ranked, outside: set[str], fresh: Iterator[str]) -> Iterator[Formula]:
    origin, element = ranked.origin, ranked.element
    rank, *targets = (_named(term, fresh) for term in ranked.result)
    own = {variable.name for variable in variables(element)} - outside
    renamed: dict[str, Term] = {}
    equal: list[Formula] = []
    for term, target in zip(element.terms, targets, strict=True):
        if isinstance(term, Variable) and term.name in own - renamed.keys() and isinstance(target, Variable):
            renamed[term.name] = target
        else:
            equal.append(Comparison("=", target, term, origin=origin))
    used = Counter(variable.name for variable in variables(element))
    for name in sorted(own - renamed.keys()):
        renamed[name] = Variable(f"_{next(fresh)}" if used[name] == 1 else next(fresh))
    yield from (substitute(literal, renamed) for literal in (*element.body, *equal))
    number = Variable(next(fresh))
    match ranked.limit:
        case Constant(int(limit)):
            ranking = Ranking(ranked.function, limit, element, tuple(targets))
            yield Comparison("<", number, Constant(limit), origin=origin)
            yield Aggregate("count", "=", number, _before(ranked, targets), ranking, origin=origin)
    asked = ranked.result[0]
    if not (isinstance(asked, Variable) and asked.anonymous):
        yield Comparison("=", rank, Operation("+", number, Constant(1)), origin=origin)


def _before(ranked: Ranked, targets: list[Term]) -> tuple[AggregateElement, ...]:
    """The tuples that come before the target: equal in the first places, then before it in one."""
    terms, body = ranked.element.terms, ranked.element.body
    pairs = list(zip(terms, targets, strict=True))
    return tuple(
        replace(
            ranked.element,
            body=(
                *body,
                *(Comparison("=", term, target) for term, target in pairs[:place]),
                Comparison(BEFORE[ranked.function], *pairs[place]),
            ),
        )
        for place in range(len(terms))
    )


def _named(term: Term, fresh: Iterator[str]) -> Term:
    """A `_` of the result is compared with, so it needs a name."""
    return Variable(next(fresh)) if isinstance(term, Variable) and term.anonymous else term


def _names_outside(rule: Rule, ranked: Ranked) -> set[str]:
    """The variables of a rule that are not local to this rank, or to another aggregate."""
    shared: list[Node] = [rule.head, *ranked.result]
    for literal in rule.body:
        match literal:
            case Ranked(result=result):
                shared += result
            case Aggregate(result=result) | Not(Aggregate(result=result)):
                shared.append(result)
            case _:
                shared.append(literal)
    return {variable.name for part in shared for variable in variables(part)}


def _fresh_names(rule: Rule) -> Iterator[str]:
    taken = {variable.name for variable in variables(rule)}
    return (name for number in count(1) if (name := f"Rank{number}") not in taken)
