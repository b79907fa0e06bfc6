"""The clingo reasoner: everything plain, all answer streams, exact, at the price of solving at every evaluation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from larspark.analysis.analysis import Analysis
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.calendar import Calendar
from larspark.language.facts import Fact
from larspark.language.traversal import constants
from larspark.language.values import Value
from larspark.reasoners.clingo.adapter import INTEGER_LIMIT, GroundAtom, Solver, fact_text
from larspark.reasoners.clingo.bodies import VALUE
from larspark.reasoners.clingo.encoding import encode
from larspark.reasoners.clingo.functions import decimal_places, functions
from larspark.reasoners.clingo.stability import carried_over, default_text, previous_text, steered_predicates
from larspark.reasoners.history import History
from larspark.reasoners.protocol import Answer, AnswerStream, Change
from larspark.reasoners.results import change_between, stream_of


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
        analysis.require("clingo")
        background = tuple(background)
        self._analysis = analysis
        self._encoding = encode(analysis, background, start)
        self._history = History(self._encoding.all_readings, start)
        self._imported = functions
        self._calendar = calendar
        self._steered = steered_predicates(analysis)
        self._static = "\n".join((self._encoding.program(), *default_text(self._steered, self._encoding.names)))
        known = {constant.value for constant in constants(analysis.program)}
        known.update(value for fact in background for value in fact.args)
        self._places = decimal_places(known)
        self._values = known if self._encoding.needs_values else None
        self._now = start
        self._chosen: AnswerStream | None = AnswerStream()
        self._solver: Solver | None = None

    def advance(self, time: int, atoms: Sequence[Fact] = ()) -> Change:
        """See the protocol."""
        if time < self._now:
            raise ValueError(f"time moves forward: {time} is before {self._now}")
        if time >= INTEGER_LIMIT // 2:
            raise Rejected([_too_late(time)])
        for fact in atoms:
            self._places = max(self._places, decimal_places(fact.args))
            if self._values is not None:
                self._values.update(fact.args)
            self._history.append(time, fact)
        self._now = time
        self._solver = None
        before, self._chosen = self._chosen, next(self._streams(1), None)
        return change_between(time, before, self._chosen)

    def answer(self, models: int | None = 1) -> Answer:
        """See the protocol; the chosen answer stream comes first."""
        if self._chosen is None:
            return Answer(self._now, ())
        if models == 1:
            return Answer(self._now, (self._chosen,))
        others = (stream for stream in self._streams(models) if stream != self._chosen)
        found = (self._chosen, *others)
        return Answer(self._now, found if models is None else found[:models])

    def program(self) -> str:
        """The answer set program of the current evaluation."""
        previous = () if self._chosen is None else carried_over(self._chosen, self._now)
        kept = "\n".join(previous_text(self._steered, self._encoding.names, previous))
        visible = self._encoding.visible(self._history, self._now)
        values = "\n".join(fact_text(VALUE, [value]) for value in self._values or ())
        return "\n".join((self._static, self._encoding.data(visible, self._history, self._now), values, kept))

    def _streams(self, limit: int | None) -> Iterator[AnswerStream]:
        if self._solver is None:
            table = functions(self._now, self._places, self._imported, self._calendar)
            self._solver = Solver(self.program(), table, self._now)
        wanted = {self._encoding.names.predicate(s.predicate) for s in self._analysis.intensional}
        for model in self._solver.models(limit, wanted.__contains__):
            yield stream_of(self._now, self._derived(model))

    def _derived(self, model: Iterable[GroundAtom]) -> Iterator[tuple[int, Fact]]:
        """The intensional atoms of a model; an input atom of such a predicate is part of what holds now only."""
        arrived = {(time, fact) for time, _, fact in self._encoding.visible(self._history, self._now)}
        for atom in model:
            *args, time = atom.args
            fact = Fact(self._encoding.names.origin(atom.name) or atom.name, tuple(args))
            if not isinstance(time, int) or fact.signature not in self._analysis.intensional:
                continue
            if time == self._now or (time, fact) not in arrived:
                yield time, fact


def _too_late(time: int) -> Diagnostic:
    return Diagnostic(
        "E515",
        f"The time point {time} does not fit the 32-bit arithmetic of clingo.",
        "Choose a coarser `#clock`, or a later start of time.",
    )
