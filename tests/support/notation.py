"""Atoms, terms and comparisons as the conformance vectors write them: `p(a,X)`, `T1 + D`, `U2 - U <= 3`.

Small and separate from the parser of the language on purpose: the vectors are independent of any surface syntax.
"""

from __future__ import annotations

import itertools
import re
from decimal import Decimal

from larspark.language.facts import Fact
from larspark.language.tree import Atom, Comparison, Constant, Operation, Pattern, Term, Variable
from larspark.language.values import normal

_TOKEN = re.compile(r'\s*(\d+\.\d+|\d+|"[^"]*"|[A-Za-z_]\w*|<=|>=|!=|[-+*/%=<>(),])')
_COMPARISONS = {"=", "!=", "<", "<=", ">", ">="}


class _Reader:
    def __init__(self, text: str) -> None:
        self.tokens = _TOKEN.findall(text)
        assert "".join(self.tokens) == re.sub(r'\s+(?=(?:[^"]*"[^"]*")*[^"]*$)', "", text), f"cannot read {text!r}"
        self.fresh = (f"_{number}" for number in itertools.count(1))

    def peek(self) -> str:
        return self.tokens[0] if self.tokens else ""

    def take(self) -> str:
        return self.tokens.pop(0)

    def sum(self) -> Term:
        left = self.product()
        while self.peek() in {"+", "-"}:
            left = Operation(self.take(), left, self.product())
        return left

    def product(self) -> Term:
        left = self.primary()
        while self.peek() in {"*", "/", "%"}:
            left = Operation(self.take(), left, self.primary())
        return left

    def primary(self) -> Term:
        token = self.take()
        if token == "(":
            inner = self.sum()
            assert self.take() == ")"
            return inner
        if token == "-":
            return Constant(normal(Decimal(f"-{self.take()}")))
        if token[0].isdigit():
            return Constant(normal(Decimal(token)))
        if token == "_":
            return Variable(next(self.fresh))
        if token[0].isupper() or token[0] == "_":
            return Variable(token)
        return Constant(token.strip('"'))

    def atom(self) -> Atom:
        name, args = self.take().strip('"'), []
        if self.peek() == "(":
            self.take()
            while True:
                args.append(self.sum())
                if self.take() == ")":
                    break
        return Atom(name, tuple(args))


def term(text: str | int) -> Term:
    if isinstance(text, int):
        return Constant(text)
    reader = _Reader(text)
    found = reader.sum()
    assert not reader.tokens, text
    return found


def literal(text: str) -> Atom | Comparison:
    """An atom or a comparison."""
    reader = _Reader(text)
    if not _COMPARISONS.intersection(reader.tokens):
        return reader.atom()
    left = reader.sum()
    return Comparison(reader.take(), left, reader.sum())


def fact(text: str) -> Fact:
    found = literal(text)
    assert isinstance(found, Atom)
    values = [arg.value for arg in found.args if isinstance(arg, Constant)]
    assert len(values) == len(found.args), f"{text} is not ground"
    return Fact(found.predicate, tuple(values))


def pattern(text: str) -> Pattern:
    """`tram(a1,_)`."""
    atom = literal(text)
    assert isinstance(atom, Atom)
    return Pattern(atom.predicate, tuple(arg.value if isinstance(arg, Constant) else None for arg in atom.args))
