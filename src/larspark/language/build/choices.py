"""Choice rules, `1 { a(X) : q(X) } 2 :- b.`, as the rules that they stand for.

Whether an atom is chosen is a disjunction with an atom that nobody sees, `a(X) | #: not a(X) :- b, q(X).`; the bounds
are constraints that count, `:- b, 1 > #count{ a,X : a(X), q(X) }.` and `:- b, 2 < #count{ … }.`
"""

from __future__ import annotations

from dataclasses import dataclass

from larspark.diagnostics.origin import Origin
from larspark.language.build.formulas import FormulaBuilder
from larspark.language.build.terms import ParseTree, trees
from larspark.language.choices import unchosen
from larspark.language.tree import (
    Aggregate,
    AggregateElement,
    At,
    Atom,
    Constant,
    Formula,
    Or,
    Rule,
    Term,
    Truth,
)


@dataclass(frozen=True)
class _Element:
    """`a(X) : q(X)`: an atom, perhaps pinned, that may be chosen while the condition holds."""

    head: Atom | At
    condition: tuple[Formula, ...]
    origin: Origin


class ChoiceBuilder(FormulaBuilder):
    """Builds the rules of a choice."""

    def choice(self, tree: ParseTree, body: tuple[Formula, ...], origin: Origin) -> list[Rule]:
        elements = [found for part in trees(tree) if part.data == "choice_element" if (found := self._choosable(part))]
        rules = [
            Rule(Or((one.head, unchosen(one.head)), origin=one.origin), (*body, *one.condition), origin=origin)
            for one in elements
        ]
        for operator, bound in self._bounds(tree):
            counted = tuple(map(_counted, elements))
            count = Aggregate("count", operator, bound, counted, origin=self.origin(tree))
            rules.append(Rule(Truth(False, origin=origin), (*body, count), origin=origin))
        return rules

    def _bounds(self, tree: ParseTree) -> list[tuple[str, Term]]:
        """What the number of chosen atoms must not be, compared from the left."""
        if tree.data == "choice_exactly":
            return [("!=", self.term(trees(tree)[-1]))]
        signs = {"lower": ">", "upper": "<"}
        return [(signs[part.data], self.term(trees(part)[0])) for part in trees(tree) if part.data in signs]

    def _choosable(self, tree: ParseTree) -> _Element | None:
        head, *conditions = trees(tree)
        formula, values = self.with_variables(self.formula(head))
        condition = self.body(conditions[0]) if conditions else ()
        match formula:
            case Atom() | At(body=Atom()):
                return _Element(formula, (*condition, *values), self.origin(tree))
        hint = "Choose atoms, `{ a(X) : q(X) [5] }`, or pinned ones, `{ @T a(X) : @T q(X) [5] }`."
        self.problem("E121", "Only atoms can be chosen.", hint, head)
        return None


def _counted(element: _Element) -> AggregateElement:
    """An atom is one thing however many conditions allow it."""
    match element.head:
        case Atom(predicate, args):
            terms: tuple[Term, ...] = (Constant(predicate), *args)
        case At(time, Atom(predicate, args)):
            terms = (Constant("@"), time, Constant(predicate), *args)
    return AggregateElement(terms, (element.head, *element.condition), origin=element.origin)
