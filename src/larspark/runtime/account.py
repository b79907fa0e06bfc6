"""What is odd about data beside its program: told once, when it has been read, each with what to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow.compute as pc

from larspark.analysis.analysis import Analysis
from larspark.analysis.near_names import NearNames
from larspark.analysis.typing.arguments import comparisons, describe_term, positive_atoms
from larspark.blocks import Block
from larspark.blocks.spelling import ESCAPE
from larspark.diagnostics import Diagnostic, Severity
from larspark.language.calendar import Calendar, TimeForm
from larspark.language.facts import Signature
from larspark.language.print_terms import show_term
from larspark.language.printer import show
from larspark.language.traversal import walk
from larspark.language.tree import (
    Always,
    Atom,
    Comparison,
    Duration,
    Formula,
    TupleWindow,
    Variable,
    Windowed,
)
from larspark.read.columns.arrays import true_rows
from larspark.runtime.unfired import FiredRules, Unfired

SPARSE = 0.5
"""Below this part of the time points, what arrives is a sample of what holds."""

_SECONDS, _MILLISECONDS = (10**9, 10**11), (10**12, 10**14)
"""What numbers of seconds and of milliseconds since 1970 look like, from 2001 on."""


@dataclass
class Account:
    """Of each predicate how often it arrived and at how many time points; filled block by block."""

    analysis: Analysis
    calendar: Calendar
    rows: Counter[Signature] = field(default_factory=Counter)
    points: Counter[Signature] = field(default_factory=Counter)
    texts: Counter[tuple[Signature, int]] = field(default_factory=Counter)
    first: int | None = None
    last: int | None = None
    fired: FiredRules | None = None
    """The rules that have concluded something, where the reasoner knows and everything has been evaluated."""

    def __post_init__(self) -> None:
        self._compared = dict(_compared_with_numbers(self.analysis))

    def take(self, blocks: Iterable[Block]) -> None:
        for block in blocks:
            if not len(block):
                continue
            self.rows[block.signature] += len(block)
            self.points[block.signature] += len(np.unique(block.times))
            self.first = min(int(block.times.min()), int(block.times.min()) if self.first is None else self.first)
            self.last = max(int(block.times.max()), self.last or 0)
            for place in range(block.signature.arity):
                if (block.signature, place) in self._compared:
                    self.texts[block.signature, place] += _texts_in(block, place)

    @classmethod
    def counted(
        cls,
        analysis: Analysis,
        calendar: Calendar,
        counts: Mapping[Signature, tuple[int, int]],
        span: tuple[int, int] | None,
        fired: FiredRules | None = None,
    ) -> Account:
        """The account of data that others have read: rows and time points of each predicate."""
        found = cls(analysis, calendar, fired=fired)
        found.rows.update({one: rows for one, (rows, _) in counts.items() if rows})
        found.points.update({one: points for one, (_, points) in counts.items()})
        found.first, found.last = span or (None, None)
        return found

    def findings(self, form: TimeForm) -> list[Diagnostic]:
        return [
            *self._unread(),
            *self._unfed(),
            *self._mixed(),
            *self._sparse(),
            *(self._unix_times() if form is TimeForm.POINTS else ()),
            *(() if self.fired is None else Unfired(self.analysis, self.fired, self.rows).findings()),
        ]

    def _unread(self) -> Iterator[Diagnostic]:
        """Input that no rule reads, unless windows count it."""
        if any(isinstance(node, TupleWindow) for node in walk(self.analysis.program)):
            return
        known = self.analysis.extensional | self.analysis.intensional | self.analysis.background
        names = NearNames(self.analysis.extensional)
        for signature, count in sorted(self.rows.items()):
            if signature not in known:
                near = names.near(signature)
                hint = f"Did you mean {near}? " if near else ""
                hint += f"The program reads {_listed(self.analysis.extensional)}."
                yield _warning("W410", f"{count} atoms of {signature} arrived, but no rule reads it.", hint)

    def _unfed(self) -> Iterator[Diagnostic]:
        for signature in sorted(self.analysis.extensional - self.rows.keys()):
            others = sorted(one for one in self.rows if one not in self.analysis.extensional)
            hint = f"What arrived is {_listed(self.rows)}." if self.rows else "There was no data at all."
            hint = f"Did you mean {others[0]}? {hint}" if len(others) == 1 else hint
            yield _warning("W411", f"No atom of {signature} arrived, for which the program waits.", hint)

    def _mixed(self) -> Iterator[Diagnostic]:
        for (signature, place), count in sorted(self.texts.items()):
            if count:
                comparison = self._compared[signature, place]
                message = (
                    f"{count} of {self.rows[signature]} values of argument {place + 1} of {signature} are texts, and "
                    f"`{show(comparison)}` compares them with a number: every text is greater than any number."
                )
                columns = [f"arg{one + 1}" for one in range(signature.arity)]
                columns[place] += ": number"
                hint = f"Declare the type, `#input {signature.predicate}({', '.join(columns)}).`"
                yield _warning("W412", message, hint)

    def _sparse(self) -> Iterator[Diagnostic]:
        """`always` over samples."""
        if self.first is None or self.last is None:
            return
        span = self.last - self.first + 1
        told: set[Signature] = set()
        for literal, atom in _always(self.analysis):
            seen = self.points.get(atom.signature)
            if seen is not None and seen < SPARSE * span and atom.signature not in told and span > 1:
                told.add(atom.signature)
                message = (
                    f"`{show(literal)}` asks for {atom.signature} at every time point, but it arrived at {seen} of "
                    f"{span} time points ({100 * seen / span:.2g} %)."
                )
                held = (
                    f"#hold {atom.signature} per 1 for 5 min."
                    if atom.signature.arity
                    else f"#hold {atom.signature} for 5 min."
                )
                hint = f"Samples do not hold between their times, unless `{held}` says so; see docs/patterns.md."
                yield _warning("W413", message, hint)

    def _unix_times(self) -> Iterator[Diagnostic]:
        clock = self.calendar.clock
        if self.first is None:
            return
        for (low, high), unit, length in ((_SECONDS, "seconds", "1 s"), (_MILLISECONDS, "milliseconds", "1 ms")):
            fits = clock.milliseconds == Duration(1, length.split()[1]).milliseconds
            if low <= self.first < high and not fits:
                message = (
                    f"Times such as {self.first} look like Unix {unit}, but a time point lasts {show_term(clock)}: "
                    f"all lengths of time are wrong by that factor."
                )
                yield _warning("W414", message, f"Write `#clock {length}.`, or give timestamps.")


def _texts_in(block: Block, place: int) -> int:
    column = block.arguments[place]
    if isinstance(column, np.ndarray):
        return 0
    plain = true_rows(pc.invert(pc.starts_with(column.dictionary, ESCAPE)))
    return int(plain[column.indices.to_numpy()].sum())


def _compared_with_numbers(analysis: Analysis) -> Iterator[tuple[tuple[Signature, int], Comparison]]:
    """The arguments of inputs without declared types that rules compare with numbers by size."""
    for reader in analysis.program.readers:
        for literal in reader.body:
            for comparison in comparisons(literal):
                for side, other in ((comparison.left, comparison.right), (comparison.right, comparison.left)):
                    told = describe_term(other, {})
                    if not isinstance(side, Variable) or told.kind is None or told.is_text:
                        continue
                    for atom in positive_atoms(reader.body):
                        for place, term in enumerate(atom.args):
                            if term == side and atom.signature in analysis.extensional:
                                yield (atom.signature, place), comparison


def asked_always(analysis: Analysis) -> frozenset[Signature]:
    """The inputs that have to be there at every time point of a window."""
    return frozenset(atom.signature for _, atom in _always(analysis))


def _always(analysis: Analysis) -> Iterator[tuple[Formula, Atom]]:
    for reader in analysis.program.readers:
        for literal in reader.body:
            match literal:
                case Windowed(_, Always(Atom() as atom)) if atom.signature in analysis.extensional:
                    yield literal, atom


def _listed(signatures: Iterable[Signature] | Mapping[Signature, int]) -> str:
    return ", ".join(map(str, sorted(signatures))) or "nothing"


def _warning(code: str, message: str, hint: str) -> Diagnostic:
    return Diagnostic(code, message, hint, severity=Severity.WARNING)
