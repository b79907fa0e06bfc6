"""The clingo reasoner: everything plain, all answer streams, exact, at the price of solving at every evaluation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from larspark.analysis.analysis import Analysis
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.calendar import Calendar
from larspark.language.facts import Fact
from larspark.language.traversal import constants
from larspark.language.values import Value
from larspark.language.windows.selection import Arrival
from larspark.reasoners.arrivals_for_readings import ArrivalsForReadings
from larspark.reasoners.clingo.adapter import (
    INTEGER_LIMIT,
    ParsedProgram,
    Solver,
    Symbol,
    ground_atom,
    is_ordered_alike,
)
from larspark.reasoners.clingo.encoding import encode
from larspark.reasoners.clingo.functions import added_up, decimal_places, function_table
from larspark.reasoners.clingo.order import allows_native_order
from larspark.reasoners.clingo.stability import avoided, carried_over, kept_text, steered_predicates, steering_text
from larspark.reasoners.clingo.standing import StandingProgram, can_stand
from larspark.reasoners.packing import pack, unpack
from larspark.reasoners.pins import readings_below_pins
from larspark.reasoners.protocol import Answer, AnswerStream, Change
from larspark.reasoners.results import change_between, saved_stream, stream_of, stream_saved


class ClingoReasoner:
    """Solves the static encoding at every evaluation; see `reasoners/protocol.py` for its use."""

    def __init__(
        self,
        analysis: Analysis,
        background: Iterable[Fact] = (),
        start: int = 0,
        *,
        functions: Mapping[str, Callable[..., Value]] | None = None,
        calendar: Calendar | None = None,
    ) -> None:
        self._analysis = analysis.require("clingo")
        self._background = tuple(background)
        self._start = start
        self._imported = functions
        self._calendar = calendar
        known = {constant.value for constant in constants(analysis.program)}
        known.update(value for fact in self._background for value in fact.args)
        self._places, self._adding = decimal_places(known), added_up(analysis.program)
        self._native_order = allows_native_order(analysis.program, known)
        self._steered = steered_predicates(analysis)
        self._encode()
        self._below_pins = readings_below_pins(analysis)
        self._history = ArrivalsForReadings((*self._encoding.all_readings, *self._below_pins), start, analysis.held)
        self._standing: StandingProgram | None = None
        if can_stand(analysis, self._encoding):
            self._standing = StandingProgram(analysis, self._encoding, self._background, self._steered, start)
        self._now = start
        self._evaluated = False
        self._chosen: AnswerStream | None = AnswerStream()
        self._solver: Solver | None = None
        self._arrived: set[tuple[int, Fact]] = set()
        self._visible: set[Arrival] = set()
        """The input that the rules see at this evaluation; a standing program keeps its own account."""

    def advance(self, time: int, atoms: Sequence[Fact] = ()) -> Change:
        """See the protocol."""
        if time < self._now:
            raise ValueError(f"time moves forward: {time} is before {self._now}")
        if time >= INTEGER_LIMIT // 2:
            raise Rejected([_too_late(time)])
        before = self._chosen
        if self._analysis.recorded and self._evaluated:
            # What is recorded at the time points passed over can be seen at this one.
            for between in range(self._now + 1, time):
                self._evaluate(between)
        for fact in atoms:
            self._arrive(time, fact)
        self._evaluate(time)
        return change_between(time, before, self._chosen)

    def answer(self, models: int | None = 1) -> Answer:
        """See the protocol; the chosen answer stream comes first."""
        if self._chosen is None:
            return Answer(self._now, ())
        if models == 1 or not self._evaluated:
            return Answer(self._now, (self._chosen,))
        others = (stream for stream in self._streams(models) if stream != self._chosen)
        found = (self._chosen, *others)
        return Answer(self._now, found if models is None else found[:models])

    def snapshot(self) -> bytes:
        """All that later evaluations depend on: the input that windows can still see, and the chosen answer stream."""
        seen: object
        if self._standing:
            seen = self._standing.state()
        else:
            recorded = bool(self._analysis.recorded)  # the history has joined by now what was concluded from it
            visible = ([tuple(one) for one in self._visible], list(self._arrived)) if recorded else None
            seen = self._history.state(), visible
        return pack((self._now, self._evaluated, saved_stream(self._chosen), self._places, self._native_order, seen))

    def resume(self, data: bytes) -> None:
        """Go on where a snapshot of the same program was taken; the bytes must come from `snapshot`."""
        self._now, self._evaluated, chosen, self._places, self._native_order, seen = unpack(data)
        self._chosen = stream_saved(chosen)
        self._encode()
        if self._standing:
            self._standing.rewrite(self._encoding)
            self._standing.resume(seen)
            return
        history, visible = seen
        self._history.resume(history)
        if visible is None:
            self._look(self._now)
        else:
            self._visible, self._arrived = {Arrival(*one) for one in visible[0]}, set(visible[1])

    def _encode(self) -> None:
        self._encoding = encode(self._analysis, self._background, self._start, native_order=self._native_order)
        steering = steering_text(self._steered, self._encoding.names)
        self._rules = ParsedProgram("\n".join((self._encoding.program(), *steering)))

    def _present(self) -> str:
        """What the program of this evaluation has beyond the rules: data, and the choice to be kept."""
        previous = () if self._chosen is None else carried_over(self._chosen, self._now)
        data = self._encoding.data(self._visible, self._history, self._now)
        return "\n".join((data, *kept_text(self._steered, self._encoding.names, previous)))

    def _arrive(self, time: int, fact: Fact) -> None:
        places = decimal_places(fact.args)
        rewritten = places > self._places
        self._places = max(places, self._places)
        if self._native_order and not all(map(is_ordered_alike, fact.args)):
            self._native_order, rewritten = False, True
            self._encode()
        if self._standing:
            if rewritten:
                self._standing.rewrite(self._encoding)
            self._standing.arrive(time, fact)
            return
        self._history.append(time, fact)

    def _evaluate(self, time: int) -> None:
        self._now = time
        self._evaluated = True
        self._history.move(time)
        if self._standing is None:
            self._look(time)
        if self._standing is None or self._standing.settle(time):
            self._solver = None
            self._chosen = next(self._streams(1), None)
        for at, facts in self._recorded():
            for fact in facts:
                self._history.record(at, fact)

    def _look(self, time: int) -> None:
        """See the input; not later, because what is recorded afterwards is data for later evaluations only."""
        self._visible = self._encoding.visible(self._history, time)
        below = (self._history.select(reading, time).arrivals for reading in self._below_pins)
        self._arrived = {(at, fact) for at, _, fact in chain(self._visible, *below)}

    def _recorded(self) -> Iterator[tuple[int, frozenset[Fact]]]:
        """The conclusions that join the data, each at its own time."""
        recorded = self._analysis.recorded
        if self._chosen is not None and recorded:
            for time, facts in ((self._now, self._chosen.now), *self._chosen.at.items()):
                yield time, frozenset(fact for fact in facts if fact.signature in recorded)

    def _streams(self, limit: int | None) -> Iterator[AnswerStream]:
        if self._solver is None:
            table = function_table(self._now, self._places, self._imported, self._calendar, self._adding)
            if self._standing:
                self._solver = self._standing.solver(table, self._chosen)
            else:
                self._solver = Solver(
                    self._rules, table, self._now, more=self._present(), optimises=self._encoding.optimises
                )
                self._solver.avoid(avoided(self._steered, self._encoding.names))
        for model in self._solver.models(limit):
            if self._standing:
                yield AnswerStream(self._standing.facts(model))
            else:
                yield stream_of(self._now, self._derived(model))

    def _derived(self, model: Iterable[Symbol]) -> Iterator[tuple[int, Fact]]:
        """The intensional atoms of a model; an input atom of such a predicate is part of what holds now only."""
        origin = self._encoding.names.origin
        for name, (*args, time) in map(ground_atom, model):
            fact = Fact(origin(name) or name, tuple(args))
            if isinstance(time, int) and (time == self._now or (time, fact) not in self._arrived):
                yield time, fact


def _too_late(time: int) -> Diagnostic:
    return Diagnostic(
        "E518",
        f"The time point {time} does not fit the 32-bit arithmetic of clingo.",
        "Choose a coarser `#clock`, or a later start of time.",
    )
