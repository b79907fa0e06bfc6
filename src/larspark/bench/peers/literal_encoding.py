"""Plain LARS as an answer set program, taken literally: one rule for every position of every window.

This is the textbook reading (thesis sec. 5.2), kept apart from the clingo reasoner on purpose: it is what that
reasoner is measured against. Atoms carry their time as last argument, `now` is a constant, background atoms have no
time. Two corrections make it exact: `always` looks at the timeline only, and tuple windows count arrivals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count

from larspark.analysis.pipeline import Analysis
from larspark.bench.workloads.task import ArrivalStep
from larspark.language.facts import Fact
from larspark.language.printing.terms import show_term
from larspark.language.traversal import variables, walk
from larspark.language.tree import (
    Aggregate,
    Always,
    At,
    Atom,
    Comparison,
    Formula,
    Not,
    Rule,
    Some,
    TimeWindow,
    Truth,
    TupleWindow,
    Windowed,
    points,
)


class LiteralEncoding:
    """The text of a program, and of the data at an evaluation time."""

    def __init__(self, analysis: Analysis, background: Sequence[Fact], start: int) -> None:
        self._analysis, self._start = analysis, start
        self._background = {fact.signature for fact in background}
        self._names = map("w{}".format, count(1))
        self._lines = [f"{_atom(f'bg_{fact.predicate}', map(str, fact.args))}." for fact in background]
        for rule in analysis.program.rules:
            self._rule(rule)
        self._lines += [f"#show at_{p}/{arity + 1}." for p, arity in sorted(analysis.intensional)]
        windows = [node for node in walk(analysis.program) if isinstance(node, TimeWindow | TupleWindow)]
        self._past = max((points(w.past) or 0 for w in windows if isinstance(w, TimeWindow)), default=0)
        self._last = max((points(w.past) or 0 for w in windows if isinstance(w, TupleWindow)), default=0)

    def text(self, steps: Sequence[ArrivalStep]) -> str:
        """The whole program when these steps have been and the last one is now; only what can matter is listed."""
        now = steps[-1].time
        arrived = sum(len(step.facts) for step in steps)
        lines = [f"#const now={now}.", f"#const arrived={arrived}."]
        number = arrived
        for time, facts in reversed(steps):
            if time < now - self._past and number <= arrived - self._last:
                break
            for fact in reversed(facts):
                args = [*map(str, fact.args), str(time)]
                lines.append(f"{_atom(f'at_{fact.predicate}', args)}.")
                if self._last:
                    lines.append(f"{_atom(f'in_{fact.predicate}', [*args, str(number)])}. arrival({time},{number}).")
                number -= 1
        return "\n".join((*lines, *self._lines))

    # -- rules -------------------------------------------------------------------------------------

    def _rule(self, rule: Rule) -> None:
        body = ", ".join(self._literal(literal) for literal in rule.body)
        match rule.head:
            case Truth(False):
                head = ""
            case Atom() as atom:
                head = self._timed(atom, "now")
            case At(time, Atom() as atom):
                head = self._timed(atom, show_term(time))
            case other:
                raise TypeError(f"no literal encoding for the head {other}")
        self._lines.append(f"{head} :- {body}." if body else f"{head}.")

    def _literal(self, literal: Formula) -> str:
        match literal:
            case Not(body):
                return f"not {self._literal(body)}"
            case Atom() as atom:
                return self._timed(atom, "now")
            case At(time, Atom() as atom):
                return self._timed(atom, show_term(time))
            case Comparison(operator, left, right):
                return f"{show_term(left)} {operator} {show_term(right)}"
            case Aggregate(function, operator, result, elements):
                inside = "; ".join(
                    f"{','.join(map(show_term, element.terms))} : {', '.join(map(self._literal, element.body))}"
                    for element in elements
                )
                value = show_term(result)
                bound = {"max": f", {value} != #inf", "min": f", {value} != #sup"}.get(function, "")
                return f"{value} {operator} #{function}{{ {inside} }}{bound}"
            case Windowed(TimeWindow(_, _, 1) as window, body):
                return self._time_window(window, body)
            case Windowed(TupleWindow(_, 0, False) as window, body):
                return self._tuple_window(window, body)
        raise TypeError(f"no literal encoding for {literal}")

    def _timed(self, atom: Atom, time: str) -> str:
        if atom.signature in self._background:
            return _atom(f"bg_{atom.predicate}", map(show_term, atom.args))
        return _atom(f"at_{atom.predicate}", [*map(show_term, atom.args), time])

    # -- windows -----------------------------------------------------------------------------------

    def _time_window(self, window: TimeWindow, body: Formula) -> str:
        past, future = points(window.past), points(window.future)
        if past is None or future is None:
            raise TypeError(f"no literal encoding for the window {window}")
        places = [f"now-({back})" for back in range(-future, past + 1)]
        name, args = self._new_predicate(body)
        head = _atom(name, args)
        match body:
            case Some(Atom() as atom):
                self._lines += [f"{head} :- {self._timed(atom, place)}." for place in places]
            case At(time, Atom() as atom):
                term = show_term(time)
                self._lines += [f"{head} :- {self._timed(atom, term)}, {term} = {place}." for place in places]
            case Always(Atom() as atom):
                held, spoiled = self._timed(atom, "now"), _atom(f"spoiled_{name}", args)
                self._lines.append(f"{head} :- {held}, not {spoiled}.")
                self._lines += [
                    f"{spoiled} :- {held}, not {self._timed(atom, place)}, {place} >= {self._start}."
                    for place in places
                ]
            case other:
                raise TypeError(f"no literal encoding for {other}")
        return head

    def _tuple_window(self, window: TupleWindow, body: Formula) -> str:
        size = points(window.past)
        if not size:
            raise TypeError(f"no literal encoding for the window {window}")
        places = [f"arrived-{back}" for back in range(size)]
        name, args = self._new_predicate(body)
        head = _atom(name, args)
        match body:
            case Some(Atom() as atom):
                self._lines += [f"{head} :- {_arrival(atom, '_', place)}." for place in places]
            case At(time, Atom() as atom):
                self._lines += [f"{head} :- {_arrival(atom, show_term(time), place)}." for place in places]
            case Always(Atom() as atom):
                spoiled, first = _atom(f"spoiled_{name}", args), f"first_{name}"
                inside, inside_now = (_atom(f"inside_{name}", [*args, time]) for time in ("At", "now"))
                self._lines += [f"{inside} :- {_arrival(atom, 'At', place)}." for place in places]
                self._lines += [
                    f"{first}(First) :- arrival(First,arrived-{size - 1}).",
                    f"{first}({self._start}) :- arrived < {size}.",
                    f"{spoiled} :- {inside_now}, {first}(First), At = First..now, not {inside}.",
                    f"{head} :- {inside_now}, not {spoiled}.",
                ]
            case other:
                raise TypeError(f"no literal encoding for {other}")
        return head

    def _new_predicate(self, body: Formula) -> tuple[str, list[str]]:
        """A name for a windowed atom, and its variables as arguments."""
        return next(self._names), list(dict.fromkeys(variable.name for variable in variables(body)))


def _arrival(atom: Atom, time: str, number: str) -> str:
    return _atom(f"in_{atom.predicate}", [*map(show_term, atom.args), time, number])


def _atom(name: str, args: Iterable[str]) -> str:
    inside = ",".join(args)
    return f"{name}({inside})" if inside else name
