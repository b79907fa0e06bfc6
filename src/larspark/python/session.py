"""The Python interface: parse a program, check it, run it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard, overload

from larspark.analysis.pipeline import Analysis
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.facts import Fact, kinds_of
from larspark.language.parser import parse_program
from larspark.language.printing.printer import show
from larspark.language.tree import Duration, Program
from larspark.language.values import Value
from larspark.loading import without_collector
from larspark.python.listeners import Listeners
from larspark.read.values.times import form_of
from larspark.reasoners.protocol import Answer, Change
from larspark.reasoners.registry import DEFAULT
from larspark.runtime.atoms import AtomLike, TimeLike, fact_of, facts_of, time_of
from larspark.runtime.durations import Span, lateness_in_time_points
from larspark.runtime.pointwise import Wanted
from larspark.runtime.prepared import Prepared, ProgramLike, prepare
from larspark.runtime.running import Running, resumed, started

if TYPE_CHECKING:
    from larspark.explain.faces.face import Explanation
    from larspark.python.answers import ChangeTable
    from larspark.questions.explaining import Case

parse = parse_program

TableLike: TypeAlias = Any
"""A table with a column `time`: Arrow, pandas, polars, or a dictionary of columns; or a dictionary of such tables."""


def _is_table(value: object) -> TypeGuard[TableLike]:
    return isinstance(value, Mapping) or hasattr(value, "columns") or hasattr(value, "__arrow_c_stream__")


def check(
    program: ProgramLike,
    *,
    clock: Duration | str | None = None,
    constants: Mapping[str, Value] | None = None,
    background: Iterable[AtomLike | Path] = (),
    allow_functions: bool = False,
) -> Analysis:
    """Everything that can be said about a program without a stream; never raises for a program that parses."""
    return prepare(
        program, clock=clock, constants=constants, background=background, allow_functions=allow_functions
    ).findings


class Engine:
    """A running program.

    >>> engine = Engine("alarm(M) :- always hot(M) [2].")
    >>> engine.advance(0, ["hot(m1)"]).appeared
    frozenset({Fact(predicate='alarm', args=('m1',))})

    The program is a text, the name of a program file, or a tree; `clock`, `epoch` and `constants` stand over what it
    says, `background` are facts that always hold besides those of its `#background` files. Its warnings are in
    `warnings`, and are told to the logger `larspark`. Answers and changes have what the program `#show`s. A call that
    raises `Rejected` changes nothing.
    """

    @without_collector()
    def __init__(  # noqa: PLR0913 - all but two are keywords that are seldom needed
        self,
        program: ProgramLike,
        reasoner: str = DEFAULT,
        *,
        background: Iterable[AtomLike | Path] = (),
        start: TimeLike = 0,
        lateness: Span = 0,
        clock: Duration | str | None = None,
        epoch: datetime | None = None,
        timezone: str | None = None,
        constants: Mapping[str, Value] | None = None,
        allow_functions: bool = False,
    ) -> None:
        prepared = prepare(
            program,
            clock=clock,
            epoch=epoch,
            timezone=timezone,
            constants=constants,
            background=background,
            allow_functions=allow_functions,
        )
        late = lateness_in_time_points(lateness, prepared.calendar)
        running = started(prepared.require(), reasoner, time_of(start, prepared.calendar), late)
        self._take(prepared.logged(), running)

    def _take(self, prepared: Prepared, running: Running) -> None:
        self._prepared, self._running = prepared, running
        self._admitted: set[tuple[str, int]] = set()
        self._form = prepared.calendar.form
        """How times were given."""
        self._listeners = Listeners()

    # -- what it is --------------------------------------------------------------------------------

    @property
    def prepared(self) -> Prepared:
        """The program with everything it is evaluated in."""
        return self._prepared

    @property
    def analysis(self) -> Analysis:
        return self._prepared.analysis

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """What the analysis found odd about the program."""
        return self._prepared.warnings

    @property
    def reasoner(self) -> str:
        """The name of the reasoner."""
        return self._running.name

    @property
    def time(self) -> int | None:
        """The time point of the latest evaluation; None before the first."""
        return self._running.time

    @property
    def too_late(self) -> int:
        """How many atoms came after the allowed lateness, and were left out."""
        return self._running.too_late

    def __repr__(self) -> str:
        at = "before its first time point" if self.time is None else f"at {self.time}"
        rules = len(self.analysis.program.rules)
        return f"<Engine {self.reasoner}, {rules} rule{'' if rules == 1 else 's'}, {at}>"

    # -- evaluation --------------------------------------------------------------------------------

    @overload
    def advance(self, time: TimeLike, atoms: Iterable[AtomLike] = ()) -> Change: ...

    @overload
    def advance(self, time: TableLike) -> ChangeTable: ...

    def advance(self, time: TimeLike | TableLike, atoms: Iterable[AtomLike] = ()) -> Change | ChangeTable:
        """Let atoms arrive at a time point and evaluate.

        Time points in between are passed over; nothing arrives there. With the same time again, more arrives at it. As
        far as `lateness` allows the time may lie back; the change is that of the present.

        With tables in place of a time (as `larspark.evaluate` takes them) all of their rows arrive, each at its time;
        every time point from the present to the last row is evaluated, and the changes are a table.
        """
        if type(time) is not int and _is_table(time):
            return self._advance_over(time)
        point = time_of(time, self._prepared.calendar)
        if type(time) is not int:
            self._form = max(self._form, form_of(time))
        facts = self._prepared.fitted(facts_of(atoms))
        if not self._admitted.issuperset(kinds_of(facts)):
            self._admit(facts)
        return self._told(self._running.advance(point, facts))

    def _admit(self, facts: Sequence[Fact]) -> None:
        """Remember predicates that the program takes; `Rejected` if there are others."""
        objections = [found for fact in facts if (found := self._prepared.admission.objection(fact))]
        if objections:
            raise Rejected(objections)
        self._admitted.update(kinds_of(facts))

    def _advance_over(self, data: TableLike) -> ChangeTable:
        from larspark.python.evaluate import blocks_of  # noqa: PLC0415 - who has no tables does not load them
        from larspark.python.table_steps import advance_over, changes_in  # noqa: PLC0415

        changes = advance_over(self._running, blocks_of(data, self._prepared))
        if self._listeners:
            for change in changes_in(changes):
                self._told(change)
        return changes

    def answer(self, models: int | None = 1) -> Answer:
        """What holds at the current time; up to `models` answer streams, None for all."""
        return Wanted(self.analysis.shown).shown_part(self._running.reasoner.answer(models))

    # -- explanations ------------------------------------------------------------------------------

    def why(self, atom: AtomLike, depth: int | None = 3) -> Explanation:
        """Why an atom holds now, and how long; `Rejected` when it does not."""
        from larspark.explain.faces.face import why_explanation  # noqa: PLC0415 - computed on request, loaded on request

        text = atom if isinstance(atom, str) else str(fact_of(atom))
        (found,) = self._asked(text, "why").why(text, self._present(), depth=depth)
        return why_explanation(found)

    def why_not(self, atom: AtomLike) -> Explanation:
        """Why an atom does not hold now, and what would have to arrive; `Rejected` when it does."""
        from larspark.explain.faces.face import why_not_explanation  # noqa: PLC0415

        text = atom if isinstance(atom, str) else str(fact_of(atom))
        return why_not_explanation(self._asked(text, "why-not").why_not(text, self._present()))

    def _present(self) -> int:
        return self._running.start if self.time is None else self.time

    def _asked(self, text: str, ask: str) -> Case:
        from larspark.questions.live_case import live_case  # noqa: PLC0415

        return live_case(self._running, self._present(), text, ask, self._form)

    # -- telling -----------------------------------------------------------------------------------

    def on_change(self, callback: Callable[[Change], object]) -> Callable[[], None]:
        """Call back with every change that has something in it; the result takes the callback away again."""
        return self._listeners.add(callback)

    def changes(self) -> AsyncIterator[Change]:
        """The changes from now on, for `async for`; they end when the engine is closed."""
        return self._listeners.changes()

    def close(self) -> None:
        """End the iterators over changes."""
        self._listeners.close()

    def _told(self, change: Change) -> Change:
        self._listeners.tell(change)
        return change

    # -- other rules, other data -------------------------------------------------------------------

    def add_rule(self, text: str) -> Change:
        """Go on with more rules (or directives); they see the input that windows of the program had kept."""
        more, written = parse_program(text, "<rule>"), self._prepared.written
        program = replace(
            written, rules=(*written.rules, *more.rules), directives=(*written.directives, *more.directives)
        )
        return self._changed(self._prepared.with_program(program))

    def remove_rule(self, text: str) -> Change:
        """Go on without these rules, given as they stand in the program."""
        gone, written = parse_program(text, "<rule>").rules, self._prepared.written
        for rule in gone:
            if rule not in written.rules:
                message = f"The program has no rule `{show(rule)}`."
                raise Rejected([Diagnostic("E510", message, "Write it as it stands in the program.")])
        kept: Program = replace(written, rules=tuple(rule for rule in written.rules if rule not in gone))
        return self._changed(self._prepared.with_program(kept))

    def replace_background(self, facts: Iterable[AtomLike | Path]) -> Change:
        """Go on with these facts as the whole background, in place of files and of those given before."""
        return self._changed(self._prepared.with_background(facts))

    def _changed(self, prepared: Prepared) -> Change:
        change = self._running.change(prepared)
        self._prepared = prepared
        self._admitted.clear()
        return self._told(change)

    # -- snapshots ---------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """Everything needed to go on elsewhere: data, no code."""
        return self._running.snapshot()

    @classmethod
    def restore(cls, snapshot: bytes, program: ProgramLike, **options: Any) -> Engine:
        """The engine of a snapshot, at the time at which it was taken, with its background.

        The program and the options (`clock`, `epoch`, `constants`, `allow_functions`) are those it was made with.
        """
        prepared = prepare(program, **options)
        prepared.analysis.require()
        restored = cls.__new__(cls)
        running = resumed(snapshot, prepared)
        restored._take(running.prepared, running)
        return restored
