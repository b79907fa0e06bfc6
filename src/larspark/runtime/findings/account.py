"""What is odd about data beside its program: told once, when it has been read, each with what to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from larspark.analysis.analysis import Analysis
from larspark.analysis.near_names import NearNames
from larspark.blocks import Block
from larspark.diagnostics import Diagnostic, Severity
from larspark.language.calendar import Calendar, TimeForm
from larspark.language.facts import Signature
from larspark.language.printing.printer import show
from larspark.language.printing.terms import show_term
from larspark.language.traversal import walk
from larspark.language.tree import Duration, TupleWindow, Variable
from larspark.runtime.findings.observation import Demand, Observation, Watch, demands
from larspark.runtime.findings.unfired import FiredRules, Unfired
from larspark.runtime.findings.wanted_numbers import Place, WantedNumber, wanted_numbers

SPARSE = 0.5
"""Below this part of the time points, what arrives is a sample of what holds."""

_SECONDS, _MILLISECONDS = (10**9, 10**11), (10**12, 10**14)
"""What numbers of seconds and of milliseconds since 1970 look like, from 2001 on."""


@dataclass
class Account:
    """Of each predicate how often it arrived, and what was noticed; filled block by block."""

    analysis: Analysis
    calendar: Calendar
    rows: Counter[Signature] = field(default_factory=Counter)
    first: int | None = None
    last: int | None = None
    fired: FiredRules | None = None
    """The rules that have concluded something, where the reasoner knows and everything has been evaluated."""

    def __post_init__(self) -> None:
        self.observed = Observation(Watch.of(self.analysis))

    def take(self, blocks: Iterable[Block]) -> None:
        for block in blocks:
            if not len(block):
                continue
            self.rows[block.signature] += len(block)
            self.first = min(int(block.times.min()), int(block.times.min()) if self.first is None else self.first)
            self.last = max(int(block.times.max()), self.last or 0)
            self.observed.take(block)

    @classmethod
    def counted(
        cls,
        analysis: Analysis,
        calendar: Calendar,
        counts: Mapping[Signature, int],
        span: tuple[int, int] | None,
        noticed: Iterable[Observation] = (),
        fired: FiredRules | None = None,
    ) -> Account:
        """The account of data that others have read: the rows of each predicate, and what was noticed."""
        found = cls(analysis, calendar, fired=fired)
        found.rows.update({one: rows for one, rows in counts.items() if rows})
        found.first, found.last = span or (None, None)
        for one in noticed:
            found.observed.add(one)
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
        names = NearNames(self.analysis.awaited)
        for signature, count in sorted(self.rows.items()):
            if signature not in known:
                near = names.near(signature)
                hint = f"Did you mean {near}? " if near else ""
                hint += f"The program reads {_listed(self.analysis.awaited)}."
                yield _warning("W410", f"{count} atoms of {signature} arrived, but no rule reads it.", hint)

    def _unfed(self) -> Iterator[Diagnostic]:
        for signature in sorted(self.analysis.awaited - self.rows.keys()):
            others = sorted(one for one in self.rows if one not in self.analysis.extensional)
            hint = f"What arrived is {_listed(self.rows)}." if self.rows else "There was no data at all."
            hint = f"Did you mean {others[0]}? {hint}" if len(others) == 1 else hint
            yield _warning("W411", f"No atom of {signature} arrived, for which the program waits.", hint)

    def _mixed(self) -> Iterator[Diagnostic]:
        seen = {place: texts for place, texts in sorted(self.observed.texts.items()) if texts}
        wanted: dict[Place, list[WantedNumber]] = {}
        for one in wanted_numbers(self.analysis, {signature for signature, _ in seen}) if seen else ():
            wanted.setdefault(one.place, []).append(one)
        for place, texts in seen.items():
            told = ((one.message(texts, self.rows[place[0]]), one.hint) for one in wanted.get(place, ()))
            yield from islice((_warning("W412", message, hint) for message, hint in told if message is not None), 1)

    def _sparse(self) -> Iterator[Diagnostic]:
        """`always` over samples."""
        if self.first is None or self.last is None or self.last == self.first:
            return
        told: set[Signature] = set()
        for demand in demands(self.analysis):
            signature = demand.source.signature
            found = self.observed.density(demand, self.last - self.first + 1)
            if found is None or signature in told or found[0] >= SPARSE * found[1]:
                continue
            told.add(signature)
            seen, asked, keys = found
            part = f"{100 * seen / asked:.2g} %"
            follows = "" if demand.atom.signature == signature else f", which follows from {signature}"
            figure = f"it arrived at {seen} of {asked} time points ({part})"
            if keys > 1:
                figure = f"each of {keys} different ones arrived at {part} of its time points, on average"
            message = (
                f"`{show(demand.literal)}` asks for {demand.atom.signature} at every time point{follows}, but {figure}."
            )
            hint = f"Samples do not hold between their times, unless `{_held(demand)}` says so; see docs/patterns.md."
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


def _held(demand: Demand) -> str:
    """The directive by which the input holds until its next arrival."""
    names = [chr(ord("A") + place) for place in range(demand.source.signature.arity)]
    names = [
        term.name if isinstance(term, Variable) and not term.anonymous else name
        for term, name in zip(demand.source.args, names, strict=True)
    ]
    atom = f"{demand.source.predicate}({', '.join(names)})" if names else demand.source.predicate
    per = f" per {', '.join(names[place] for place in demand.keys)}" if demand.keys else ""
    return f"#hold {atom}{per} for 5 min."


def _listed(signatures: Iterable[Signature] | Mapping[Signature, int]) -> str:
    return ", ".join(map(str, sorted(signatures))) or "nothing"


def _warning(code: str, message: str, hint: str) -> Diagnostic:
    return Diagnostic(code, message, hint, severity=Severity.WARNING)
