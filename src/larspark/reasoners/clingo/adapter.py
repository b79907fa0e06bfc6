"""The one file that knows the clingo API: values cross over as symbols, functions as callbacks, models as facts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import clingo
import clingo.ast
import clingo.backend

from larspark.diagnostics import Rejected
from larspark.language.values import RESERVED, SYMBOL, Value, normal

INTEGER_LIMIT = 2**31
"""clingo computes with 32 bits; integers beyond travel as terms and are computed by functions."""

Symbol: TypeAlias = clingo.Symbol
"""A value or atom as clingo holds it: cheap to hand over again, and to look up."""

Function: TypeAlias = Callable[..., Value | None]
"""Called during grounding; None: the rule instance does not fire."""


class GroundAtom(NamedTuple):
    """An atom of the generated program."""

    name: str
    args: tuple[Value, ...]


def symbol(value: Value) -> Symbol:
    """The symbol of a value; two values are equal exactly when their symbols are."""
    if isinstance(value, int):
        if -INTEGER_LIMIT < value < INTEGER_LIMIT:
            return clingo.Number(value)
        return clingo.Function("big", [clingo.String(str(value))])
    if isinstance(value, Decimal):
        return clingo.Function("dec", [clingo.String(format(value, "f"))])
    if SYMBOL.match(value) and value not in RESERVED:
        return clingo.Function(value)
    return clingo.String(value)


def value(term: Symbol) -> Value:
    """The value of a symbol made by `symbol`."""
    if term.type is clingo.SymbolType.Number:
        return term.number
    if term.type is clingo.SymbolType.String:
        return term.string
    if not term.arguments:
        return term.name
    number = term.arguments[0].string
    return int(number) if term.name == "big" else normal(Decimal(number))


def text(item: Value) -> str:
    """How the symbol of a value is written in a program."""
    if isinstance(item, int):
        return str(item) if -INTEGER_LIMIT < item < INTEGER_LIMIT else f'big("{item}")'
    if isinstance(item, Decimal):
        return f'dec("{item:f}")'
    if SYMBOL.match(item) and item not in RESERVED:
        return item
    escaped = item.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def is_ordered_alike(item: Value) -> bool:
    """Does clingo order the value among others of this kind as the language does? Small integers, plain symbols."""
    if isinstance(item, str):
        return SYMBOL.match(item) is not None and item not in RESERVED
    return isinstance(item, int) and -INTEGER_LIMIT < item < INTEGER_LIMIT


@lru_cache(1 << 16)
def ground_atom(atom: Symbol) -> GroundAtom:
    """What a symbol says as an atom."""
    return GroundAtom(atom.name, tuple(map(value, atom.arguments)))


def atom_symbol(atom: GroundAtom) -> Symbol:
    """The symbol of an atom."""
    return clingo.Function(atom.name, [*map(symbol, atom.args)])


def row_symbol(row: Iterable[Value]) -> Symbol:
    """The tuple of some values."""
    return clingo.Tuple_([*map(symbol, row)])


def row_text(terms: Sequence[str]) -> str:
    """How a tuple is written."""
    return f"({terms[0]},)" if len(terms) == 1 else f"({','.join(terms)})"


class ParsedProgram:
    """Program text, parsed once however often it is ground."""

    def __init__(self, text: str) -> None:
        self.statements: list[clingo.ast.AST] = []
        messages: list[str] = []
        try:
            clingo.ast.parse_string(text, self.statements.append, logger=lambda _, line: messages.append(line))
        except RuntimeError as error:
            raise _refused(messages) from error


class _Callbacks:
    """The grounding context: looks functions and tables up by name, keeps the first refusal for later."""

    def __init__(self, functions: Mapping[str, Function], tables: Mapping[str, Collection[Symbol]]) -> None:
        self._functions = functions
        self._tables = tables
        self.refusal: Rejected | None = None

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name in self._tables:
            return lambda: self._tables[name]
        try:
            function = self._functions[name]
        except KeyError:
            raise AttributeError(name) from None

        def call(*terms: Symbol) -> Symbol | Sequence[Symbol]:
            try:
                result = function(*map(value, terms))
            except Rejected as refusal:
                self.refusal = self.refusal or refusal
                result = None
            return [] if result is None else symbol(result)

        return call


class Avoided(NamedTuple):
    """Atoms of a predicate are to be false where they can be, unless something of higher priority is asked for."""

    name: str
    arity: int
    level: int
    priority: int


class Solver:
    """One ground program, solved as often as wanted with different truth values of its external atoms."""

    def __init__(
        self,
        rules: ParsedProgram,
        functions: Mapping[str, Function],
        now: int,
        *,
        tables: Mapping[str, Collection[Symbol]] = MappingProxyType({}),
        more: str = "",
        optimises: bool = False,
    ) -> None:
        """The rules with more text; `tables` are rows that rules take from Python, `(X,Y) = @table`.

        Handing over rows that way costs a fraction of writing and parsing them as facts.
        """
        messages: list[str] = []
        options = ["--heuristic=Domain", "-c", f"now={now}"]
        self._control = clingo.Control(options, logger=lambda _, line: messages.append(line))
        self._optimises = optimises
        callbacks = _Callbacks(functions, tables)
        try:
            with clingo.ast.ProgramBuilder(self._control) as builder:
                for statement in rules.statements:
                    builder.add(statement)
            self._control.add("base", [], more)
            self._control.ground([("base", [])], context=callbacks)
        except RuntimeError as error:
            raise _refused(messages) from error
        if callbacks.refusal:
            raise callbacks.refusal

    def assign(self, atom: GroundAtom, truth: bool) -> None:
        """Set an external atom; one that the program does not know is ignored."""
        self._control.assign_external(atom_symbol(atom), truth)

    def avoid(self, predicates: Iterable[Avoided]) -> None:
        """As a statement this would be conditional on the atom itself, and come too late."""
        kind = clingo.backend.HeuristicType.False_
        with self._control.backend() as backend:
            for name, arity, level, priority in predicates:
                for atom in self._control.symbolic_atoms.by_signature(name, arity):
                    backend.add_heuristic(atom.literal, kind, level, priority, [])

    def models(self, limit: int | None) -> Iterator[Sequence[Symbol]]:
        """Up to `limit` answer sets (only the best if there are weak constraints), as the atoms they show.

        clasp may give an answer set twice, where its preprocessing has left an atom without a reason for its truth.
        """
        configuration: Any = self._control.configuration
        if self._optimises:
            configuration.solve.opt_mode = ",".join(("enum", *map(str, self._least_costs())))
        configuration.solve.models = 1 if limit == 1 else 0
        told = set[frozenset[Symbol]]()
        with self._control.solve(yield_=True) as handle:
            for model in handle:
                shown = model.symbols(shown=True)
                if frozenset(shown) not in told:
                    told.add(frozenset(shown))
                    yield shown
                if len(told) == limit:
                    return

    def clashing(self, atoms: Sequence[GroundAtom]) -> list[GroundAtom] | None:
        """Some of the atoms that cannot all be true together; None when all of them can."""
        known = self._control.symbolic_atoms
        literals = {found.literal: atom for atom in atoms if (found := known[atom_symbol(atom)]) is not None}
        with self._control.solve(assumptions=list(literals), yield_=True) as handle:
            if not handle.get().unsatisfiable:
                return None
            core = set(handle.core())
        return [atom for literal, atom in literals.items() if literal in core]

    def _least_costs(self) -> Sequence[int]:
        """The costs of the best answer sets by level; none where no weak constraint has an instance.

        Enumerating under this bound afterwards, instead of letting clasp do both, keeps the decision heuristics in
        force: the first answer set found is the closest one to the previous choice among the best.
        """
        configuration: Any = self._control.configuration
        configuration.solve.opt_mode = "opt"
        configuration.solve.models = 0
        costs: Sequence[int] = ()
        with self._control.solve(yield_=True) as handle:
            for model in handle:
                costs = tuple(model.cost)
                if not costs:
                    break
        return costs


def fact_text(name: str, args: Iterable[Value]) -> str:
    """A fact as program text."""
    inside = ",".join(map(text, args))
    return f"{name}({inside})." if inside else f"{name}."


def _refused(messages: Iterable[str]) -> RuntimeError:
    return RuntimeError("clingo does not take the generated program: " + "; ".join(messages))
