"""A predicate read through windows: one relation per reading, shared by all rules that read alike.

This is the table of the interval calculus: what a fact pinned to a time point, and what a fact about the evaluation
time itself, contribute to each reading.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from larspark.analysis.analysis import Retention
from larspark.analysis.structure.window_chains import Chain, CountedWindow, chain
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.clock_terms import is_clock_term
from larspark.language.extended_atoms import ExtendedAtom, Quantifier
from larspark.language.facts import Signature
from larspark.language.tree import (
    Constant,
    FilterWindow,
    IntervalWindow,
    PartitionWindow,
    Pattern,
    SessionWindow,
    TupleWindow,
    Variable,
    points,
)
from larspark.reasoners.interval.network import (
    Absence,
    Aggregated,
    Boxed,
    Clip,
    Compare,
    CoreLiteral,
    CoreRule,
    Counted,
    Filled,
    InSession,
    Kind,
    Lasting,
    Match,
    Network,
    OnTimeline,
    Operand,
    Pointed,
    Relation,
    Run,
    Selected,
    Spanned,
    Stretched,
    Ticking,
    Unrolled,
)
from larspark.reasoners.interval.state.dictionary import Dictionary

Body = tuple[CoreLiteral, ...]

MOST_AHEAD = 1 << 20
"""Time points of an interval at which given facts are listed one by one."""


class Views:
    """Makes the relations of a network on demand."""

    def __init__(self, network: Network, dictionary: Dictionary, revocable: frozenset[Signature]) -> None:
        self.network = network
        self.dictionary = dictionary
        self.revocable = revocable
        self._made: dict[object, Relation] = {}
        self.aggregates: dict[object, tuple[Aggregated, Body]] = {}
        """By parts of elements and groups, with the groups asked for: functions of them are found together."""
        self.lists: dict[object, Relation] = {}
        """By elements, groups and order: their first tuples."""
        self.demands: dict[object, Relation] = {}
        """By the literals that give the values."""

    def relation(self, reading: ExtendedAtom) -> Relation:
        """The relation of a reading, for all arguments: these, and the time of an `@`."""
        key = reading.quantifier, reading.signature, reading.windows
        if key not in self._made:
            self._made[key] = self._always(reading) if reading.quantifier is Quantifier.ALWAYS else self._view(reading)
        return self._made[key]

    def projected(self, relation: Relation, places: tuple[int, ...]) -> Relation:
        """The relation with some of its columns."""
        key = relation, places
        if key not in self._made:
            columns: tuple[Operand, ...] = tuple(f"A{place}" for place in range(relation.width))
            kept = tuple(columns[place] for place in places)
            told = f"{relation.name} by {', '.join(str(place + 1) for place in places)}"
            self._made[key] = self._defined(told, kept, [(Match(relation, columns),)])
        return self._made[key]

    def definitions(self, reading: ExtendedAtom, columns: tuple[Operand, ...]) -> list[Body] | None:
        """The bodies whose union is the reading, when they can stand in place of a literal; else None."""
        selected = self._chain(reading)
        if (
            reading.quantifier is Quantifier.ALWAYS
            or reading.signature in self.revocable
            or selected is None
            or selected.sizes
        ):
            return None
        return self._bodies(reading, selected, columns)

    def _view(self, reading: ExtendedAtom) -> Relation:
        columns: tuple[Operand, ...] = tuple(f"A{place}" for place in range(reading.signature.arity))
        if reading.quantifier is Quantifier.AT:
            columns = (*columns, "T")
        selected = self._chain(reading)
        if selected is None:
            return self._selected(reading)
        bodies = self._bodies(reading, selected, columns)
        match bodies:
            case [(Match(relation, same),)] if same == columns and relation.stored:
                return relation
        return self._defined(_told(reading), columns, bodies)

    def _defined(self, name: str, columns: tuple[Operand, ...], bodies: list[Body]) -> Relation:
        view = self.network.relation(name, len(columns), Kind.VIEW)
        self.network.rules += [CoreRule(view, columns, body) for body in bodies]
        return view

    def _chain(self, reading: ExtendedAtom) -> Chain | None:
        return Chain(times=((0, 0, 1),)) if reading.quantifier is Quantifier.NOW else chain(reading.windows)

    # -- what the sources contribute ---------------------------------------------------------------

    def _bodies(self, reading: ExtendedAtom, selected: Chain, columns: tuple[Operand, ...]) -> list[Body]:
        signature = reading.signature
        arguments = columns[: signature.arity]
        time = columns[-1] if reading.quantifier is Quantifier.AT else "$time"
        bodies = list(self._pinned(signature, selected, arguments, time))
        bodies += self._lasting(reading, selected, arguments, time)
        bodies += self._now(reading, selected, arguments, time)
        bodies += self._background(reading, selected, arguments, time)
        return bodies

    def _pinned(
        self, signature: Signature, selected: Chain, arguments: tuple[Operand, ...], time: Operand
    ) -> Iterator[Body]:
        """Arrivals and derived facts with a time of their own."""
        arrival, derived = self.network.inputs.get(signature), self.network.pinned.get(signature)
        if signature in self.network.lasting and not self.network.lasting[signature].lag and not selected.sizes:
            arrival = None  # what is held begins with its arrival
        notes = self.network.noted.get(signature)
        for conditions in self._conditions(signature, selected, arguments, time):
            if arrival and selected.sizes:
                yield *self._among(signature, selected, arguments, time), *conditions
                continue  # a tuple window selects arrivals only
            if arrival and signature in self.revocable:
                yield Match(self._arrived(signature, selected), (*arguments, time)), *conditions
            elif arrival:
                yield Match(arrival, (*arguments, time)), *conditions
            if notes:  # those ahead join when their time comes
                yield Match(notes.recorded, (*arguments, time)), Clip(time, None, 0), *conditions
            if derived:
                yield Match(derived, (*arguments, time)), *conditions

    def _among(
        self, signature: Signature, selected: Chain, arguments: tuple[Operand, ...], time: Operand
    ) -> Iterator[Match]:
        """The arrivals that counting windows contain: several of them know an arrival by its number."""
        timed = time != "$time" or bool(selected.times or selected.spans)
        match selected.sizes:
            case (CountedWindow(TupleWindow() | PartitionWindow()) as size,):
                columns = (*arguments, time) if timed else arguments
                yield Match(self._counted(signature, size, int(timed)), columns)
            case sizes:
                for size in sizes:
                    yield Match(self._counted(signature, size, 2), (*arguments, "$number", time))

    def _lasting(
        self, reading: ExtendedAtom, selected: Chain, arguments: tuple[Operand, ...], time: Operand
    ) -> Iterator[Body]:
        """What holds over stretches: a window sees each of them over an interval, if nobody asks for the time."""
        lasting = self.network.lasting.get(reading.signature)
        if lasting is None or selected.sizes or selected.empty:
            return
        extent = selected.extent
        if extent is not None and extent[2] == 1 and extent[0] is not None and extent[0] < lasting.lag:
            return
        if extent is not None and extent[2] > 1 and extent[0] == 0 and lasting.lag:
            extent = None  # the pivot itself is seen by later evaluations than its own
        if reading.quantifier is not Quantifier.AT and extent is not None:
            for conditions in self._filters(reading.signature, selected, arguments):
                yield Match(self._stretched(lasting, extent), arguments), *conditions
        else:
            for conditions in self._conditions(reading.signature, selected, arguments, time):
                yield Match(self._pointed(lasting, selected), (*arguments, time)), *conditions

    def _now(
        self, reading: ExtendedAtom, selected: Chain, arguments: tuple[Operand, ...], time: Operand
    ) -> Iterator[Body]:
        """Facts about the evaluation time itself, which every sliding window contains."""
        derived = self.network.now.get(reading.signature)
        if derived is None or selected.sizes or selected.elsewhere:
            return
        if reading.quantifier is not Quantifier.AT and selected.sliding:
            for conditions in self._filters(reading.signature, selected, arguments):
                yield Match(derived, arguments), *conditions
        else:
            unrolled = self.unrolled(derived)
            for conditions in self._conditions(reading.signature, selected, arguments, time):
                yield Match(unrolled, (*arguments, time)), *conditions

    def _background(
        self, reading: ExtendedAtom, selected: Chain, arguments: tuple[Operand, ...], time: Operand
    ) -> Iterator[Body]:
        """Given facts hold at every time point of the window, if it has any."""
        given = self.network.background.get(reading.signature)
        if given is None or self.endless(reading):
            return
        if reading.quantifier is Quantifier.AT and selected.sizes:  # where the window begins hangs on what has arrived
            yield Match(given, arguments), Match(self._points(reading), (time,))
        elif reading.quantifier is Quantifier.AT:
            ticking = tuple(Match(self._ticking(*clip), (time,)) for clip in self._ended(reading, selected))
            yield Match(given, arguments), *ticking, *self._spans(selected, time)
        else:
            yield Match(given, arguments), *self._nonempty(reading, selected)

    def _ended(self, reading: ExtendedAtom, selected: Chain) -> Iterator[tuple[int | None, int, int]]:
        """The time windows, those without end as far ahead as any time point that all of them select."""
        ends = [future for _, future, _ in selected.times if future is not None]
        ahead = max(ends) if ends else self._ahead(reading, selected)
        for past, future, hop in selected.times or ((None, None, 1),):
            yield past, ahead + hop - 1 if future is None else future, hop

    def _nonempty(self, reading: ExtendedAtom, selected: Chain) -> Body:
        """The condition under which windows select any time point."""
        parts = len(selected.times) + len(selected.spans)
        if selected.sliding or (selected.sizes and not parts):
            return ()
        if selected.sizes or parts > 1:
            return (Match(self._points(reading), (None,)),)
        start = self.dictionary.encode(self.network.start)
        reach = tuple(Clip(start, None, future, hop) for _, future, hop in selected.times if future is not None)
        return *reach, *self._span_exists(selected)

    def _points(self, reading: ExtendedAtom) -> Relation:
        """The time points of windows whatever they are, looked up at every time point."""
        self._require_clock(reading)
        key = "points", reading.windows
        if key not in self._made:
            self._made[key] = self.network.relation("time points of windows", 1, Kind.VIEW)
            self.network.operators.append(Spanned(self._made[key], reading.windows))
        return self._made[key]

    def _require_clock(self, reading: ExtendedAtom) -> None:
        """What is looked up may hang on the time, but on no variable."""
        for window in reading.windows:
            match window:
                case IntervalWindow(start, end) if not (is_clock_term(start) and is_clock_term(end)):
                    raise Rejected([unusual(reading)])

    def _ahead(self, reading: ExtendedAtom, selected: Chain) -> int:
        """How far after the evaluation time the last point of an interval can lie."""
        last = max((self._bounds(span)[1] for span in selected.spans), default=self.network.start)
        ahead = max(0, last - self.network.start)
        if ahead > MOST_AHEAD:
            raise Rejected([unusual(reading)])
        return ahead

    def endless(self, reading: ExtendedAtom) -> bool:
        """`@T` without a last time point over a predicate with given facts: they hold at infinitely many T."""
        return reading.quantifier is Quantifier.AT and reading.signature in self.network.background and reading.endless

    def only_given(self, signature: Signature) -> bool:
        """Nothing of the predicate arrives or is derived: what holds at some time holds always."""
        network = self.network
        kinds = (network.inputs, network.now, network.pinned)
        return signature in network.background and not any(signature in kind for kind in kinds)

    def pasts(self, reading: ExtendedAtom) -> list[tuple[int, int]]:
        """How far back the time windows of an endless reading reach, and from the multiple of what."""
        selected = self._chain(reading)
        if selected is None or selected.sizes:
            raise Rejected([unusual(reading)])
        return [(past, hop) for past, _, hop in selected.times if past is not None]

    def given_at(self, reading: ExtendedAtom, columns: tuple[Operand, ...]) -> Body:
        """The given facts of an endless reading at a time that is known."""
        *arguments, time = columns
        selected = self._chain(reading)
        if selected is None or selected.sizes:
            raise Rejected([unusual(reading)])
        clips = (Clip(time, past, future, hop) for past, future, hop in selected.times if past is not None)
        return Match(self.network.background[reading.signature], tuple(arguments)), OnTimeline(time), *clips

    # -- conditions --------------------------------------------------------------------------------

    def _conditions(
        self, signature: Signature, selected: Chain, arguments: tuple[Operand, ...], time: Operand
    ) -> Iterator[Body]:
        """The windows as conditions on a time point; one alternative for each choice of patterns."""
        clips = tuple(
            Clip(time, past, future, hop)
            for past, future, hop in selected.times
            if past is not None or future is not None
        )
        for filters in self._filters(signature, selected, arguments):
            yield *clips, *self._spans(selected, time), *filters

    def _filters(self, signature: Signature, selected: Chain, arguments: tuple[Operand, ...]) -> Iterator[Body]:
        choices = [
            [self._pattern(pattern, arguments) for pattern in patterns if _matches(pattern, signature)]
            for patterns in selected.filters
        ]
        for choice in product(*choices):
            yield tuple(condition for conditions in choice for condition in conditions)

    def _pattern(self, pattern: Pattern, arguments: tuple[Operand, ...]) -> Body:
        return tuple(
            Compare("=", argument, self.dictionary.encode(value))
            for argument, value in zip(arguments, pattern.args, strict=True)
            if value is not None
        )

    def _spans(self, selected: Chain, time: Operand) -> Body:
        return tuple(
            condition
            for span in selected.spans
            for condition in (Compare(">=", time, self._code(span.start)), Compare("<=", time, self._code(span.end)))
        )

    def _span_exists(self, selected: Chain) -> Body:
        start = self.dictionary.encode(self.network.start)
        return tuple(
            Compare(">=", self._code(span.end), bound)
            for span in selected.spans
            for bound in (self._code(span.start), start)
        )

    def _code(self, term: object) -> int:
        if not isinstance(term, Constant):
            raise TypeError(f"{term} is not a constant")
        return self.dictionary.encode(term.value)

    # -- relations beside the readings -------------------------------------------------------------

    def _arrived(self, signature: Signature, selected: Chain) -> Relation:
        """The arrivals that a window contains, stored: what may be taken back must be found again."""
        key = "arrived", signature, selected
        if key not in self._made:
            columns = (*(f"A{place}" for place in range(signature.arity)), "T")
            bodies: list[Body] = [
                (Match(self.network.inputs[signature], columns), *conditions)
                for conditions in self._conditions(signature, selected, columns[:-1], "T")
            ]
            self._made[key] = self._defined(f"arrived {signature}", columns, bodies)
        return self._made[key]

    def show_data(self, signature: Signature) -> None:
        """A derived predicate that is also input, or recorded: what is in the data now is shown, too."""
        arguments = tuple(f"A{place}" for place in range(signature.arity))
        bodies = self._pinned(signature, Chain(times=((0, 0, 1),)), arguments, "$time")
        arrivals = (body for body in bodies if self.network.pinned.get(signature) not in _relations(body))
        shown = self.network.declare_now(signature)
        self.network.rules += [CoreRule(shown, arguments, body) for body in arrivals]
        repeated = self.network.repeated.get(signature)
        if repeated:
            self.network.rules.append(CoreRule(shown, arguments, (Match(repeated.again, arguments),)))

    def list_pins(self, signature: Signature, retention: Retention) -> Relation:
        """What is pinned to a time at which it is not in the data; the retention says how long a pin can stand."""
        columns = (*(f"A{place}" for place in range(signature.arity)), "T")
        chain = Chain(times=((retention.past, 0, 1),))
        known: list[Relation] = []
        if signature in self.network.inputs:
            known.append(self._arrived(signature, chain))
        if signature in self.network.noted:
            notes: Body = (Match(self.network.noted[signature].recorded, columns), Clip("T", None, 0))
            known.append(self._defined(f"noted {signature}", columns, [notes]))
        if signature in self.network.lasting:
            known.append(self._pointed(self.network.lasting[signature], chain))
        body: Body = (Match(self.network.pinned[signature], columns), *(Absence(one, columns) for one in known))
        return self._defined(f"listed {signature}", columns, [body])

    def unrolled(self, source: Relation) -> Relation:
        """source(columns) with the evaluation time as one more column."""
        key = "unrolled", source
        if key not in self._made:
            target = self.network.relation(f"{source.name} at its times", source.width + 1, Kind.VIEW)
            self.network.operators.append(Unrolled(source, target))
            self._made[key] = target
        return self._made[key]

    def _stretched(
        self, lasting: Lasting, extent: tuple[int | None, int | None, int], *, always: bool = False
    ) -> Relation:
        """The evaluation times at which a window sees what lasts at some time point, or at every one."""
        past, future, hop = extent
        if extent == (0, 0, 1) and lasting.lag == 0:
            return lasting.relation
        key = "stretched", lasting, extent, always
        if key not in self._made:
            lasting.keep(past, hop)
            target = self.network.relation(f"{lasting.relation.name} seen", lasting.relation.width, Kind.VIEW)
            operator = Stretched(lasting.relation, target, past, future, hop, lasting.lag, always)
            self.network.operators.append(operator)
            self._made[key] = target
        return self._made[key]

    def _pointed(self, lasting: Lasting, selected: Chain) -> Relation:
        """The time points of what lasts, as long as windows can see them."""
        reaches = [None if past is None else past + hop - 1 for past, _, hop in selected.times]
        past = min((reach for reach in reaches if reach is not None), default=None)
        key = "pointed", lasting, past
        if key not in self._made:
            lasting.keep(past)
            name = f"{lasting.relation.name} at its times"
            target = self.network.relation(name, lasting.relation.width + 1, Kind.VIEW)
            self.network.operators.append(Pointed(lasting.relation, target, past, lasting.lag))
            self._made[key] = target
        return self._made[key]

    def _ticking(self, past: int | None, future: int, hop: int) -> Relation:
        key = "ticking", past, future, hop
        if key not in self._made:
            target = self.network.relation("time points", 1, Kind.VIEW)
            self.network.operators.append(Ticking(target, past, future, hop))
            self._made[key] = target
        return self._made[key]

    def _counted(self, signature: Signature, size: CountedWindow, behind: int) -> Relation:
        """`behind` is what stands behind the arguments; see `Counted`."""
        key = "counted", signature, size, behind
        if key not in self._made:
            target = self.network.relation(f"counted {signature}", signature.arity + behind, Kind.VIEW)
            self.network.operators.append(self._count(signature, size, target, behind))
            self._made[key] = target
        return self._made[key]

    def _sieve(self, size: CountedWindow) -> tuple[tuple[tuple[Signature, tuple[int | None, ...]], ...], ...]:
        """The filters before a window, with codes."""
        return tuple(
            tuple(
                (
                    Signature(pattern.predicate, len(pattern.args)),
                    tuple(None if value is None else self.dictionary.encode(value) for value in pattern.args),
                )
                for pattern in patterns
            )
            for patterns in size.filters
        )

    def _count(self, signature: Signature, size: CountedWindow, target: Relation, behind: int) -> Counted | InSession:
        filters, window = self._sieve(size), size.window
        if isinstance(window, TupleWindow):
            return Counted(signature, target, points(window.past), filters, None, window.whole, behind)
        keys = {one.signature: one.keys for one in window.predicates}
        filters = (*filters, tuple((one, (None,) * one.arity) for one in keys))
        if isinstance(window, SessionWindow):
            return InSession(signature, target, points(window.gap) or 0, filters, keys)
        return Counted(signature, target, points(window.past), filters, keys, window.whole, behind)

    def _always(self, reading: ExtendedAtom) -> Relation:
        """□: every point of the window is covered by a fact that is valid then."""
        extent = self._extent(reading)
        if extent is None:
            return self._selected(reading)
        selected = self._chain(reading)
        fixed = selected is not None and bool(selected.spans)
        if extent == (0, 0, 1) and not fixed:
            return self.relation(replace(reading, quantifier=Quantifier.SOME))
        columns: tuple[Operand, ...] = tuple(f"A{place}" for place in range(reading.signature.arity))
        assert selected is not None
        if selected.empty:
            return self._defined(_told(reading), columns, [])
        target = self._defined(_told(reading), columns, list(self._background(reading, selected, columns, "$time")))
        past, future, hop = extent
        if future is None:  # nothing covers an endless future
            return target
        lasting = self.network.lasting.get(reading.signature)
        if lasting and hop == 1 and not fixed and (not lasting.lag or self._only_concluded_now(reading.signature)):
            self._always_lasting(reading, selected, lasting, (past, future, hop), target)
            return target
        arrival = self._only_input(reading)
        # Later arrivals of a chunk are not there yet at its earlier evaluations; only `Boxed` sees to that.
        if arrival and hop == 1 and future == 0 and not fixed:
            self.network.operators.append(Run(arrival, target, past))
        else:
            source = self.relation(replace(reading, quantifier=Quantifier.AT, time=Variable("T")))
            self.network.operators.append(Boxed(source, target, *extent, fixed=fixed))
        return target

    def _always_lasting(
        self,
        reading: ExtendedAtom,
        selected: Chain,
        lasting: Lasting,
        extent: tuple[int | None, int, int],
        target: Relation,
    ) -> None:
        """Windows inside a stretch; nothing is known about the time points ahead."""
        past, future, hop = extent
        if future > 0:
            return
        columns: tuple[Operand, ...] = tuple(f"A{place}" for place in range(target.width))
        present: Body = ()
        if lasting.lag and not future:  # the record reaches to the time point before
            present, future = (Match(self.network.now[reading.signature], columns),), -1
        full = self._stretched(lasting, (past, future, hop), always=True)
        bodies: list[Body] = [(*present, Match(full, columns))]
        if present:  # there is none before the first
            bodies.append((*present, Clip(self.dictionary.encode(self.network.start), 0, 0)))
        for conditions in self._filters(reading.signature, selected, columns):
            self.network.rules += [CoreRule(target, columns, (*body, *conditions)) for body in bodies]

    def _only_concluded_now(self, signature: Signature) -> bool:
        return signature not in self.network.inputs and signature not in self.network.pinned

    def _only_input(self, reading: ExtendedAtom) -> Relation | None:
        """The input relation of a predicate that is not derived, read without filters."""
        if reading.signature in self.network.now or reading.signature in self.network.pinned:
            return None
        if any(isinstance(window, FilterWindow) for window in reading.windows):
            return None
        return self.network.inputs.get(reading.signature)

    def _extent(self, reading: ExtendedAtom) -> tuple[int | None, int | None, int] | None:
        """Past, future and hop of the timeline; an interval window has a fixed one, of past + 1 points."""
        selected = chain(reading.windows)
        if selected is None:
            return None
        if not selected.spans:
            return selected.extent
        if selected.sizes or selected.times:
            return None
        first, last = self._bounds(selected.spans[0])
        return last - max(first, self.network.start), 0, 1

    def _bounds(self, span: IntervalWindow) -> tuple[int, int]:
        """The constant bounds of an interval window; nothing lies between others than integers."""
        match span:
            case IntervalWindow(Constant(int(first)), Constant(int(last))):
                return first, last
        return 0, -1

    def _selected(self, reading: ExtendedAtom) -> Relation:
        """Windows that are no intersection: over input they can be looked up at every time point."""
        signature, timed = reading.signature, reading.quantifier is Quantifier.AT
        derived = signature in self.network.now or signature in self.network.pinned
        lasting = self.network.lasting.get(signature)
        # What has not arrived is not counted, unless a window before has lost the evaluation time.
        selected = chain(reading.windows)
        counts = reading.counts_arrivals
        if (lasting and not (lasting.lag and selected)) or (derived and not (counts and selected)):
            raise Rejected([unusual(reading)])
        self._require_clock(reading)
        target = self.network.relation(_told(reading), signature.arity + timed, Kind.VIEW)
        always = reading.quantifier is Quantifier.ALWAYS
        match selected:
            case Chain((), (CountedWindow(TupleWindow(past, 0, False), before) as size,), filters, ()) if (
                always and filters == before
            ):
                self.network.operators.append(Filled(signature, target, points(past), self._sieve(size)))
            case _:
                self.network.operators.append(Selected(signature, target, reading.windows, always, timed))
        given = self.network.background.get(signature)
        if given is None or self.endless(reading):
            return target
        columns: tuple[Operand, ...] = tuple(f"A{place}" for place in range(signature.arity + timed))
        point = Match(self._points(reading), (columns[-1] if timed else None,))
        held: list[Body] = [(Match(target, columns),), (Match(given, columns[: signature.arity]), point)]
        return self._defined(_told(reading), columns, held)


def _relations(body: Body) -> set[Relation]:
    return {literal.relation for literal in body if isinstance(literal, Match)}


def _matches(pattern: Pattern, signature: Signature) -> bool:
    return pattern.predicate == signature.predicate and len(pattern.args) == signature.arity


def _told(reading: ExtendedAtom) -> str:
    windows = " ".join(window.show(None) for window in reading.windows)
    return f"{reading.quantifier} {reading.signature} {windows}".strip()


def unusual(reading: ExtendedAtom) -> Diagnostic:
    """Windows that this reasoner cannot follow."""
    return Diagnostic(
        "E507",
        f"The interval reasoner cannot follow the windows of `{_told(reading)}`.",
        "Put a hopping, tumbling or interval window last in the chain, or use `--reasoner clingo`.",
        reading.windows[0].origin if reading.windows else None,
    )
