"""Random small ground programs over a, b and c, and variants that are often but not always equivalent."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from larspark.equivalence.setting import Setting
from larspark.language.facts import Fact
from larspark.language.tree import (
    Always,
    And,
    At,
    Atom,
    Constant,
    FilterWindow,
    Formula,
    Implies,
    IntervalWindow,
    Not,
    Or,
    Pattern,
    Program,
    Rule,
    Some,
    TimeWindow,
    Truth,
    TupleWindow,
    Window,
    Windowed,
)
from larspark.semantics.streams import Stream

ATOMS = (Atom("a"), Atom("b"), Atom("c"))
INPUT = (Fact("e"), Fact("f"))
END = 1


class Maker:
    """Programs on the timeline [0,1]; `full` allows nested formulas, implications and ◇ outside windows."""

    def __init__(self, seed: int, *, atoms: int = 2, full: bool = False, counting: bool = True) -> None:
        self.random = Random(seed)
        self.atoms = ATOMS[:atoms]
        self.full, self.counting = full, counting

    def program(self) -> Program:
        return Program(tuple(self.rule() for _ in range(self.random.randint(1, 3))))

    def pair(self) -> tuple[Program, Program]:
        first = self.program()
        return first, self.variant(first)

    def variant(self, program: Program) -> Program:
        """The program with one rule left out, added, strengthened or weakened; or another program."""
        rules = list(program.rules)
        at = self.random.randrange(len(rules))
        match self.random.randrange(6):
            case 0:
                del rules[at]
            case 1:
                rules.append(self.rule())
            case 2:
                rules[at] = replace(rules[at], body=(*rules[at].body, self.literal()))
            case 3:
                rules[at] = replace(rules[at], body=rules[at].body[1:])
            case 4:
                rules.append(replace(rules[at], body=(*rules[at].body, self.literal())))
            case _:
                rules = list(self.program().rules)
        return Program(tuple(rules))

    def rule(self) -> Rule:
        return Rule(self.head(), tuple(self.literal() for _ in range(self.random.randint(0, 2))))

    def head(self) -> Formula:
        roll = self.random.random()
        if roll < 0.1:
            return Truth(False)
        if roll < 0.25:
            return Or((self.head_atom(), self.head_atom()))
        if self.full and roll < 0.35:
            return self.formula(2)
        return self.head_atom()

    def head_atom(self) -> Formula:
        atom = self.random.choice(self.atoms)
        return At(Constant(self.random.randint(0, END)), atom) if self.random.random() < 0.4 else atom

    def literal(self) -> Formula:
        positive = self.formula(3) if self.full and self.random.random() < 0.4 else self.extended_atom()
        return Not(positive) if self.random.random() < 0.35 else positive

    def extended_atom(self) -> Formula:
        atom = self.random.choice((*self.atoms, *self.atoms, *(Atom(fact.predicate) for fact in INPUT)))
        match self.random.randrange(5):
            case 0:
                return Windowed(self.window(), Some(atom))
            case 1:
                return Windowed(self.window(), Always(atom))
            case 2:
                return Windowed(self.window(), At(Constant(self.random.randint(0, END)), atom))
            case 3:
                return At(Constant(self.random.randint(0, END)), atom)
        return atom

    def window(self) -> Window:
        options: list[Window] = [
            TimeWindow(0),
            TimeWindow(1),
            TimeWindow(0, 1),
            TimeWindow(1, 0, 1),
            FilterWindow((Pattern("a", ()), Pattern("e", ()))),
            IntervalWindow(Constant(0), Constant(0)),
        ]
        return self.random.choice(options + [TupleWindow(1), TupleWindow(2)] * self.counting)

    def formula(self, depth: int) -> Formula:
        if depth == 0:
            return self.random.choice(self.atoms)
        body = self.formula(depth - 1)
        match self.random.randrange(7):
            case 0:
                return Not(body)
            case 1:
                return And((body, self.formula(depth - 1)))
            case 2:
                return Or((body, self.formula(depth - 1)))
            case 3:
                return Implies(body, self.formula(depth - 1))
            case 4:
                return Some(body)
            case 5:
                return Always(body)
        return Windowed(self.window(), body)

    def setting(self) -> Setting:
        data = [(self.random.randint(0, END), self.random.choice(INPUT)) for _ in range(self.random.randint(0, 3))]
        background = frozenset(INPUT[:1]) if self.random.random() < 0.2 else frozenset[Fact]()
        return Setting(Stream.of(0, END, data), self.random.randint(0, END), background)
