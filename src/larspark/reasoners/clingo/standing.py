"""Programs in which the clock does not show: rules see it through windows over the input alone.

Then window atoms are the only thing that changes. They are kept up to date outside clingo, and when none changes,
neither does the answer. When some do, there are two ways on:

* multi-shot: window atoms are external, the program is ground once and solved again with other truth values; a value
  never seen before grounds it again, with all window atoms seen lately;
* one-shot: window atoms are facts, and grounding starts anew.

Measured, multi-shot wins on programs without choices, where solving is propagation. With choices the program that is
ground for all values is so much larger than the one for the current values that grounding anew is faster.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from larspark.analysis.analysis import Analysis
from larspark.language.extended_atoms import ExtendedAtom, Quantifier, any_atom
from larspark.language.facts import Fact, Signature
from larspark.language.traversal import walk
from larspark.language.tree import At, Now
from larspark.reasoners.clingo.adapter import (
    Function,
    GroundAtom,
    ParsedProgram,
    Solver,
    Symbol,
    fact_text,
    ground_atom,
    row_symbol,
    row_text,
)
from larspark.reasoners.clingo.encoding import Encoding
from larspark.reasoners.clingo.stability import avoided, keeping_text, kept_table
from larspark.reasoners.clingo.windows import atom_text
from larspark.reasoners.contents import Content, Row, content_of
from larspark.reasoners.protocol import AnswerStream

_NOW = 0
"""The time of all atoms: the clock does not show in a standing program."""

_ARRIVED = "_arrived_"
"""Begins the names of atoms that arrive although rules derive them as well: an atom that a rule derives is defined by
its rules alone in clingo, external or not."""

_REMEMBERED = 100_000
"""Atoms whose facts are remembered from model to model."""

_SLACK = 200
"""Window atoms kept ground beyond twice the ones that hold."""


def can_stand(analysis: Analysis, encoding: Encoding) -> bool:
    """Does the program see the clock through windows over the input alone?"""
    if encoding.spans or analysis.recorded or any(isinstance(node, Now | At) for node in walk(analysis.program)):
        return False
    return all(reading.quantifier is Quantifier.NOW for reading in encoding.readings) and all(
        window.reading.signature not in analysis.intensional for window in encoding.windows
    )


class _Changing(NamedTuple):
    """A predicate that changes with the input: its rows, and what follows a row in an atom."""

    name: str
    arity: int
    content: Content
    suffix: Row


class StandingProgram:
    """A ground program that lives from evaluation to evaluation."""

    def __init__(
        self,
        analysis: Analysis,
        encoding: Encoding,
        background: Iterable[Fact],
        steered: Mapping[Signature, int],
        start: int,
    ) -> None:
        self._start = start
        self._background = tuple(background)
        self._changing = list(_changing(analysis, encoding, self._background, start))
        self._derived_input = sorted(analysis.intensional & analysis.extensional)
        self._steered = steered
        self._holding: dict[GroundAtom, Symbol] = {}
        """With the arguments as a tuple."""
        self._ground: set[GroundAtom] = set()
        self._facts: dict[Symbol, Fact] = {}
        self._rows: dict[Fact, Symbol] = {}
        """The arguments of facts as tuples, to be handed over again."""
        self._solver: Solver | None = None
        self.rewrite(encoding)

    def rewrite(self, encoding: Encoding) -> None:
        """Go on with another encoding of the same program."""
        self._names = encoding.names
        self._optimises = encoding.optimises
        rules = [*encoding.rules, *encoding.background, *_known(encoding, self._background, self._start)]
        rules += [
            _holds_when_arrived(encoding.names.predicate(one.predicate), one.arity) for one in self._derived_input
        ]
        self._kept = {signature: kept_table(signature, encoding.names) for signature in self._steered}
        self._tables: dict[str, str] = {}
        if self._steered:
            self._tables = {
                _table(one.name, one.arity): _taken_from_table(one.name, one.arity) for one in self._changing
            }
            rules += [*self._tables.values(), *keeping_text(self._steered, encoding.names)]
        self._rules = ParsedProgram("\n".join(rules))
        self._solver = None

    def arrive(self, time: int, fact: Fact) -> None:
        """An input atom arrives."""
        for changing in self._changing:
            changing.content.arrive(time, fact)

    def settle(self, now: int) -> bool:
        """Move to the evaluation time; True when anything changed."""
        changes: dict[GroundAtom, bool] = {}
        for name, _, content, suffix in self._changing:
            entered, left = content.settle(now)
            changes.update((GroundAtom(name, row + suffix), False) for row in sorted(left, key=repr))
            changes.update((GroundAtom(name, row + suffix), True) for row in sorted(entered, key=repr))
        for atom, holds in changes.items():
            if holds:
                self._holding[atom] = row_symbol(atom.args)
            else:
                self._holding.pop(atom, None)
            if self._solver and not self._steered:
                self._solver.assign(atom, holds)
        if changes and (self._steered or not self._holding.keys() <= self._ground):
            self._solver = None
        return bool(changes) or self._solver is None

    def state(self) -> object:
        """What the readings find, and what they need to go on, as plain data."""
        return [changing.content.state() for changing in self._changing], [tuple(atom) for atom in self._holding]

    def resume(self, state: Any) -> None:
        """Go back to what the readings found then."""
        contents, holding = state
        for changing, content in zip(self._changing, contents, strict=True):
            changing.content.resume(content)
        self._holding = {GroundAtom(name, args): row_symbol(args) for name, args in holding}
        self._solver = None

    def solver(self, functions: Mapping[str, Function], previous: AnswerStream | None) -> Solver:
        """The program at this time, asked to repeat the previous answer stream."""
        if self._solver is None:
            self._solver = self._one_shot(functions, previous) if self._steered else self._multi_shot(functions)
        return self._solver

    def facts(self, model: Iterable[Symbol]) -> frozenset[Fact]:
        """What holds according to a model."""
        known = self._facts
        if len(known) > _REMEMBERED:
            known.clear()
            self._rows.clear()
        found = []
        for symbol in model:
            fact = known.get(symbol)
            if fact is None:
                atom = ground_atom(symbol)
                fact = known[symbol] = Fact(self._names.origin(atom.name) or atom.name, atom.args[:-1])
                self._rows[fact] = row_symbol(fact.args)
            found.append(fact)
        return frozenset(found)

    def _one_shot(self, functions: Mapping[str, Function], previous: AnswerStream | None) -> Solver:
        tables: dict[str, list[Symbol]] = {name: [] for name in (*self._tables, *self._kept.values())}
        for atom, row in self._holding.items():
            tables[_table(atom.name, len(atom.args))].append(row)
        remembered = (fact for fact in previous.now if fact.signature in self._kept) if previous else ()
        for fact in sorted(remembered, key=repr):
            # A fact of a snapshot has not been in a model here.
            tables[self._kept[fact.signature]].append(self._rows.get(fact) or row_symbol(fact.args))
        solver = Solver(self._rules, functions, _NOW, tables=tables, optimises=self._optimises)
        solver.avoid(avoided(self._steered, self._names))
        return solver

    def _multi_shot(self, functions: Mapping[str, Function]) -> Solver:
        if len(self._ground) > 2 * len(self._holding) + _SLACK:
            self._ground = set()
        self._ground |= self._holding.keys()
        externals = "\n".join(f"#external {fact_text(*atom)}" for atom in self._ground)
        solver = Solver(self._rules, functions, _NOW, more=externals, optimises=self._optimises)
        for atom in self._holding:
            solver.assign(atom, True)
        return solver


def _table(name: str, arity: int) -> str:
    return f"rows_{arity}_{name}"


def _taken_from_table(name: str, arity: int) -> str:
    """The rule that makes facts of the rows of a table."""
    variables = [f"X{place}" for place in range(arity)]
    return f"{atom_text(name, variables)} :- {row_text(variables)} = @{_table(name, arity)}."


def _holds_when_arrived(name: str, arity: int) -> str:
    variables = [*(f"X{place}" for place in range(arity)), "T"]
    return f"{atom_text(name, variables)} :- {atom_text(_ARRIVED + name, variables)}."


def _changing(analysis: Analysis, encoding: Encoding, background: Sequence[Fact], start: int) -> Iterator[_Changing]:
    for window in encoding.windows:
        content = content_of(window.reading, background if window.reading.may_be_empty else (), start, analysis.held)
        yield _Changing(window.name, len(window.reading.names()), content, ())
    for signature in sorted({reading.signature for reading in encoding.readings}):
        if signature not in analysis.intensional or signature in analysis.extensional:
            name = encoding.names.predicate(signature.predicate)
            name = _ARRIVED + name if signature in analysis.intensional else name
            content = content_of(ExtendedAtom(Quantifier.NOW, any_atom(signature)), (), start, analysis.held)
            yield _Changing(name, signature.arity + 1, content, (_NOW,))


def _known(encoding: Encoding, background: Sequence[Fact], start: int) -> Iterator[str]:
    """The window atoms that hold because of background, at all times."""
    for window in encoding.windows:
        if window.reading.may_be_empty:
            continue
        rows = dict.fromkeys(window.reading.match(fact, start) for fact in background)
        yield from (fact_text(window.name, row) for row in rows if row is not None)
