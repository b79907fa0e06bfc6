"""From the grammar's parse tree to terms and values."""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import count
from typing import TypeAlias

from lark import Token, Tree

from larspark.diagnostics import Diagnostic
from larspark.diagnostics.origin import Origin
from larspark.language.facts import Signature
from larspark.language.source import Source
from larspark.language.tree import RANGE, Call, Constant, Duration, Now, Operation, Term, Variable
from larspark.language.values import SIGNIFICANT_DIGITS, Value, calculate, normal

ParseTree: TypeAlias = Tree[Token]

UNITS = {"ms": "ms", "msec": "ms", "s": "s", "sec": "s", "min": "min", "h": "h", "d": "d"}
"""Every spelling of a unit, with the canonical one."""

_LONGEST_INTEGER = 1000
_LARGEST_ARITY = 255
_ESCAPES = {"\\\\": "\\", '\\"': '"', "\\n": "\n", "\\t": "\t"}


def trees(tree: ParseTree) -> list[ParseTree]:
    """The children that are trees."""
    return [child for child in tree.children if isinstance(child, Tree)]


def leaf(tree: ParseTree, index: int) -> Token:
    """A child that the grammar says is a token."""
    child = tree.children[index]
    assert isinstance(child, Token)
    return child


class TermBuilder:
    """Builds terms; `problems` collects what the grammar alone cannot see."""

    def __init__(self, source: Source, offset: int) -> None:
        self._source = source
        self._offset = offset
        self._anonymous = 0
        self._whole: ParseTree | None = None
        self._made: set[str] = set()
        self.problems: list[Diagnostic] = []

    def origin(self, part: ParseTree | Token) -> Origin:
        if isinstance(part, Token):
            start, end = part.start_pos or 0, part.end_pos or 0
        else:
            start, end = (0, 0) if part.meta.empty else (part.meta.start_pos, part.meta.end_pos)
        return self._source.origin(self._offset + start, self._offset + end)

    def problem(self, code: str, message: str, hint: str, part: ParseTree | Token) -> None:
        self.problems.append(Diagnostic(code, message, hint, self.origin(part)))

    # -- values --

    def integer(self, token: Token) -> int:
        if len(token) > _LONGEST_INTEGER:
            self.problem(
                "E106", f"The number has {len(token)} digits.", f"Use at most {_LONGEST_INTEGER} digits.", token
            )
            return 1
        return int(token)

    def _number(self, token: Token) -> int | Decimal:
        if token.type == "INT":
            return self.integer(token)
        digits = len(token.replace(".", "").strip("0"))
        if digits > SIGNIFICANT_DIGITS:
            message = f"The decimal has {digits} significant digits and could not be kept exactly."
            self.problem("E106", message, f"Use at most {SIGNIFICANT_DIGITS} significant digits.", token)
            return 1
        value = normal(Decimal(str(token)))
        assert not isinstance(value, str)
        return value

    def string(self, token: Token) -> str:
        def unescape(match: re.Match[str]) -> str:
            if match.group() not in _ESCAPES:
                message = f"`{match.group()}` means nothing in a quoted text."
                self.problem(
                    "E107", message, 'Write `\\\\` for a backslash; the others are `\\"`, `\\n` and `\\t`.', token
                )
            return _ESCAPES.get(match.group(), match.group())

        return re.sub(r"\\.", unescape, token[1:-1])

    def symbol(self, token: Token) -> str:
        return self.string(token) if token.type == "STRING" else str(token)

    def value(self, tree: ParseTree) -> Value:
        token = leaf(tree, -1)
        if token.type in ("NAME", "STRING"):
            return self.symbol(token)
        number = self._number(token)
        return calculate("-", 0, number) if len(tree.children) == 2 else number

    def signature(self, tree: ParseTree) -> Signature:
        return Signature(self.symbol(leaf(tree, 0)), self._arity(leaf(tree, 1)))

    def _arity(self, token: Token) -> int:
        arity = self.integer(token)
        if arity > _LARGEST_ARITY:
            message = f"A predicate has at most {_LARGEST_ARITY} arguments."
            self.problem("E106", message, "Write the number of arguments behind the slash.", token)
            return 0
        return arity

    def duration(self, tree: ParseTree) -> Duration:
        return Duration(self.integer(leaf(tree, 0)), UNITS[leaf(tree, 1)], origin=self.origin(tree))

    # -- terms --

    def term(self, tree: ParseTree) -> Term:
        origin = self.origin(tree)
        match tree.data:
            case "number":
                return Constant(self._number(leaf(tree, 0)), origin=origin)
            case "duration":
                return self.duration(tree)
            case "variable":
                return Variable(self._variable_name(leaf(tree, 0)), origin=origin)
            case "now":
                return Now(origin=origin)
            case "constant":
                return Constant(self.symbol(leaf(tree, 0)), origin=origin)
            case "constant_or_call":
                name, args = self.compound(trees(tree)[0])
                return Call(name, args, origin=origin) if args else Constant(name, origin=origin)
            case "parenthesis":
                return self.term(trees(tree)[0])
            case "negative":
                return self._negative(trees(tree)[0], origin)
            case "interval":
                low, high = map(self.term, trees(tree))
                return Operation(RANGE, low, high, origin=origin)
            case "operation":
                left, right = trees(tree)
                operator = str(leaf(tree, 1))
                return Operation(
                    "%" if operator == "\\" else operator, self.term(left), self.term(right), origin=origin
                )
        raise AssertionError(tree.data)

    def fresh(self, name: str) -> Variable:
        """A variable that the statement does not have."""
        tokens = self._whole.scan_values(lambda token: isinstance(token, Token)) if self._whole else ()
        taken = self._made | {str(token) for token in tokens if token.type == "VARIABLE"}
        names = (f"{name}{number or ''}" for number in count())
        found = next(one for one in names if one not in taken)
        self._made.add(found)
        return Variable(found)

    def _variable_name(self, token: Token) -> str:
        if token.type == "VARIABLE":
            return str(token)
        self._anonymous += 1
        return f"_{self._anonymous}"

    def _negative(self, operand: ParseTree, origin: Origin) -> Term:
        term = self.term(operand)
        if operand.data == "number" and isinstance(term, Constant) and not isinstance(term.value, str):
            return Constant(calculate("-", 0, term.value), origin=origin)
        return Operation("-", Constant(0, origin=origin), term, origin=origin)

    def compound(self, tree: ParseTree) -> tuple[str, tuple[Term, ...]]:
        args = tuple(self.term(arg) for terms in trees(tree) for arg in trees(terms))
        return self.symbol(leaf(tree, 0)), args
