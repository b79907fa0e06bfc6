"""Temporal Datalog from a program, in both spellings.

`@(T+1) cool(X) :- @T flag(X), @(T+1) flag(X).` pins atoms; after `#temporal cool/2.` the last argument is the time:
`cool(X,T+1) :- flag(X,T), flag(X,T+1).` What is neither pinned nor declared is rigid: it does not change in time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from larspark.diagnostics import Diagnostic, Rejected
from larspark.hypothetical.theory import findings
from larspark.hypothetical.theory.bounds import at_least
from larspark.hypothetical.theory.reading import RuleReader, bound_names, check_safety, offset_term
from larspark.hypothetical.theory.rigid import close_rigid
from larspark.hypothetical.theory.terms import ABSOLUTE, Key, Literal, Time, Var, names
from larspark.hypothetical.theory.theory import Clause, NegatedWording, Theory
from larspark.language import tree
from larspark.language.facts import Fact, Signature
from larspark.language.traversal import atoms, variables, walk


def is_temporal_datalog(program: tree.Program, background: Collection[Signature] = ()) -> bool:
    """Whether a program is read as Temporal Datalog: no windows, and what is not pinned never depends on time.

    `background` names predicates whose facts are given outside the program.
    """
    if any(isinstance(directive, tree.Temporal) for directive in program.directives):
        return True
    pinned: set[Signature] = set()
    bare: set[Signature] = set()
    for rule in program.rules:
        for formula in (rule.head, *rule.body):
            match _positive(formula):
                case tree.At(body=tree.Atom() as atom):
                    pinned.add(atom.signature)
                case tree.Atom() as atom:
                    bare.add(atom.signature)
                case tree.Comparison():
                    pass
                case _:
                    return False
    return bool(pinned) and not pinned & bare and bare <= _given(program, background)


def _given(program: tree.Program, background: Collection[Signature]) -> set[Signature]:
    """Predicates that hold the same at every time: background, facts, and rules over those."""
    given = {*background, *(d.signature for d in program.directives if isinstance(d, tree.Background))}
    heads = {rule.head.signature for rule in program.rules if isinstance(rule.head, tree.Atom)}
    moving = set(heads)
    while True:
        still = {
            rule.head.signature
            for rule in program.rules
            if isinstance(rule.head, tree.Atom)
            and any(atom.signature not in given | (heads - moving) for f in rule.body for atom in atoms(f))
        }
        settled = heads - still
        if settled == heads - moving:
            return given | settled
        moving = still


def _positive(formula: tree.Formula) -> tree.Formula:
    return formula.body if isinstance(formula, tree.Not) else formula


class _DatalogReader:
    def __init__(self, program: tree.Program) -> None:
        self.program = program
        declarations = [d for d in program.directives if isinstance(d, tree.Temporal)]
        self.declared = {d.signature for d in declarations if d.signature.arity}
        self.diagnostics: list[Diagnostic] = [
            findings.no_time_argument(str(d.signature), d.origin) for d in declarations if not d.signature.arity
        ]
        self.wording: dict[str, NegatedWording] = {}
        self.helpers: list[Clause] = []

    @property
    def arriving(self) -> frozenset[Key]:
        """What is declared to come from the stream as well; a `#temporal` predicate is known by its objects alone."""
        inputs = [d.signature for d in self.program.directives if isinstance(d, tree.Input)]
        return frozenset(Key(s.predicate, s.arity - (s in self.declared), True) for s in inputs)

    def is_time(self, formula: tree.Formula) -> Iterable[str]:
        """The variables in time positions of a body or head formula."""
        match _positive(formula):
            case tree.At(time, _):
                yield from (v.name for v in variables(time))
            case tree.Atom() as atom if atom.signature in self.declared:
                yield from (v.name for v in variables(atom.args[-1]))

    def clause(self, rule: tree.Rule) -> Clause | None:
        before = len(self.diagnostics)
        times = frozenset(name for f in (rule.head, *rule.body) for name in self.is_time(f))
        reader = RuleReader(times, self.diagnostics)
        head = self.literal(rule.head, reader)
        body: list[Literal] = []
        negated: list[Literal] = []
        comparisons: list[tree.Comparison] = []
        for formula in rule.body:
            match formula:
                case tree.Comparison():
                    comparisons.append(formula)
                case tree.Not(inner):
                    literal = self.literal(inner, reader)
                    if literal is not None:
                        negated.append(literal)
                case _:
                    literal = self.literal(formula, reader)
                    if literal is not None:
                        body.append(literal)
        if head is None:
            return None
        natural = tuple(at_least(lit.time, 0) for lit in (head, *body, *negated) if lit.time is not None)
        raw = Clause(head, tuple(body), tuple(negated), bounds=natural, origin=rule.origin)
        clause = reader.finish(raw, comparisons)
        if clause is None:
            return None
        bound = bound_names(clause.body, clause.conditions)
        without = tuple(self.without_locals(literal, bound) for literal in clause.negated)
        needed = [*names((clause.head, *without)), *(v.name for c in clause.conditions for v in variables(c))]
        if len(self.diagnostics) == before:  # a literal that cannot be read may have been the one that binds
            check_safety(needed, bound, rule.origin, self.diagnostics)
        return replace(clause, negated=without)

    def literal(self, formula: tree.Formula, reader: RuleReader) -> Literal | None:
        match formula:
            case tree.At(time, tree.Atom() as atom) if atom.signature not in self.declared:
                return Literal(atom.predicate, reader.arguments(atom.args), self.time(time, reader))
            case tree.Atom() as atom if atom.signature in self.declared:
                return Literal(atom.predicate, reader.arguments(atom.args[:-1]), self.time(atom.args[-1], reader))
            case tree.Atom() as atom:
                return Literal(atom.predicate, reader.arguments(atom.args))
        self.diagnostics.append(findings.not_temporal_datalog(formula))
        return None

    def time(self, term: tree.Term, reader: RuleReader) -> Time:
        if offset_term(term) is None:
            self.diagnostics.append(findings.not_a_time_term(term))
            return Time(ABSOLUTE, 0)
        return reader.time(term)

    def without_locals(self, literal: Literal, bound: set[str]) -> Literal:
        """`not p(X,_)` means no p(X,·) at all: an auxiliary predicate projects the anonymous variables away."""
        local = {name for name in names((literal,)) if name not in bound and name.startswith("_")}
        if not local:
            return literal
        kept = tuple(arg for arg in literal.args if not (isinstance(arg, Var) and arg.name in local))
        name = f"some {literal.predicate}/{len(self.wording) + 1}"
        self.wording[name] = NegatedWording(literal, tuple(arg.name for arg in kept if isinstance(arg, Var)))
        helper = Literal(name, kept, literal.time)
        natural = () if literal.time is None else (at_least(literal.time, 0),)
        self.helpers.append(Clause(helper, (literal,), bounds=natural))
        return helper


def temporal_theory(program: tree.Program, background: Sequence[Fact] = ()) -> Theory:
    """The theory of a Temporal Datalog program; raises Rejected with everything that is wrong."""
    reader = _DatalogReader(program)
    for rule in program.rules:
        for node in walk(rule):
            if isinstance(node, tree.Windowed | tree.Aggregate):
                reader.diagnostics.append(findings.not_temporal_datalog(node))
    read = [clause for rule in program.rules if (clause := reader.clause(rule)) is not None]
    if reader.diagnostics:
        raise Rejected(dict.fromkeys(reader.diagnostics))
    clauses, rigid = close_rigid([*read, *reader.helpers], background)
    heads = {clause.head.key for clause in clauses}
    return Theory(tuple(clauses), rigid, reader.arriving & heads, wording=reader.wording)
