"""The incremental encoding as text: the rules that each tick adds, and how long they stay (thesis Algorithm 6.10).

It covers what the published one does: sliding time windows and tuple windows over the past. An atom `a(X)` that holds
at time u is `a_at(X,u)`, its arrival with number c is `a_tk(X,u,c)`, and `wN` stands for the window literal number N.
Differences to the print, where that differs from the definition: nothing is missing before the start of the timeline,
the second spoiler of a tuple window under `always` stays until the next time point (sec. 7.2.2), and of an atom that
arrives repeatedly at one time point only the last arrival counts, as every window that sees an earlier one sees it too.

The JTMS reasoner does not go through this text: it makes the ground instances of these rules directly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from larspark.analysis.analysis import Analysis
from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.language.extended_atoms import ExtendedAtom, Quantifier
from larspark.language.facts import Fact, Signature
from larspark.language.tree import Constant, Extent, TimeWindow, TupleWindow, Variable, points
from larspark.reasoners.clingo.adapter import fact_text, text
from larspark.reasoners.clingo.terms import TermText
from larspark.reasoners.clingo.windows import argument_text, atom_text
from larspark.reasoners.flattening import plain_rule
from larspark.reasoners.jtms.annotations import FOREVER, Annotation, Tick
from larspark.reasoners.plain import Collection, Condition, Literal, PlainRule


class Annotated(NamedTuple):
    """A rule with its duration."""

    rule: str
    duration: Annotation


class Increments:
    """What ticks add to the encoding of one program."""

    def __init__(self, analysis: Analysis, start: int = 0) -> None:
        self._start = start
        self._rules = [plain_rule(rule) for rule in analysis.program.rules]
        self._windows: dict[ExtendedAtom, int] = {}
        self._signatures: list[Signature] = []
        for rule in self._rules:
            self._signatures += [head.atom.signature for head in rule.heads]
            for reading in rule.readings():
                self._signatures.append(reading.signature)
                if reading.windows:
                    _check(reading)
                    self._windows.setdefault(_unsigned(reading), len(self._windows))

    def at(self, tick: Tick, signal: Fact | None = None) -> list[Annotated]:
        """The rules that this tick adds; a tick with a signal is a count increment, one without a time increment."""
        added = [Annotated(f"tick({tick.time},{tick.count}).", FOREVER)]
        if signal is not None:
            added += self._arrival(signal, tick)
        for signature in dict.fromkeys(self._signatures):
            added += _identity(signature, tick.time)
        added += [Annotated(self._base_rule(rule), self.base_duration(rule)) for rule in self._rules]
        for reading, number in self._windows.items():
            added += self._window_rules(reading, number, tick)
        return list(dict.fromkeys(added))

    def base_duration(self, rule: PlainRule) -> Annotation:
        """sec. 7.2.2: a base rule can go when the largest `@` window of its positive body has passed."""
        times, counts = [], []
        for literal in rule.body:
            if isinstance(literal, ExtendedAtom) and literal.quantifier is Quantifier.AT and not literal.negated:
                match literal.windows:
                    case [TimeWindow(past)]:
                        times.append(_size(past) + 1)
                    case [TupleWindow(past)]:
                        counts.append(_size(past))
        return Annotation(max(times, default=FOREVER.time), max(counts, default=FOREVER.count))

    def window_duration(self, reading: ExtendedAtom) -> Annotation:
        """How long the rules stay that a tick adds for a window."""
        match reading.windows:
            case [TimeWindow(past)]:
                return Annotation(_size(past) + (reading.quantifier is not Quantifier.ALWAYS), FOREVER.count)
            case [TupleWindow(past)]:
                return Annotation(FOREVER.time, _size(past))
        return FOREVER

    def _arrival(self, signal: Fact, tick: Tick) -> Iterator[Annotated]:
        yield Annotated(fact_text(f"{signal.predicate}_at", (*signal.args, tick.time)), FOREVER)
        yield Annotated(_arrived(signal, tick), FOREVER)

    def _base_rule(self, rule: PlainRule) -> str:
        terms = TermText(rule.times, native=True)
        heads = []
        for head in rule.heads:
            args = [terms.term(term) for term in head.atom.args]
            if head.time is None:
                heads.append(atom_text(head.atom.predicate, args))
            else:
                heads.append(atom_text(f"{head.atom.predicate}_at", [*args, terms.term(head.time)]))
        # The sum keeps strings out: clingo drops an instance whose arithmetic is undefined.
        checks = [f"{name}+0 >= {self._start}" for name in sorted(rule.unchecked_times())]
        body = ", ".join([*(self._literal(literal, terms) for literal in rule.body), *checks])
        return f"{' | '.join(heads)} :- {body}." if body else f"{' | '.join(heads)}."

    def _literal(self, literal: Literal, terms: TermText) -> str:
        match literal:
            case Condition():
                return terms.condition(literal)
            case Collection(origin=origin):
                raise Rejected([_not_published("an aggregate", origin)])
        sign = "not " if literal.negated else ""
        args = [argument_text(term) for term in literal.atom.args]
        if literal.windows:
            return sign + atom_text(f"w{self._windows[_unsigned(literal)]}", literal.names())
        if literal.time is None:
            return sign + atom_text(literal.atom.predicate, args)
        return sign + atom_text(f"{literal.atom.predicate}_at", [*args, argument_text(literal.time)])

    def _window_rules(self, reading: ExtendedAtom, number: int, tick: Tick) -> Iterator[Annotated]:
        if isinstance(reading.time, Constant) and reading.time.value != tick.time:
            return
        pin = {reading.time.name: text(tick.time)} if isinstance(reading.time, Variable) else {}
        names = [pin.get(name, name) for name in reading.names()]
        args = [pin.get(written, written) for written in map(argument_text, reading.atom.args)]
        predicate = reading.atom.predicate
        duration = self.window_duration(reading)
        by_time = isinstance(reading.windows[0], TimeWindow)
        source = atom_text(f"{predicate}_at", [*args, text(tick.time)])
        if not by_time:
            source = atom_text(f"{predicate}_tk", [*args, text(tick.time), text(tick.count)])
        if reading.quantifier is not Quantifier.ALWAYS:
            yield Annotated(f"{atom_text(f'w{number}', names)} :- {source}.", duration)
            return
        holds, spoils = atom_text(predicate, args), atom_text(f"spoil{number}", names)
        yield Annotated(f"{atom_text(f'w{number}', names)} :- {holds}, not {spoils}.", FOREVER)
        if by_time:
            if duration.time and tick.time > self._start:
                before = atom_text(f"{predicate}_at", [*args, text(tick.time - 1)])
                yield Annotated(f"{spoils} :- {holds}, not {before}.", duration)
            return
        here = atom_text(f"{predicate}_at", [*args, text(tick.time)])
        ticked, covers = f"tick({tick.time},{tick.count})", f"covers{number}({tick.time})"
        counted = f"counts{number}({tick.count})"
        yield Annotated(f"{spoils} :- {holds}, {ticked}, {covers}, not {here}.", duration)
        until_next = Annotation(1, duration.count, conjunctive=True)
        yield Annotated(f"{spoils} :- {source}, {covers}, not {counted}.", until_next)
        yield Annotated(f"{covers} :- {ticked}.", duration)
        yield Annotated(f"{counted} :- {ticked}.", duration)


class IncrementalProgram:
    """The encoding from tick to tick (Algorithm 6.11): new rules in, expired ones out, every copy by itself."""

    def __init__(self, increments: Increments) -> None:
        self._increments = increments
        self._living: list[Annotated] = []
        self._arrivals: dict[Fact, Tick] = {}

    @property
    def rules(self) -> list[str]:
        return list(dict.fromkeys(one.rule for one in self._living))

    def advance(self, tick: Tick, signal: Fact | None = None) -> tuple[list[str], list[Annotated]]:
        """The rules that are gone and the rules that are new, with their expiration."""
        before = set(self.rules)
        if signal is not None:
            self._replace_arrival(signal, tick)
        new = [Annotated(rule, duration.from_tick(tick)) for rule, duration in self._increments.at(tick, signal)]
        self._living = [one for one in self._living if not one.duration.expired(tick)] + new
        after = set(self.rules)
        return sorted(before - after), [one for one in new if one.rule not in before]

    def _replace_arrival(self, signal: Fact, tick: Tick) -> None:
        """An earlier arrival would spoil `always` once it leaves a tuple window, though the later one is in it."""
        earlier = self._arrivals.get(signal)
        if earlier is not None and earlier.time == tick.time:
            gone = _arrived(signal, earlier)
            self._living = [one for one in self._living if one.rule != gone]
        self._arrivals[signal] = tick


def ticks_of(arrivals: Iterable[tuple[int, Fact]], start: int, end: int) -> Iterator[tuple[Tick, Fact | None]]:
    """The canonical ticks of a stream: time moves on by one, then its atoms arrive one by one (Def. 33)."""
    by_time: dict[int, list[Fact]] = {}
    for time, fact in arrivals:
        by_time.setdefault(time, []).append(fact)
    count = 0
    for time in range(start, end + 1):
        yield Tick(time, count), None
        for fact in by_time.get(time, ()):
            count += 1
            yield Tick(time, count), fact


def _arrived(signal: Fact, tick: Tick) -> str:
    return fact_text(f"{signal.predicate}_tk", (*signal.args, tick.time, tick.count))


def _identity(signature: Signature, time: int) -> Iterator[Annotated]:
    args = [f"X{place}__" for place in range(signature.arity)]
    now, pinned = atom_text(signature.predicate, args), atom_text(f"{signature.predicate}_at", [*args, text(time)])
    once = Annotation(1, FOREVER.count)
    yield Annotated(f"{now} :- {pinned}.", once)
    yield Annotated(f"{pinned} :- {now}.", once)


def _check(reading: ExtendedAtom) -> None:
    match reading.windows:
        case [TimeWindow(int(), 0, 1)] | [TupleWindow(int(), 0, False)]:
            return
    raise Rejected([_not_published("this window", reading.origin)])


def _not_published(what: str, origin: Origin | None) -> Diagnostic:
    return Diagnostic(
        "E519",
        f"The published incremental encoding has no rules for {what}.",
        "Print the static encoding instead, without `--increment`.",
        origin,
    )


def _unsigned(reading: ExtendedAtom) -> ExtendedAtom:
    return ExtendedAtom(reading.quantifier, reading.atom, reading.windows, reading.time)


def _size(extent: Extent) -> int:
    return points(extent) or 0
