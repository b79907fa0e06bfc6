"""The declarative notions on a finite domain, by definition: the judge of the online algorithm.

AAAI 2020, Def. 1 and 2, carried over to negation in one step: a negated atom is read as one more input atom. At τ it
*has arrived* when its atom is impossible (no future makes it true), it *never will* when its atom is certain, and it
is a possible hypothesis in between; the negation of an atom that no data could ever make true goes without saying. The
recursion follows the strata. A set of hypotheses that itself proves an atom whose negation it contains is no
hypothesis set.

Everything is read off the minimal premise sets of ground atoms, found bottom-up: a route that shares nothing with
resolution and the online update.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

from hypothetical.antichains import Mask, Members, minimal_masks, unions
from larspark.hypothetical.answers.answers import Signed
from larspark.hypothetical.theory.bounds import close
from larspark.hypothetical.theory.conditions import settle
from larspark.hypothetical.theory.rigid import ground_fact
from larspark.hypothetical.theory.terms import (
    ABSOLUTE,
    Literal,
    Substitution,
    Term,
    Time,
    Var,
    apply,
    names,
    time_names,
)
from larspark.hypothetical.theory.theory import Clause, Theory
from larspark.language.facts import Fact
from larspark.language.values import Value

PremiseSet = frozenset[Signed]
GroundClause = tuple[Literal, tuple[Literal, ...], PremiseSet]
"""Head, positive body, negated atoms."""


@dataclass(frozen=True)
class GroundAnswer:
    """⟨θ, H, E⟩ for the goal instance `answer`."""

    answer: Literal
    hypotheses: PremiseSet
    evidence: PremiseSet


@dataclass(frozen=True)
class Universe:
    """The finite domain: object constants and time points."""

    constants: tuple[Value, ...]
    first: int
    last: int

    @property
    def times(self) -> range:
        return range(self.first, self.last + 1)


@dataclass
class Judge:
    """A theory over a universe; the notions at any τ for any history."""

    theory: Theory
    universe: Universe
    delay: int = 0
    """How late facts may arrive: absence at time t is known from t+delay on."""
    premises: Members[Signed] = field(default_factory=Members)

    @cached_property
    def ground(self) -> list[GroundClause]:
        """The ground clauses on the timeline."""
        found = []
        for clause in self.theory.clauses:
            for bound in self._groundings(clause):
                head = apply(clause.head, bound)
                negated = frozenset(Signed(apply(lit, bound), True) for lit in clause.negated)
                body = tuple(apply(lit, bound) for lit in clause.body)
                if all(self._on_timeline(lit) for lit in (head, *body)):
                    found.append((head, body, negated))
        return found

    @cached_property
    def defining(self) -> Mapping[Literal, Sequence[GroundClause]]:
        """The ground clauses by head."""
        found: defaultdict[Literal, list[GroundClause]] = defaultdict(list)
        for clause in self.ground:
            found[clause[0]].append(clause)
        return found

    def _on_timeline(self, literal: Literal) -> bool:
        return literal.time is None or literal.time.offset in self.universe.times

    def _groundings(self, clause: Clause) -> Iterator[Substitution]:
        literals = (clause.head, *clause.body, *clause.negated)
        times = sorted(set(time_names(literals)))
        objects = sorted(set(names(clause.body)) - set(times))
        domains: list[list[Term]] = [[Time(ABSOLUTE, t) for t in self._times_of(clause, name)] for name in times]
        domains += [list(self.universe.constants) for _ in objects]
        for values in product(*domains):
            bound: Substitution = dict(zip((*times, *objects), values, strict=True))
            settled = settle(clause.conditions, bound)
            if settled is None or settled.open:
                continue
            if close(b.apply(settled.bound) for b in clause.bounds) is None:
                continue
            if all(self._rigid_holds(apply(lit, settled.bound)) for lit in clause.body):
                yield settled.bound

    def _times_of(self, clause: Clause, name: str) -> Iterator[int]:
        """Values of a time variable that put head and body on the timeline."""
        offsets = [t.offset for lit in (clause.head, *clause.body) if (t := lit.time) is not None and t.base == name]
        low, high = min(offsets, default=0), max(offsets, default=0)
        return iter(range(self.universe.first - low, self.universe.last - high + 1))

    def _rigid_holds(self, literal: Literal) -> bool:
        if literal.time is not None or literal.key in self.theory.intensional:
            return True
        return ground_fact(literal) in self.theory.rigid

    def is_void(self, premise: Signed) -> bool:
        """The negation of an atom that no data could ever make true is neither hypothesis nor evidence."""
        if not premise.negative:
            return False
        literal = premise.literal
        if literal.time is None and literal.key not in self.theory.intensional:
            return ground_fact(literal) not in self.theory.rigid
        return not self._before.of(literal)

    @cached_property
    def _before(self) -> Moment:
        return self.at(self.universe.first - 1 - self.delay, ())

    def at(self, time: int, history: Iterable[Literal]) -> Moment:
        """The view at τ = `time`, with these input atoms arrived."""
        return Moment(self, time, frozenset(history))


@dataclass
class Moment:
    """Answers, hypothetical answers and supported answers over D_τ."""

    judge: Judge
    time: int
    history: frozenset[Literal]
    _known: dict[Literal, frozenset[GroundAnswer]] = field(default_factory=dict)
    _sets: dict[Literal, Sequence[Mask]] = field(default_factory=dict)
    _hypotheses: dict[Literal, Sequence[Mask]] = field(default_factory=dict)
    """The minimal hypotheses of the atoms known."""
    _open: Mask = 0
    """The premises met with so far that are still open."""
    _denials: dict[Mask, Literal] = field(default_factory=dict)
    """The negated ones among them, with the atoms they deny."""

    def answers(self, goal: Literal) -> frozenset[Literal]:
        """𝒜(Q, D, τ) as instances of the goal: those certain already."""
        return frozenset(h.answer for h in self.hypothetical_answers(goal) if not h.hypotheses)

    def hypothetical_answers(self, goal: Literal) -> frozenset[GroundAnswer]:
        """ℋ(Q, D, τ); the evidence is left empty."""
        return frozenset(GroundAnswer(found.answer, found.hypotheses, frozenset()) for found in self._all(goal))

    def supported_answers(self, goal: Literal) -> frozenset[GroundAnswer]:
        """ℰ(Q, D, τ)."""
        return frozenset(found for found in self._all(goal) if found.evidence)

    def reported_answers(self, goal: Literal) -> frozenset[GroundAnswer]:
        """ℰ(Q, D, τ) and the answers that hold without any evidence, from the facts of the program alone."""
        return frozenset(found for found in self._all(goal) if found.evidence or not found.hypotheses)

    def _all(self, goal: Literal) -> Iterator[GroundAnswer]:
        for atom in self.judge.defining:
            if matches(goal, atom):
                yield from self.of(atom)

    def of(self, atom: Literal) -> frozenset[GroundAnswer]:
        """Hypothetical answers for one ground atom, with their minimal evidence (possibly empty)."""
        if atom not in self._known:
            self._known[atom] = frozenset(self._compute(atom))
        return self._known[atom]

    def _compute(self, atom: Literal) -> Iterator[GroundAnswer]:
        alive: defaultdict[Mask, list[Mask]] = defaultdict(list)
        for premises in self._premise_sets(atom):
            alive[premises & self._open].append(premises & ~self._open)
        members = self.judge.premises
        self._hypotheses[atom] = minimal_masks(h for h in alive if self._coherent(h))
        for hypotheses in self._hypotheses[atom]:
            for evidence in minimal_masks(alive[hypotheses]):
                yield GroundAnswer(atom, members.listed(hypotheses), members.listed(evidence))

    def _coherent(self, hypotheses: Mask) -> bool:
        """No hypothesis set proves an atom that it denies."""
        return not any(
            proof & hypotheses == proof
            for denial, atom in self._denials.items()
            if denial & hypotheses
            for proof in self._hypotheses[atom]
        )

    # -- premise sets ----------------------------------------------------------------------------------

    def _premise_sets(self, atom: Literal) -> Sequence[Mask]:
        """The minimal sets of premises that prove an atom and are neither refuted nor go without saying.

        A least fixpoint over the atoms it rests on. A set with a premise that never will arrive proves nothing, so it
        is dropped at once; so is one that contains another, which stays so in every union.
        """
        if atom not in self._sets:
            order = self._rests_on(atom)
            found: dict[Literal, Sequence[Mask]] = dict.fromkeys(order, ())
            changed = True
            while changed:
                changed = False
                for literal in order:
                    new = self._once(literal, found)
                    if new != found[literal]:
                        found[literal] = new
                        changed = True
            self._sets.update(found)
        return self._sets[atom]

    def _rests_on(self, atom: Literal) -> Sequence[Literal]:
        """The atom and everything its positive derivations use, premises first."""
        order: dict[Literal, None] = {}
        seen: set[Literal] = set()

        def visit(literal: Literal) -> None:
            if literal in seen or literal in self._sets:
                return
            seen.add(literal)
            for _, body, _ in self.judge.defining.get(literal, ()):
                for used in body:
                    visit(used)
            order[literal] = None

        visit(atom)
        return tuple(order)

    def _once(self, atom: Literal, found: Mapping[Literal, Sequence[Mask]]) -> Sequence[Mask]:
        """The premise sets of an atom, given those of the atoms that its clauses use."""
        theory = self.judge.theory
        if atom.key not in theory.intensional and atom.time is None:
            return (0,) if ground_fact(atom) in theory.rigid else ()
        sets: set[Mask] = set()
        if atom.key not in theory.intensional or atom.key in theory.inputs:
            sets.update(self._as_options(Signed(atom)))
        for _, body, negated in self.judge.defining.get(atom, ()):
            options = [found[used] if used in found else self._sets[used] for used in body]
            if all(options):
                options += [self._as_options(premise) for premise in negated]
            if all(options):
                sets.update(unions(options))
        return minimal_masks(sets)

    def _as_options(self, premise: Signed) -> Sequence[Mask]:
        """A premise as a set of its own; none when it never will arrive, the empty one when it goes without saying."""
        if self.judge.is_void(premise):
            return (0,)
        status = self.status(premise)
        if status is False:
            return ()
        mask = self.judge.premises.mask(premise)
        if status is None:
            self._open |= mask
            if premise.negative:
                self._denials[mask] = premise.literal
        return (mask,)

    def status(self, premise: Signed) -> bool | None:
        """True: arrived; False: never will; None: still open."""
        literal = premise.literal
        if not premise.negative:
            if literal in self.history:
                return True
            return None if literal.time is not None and literal.time.offset > self.time - self.judge.delay else False
        found = self.of(literal)
        if not found:
            return True
        return False if any(not answer.hypotheses for answer in found) else None


def matches(goal: Literal, atom: Literal) -> bool:
    """Whether a ground atom is an instance of the goal."""
    if goal.key != atom.key:
        return False
    bound: dict[str, Term] = {}
    pairs: Sequence[tuple[Term, Term]] = list(zip(goal.args, atom.args, strict=True))
    for pattern, value in pairs:
        if isinstance(pattern, Var):
            if bound.setdefault(pattern.name, value) != value:
                return False
        elif pattern != value:
            return False
    if goal.time is None or atom.time is None or goal.time.base != ABSOLUTE:
        return True
    return goal.time.offset == atom.time.offset


def stamped(fact: Fact, time: int) -> Literal:
    """A fact of the stream as a temporal atom."""
    return Literal(fact.predicate, fact.args, Time(ABSOLUTE, time))
