"""New predicates and variables for the parts of a formula."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import count

from larspark.analysis.formulas.context import Alternatives, Beyond, Conjunction, pinned_atom
from larspark.analysis.passes.check_safety import bound_variables, visible_variables
from larspark.language.facts import HIDDEN, Fact, Signature
from larspark.language.traversal import children, variables, walk
from larspark.language.tree import (
    And,
    At,
    Atom,
    Call,
    Constant,
    Formula,
    Implies,
    Node,
    Not,
    Now,
    Operation,
    Rule,
    Term,
    Variable,
)

TICK = Atom(f"{HIDDEN}tick")
"""Background, at every time point: `@U tick [w]` says that the window selects U, and lists what it selects."""
TICKS = Fact(TICK.predicate)

NEVER = Atom(f"{HIDDEN}never")
"""What holds at no time; a literal about it makes a variable one for time points."""


@dataclass
class FreshNames:
    """Names that a program does not have."""

    numbers: Iterator[int] = field(default_factory=count)
    reaches: set[int] = field(default_factory=set)
    """How many time points windows select from other time points."""

    def predicate(self) -> str:
        return f"{HIDDEN}part {next(self.numbers)}"

    def within(self, reach: int) -> str:
        """The predicate of the numbers from 0 on up to this one."""
        self.reaches.add(reach)
        return f"{HIDDEN}within {reach}"


@dataclass
class Predicates:
    """What the formulas of one rule need beside it."""

    names: FreshNames
    background: Set[Signature]
    arriving: Set[Signature]
    taken: set[str]
    """Variables of the rule."""
    local: frozenset[str]
    """The `_` that stand under a negation, where they are existential."""
    clocked: frozenset[str]
    """The variables that stand for time points: of other values there are no instances of the rule."""
    guards: Sequence[Formula]
    """Literals of the rule that give variables their values."""
    rules: list[Rule] = field(default_factory=list)
    """Those of new predicates."""
    moments: set[str] = field(default_factory=set)
    """New variables for time points."""

    def predicate(self, time: Term | None, alternatives: Alternatives, formula: Formula) -> Atom:
        """A new predicate that holds (at the time) whenever one of the bodies does."""
        inside = [one for body in alternatives for literal in body for one in visible_variables(And((literal,)))]
        named = dict.fromkeys(one.name for one in inside)
        args = tuple(Variable(name) for name in named if name not in self.moments and name not in self.local)
        atom = Atom(self.names.predicate(), args, origin=formula.origin)
        head = atom if time is None else At(time, atom, origin=formula.origin)
        for literals in alternatives:
            body = literals if _is_safe(head, literals) else (*literals, *self.guards)
            if not _is_safe(head, body):
                raise Beyond("A part of it has variables that only the rest of the rule gives values.", formula)
            self.rules.append(Rule(head, body, origin=formula.origin))
        return atom

    def moment(self) -> Variable:
        name = next(one for number in count() if (one := f"U{number or ''}") not in self.taken)
        self.taken.add(name)
        self.moments.add(name)
        return Variable(name)

    def gives_time(self, literal: Formula) -> bool:
        """`@U a` gives U its values; for what is always there only where U has been asked for."""
        atom = pinned_atom(literal)
        return atom is not None and (atom == TICK or atom.signature not in self.background)

    def has_local(self, node: Node) -> bool:
        return any(one.name in self.local for one in variables(node))

    def is_denied_around(self, node: Node) -> bool:
        """Whether it has a `_` that is existential in a negation around it."""
        return not self.local.isdisjoint({one.name for one in variables(node)} - set(denied_inside(node)))

    def stands_alone(self, literal: Formula) -> bool:
        """Whether its opposite is a literal: no new variable is left without values."""
        return all(one.name not in self.moments for one in variables(literal))

    def total(self, formula: Formula) -> Formula:
        """The formula, if all its terms have values."""
        return total(formula, self.clocked)


def denied_inside(node: Node, denied: bool = False) -> Iterator[str]:
    """The `_` under negations."""
    if isinstance(node, Variable) and node.anonymous and denied:
        yield node.name
    for child in children(node):
        inside = isinstance(node, Not) or (isinstance(node, Implies) and child is node.left)
        yield from denied_inside(child, denied or inside)


def total(formula: Formula, clocked: Set[str]) -> Formula:
    """The formula, if all its terms have values: where one has none, the whole rule has no instance."""
    for part in walk(formula):
        if isinstance(part, Operation | Call) and not _is_number(part, clocked):
            raise Beyond("Arithmetic in a part of it may have no value.", formula)
    return formula


def _is_number(term: Node, clocked: Set[str]) -> bool:
    """A sum of whole numbers and time points."""
    match term:
        case Constant(value):
            return isinstance(value, int)
        case Now():
            return True
        case Variable(name):
            return name in clocked
        case Operation("+" | "-" | "*", left, right):
            return _is_number(left, clocked) and _is_number(right, clocked)
    return False


def _is_safe(head: Formula, body: Conjunction) -> bool:
    needed = {one.name for one in visible_variables(Rule(head, body))}
    return needed <= bound_variables(body)
