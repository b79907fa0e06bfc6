"""How explanations say things: times as they came, atoms in a sentence where `#say` or `#input` gives one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from larspark.analysis.analysis import Analysis
from larspark.analysis.typing.sorts import Sort, Sorts, program_sorts, sort_of_term, sorts_of_variables
from larspark.language.calendar import Calendar, TimeForm
from larspark.language.facts import Fact, Signature
from larspark.language.parser import parse_fact
from larspark.language.sentences import filled
from larspark.language.tree import Comparison, Formula, Input, Say
from larspark.language.values import Value, show_value
from larspark.semantics.structures import Binding


@dataclass(frozen=True)
class Phrasing:
    calendar: Calendar = field(default_factory=Calendar)
    form: TimeForm = TimeForm.POINTS
    """How times are written."""
    sorts: Sorts = field(default_factory=dict)
    """Which arguments are times; known where times are timestamps."""
    sentences: Mapping[Signature, Say] = field(default_factory=dict)
    columns: Mapping[Signature, Sequence[str]] = field(default_factory=dict)
    """What `#input` calls the arguments."""
    several: Callable[[], bool] = field(default=lambda: False, compare=False, repr=False)
    """Whether the data comes from several places, so that a line alone says too little."""

    @classmethod
    def of(
        cls,
        analysis: Analysis,
        calendar: Calendar,
        form: TimeForm,
        background: Sequence[Fact],
        several: Callable[[], bool] = lambda: False,
    ) -> Phrasing:
        """The words of a program for data whose times have this form."""
        directives = analysis.program.directives
        sentences = {one.signature: one for one in directives if isinstance(one, Say)}
        columns = {one.signature: one.columns for one in directives if isinstance(one, Input) and one.columns}
        sorts: Sorts = {}
        if form is not TimeForm.POINTS:
            sorts = program_sorts(analysis, background)
        return cls(calendar, form, sorts, sentences, columns, several)

    @property
    def stamped(self) -> bool:
        """Whether times are timestamps."""
        return self.form is not TimeForm.POINTS

    # -- times -------------------------------------------------------------------------------------

    def time(self, point: int) -> str:
        return self.calendar.text(point, self.form)

    def span(self, first: int, last: int) -> str:
        """`37-47`."""
        if first == last:
            return self.time(first)
        return f"{self.time(first)}{' to ' if self.stamped else '-'}{self.time(last)}"

    def spans(self, spans: Iterable[Sequence[int]]) -> str:
        return ", ".join(self.span(first, last) for first, last in spans)

    # -- atoms -------------------------------------------------------------------------------------

    def atom(self, fact: Fact, at: int | None = None) -> str:
        """An atom, and the time point that it is about if that is another one."""
        about = "" if at is None else f"@{self._quoted(at)} "
        return f"{about}{self._stamped(fact)}"

    def spelled(self, atom: str) -> str:
        """An atom that is a text already."""
        return str(self._stamped(parse_fact(atom))) if self._has_times else atom

    def sentence(self, fact: Fact, at: int) -> str | None:
        """What an atom says about a time point, if there are words for it."""
        shown = self._stamped(fact)
        values = [str(value) for value in shown.args]
        said = self.sentences.get(fact.signature)
        if said is not None:
            known = dict(zip(said.names, values, strict=True))
            return filled(said.sentence, known if said.time is None else {**known, said.time: self.time(at)})
        names = self.columns.get(fact.signature)
        if names is None:
            return None
        return (
            f"{fact.predicate} with {', '.join(f'{name} {value}' for name, value in zip(names, values, strict=True))}"
        )

    @property
    def _has_times(self) -> bool:
        return any(sort.form == "time" for sorts in self.sorts.values() for sort in sorts)

    def _stamped(self, fact: Fact) -> Fact:
        sorts = self.sorts.get(fact.signature)
        if sorts is None:
            return fact
        return fact._replace(args=tuple(map(self._value, fact.args, sorts)))

    def _value(self, value: Value, sort: Sort | None) -> Value:
        return self.time(value) if sort is not None and sort.form == "time" and isinstance(value, int) else value

    def _quoted(self, point: int) -> str:
        return show_value(self.time(point)) if self.stamped else str(point)

    def line(self, record: Mapping[str, Any]) -> str:
        """Where a record stands, if that is known."""
        if "line" not in record:
            return ""
        return f"{record['source']}, line {record['line']}" if self.several() else f"line {record['line']}"

    # -- rules -------------------------------------------------------------------------------------

    def binding(self, body: Sequence[Formula], binding: Binding) -> Binding:
        """The values of the variables of a body; those that are times as they are written."""
        if not self.stamped:
            return binding
        known = sorts_of_variables(body, self.sorts)
        return {name: self._value(value, known.get(name)) for name, value in binding.items()}

    def values(self, body: Sequence[Formula], binding: Binding) -> str:
        """The values of named variables, where times are timestamps."""
        if not self.stamped:
            return ""
        named = sorted(self.binding(body, binding).items())
        return ", ".join(f"{name} = {value}" for name, value in named if not name.startswith("_"))

    def compared(self, body: Sequence[Formula], literal: Comparison, values: Sequence[Any]) -> str:
        """Both sides of a comparison, where times are timestamps."""
        if not self.stamped:
            return ""
        known = sorts_of_variables(body, self.sorts)
        sides = zip(values, (literal.left, literal.right), strict=True)
        return " and ".join(_known(self._value(value, sort_of_term(term, known))) for value, term in sides)

    # -- questions ---------------------------------------------------------------------------------

    def read(self, fact: Fact) -> Fact:
        """An atom as somebody writes it: timestamps stand for their time points where arguments are times."""
        sorts = self.sorts.get(fact.signature)
        if sorts is None:
            return fact
        pairs = zip(fact.args, sorts, strict=True)
        return fact._replace(args=tuple(self.point(value) if sort.form == "time" else value for value, sort in pairs))

    def point(self, value: Value) -> Value:
        """The time point of a timestamp; everything else as it is."""
        if not isinstance(value, str):
            return value
        try:
            return self.calendar.point(datetime.fromisoformat(value))
        except ValueError:
            return value


UNSAID = Phrasing()
"""Time points, and nothing said."""


def _known(value: Any) -> str:
    return "no value" if value is None else str(value)


def number_of(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
