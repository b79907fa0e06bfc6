"""Safety: every variable gets its values from a positive extended atom, or is computed from such variables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from larspark.analysis.analysis import Analysis
from larspark.diagnostics import Diagnostic
from larspark.language.traversal import children, variables, walk
from larspark.language.tree import (
    Aggregate,
    AggregateElement,
    Always,
    And,
    At,
    Atom,
    Comparison,
    Formula,
    Node,
    Not,
    Or,
    Ranked,
    Reader,
    Reset,
    Rule,
    Some,
    Variable,
    Windowed,
)


def check_safety(analysis: Analysis) -> Analysis:
    """Report every unsafe variable of every rule and preference, once."""
    return analysis.finding(*(finding for reader in analysis.program.readers for finding in _findings(reader)))


def _findings(reader: Reader) -> Iterator[Diagnostic]:
    bound = bound_variables(reader.body)
    in_head = {variable.name for variable in variables(reader.head)} if isinstance(reader, Rule) else set()
    visible = _first_of_each(visible_variables(reader))
    for variable in visible:
        if variable.name not in bound:
            yield _unsafe(variable, reader, variable.name in in_head)
    outside = {variable.name for variable in visible}
    for node in walk(reader):
        if isinstance(node, AggregateElement):
            local = bound_variables(node.body, bound & outside)
            for variable in _first_of_each(visible_variables(node)):
                if variable.name not in local | outside:
                    yield _unsafe_in_aggregate(variable, reader)


def bound_variables(literals: Iterable[Formula], given: Iterable[str] = ()) -> frozenset[str]:
    """The variables that get values from a conjunction of literals, once `given` have theirs."""
    bound = set(given)
    literals = tuple(literals)
    for literal in literals:
        bound |= _binds(literal)
    while True:
        more = {name for literal in literals for name in _computes(literal, literals, bound)} - bound
        if not more:
            return frozenset(bound)
        bound |= more


def _binds(formula: Formula) -> set[str]:
    """Variables that range over the instances of a positive formula."""
    match formula:
        case Atom(args=args):
            return {term.name for term in args if isinstance(term, Variable)}
        case At(time, body):
            return _binds(body) | ({time.name} if isinstance(time, Variable) else set())
        case Some(body) | Always(body) | Windowed(_, body) | Reset(body):
            return _binds(body)
        case And(parts):
            return set(bound_variables(parts))
        case Ranked(result=result):  # one that cannot be spelled out, which is told elsewhere
            return {term.name for term in result if isinstance(term, Variable)}
        case Or(parts):
            return set.intersection(*map(_binds, parts)) if parts else set()
    return set()


def _computes(literal: Formula, literals: tuple[Formula, ...], bound: set[str]) -> Iterator[str]:
    """`X = expression` and `X = #count{…}` give X a value as soon as the right side has one."""
    match literal:
        case Comparison("=", left, right):
            for target, source in ((left, right), (right, left)):
                if isinstance(target, Variable) and all(v.name in bound for v in variables(source)):
                    yield target.name
        case Aggregate(operator="=", result=Variable(name), elements=elements):
            # A variable that also stands outside is not local: the aggregate has a value once it has one.
            inside = {variable.name for element in elements for variable in variables(element)}
            outside = {name}.union(*(_visible(other) for other in literals if other is not literal))
            if inside & outside <= bound:
                yield name


def visible_variables(node: Node) -> Iterator[Variable]:
    """The variables that need a value in a rule or element: not those local to an aggregate or to a negation.

    A `_` in an atom under `not` is existential inside the negation.
    """
    for part in children(node):
        match part:
            case Variable():
                yield part
            case Aggregate():
                yield from variables(part.result)
            case Ranked(result=result):
                yield from (variable for term in result for variable in variables(term))
            case Not(body):
                local = {name for name in _binds(body) if name.startswith("_")}
                yield from (variable for variable in visible_variables(part) if variable.name not in local)
            case _:
                yield from visible_variables(part)


def _visible(literal: Formula) -> set[str]:
    return {variable.name for variable in visible_variables(And((literal,)))}


def _first_of_each(occurrences: Iterable[Variable]) -> list[Variable]:
    first: dict[str, Variable] = {}
    for variable in occurrences:
        first.setdefault(variable.name, variable)
    return list(first.values())


def _name(variable: Variable) -> str:
    return "_" if variable.anonymous else variable.name


def _unsafe(variable: Variable, reader: Reader, in_head: bool) -> Diagnostic:
    if variable.anonymous:
        hint = "Write a value or a variable of the body instead of `_`."
    elif in_head and not reader.body:
        hint = "A fact has no variables; write a value, or give the rule a body."
    else:
        hint = f"Add an atom that says where {variable.name} comes from, or compute it with `{variable.name} = …`."
    return Diagnostic(
        "E201",
        f"The variable {_name(variable)} is unsafe: no positive body atom gives it values.",
        hint,
        variable.origin or reader.origin,
    )


def _unsafe_in_aggregate(variable: Variable, reader: Reader) -> Diagnostic:
    return Diagnostic(
        "E201",
        f"The variable {_name(variable)} is unsafe: no positive atom inside the aggregate gives it values.",
        f"Add an atom with {_name(variable)} after the colon.",
        variable.origin or reader.origin,
    )
