"""The one file that knows the clingo API: values cross over as symbols, functions as callbacks, models as facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import clingo

from larspark.diagnostics import Rejected
from larspark.language.values import RESERVED, SYMBOL, Value, normal

INTEGER_LIMIT = 2**31
"""clingo computes with 32 bits; integers beyond travel as terms and are computed by functions."""

Function: TypeAlias = Callable[..., Value | None]
"""Called during grounding; None: the rule instance does not fire."""


class GroundAtom(NamedTuple):
    """An atom of the generated program."""

    name: str
    args: tuple[Value, ...]


def symbol(value: Value) -> clingo.Symbol:
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


def value(term: clingo.Symbol) -> Value:
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
def _ground_atom(atom: clingo.Symbol) -> GroundAtom:
    return GroundAtom(atom.name, tuple(map(value, atom.arguments)))


class _Callbacks:
    """The grounding context: looks functions up by name, keeps the first refusal for later."""

    def __init__(self, functions: Mapping[str, Function]) -> None:
        self._functions = functions
        self.refusal: Rejected | None = None

    def __getattr__(self, name: str) -> Callable[..., Any]:
        try:
            function = self._functions[name]
        except KeyError:
            raise AttributeError(name) from None

        def call(*terms: clingo.Symbol) -> clingo.Symbol | Sequence[clingo.Symbol]:
            try:
                result = function(*map(value, terms))
            except Rejected as refusal:
                self.refusal = self.refusal or refusal
                result = None
            return [] if result is None else symbol(result)

        return call


class Solver:
    """One ground program, solved as often as wanted with different truth values of its external atoms."""

    def __init__(
        self, program: str, functions: Mapping[str, Function], now: int | None = None, *, optimises: bool = False
    ) -> None:
        constants = [] if now is None else ["-c", f"now={now}"]
        messages: list[str] = []
        self._control = clingo.Control(["--heuristic=Domain", *constants], logger=lambda _, line: messages.append(line))
        self._optimises = optimises
        callbacks = _Callbacks(functions)
        try:
            self._control.add("base", [], program)
            self._control.ground([("base", [])], context=callbacks)
        except RuntimeError as error:
            raise RuntimeError("clingo does not take the generated program: " + "; ".join(messages)) from error
        if callbacks.refusal:
            raise callbacks.refusal

    def assign(self, atom: GroundAtom, truth: bool) -> None:
        """Set an external atom; one that the program does not know is ignored."""
        self._control.assign_external(clingo.Function(atom.name, [*map(symbol, atom.args)]), truth)

    def models(self, limit: int | None) -> Iterator[list[GroundAtom]]:
        """Up to `limit` answer sets (only the best if there are weak constraints), as the atoms they show."""
        configuration: Any = self._control.configuration
        if self._optimises:
            configuration.solve.opt_mode = ",".join(("enum", *map(str, self._least_costs())))
        configuration.solve.models = limit or 0
        with self._control.solve(yield_=True) as handle:
            for model in handle:
                yield [_ground_atom(atom) for atom in model.symbols(shown=True)]

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
