"""The values of aggregates over what truth maintenance has decided, kept up to date by what changes."""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress

from larspark.language.facts import Fact
from larspark.language.traversal import walk
from larspark.language.tree import Now, Term
from larspark.language.values import NotANumber, Value, compare
from larspark.reasoners.contents import Delta, Row
from larspark.reasoners.jtms.auxiliaries import AuxiliaryAggregate
from larspark.reasoners.jtms.instances import Evaluate
from larspark.semantics.aggregates import aggregate


class Tally:
    """One aggregate: for every question the rows of its elements, and the row that answers it."""

    def __init__(self, aggregation: AuxiliaryAggregate, evaluate: Evaluate) -> None:
        self.aggregation = aggregation
        self._reading = aggregation.reading.canonical
        self._evaluate = evaluate
        self._questions: set[Row] = set()
        self._rows: defaultdict[Row, set[tuple[int, Row]]] = defaultdict(set)
        self._answers: dict[Row, Row] = {}
        self._touched: set[Row] = set()
        self._places = {signature: place for place, (signature, _, _) in enumerate(aggregation.elements)}
        terms: list[Term] = [aggregation.collection.result]
        terms += [term for _, element, _ in aggregation.elements for term in element.terms]
        self._uses_now = any(isinstance(part, Now) for term in terms for part in walk(term))

    @property
    def touched(self) -> bool:
        return bool(self._touched)

    def ask(self, row: Row, asked: bool) -> None:
        """A question comes up, or goes."""
        (self._questions.add if asked else self._questions.discard)(row)
        self._touched.add(row)

    def element(self, fact: Fact, holds: bool) -> None:
        """A row of an element holds, or not."""
        size = len(self.aggregation.given)
        row, rest = fact.args[:size], fact.args[size:]
        found = self._rows[row]
        (found.add if holds else found.discard)((self._places[fact.signature], rest))
        if not found:
            del self._rows[row]
        self._touched.add(row)

    def move(self) -> None:
        """Time goes on."""
        if self._uses_now:
            self._touched |= self._questions

    def settle(self) -> Delta:
        """What changed in the answers since the last call."""
        entered, left = [], []
        for question in self._touched:
            before = self._answers.pop(question, None)
            after = self._answer(question) if question in self._questions else None
            if after is not None:
                self._answers[question] = after
            if before != after:
                entered += [after] if after is not None else []
                left += [before] if before is not None else []
        self._touched.clear()
        return Delta(entered, left)

    def _answer(self, question: Row) -> Row | None:
        """The row of the atom that stands for the aggregate; None where it does not hold or has no value."""
        collection, binding = self.aggregation.collection, dict(zip(self.aggregation.given, question, strict=True))
        try:
            value = aggregate(collection.function, self._tuples(question, binding))
            if collection.assigns:
                if value is None:
                    return None
                return self._reading.match(Fact(self._reading.atom.predicate, (*question, value)), 0)
            wanted = self._evaluate(collection.result, binding)
            holds = value is not None and compare(collection.operator, wanted, value)
        except NotANumber:
            return None
        return (
            self._reading.match(Fact(self._reading.atom.predicate, question), 0)
            if holds != collection.negated
            else None
        )

    def _tuples(self, question: Row, binding: dict[str, Value]) -> set[Row]:
        tuples: set[Row] = set()
        for place, row in self._rows.get(question, ()):
            _, element, local = self.aggregation.elements[place]
            values = binding | dict(zip(local, row, strict=True))
            with suppress(NotANumber):  # a tuple whose terms have no value does not count
                tuples.add(tuple(self._evaluate(term, values) for term in element.terms))
        return tuples
