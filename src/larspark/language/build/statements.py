"""From the grammar's parse tree to statements of the typed tree."""

from __future__ import annotations

from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import islice
from typing import NamedTuple, TypeAlias, TypeVar

from lark import Token, Tree

from larspark.diagnostics.origin import Origin
from larspark.language.build.choices import ChoiceBuilder
from larspark.language.build.terms import ParseTree, leaf, trees
from larspark.language.calendar import zone_called
from larspark.language.facts import Fact, Signature
from larspark.language.shorthands.pools import MOST, POOL, without_pools
from larspark.language.shorthands.since import NAMES as SINCE
from larspark.language.shorthands.since import without_since
from larspark.language.sentences import placeholders
from larspark.language.traversal import substitute, variables
from larspark.language.tree import (
    UNBOUNDED,
    And,
    Atom,
    Background,
    Clock,
    ColumnType,
    Const,
    Directive,
    Formula,
    FunctionImport,
    Hold,
    Input,
    Or,
    Prefer,
    Record,
    Rule,
    Say,
    Show,
    Temporal,
    Term,
    Timezone,
    Truth,
    Variable,
)


@dataclass(frozen=True)
class Include:
    """`#include "more.lars".`; gone once the parser has spliced the file in."""

    path: str
    origin: Origin


Statement: TypeAlias = Rule | Directive | Include
_OTHER_TYPES = {
    **dict.fromkeys(("int", "long", "bigint", "whole"), "integer"),
    **dict.fromkeys(("float", "double", "decimal", "real", "numeric"), "number"),
    **dict.fromkeys(("string", "str", "varchar", "symbol"), "text"),
    **dict.fromkeys(("timestamp", "datetime", "date"), "time"),
    **dict.fromkeys(("bool", "truth"), "boolean"),
}
"""What other languages call them."""
ReaderT = TypeVar("ReaderT", Rule, Prefer)


class StatementBuilder(ChoiceBuilder):
    """Builds whole statements, collecting in `problems` what the grammar alone cannot see."""

    def statement(self, tree: ParseTree) -> list[Statement]:
        """A statement may stand for several: it may have pools, heads, or choices."""
        self._whole = tree
        return [one for part in self._without_pools(tree) for one in self._statement(part)]

    def _without_pools(self, tree: ParseTree) -> list[ParseTree]:
        if SINCE.isdisjoint(kinds := shape(tree).kinds) and POOL not in kinds:
            return [tree]
        found = list(islice((one for part in without_pools(tree) for one in without_since(part)), MOST + 1))
        if len(found) > MOST:
            self.problem("E138", f"It stands for more than {MOST} rules.", "Write fewer alternatives.", tree)
            return found[:1]
        return found

    def _statement(self, tree: ParseTree) -> list[Statement]:
        (inner,) = trees(tree)
        origin = self.origin(tree)
        match inner.data:
            case "fact":
                return [*self._rules(trees(inner)[0], (), origin)]
            case "rule":
                head, body = trees(inner)
                return [*self._rules(head, self.body(body), origin)]
            case "constraint":
                return [_number_anonymous(Rule(Truth(False, origin=origin), self.body(trees(inner)[0]), origin=origin))]
            case "include":
                return [Include(self.string(leaf(inner, 0)), origin)]
            case _:
                return [*self._directive(inner, origin)]

    def query(self, tree: ParseTree) -> Formula:
        """A formula on its own; a comma list is a conjunction, and of the alternatives of a pool one is to hold."""
        self._whole = tree
        found = tuple(self._conjunction(part) for part in self._without_pools(tree))
        whole = found[0] if len(found) == 1 else Or(found, origin=self.origin(tree))
        return _number_anonymous(Rule(Truth(False), (whole,))).body[0]

    def _conjunction(self, tree: ParseTree) -> Formula:
        parts = tuple(self.formula(part) for part in trees(tree))
        return parts[0] if len(parts) == 1 else And(parts, origin=self.origin(tree))

    def ground_atom(self, tree: ParseTree) -> Fact:
        return Fact(self.symbol(leaf(tree, 0)), tuple(self.value(part) for part in trees(tree)))

    def _rules(self, head: ParseTree, body: tuple[Formula, ...], origin: Origin) -> list[Rule]:
        if head.data in ("choice", "choice_exactly"):
            found = self.choice(head, body, origin)
        else:
            parts = tuple(self.formula(part) for part in trees(head))
            one_of = len(parts) > 1 and head.data == "disjunctive"
            heads = (Or(parts, origin=self.origin(head)),) if one_of else parts
            found = [Rule(one, body, origin=origin) for one in heads]
        return list(map(_number_anonymous, found))

    def _directive(self, tree: ParseTree, origin: Origin) -> list[Directive]:
        match tree.data:
            case "clock":
                return [Clock(self.duration(trees(tree)[0]), origin=origin)]
            case "const":
                return [Const(str(leaf(tree, 0)), self.value(trees(tree)[0]), origin=origin)]
            case "show":
                return [self._show(tree, origin)]
            case "timezone":
                return [self._timezone(leaf(tree, 0), origin)]
            case "input":
                return [self._input(part, origin) for part in trees(tree)]
            case "background":
                return [Background(self.string(leaf(tree, 0)), self.signature(trees(tree)[0]), origin=origin)]
            case "function":
                path = next(child for child in tree.children if isinstance(child, Token))
                return [FunctionImport(self.signature(trees(tree)[0]), self.string(path), origin=origin)]
            case "record":
                return [Record(self.signature(part), origin=origin) for part in trees(tree)]
            case "hold":
                return [self._hold(tree, origin)]
            case "temporal":
                return [Temporal(self.signature(part), origin=origin) for part in trees(tree)]
            case "say":
                return [self._say(tree, origin)]
            case "prefer":
                return [_number_anonymous(self._prefer(tree, origin))]
        raise AssertionError(tree.data)

    def _input(self, tree: ParseTree, origin: Origin) -> Input:
        if tree.data == "signature":
            return Input(self.signature(tree), origin=origin)
        columns = [self.symbol(leaf(part, 0)) for part in trees(tree)]
        types = [self._type(leaf(part, 1)) if len(part.children) > 1 else None for part in trees(tree)]
        signature = Signature(self.symbol(leaf(tree, 0)), len(columns))
        return Input(signature, tuple(columns), tuple(types) if any(types) else (), origin=origin)

    def _type(self, token: Token) -> ColumnType | None:
        try:
            return ColumnType(str(token))
        except ValueError:
            near = _OTHER_TYPES.get(str(token)) or next(iter(get_close_matches(token, ColumnType, 1)), None)
            hint = f"Did you mean `{near}`? " if near else ""
            self.problem("E136", f"There is no type `{token}`.", f"{hint}The types are {', '.join(ColumnType)}.", token)
            return None

    def _show(self, tree: ParseTree, origin: Origin) -> Show:
        signatures: list[Signature] = []
        columns: list[tuple[str, ...]] = []
        for part in trees(tree):
            if part.data == "signature":
                signatures.append(self.signature(part))
                columns.append(())
                continue
            name, *names = (self.symbol(child) for child in part.children if isinstance(child, Token))
            signatures.append(Signature(name, len(names)))
            columns.append(tuple(names))
            for twice in sorted({one for one in names if names.count(one) > 1}):
                message = f"Two arguments of {name} are shown as `{twice}`."
                self.problem("E129", message, "Give every column a name of its own.", part)
        return Show(tuple(signatures), tuple(columns) if any(columns) else (), origin=origin)

    def _timezone(self, token: Token, origin: Origin) -> Timezone:
        name = self.string(token)
        if zone_called(name) is None:
            hint = 'Zones are called `"Europe/Vienna"`, `"UTC"`, or `"+02:00"`.'
            self.problem("E137", f"There is no time zone `{name}`.", hint, token)
        return Timezone(name, origin=origin)

    def _hold(self, tree: ParseTree, origin: Origin) -> Hold:
        parts = {str(part.data): part for part in trees(tree)}
        if "signature" in parts:
            signature, found = self.signature(parts["signature"]), list[Atom]()
        else:
            name, *args = (child for child in parts["held"].children if isinstance(child, Token))
            atom = Atom(self.symbol(name), tuple(Variable(str(arg)) for arg in args))
            signature, found = atom.signature, [atom]
        tokens = (token for token in parts["per"].children if isinstance(token, Token)) if "per" in parts else ()
        keys = [self.key(token, signature, found) for token in tokens]
        length = self.size(parts["size"]) if "size" in parts else UNBOUNDED
        return Hold(signature, tuple(dict.fromkeys(key for key in keys if key is not None)), length, origin=origin)

    def _say(self, tree: ParseTree, origin: Origin) -> Say:
        *about, text = (child for child in tree.children if isinstance(child, Token))
        name, *args = (child for child in trees(tree)[0].children if isinstance(child, Token))
        found = Say(
            Signature(self.symbol(name), len(args)),
            tuple(map(str, args)),
            self.string(text),
            str(about[0]) if about else None,
            origin=origin,
        )
        known = [one for one in (*found.names, found.time) if one is not None and one != "_"]
        hint = f"It can name {', '.join(f'{{{one}}}' for one in known)}." if known else "The atom has no arguments."
        for unknown in dict.fromkeys(one for one in placeholders(found.sentence) if one not in known):
            message = f"The sentence names `{{{unknown}}}`, which is no argument of {found.signature.predicate}."
            self.problem("E145", message, f"{hint} A brace itself is written twice.", text)
        return found

    def _prefer(self, tree: ParseTree, origin: Origin) -> Prefer:
        weight, *optional, body = trees(tree)
        level = next((int(leaf(part, 0)) for part in optional if part.data == "level"), 0)
        terms = [self.term(term) for part in optional if part.data == "terms" for term in trees(part)]
        return Prefer(self.term(weight), level, tuple(terms), self.body(body), origin=origin)


def _number_anonymous(reader: ReaderT) -> ReaderT:
    """Name the anonymous variables `_1`, `_2`, … in tree order, so that equal rules have equal names."""
    occurrences = [variable for variable in variables(reader) if variable.anonymous]
    fresh: dict[str, Term] = {old.name: replace(old, name=f"_{number}") for number, old in enumerate(occurrences, 1)}
    return substitute(reader, fresh) if fresh else reader


class TreeShape(NamedTuple):
    """What a parse tree is made of."""

    deepest: int
    """No path is longer."""
    kinds: set[str]
    """The names of all nodes."""


def shape(tree: Tree[Token]) -> TreeShape:
    """Found without recursion; kept with the tree, since two ask for it."""
    known: TreeShape | None = tree.__dict__.get("_shape")
    if known is None:
        deepest, kinds, level = 0, set[str](), [tree]
        while level:
            deepest += 1
            kinds.update([node.data for node in level])
            # Each window of a chain is a level.
            deepest += sum([len(node.children) - 1 for node in level if node.data == "windows"])
            level = [child for node in level for child in node.children if isinstance(child, Tree)]
        known = tree.__dict__["_shape"] = TreeShape(deepest, kinds)
    return known


def depth(tree: Tree[Token]) -> int:
    """How deeply the parse tree is nested, found without recursion."""
    deepest, stack = 0, [(tree, 1)]
    while stack:
        node, level = stack.pop()
        deepest = max(deepest, level)
        below = level + (len(node.children) if node.data == "windows" else 1)  # each window of a chain is a level
        stack.extend((child, below) for child in node.children if isinstance(child, Tree))
    return deepest
