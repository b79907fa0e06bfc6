"""`p(X) :- e(X), not f(X). q(Y) :- p(Y), g(Y).` as `q(Y) :- e(Y), not f(Y), g(Y).`, if nothing else uses p."""

from __future__ import annotations

from dataclasses import replace

from larspark.analysis.rewrites.index import Index
from larspark.analysis.rewrites.observed import hidden
from larspark.analysis.rewrites.variables import fresh, names_of, renamed_apart, time_variables
from larspark.language.facts import Signature
from larspark.language.traversal import substitute
from larspark.language.tree import At, Atom, Comparison, Formula, Program, Rule, Term, Variable, Windowed

LARGEST_BODY = 12
"""Unfolding ends here: a chain of rules is easier to evaluate than one rule with a hundred literals."""


def unfold_single_uses(program: Program) -> Program:
    """Put the body of the only rule of a hidden predicate where its only use is, and drop the rule.

    The use is a positive atom without window or time, and the head one without time: both speak about the evaluation
    time. An answer stream has the atom exactly when the body of its rule holds, so the programs are data
    equivalent for what is shown.

    A rule that projects stays, unless nothing is joined with it: each of its conclusions stands for many matches of
    its body, and only one of them should meet the rest of the using rule.
    """
    while (unfolded := _unfold_some(program)) != program:
        program = unfolded
    return program


def _unfold_some(program: Program) -> Program:
    """Every possible unfolding, except of rules that another one has just changed."""
    index = Index.of(program)
    rules: dict[int, Rule | None] = {}
    for signature in sorted(hidden(program)):
        defining, reading = index.defining[signature], index.reading.get(signature, [])
        if len(defining) != 1 or len(reading) != 1:
            continue
        ((definition,), ((use, _),)) = defining, reading
        if definition == use or definition in rules or use in rules:
            continue
        unfolded = _unfolded(program.rules[use], signature, program.rules[definition])
        if unfolded is not None:
            rules |= {definition: None, use: unfolded}
    changed = (rules.get(place, rule) for place, rule in enumerate(program.rules))
    return replace(program, rules=tuple(rule for rule in changed if rule is not None))


def _unfolded(use: Rule, signature: Signature, definition: Rule) -> Rule | None:
    """The using rule without the predicate; None if it has to stay."""
    atom = next((part for part in use.body if isinstance(part, Atom) and part.signature == signature), None)
    if atom is None or not isinstance(definition.head, Atom) or (_projects(definition) and _joins(use, atom)):
        return None
    if len(use.body) + len(definition.body) > LARGEST_BODY:
        return None
    return _replacement(atom, use, definition)


def _projects(rule: Rule) -> bool:
    """Whether a variable of an atom in the body is missing in the head."""
    matched = (part for part in rule.body if isinstance(part, Atom | At | Windowed))
    return not {name for part in matched for name in names_of(part)} <= names_of(rule.head)


def _joins(rule: Rule, atom: Atom) -> bool:
    return any(part is not atom and not isinstance(part, Comparison) for part in rule.body)


def _replacement(atom: Atom, use: Rule, definition: Rule) -> Rule | None:
    """The using rule with the body in place of the atom; None if a time variable would become another term."""
    use, atom = _named(use, atom, taken=names_of(definition))
    definition = renamed_apart(definition, names_of(use))
    assert isinstance(definition.head, Atom)
    binding: dict[str, Term] = {}
    equalities: list[Formula] = []
    for parameter, argument in zip(definition.head.args, atom.args, strict=True):
        if isinstance(parameter, Variable) and parameter.name not in binding:
            binding[parameter.name] = argument
        else:
            equalities.append(Comparison("=", argument, substitute(parameter, binding), origin=argument.origin))
    if any(not isinstance(term, Variable) for name, term in binding.items() if name in time_variables(definition)):
        return None
    unfolded = (*(substitute(part, binding) for part in definition.body), *(substitute(e, binding) for e in equalities))
    at = next(i for i, part in enumerate(use.body) if part is atom)
    return replace(use, body=use.body[:at] + unfolded + use.body[at + 1 :])


def _named(rule: Rule, atom: Atom, taken: frozenset[str]) -> tuple[Rule, Atom]:
    """The rule with `_` of the atom given names: inside a negation, `_` would mean something else."""
    used = set(taken | names_of(rule))
    args: list[Term] = []
    for arg in atom.args:
        if isinstance(arg, Variable) and arg.anonymous:
            arg = Variable(fresh("V", used), origin=arg.origin)  # noqa: PLW2901 - the same argument with a name
            used.add(arg.name)
        args.append(arg)
    named = replace(atom, args=tuple(args))
    return replace(rule, body=tuple(named if part is atom else part for part in rule.body)), named
