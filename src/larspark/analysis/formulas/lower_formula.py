"""One formula as bodies of plain rules, and the rules of the predicates that stand for parts of it.

`holds` and `fails` say when a formula is true and when it is not, as alternatives. A window goes to each part of what
it stands around: ⊞(φ ∧ ψ) is ⊞φ ∧ ⊞ψ, ⊞¬φ is ¬⊞φ. What it selects is a stretch of time points with their atoms, so

* ◇φ is φ at a time point U, a new variable, which gets its values from an atom of φ; ◇¬a is ¬□a; else a predicate
  that holds at every time point lists those that the windows select;
* □φ is □ of each of its clauses: of an atom it is an extended atom; `a or b` becomes a predicate p with
  `@U p :- @U a [w].` and `@U p :- @U b [w].`; of a clause that denies something it is ¬◇ of its opposite;
* what a window selects at another time point than the present is in `other_times`.

All this is exact where the predicates that a formula denies do not depend on the head of its rule, which `lower`
checks: then the rule is monotone in what is derived together with its head, and an answer stream stays one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from larspark.analysis.formulas.context import Alternatives, Beyond, Conjunction, Context, pinned_atom, times, together
from larspark.analysis.formulas.other_times import Sight, looking_from
from larspark.analysis.formulas.predicates import TICK, Predicates
from larspark.analysis.passes.check_safety import bound_variables
from larspark.language.printing.terms import show_term
from larspark.language.traversal import variables
from larspark.language.tree import (
    Aggregate,
    AggregateElement,
    Always,
    And,
    At,
    Atom,
    Comparison,
    Formula,
    Implies,
    Not,
    Or,
    Ranked,
    Reset,
    Some,
    Term,
    Truth,
    Variable,
    Windowed,
)


@dataclass
class FormulaLowering:
    """Lowers the formulas of one rule."""

    parts: Predicates

    def holds(self, formula: Formula, context: Context) -> Alternatives:
        total = self.parts.total
        match formula:
            case Atom():
                return [(self._atom(formula, context),)]
            case Truth(value):
                return [()] if value else []
            case Comparison():
                return [(formula,)]
            case Aggregate():
                return [(self._aggregate(formula, context),)]
            case Not(body):
                return self.fails(body, context)
            case And(parts):
                return together(formula, [self.holds(part, context) for part in parts])
            case Or(parts):
                return [one for part in parts for one in self.holds(total(part), context)]
            case Implies(left, right):
                return [*self.fails(total(left), context), *self.holds(total(right), context)]
            case Windowed(window, body):
                if context.moves_with(window):
                    return self.holds(body, context.inside(window))
                return self._elsewhere(formula, context, self.holds)
            case Reset(body):
                return self.holds(body, context.reset)
            case Some(body):
                return self._some(formula, body, context)
            case Always(body):
                return self._always(formula, body, context)
            case At(time, body):
                return self._at(formula, time, body, context)
            case Ranked():
                raise TypeError("ranks are spelled out before")

    def fails(self, formula: Formula, context: Context) -> Alternatives:
        total = self.parts.total
        match formula:
            case Truth(value):
                return [] if value else [()]
            case Atom() | Comparison() | Aggregate():
                return [(Not(self.holds(formula, context)[0][0], origin=formula.origin),)]
            case Not(body):
                return self.holds(body, context)
            case And(parts):
                return [one for part in parts for one in self.fails(total(part), context)]
            case Or(parts):
                return together(formula, [self.fails(part, context) for part in parts])
            case Implies(left, right):
                return together(formula, [self.holds(left, context), self.fails(right, context)])
            case Windowed(window, body):
                if context.moves_with(window):
                    return self.fails(body, context.inside(window))
                return self._elsewhere(formula, context, self.fails)
            case Reset(body):
                return self.fails(body, context.reset)
            case Some() | Always() | At():
                found = self.holds(total(formula), context)
                return together(formula, [self._opposite(one, formula) for one in found])
            case Ranked():
                raise TypeError("ranks are spelled out before")

    def _opposite(self, literals: Conjunction, formula: Formula) -> Alternatives:
        """Not all of the literals hold."""
        if all(map(self.parts.stands_alone, literals)):
            return [(one.body if isinstance(one, Not) else Not(one, origin=one.origin),) for one in literals]
        return [(self._no(literals, formula),)]

    def _no(self, literals: Sequence[Formula], formula: Formula) -> Formula:
        return Not(self.parts.predicate(None, [tuple(literals)], formula), origin=formula.origin)

    # -- time points --

    def _some(self, formula: Formula, body: Formula, context: Context) -> Alternatives:
        if isinstance(body, Atom) and context.windows:
            return [(context.around(Some(body, origin=formula.origin)),)]
        if isinstance(body, Atom) and body.signature in self.parts.background:
            return [(body,)]
        moment = self.parts.moment()
        found: Alternatives = []
        for literals in self.holds(body, context.at(moment)):
            here = times(literals, moment)
            rest = tuple(literal for literal in literals if literal not in here)
            if any(map(self.parts.gives_time, here)):
                found.append((*literals, *self._selected(here, moment, context)))
            elif not here:
                found.append((*rest, *self._has_time_points(context, formula)))
            elif not context.windows:
                self._end(here, formula)
                found.append(rest)  # after the last atom nothing of it holds
            elif len(here) == 1 and (throughout := self._always_atom(here[0], moment, context)):
                denied = Not(throughout, origin=formula.origin)
                found.append((*rest, denied, *self._has_time_points(context, formula)))
            else:
                found.append((self._selects(moment, context, formula), *literals))
        return found

    def _always(self, formula: Formula, body: Formula, context: Context) -> Alternatives:
        if isinstance(body, Atom) and context.windows and not self.parts.has_local(body):
            return [(context.around(Always(body, origin=formula.origin)),)]
        if self.parts.is_denied_around(body):
            raise Beyond("A `_` of what is denied is one value at all time points of an `always`.", formula)
        self.parts.total(body)
        moment = self.parts.moment()
        clauses: list[Alternatives] = [[self._has_time_points(context, formula)]]
        for literals in self.fails(body, context.at(moment)):
            here = times(literals, moment)
            rest = tuple(literal for literal in literals if literal not in here)
            alternatives = [one for literal in rest for one in self._opposite((literal,), formula)]
            if here and all(isinstance(literal, Not) for literal in here):
                alternatives += self._throughout(here, moment, context, formula)
            elif len(here) == 1 and (once := self._some_atom(here[0], moment, context)):
                alternatives.append((Not(once, origin=formula.origin),))
            elif any(map(self.parts.gives_time, here)):
                alternatives.append((self._no((*here, *self._selected(here, moment, context)), formula),))
            elif here:
                alternatives.append((self._no((self._selects(moment, context, formula), *here), formula),))
            clauses.append(alternatives)
        return together(formula, clauses)

    def _throughout(
        self, opposites: Sequence[Formula], moment: Variable, context: Context, formula: Formula
    ) -> Alternatives:
        """At every time point U that the windows select, one of the opposites does not hold."""
        if not context.windows:
            self._end(opposites, formula)
            return []  # after the last atom all of them hold
        if len(opposites) == 1 and (throughout := self._always_atom(opposites[0], moment, context)):
            return [(throughout,)]
        claims = [one.body for one in opposites if isinstance(one, Not)]
        around = context.for_conclusions
        if around is None or not all(map(self.parts.gives_time, claims)):
            return [(self._no((self._selects(moment, context, formula), *opposites), formula),)]
        claimed = self.parts.predicate(moment, [(claim,) for claim in claims], formula)
        return [(around.around(Always(claimed, origin=formula.origin)),)]

    def _always_atom(self, opposite: Formula, moment: Variable, context: Context) -> Formula | None:
        """`always a [w]` for `not @U a [w]`, if it means its opposite at every U."""
        claim = opposite.body if isinstance(opposite, Not) else None
        atom = pinned_atom(claim) if claim is not None else None
        if atom is None or claim != context.at(moment).literal(atom) or self.parts.has_local(atom):
            return None
        return context.throughout(Always, atom)

    def _some_atom(self, literal: Formula, moment: Variable, context: Context) -> Formula | None:
        """`a [w]` for `@U a [w]` with any U."""
        atom = pinned_atom(literal)
        if atom is None or not context.windows or literal != context.at(moment).literal(atom):
            return None
        return context.throughout(Some, atom)

    def _at(self, formula: Formula, time: Term, body: Formula, context: Context) -> Alternatives:
        if isinstance(body, Atom):
            return [(context.around(At(time, body, origin=formula.origin)),)]
        found: Alternatives = []
        for literals in self.holds(body, context.at(time)):
            said = _says(times(literals, time), time, context)
            bound = context.windows or _names(time) <= bound_variables((*self.parts.guards, *literals))
            if not said and not bound:
                raise Beyond(f"Nothing bounds the time `{show_term(time)}`.", formula)
            found.append(literals if said else (*literals, _tick(time, context)))
        return found

    def _selects(self, moment: Variable, context: Context, formula: Formula) -> Formula:
        """The windows select U; it lists these time points."""
        if not context.ends:
            raise Beyond("It looks for a time point in a window without end.", formula)
        return _tick(moment, context)

    def _selected(self, here: Sequence[Formula], moment: Variable, context: Context) -> Conjunction:
        """What is said about U may be about the whole stream: then U must be one that the windows select."""
        return () if not context.windows or _says(here, moment, context) else (_tick(moment, context),)

    def _has_time_points(self, context: Context, formula: Formula) -> Conjunction:
        if context.has_present:
            return ()
        return (context.around(Some(replace(TICK, origin=formula.origin), origin=formula.origin)),)

    def _end(self, opposites: Sequence[Formula], formula: Formula) -> None:
        """What is denied about the whole timeline ends with the data; background does not."""
        claims = [one.body if isinstance(one, Not) else one for one in opposites]
        if not all(isinstance(one, Not) for one in opposites) or not all(map(self.parts.gives_time, claims)):
            raise Beyond("It says something about background at time points without end.", formula)

    # -- other parts --

    def _atom(self, atom: Atom, context: Context) -> Formula:
        """Background holds in a window even if the window has lost the time point that is looked at."""
        if atom.signature not in self.parts.background or context.has_time:
            return context.literal(atom)
        if atom.signature in self.parts.arriving:
            raise Beyond(f"{atom.signature} is background and arrives, in a window that may lose the present.", atom)
        return context.around(Some(atom, origin=atom.origin))

    def _elsewhere(self, formula: Windowed, context: Context, ask: Sight) -> Alternatives:
        return ask(looking_from(formula, context, self.holds, self.parts), context)

    def _aggregate(self, formula: Aggregate, context: Context) -> Formula:
        """Each element, once for every alternative of its body; a rank stays the count that it was spelled out as."""
        if not context.present or context.windows:
            raise Beyond("An aggregate under a window or at another time has no encoding.", formula)
        elements: list[AggregateElement] = []
        for element in formula.elements:
            bodies = together(formula, [self.holds(literal, context) for literal in element.body])
            elements += [replace(element, body=body) for body in bodies]
        return replace(formula, elements=tuple(elements), ranking=None)


def _says(here: Sequence[Formula], time: Term, context: Context) -> bool:
    """Whether one of the literals says that the windows select the time point it is about."""
    there = context.at(time)
    pinned = ((one, pinned_atom(one)) for one in here)
    return any(atom is not None and one == there.literal(atom) for one, atom in pinned)


def _tick(time: Term, context: Context) -> Formula:
    return context.around(At(time, TICK))


def _names(term: Term) -> set[str]:
    return {one.name for one in variables(term)}
