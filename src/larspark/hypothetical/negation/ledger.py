"""The judged answers of the goal, kept from one time point to the next.

A schema is judged when its row enters, and again when something it hangs on may have changed. A negated atom that is
open cannot change before the first of its premises is due, so its schema sleeps until then; schemata whose negated
atoms still have open variables are judged at every time point.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from larspark.hypothetical.answers.answers import Schema, SupportedAnswer, minimal_answers
from larspark.hypothetical.negation.negation import NegationJudge
from larspark.hypothetical.online.changes import RowPlace
from larspark.hypothetical.online.following import Following, Name
from larspark.hypothetical.online.watching import Watching
from larspark.hypothetical.theory.terms import Literal


class Ledger:
    """The answers of one `Online`."""

    def __init__(self, online: Watching, negation: NegationJudge) -> None:
        self._online = online
        self._negation = negation
        self._following = Following(online, online.query)
        self._judged: dict[Name, list[SupportedAnswer]] = {}
        self._waking: defaultdict[int, set[Name]] = defaultdict(set)
        self._groups: defaultdict[Literal, dict[Name, list[SupportedAnswer]]] = defaultdict(dict)
        """The answers by the goal instance they are about."""
        self._minimal: dict[Literal, list[SupportedAnswer]] = {}
        self._touched: set[Literal] = set()

    def answers(self) -> list[SupportedAnswer]:
        """S_τ, without dominated answers."""
        kept = (answer for answers in self._minimal.values() for answer in answers)
        return list(kept) if all(key.ground for key in self._minimal) else minimal_answers(kept)

    def catch_up(self) -> None:
        """A new time point. It cannot wait until somebody asks: the atoms that rows negate are forgotten in time."""
        for name, schema in self._following.catch_up():
            self._withdraw(name)
            if schema is not None:
                self._enter(name, schema)
        for time in [time for time in self._waking if time <= self._online.time]:
            for name in self._waking.pop(time):
                schema = self._following.schemata.get(name)
                if schema is not None:
                    self._withdraw(name)
                    self._enter(name, schema)
        for name, schema in self._unmet():
            self._withdraw(name)
            self._enter(name, schema, sleeps=False)
        for key in self._touched:
            found = [answer for answers in self._groups.get(key, {}).values() for answer in answers]
            if found:
                self._minimal[key] = minimal_answers(found)
            else:
                self._minimal.pop(key, None)
                self._groups.pop(key, None)
        self._touched.clear()

    def _unmet(self) -> Iterator[tuple[Name, Schema]]:
        """Preconditions that a negated atom may be the first evidence for."""
        for number, matcher in enumerate(self._online.query.matchers):
            if matcher.precondition.negated and matcher.precondition.premises:
                for way, schema in enumerate(self._online.unmet(matcher)):
                    yield Name(number, RowPlace((), ()), -1 - way), schema

    def _enter(self, name: Name, schema: Schema, *, sleeps: bool = True) -> None:
        negation = self._negation
        found = [answer for answer in negation.judge(schema) if not self._online.holds_anyway(answer)]
        self._judged[name] = found
        for answer in found:
            self._groups[answer.answer].setdefault(name, []).append(answer)
            self._touched.add(answer.answer)
        wakes = negation.wakes(schema) if sleeps else None
        if wakes is not None:
            self._waking[wakes].add(name)

    def _withdraw(self, name: Name) -> None:
        for answer in self._judged.pop(name, ()):
            self._groups[answer.answer].pop(name, None)
            self._touched.add(answer.answer)
