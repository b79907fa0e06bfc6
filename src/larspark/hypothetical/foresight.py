"""Foresight: what may become true, when, because of which evidence, and what it still needs.

The one entry for programs and streams. Temporal Datalog is answered as published; a plain LARS program is looked ahead
for a number of evaluation times, the horizon.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count
from operator import attrgetter

from larspark.diagnostics import Rejected
from larspark.hypothetical.answers.answers import SupportedAnswer
from larspark.hypothetical.answers.prospect import Prospect
from larspark.hypothetical.answers.times import POINTS, WrittenTimes
from larspark.hypothetical.answers.wording import Writer
from larspark.hypothetical.negation.coherence import at_times, coherent_parts
from larspark.hypothetical.online.query import WatchOptions
from larspark.hypothetical.online_algorithm import Online
from larspark.hypothetical.theory import findings
from larspark.hypothetical.theory.bounds import Differences
from larspark.hypothetical.theory.full_atoms import short_form
from larspark.hypothetical.theory.lars import lars_theory
from larspark.hypothetical.theory.reading import offset_term
from larspark.hypothetical.theory.temporal_datalog import is_temporal_datalog, temporal_theory
from larspark.hypothetical.theory.terms import (
    ABSOLUTE,
    NOW,
    Key,
    Literal,
    Substitution,
    Term,
    Time,
    Var,
    apply,
    names,
    show_term,
    time_names,
)
from larspark.hypothetical.theory.theory import Theory
from larspark.language import tree
from larspark.language.facts import Fact
from larspark.language.parser import parse_formula
from larspark.language.printing.printer import show
from larspark.language.values import Value


@dataclass(frozen=True)
class Outlook:
    """How far to look and how much to say."""

    horizon: int = 10
    """For LARS: the number of future evaluation times."""
    limit: int | None = None
    """At most so many answers, the nearest first."""
    options: WatchOptions = field(default_factory=WatchOptions)


class GoalWatch:
    """Watches a goal of a resolved program over a stream."""

    def __init__(
        self,
        program: tree.Program,
        goal: str,
        outlook: Outlook | None = None,
        *,
        background: Sequence[Fact] = (),
        start: int = 0,
    ) -> None:
        self.outlook = outlook or Outlook()
        self.temporal = is_temporal_datalog(program, {fact.signature for fact in background})
        self.theory = temporal_theory(program, background) if self.temporal else lars_theory(program, background, start)
        self.goal, self._time_name = read_goal(goal, self.theory)
        if self.goal.key not in self.theory.intensional:
            raise Rejected([findings.unknown_goal(goal, sorted({key.predicate for key in self.theory.visible}))])
        self.online = Online(self.theory, self.goal, self.outlook.options)
        if not self.online.query.preconditions and self.outlook.options.bound is None:
            raise Rejected([findings.never_derived(goal)])

    def advance(self, time: int, facts: Iterable[Fact] = ()) -> None:
        """Move to a time point; in Temporal Datalog a fact may carry its time as last argument as well."""
        self.online.advance_late(time, (self._stamped(time, fact) for fact in facts))

    def _stamped(self, time: int, fact: Fact) -> tuple[int, Fact]:
        return short_form(fact, self.theory) or (time, fact)

    @property
    def quiet(self) -> bool:
        """Nothing is under way and nothing begins by itself: there are no answers until facts arrive."""
        waits = not self.online.negated and all(p.premises for p in self.online.query.preconditions)
        return waits and not self.online.arrived and next(self.online.schemata(self.online.query), None) is None

    def prospects(self, times: WrittenTimes = POINTS) -> list[Prospect]:
        """The answers now: those that miss least first, then the soonest; in their texts with such times."""
        if self.temporal:
            found = self.online.answers()
        else:
            until = self.online.time + self.outlook.horizon
            negation = self.online.negation
            found = [
                part
                for answer in self.online.answers_until(until)
                for part in coherent_parts(answer, self._ranges(answer), negation)
            ]
        settled = [self._settled(answer) for answer in found]
        limit = self.outlook.limit
        if limit is not None and limit < len(settled):  # only what may be among the nearest is put into words
            nearness = [(len(answer.hypotheses), _soonness(self._when(answer))) for answer in settled]
            farthest = sorted(nearness)[max(limit - 1, 0)]
            settled = [answer for answer, near in zip(settled, nearness, strict=True) if near <= farthest]
        writer = Writer(self.theory, times)
        ranked = sorted((self._prospect(answer, writer) for answer in settled), key=attrgetter("rank"))
        return ranked[:limit]

    def _settled(self, judged: SupportedAnswer) -> SupportedAnswer:
        """With a value for every open time that has one value left, and a name for every other."""
        only = {name: low for name, (low, high) in self._ranges(judged).items() if low is not None and low == high}
        return _with_named_times(at_times(judged, only))

    def _when(self, answer: SupportedAnswer) -> int | None:
        """The time at which the goal holds, when it is known."""
        if not self.temporal:
            return answer.times.get(NOW)
        at = answer.answer.time
        return at.offset if at is not None and at.base == ABSOLUTE else None

    def _prospect(self, answer: SupportedAnswer, writer: Writer) -> Prospect:
        when = self._when(answer)
        timed = writer.timed_names((self.goal, *answer.literals)) | {self._time_name or NOW}
        return Prospect(
            self._theta(answer, when),
            when,
            tuple(sorted(map(writer.spelled, answer.evidence))),
            tuple(sorted(map(writer.spelled, answer.hypotheses))),
            self._ranges(answer),
            tuple(sorted((dict(excepted) for excepted in answer.exceptions), key=str)),
            tuple(writer.condition(one, timed) for one in answer.conditions),
            self._text(answer, when, writer, timed),
            answer,
            writer.times,
            timed,
        )

    def _theta(self, answer: SupportedAnswer, when: int | None) -> dict[str, Value]:
        theta = {name: _shown(term) for name, term in answer.theta(self.goal).items() if not name.startswith("_")}
        if self._time_name is not None and when is not None:
            theta[self._time_name] = when
        return theta

    def _ranges(self, answer: SupportedAnswer) -> dict[str, tuple[int | None, int | None]]:
        found: dict[str, tuple[int | None, int | None]] = {}
        for signed in answer.hypotheses:
            time = signed.literal.time
            if time is not None and time.base not in (ABSOLUTE, NOW):
                low = answer.differences.low(time.base, answer.times)
                first = self.online.closed + 1 - time.offset
                found[time.base] = (
                    first if low is None else max(first, low),
                    answer.differences.high(time.base, answer.times),
                )
        return found

    def _text(self, answer: SupportedAnswer, when: int | None, writer: Writer, timed: frozenset[str]) -> str:
        """`malf(wt25) at 0: seen temp(wt25,high) at 0, 1; needs temp(wt25,high) at 2`."""
        told = writer.times.text
        shown_time = "" if when is None else f" at {told(when)}"
        if when is None and answer.answer.time is not None:
            shown_time = f" at {writer.time(answer.answer.time)}"
        parts = ["certain"] if answer.definite else []
        if answer.evidence:
            parts.append(f"seen {writer.grouped(answer.evidence)}")
        if answer.hypotheses:
            parts.append(f"needs {writer.grouped(answer.hypotheses)}")
        for name, (low, high) in sorted(self._ranges(answer).items()):
            first = "" if low is None else f" from {told(low)}"
            parts.append(f"{name}{first}" + ("" if high is None else f" to {told(high)}"))
        parts += (writer.condition(one, timed) for one in answer.conditions)
        if answer.exceptions:
            shown = ([f"{n} = {show_term(writer.value(n, v, timed))}" for n, v in e] for e in answer.exceptions)
            parts.append(f"except {' or '.join(sorted(map(', '.join, shown)))}")
        return f"{writer.without_time(answer.answer)}{shown_time}: {'; '.join(parts)}"


def _soonness(when: int | None) -> float:
    return float("inf") if when is None else when


def _shown(term: Term) -> Value:
    if isinstance(term, Time) and term.base == ABSOLUTE:
        return term.offset
    return show_term(term) if isinstance(term, Var | Time) else term


def read_goal(text: str, theory: Theory) -> tuple[Literal, str | None]:
    """The goal, and the name of its variable for the evaluation time if it has one (LARS)."""
    formula = parse_formula(text)
    match formula:
        case tree.At(time, tree.Atom() as atom):
            pinned = offset_term(time)
            if pinned is not None:
                return Literal(atom.predicate, _arguments(atom.args), pinned), None
        case tree.Atom() as atom:
            return _atom_goal(atom, theory)
    raise Rejected([findings.goal_not_an_atom(show(formula))])


def _atom_goal(atom: tree.Atom, theory: Theory) -> tuple[Literal, str | None]:
    """An atom as it stands, or with its time as last argument."""
    args = _arguments(atom.args)
    whole, shorter = Key(atom.predicate, len(args), True), Key(atom.predicate, len(args) - 1, True)
    if theory.evaluated:
        if whole not in theory.intensional and shorter in theory.intensional and isinstance(args[-1], Var):
            return Literal(atom.predicate, args[:-1], Time(NOW)), args[-1].name
        return Literal(atom.predicate, args, Time(NOW)), None
    if shorter in theory.intensional:
        time = offset_term(atom.args[-1])
        if time is not None:
            return Literal(atom.predicate, args[:-1], time), None
    if whole in theory.intensional:
        return Literal(atom.predicate, args, Time("_T")), None
    return Literal(atom.predicate, args), None


def _arguments(terms: Sequence[tree.Term]) -> tuple[Term, ...]:
    found: list[Term] = []
    for term in terms:
        match term:
            case tree.Constant(value):
                found.append(value)
            case tree.Variable(name):
                found.append(Var(name))
            case _:
                raise Rejected([findings.goal_not_an_atom(show(term))])
    return tuple(found)


def _with_named_times(answer: SupportedAnswer) -> SupportedAnswer:
    """Times that only windows speak of, which have no name in the program, as U, U2, …"""
    literals = answer.literals
    unnamed = sorted(base for base in set(time_names(literals)) if base.startswith("_"))
    if not unnamed:
        return answer
    taken = {name for name in names(literals) if not name.startswith("_")}
    fresh = (name for name in chain(["U"], (f"U{number}" for number in count(2))) if name not in taken)
    rename = dict(zip(unnamed, fresh, strict=False))
    bound: Substitution = {old: Time(new) for old, new in rename.items()}
    most = {(rename.get(x, x), rename.get(y, y)): limit for (x, y), limit in answer.differences.most.items()}
    return replace(
        answer,
        answer=apply(answer.answer, bound),
        hypotheses=frozenset(signed.apply(bound) for signed in answer.hypotheses),
        differences=Differences(most),
        times={rename.get(name, name): value for name, value in answer.times.items()},
    )
