"""The declarative notions on a finite domain, by definition: the judge of the online algorithm.

AAAI 2020, Def. 1 and 2, carried over to negation in one step: a negated atom is read as one more input atom. At τ it
*has arrived* when its atom is impossible (no future makes it true), it *never will* when its atom is certain, and it
is a possible hypothesis in between; the negation of an atom that no data could ever make true goes without saying. The
recursion follows the strata. A set of hypotheses that itself
proves an atom whose negation it contains is no hypothesis set.

Everything is computed from the minimal premise sets of every ground atom, found bottom-up: a route that shares
nothing with resolution and the online update.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

from larspark.hypothetical.answers import Signed
from larspark.hypothetical.bounds import close
from larspark.hypothetical.conditions import settle
from larspark.hypothetical.rigid import ground_fact
from larspark.hypothetical.terms import ABSOLUTE, Literal, Substitution, Term, Time, Var, apply, names, time_names
from larspark.hypothetical.theory import Clause, Theory
from larspark.language.facts import Fact
from larspark.language.values import Value

PremiseSet = frozenset[Signed]


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


def minimal_sets(sets: Iterable[PremiseSet]) -> frozenset[PremiseSet]:
    """Those without a proper subset among them."""
    kept: list[PremiseSet] = []
    for candidate in sorted(set(sets), key=len):
        if not any(other <= candidate for other in kept):
            kept.append(candidate)
    return frozenset(kept)


@dataclass
class Judge:
    """All premise sets of a theory over a universe, then the notions at any τ for any history."""

    theory: Theory
    universe: Universe
    delay: int = 0
    """How late facts may arrive: absence at time t is known from t+delay on."""
    ground: list[tuple[Literal, tuple[Literal, ...], PremiseSet]] = field(init=False)
    """The ground clauses: head, positive body, negated atoms."""

    def __post_init__(self) -> None:
        self.ground = list(self._ground_clauses())

    # -- premise sets ----------------------------------------------------------------------------------

    def _ground_clauses(self) -> Iterator[tuple[Literal, tuple[Literal, ...], PremiseSet]]:
        for clause in self.theory.clauses:
            for bound in self._groundings(clause):
                head = apply(clause.head, bound)
                negated = frozenset(Signed(apply(lit, bound), True) for lit in clause.negated)
                body = tuple(apply(lit, bound) for lit in clause.body)
                if all(self._on_timeline(lit) for lit in (head, *body)):
                    yield head, body, negated

    def _on_timeline(self, literal: Literal) -> bool:
        return literal.time is None or literal.time.offset in self.universe.times

    def _groundings(self, clause: Clause) -> Iterator[Substitution]:
        literals = (clause.head, *clause.body, *clause.negated)
        times = sorted(set(time_names(literals)))
        objects = sorted(set(names(clause.body)) - set(times))
        domains: list[list[Term]] = [[Time(ABSOLUTE, t) for t in self._padded] for _ in times]
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

    @cached_property
    def _padded(self) -> range:
        """Values of time variables: an offset may lead back onto the timeline."""
        offsets = [
            abs(t.offset) for c in self.theory.clauses for lit in (c.head, *c.body, *c.negated) if (t := lit.time)
        ]
        reach = max(offsets, default=0)
        return range(self.universe.first - reach, self.universe.last + reach + 1)

    def _rigid_holds(self, literal: Literal) -> bool:
        if literal.time is not None or literal.key in self.theory.intensional:
            return True
        return ground_fact(literal) in self.theory.rigid

    @cached_property
    def premise_sets(self) -> Mapping[Literal, frozenset[PremiseSet]]:
        """For every derivable atom its minimal sets of input atoms and negated atoms: a least fixpoint."""
        found: dict[Literal, frozenset[PremiseSet]] = {}
        changed = True
        while changed:
            changed = False
            for head, body, negated in self.ground:
                options = [self._options(literal, found) for literal in body]
                if not all(options):
                    continue
                new = minimal_sets((*found.get(head, ()), *(negated.union(*choice) for choice in product(*options))))
                if new != found.get(head):
                    found[head] = new
                    changed = True
        return found

    def _options(self, literal: Literal, found: Mapping[Literal, frozenset[PremiseSet]]) -> frozenset[PremiseSet]:
        if literal.time is None and literal.key not in self.theory.intensional:
            return frozenset([frozenset()])
        options = found.get(literal, frozenset())
        if literal.key not in self.theory.intensional or literal.key in self.theory.inputs:
            options = options | {frozenset([Signed(literal)])}
        return options

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

    # -- the notions at τ ------------------------------------------------------------------------------

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

    def answers(self, goal: Literal) -> frozenset[Literal]:
        """𝒜(Q, D, τ) as instances of the goal: those certain already."""
        return frozenset(h.answer for h in self.hypothetical_answers(goal) if not h.hypotheses)

    def hypothetical_answers(self, goal: Literal) -> frozenset[GroundAnswer]:
        """ℋ(Q, D, τ); the evidence is left empty."""
        return frozenset(GroundAnswer(found.answer, found.hypotheses, frozenset()) for found in self._all(goal))

    def supported_answers(self, goal: Literal) -> frozenset[GroundAnswer]:
        """ℰ(Q, D, τ)."""
        return frozenset(found for found in self._all(goal) if found.evidence)

    def _all(self, goal: Literal) -> Iterator[GroundAnswer]:
        for atom in self.judge.premise_sets:
            if matches(goal, atom):
                yield from self.of(atom)

    def of(self, atom: Literal) -> frozenset[GroundAnswer]:
        """Hypothetical answers for one ground atom, with their minimal evidence (possibly empty)."""
        if atom not in self._known:
            self._known[atom] = frozenset(self._compute(atom))
        return self._known[atom]

    def _compute(self, atom: Literal) -> Iterator[GroundAnswer]:
        if atom.time is None and atom.key not in self.judge.theory.intensional:
            if ground_fact(atom) in self.judge.theory.rigid:
                yield GroundAnswer(atom, frozenset(), frozenset())
            return
        sets = self.judge._options(atom, self.judge.premise_sets)
        alive: dict[PremiseSet, list[PremiseSet]] = {}
        for premises in sets:
            status = {premise: self.status(premise) for premise in premises if not self.judge.is_void(premise)}
            if any(s is False for s in status.values()):
                continue
            hypotheses = frozenset(p for p, s in status.items() if s is None)
            alive.setdefault(hypotheses, []).append(frozenset(status) - hypotheses)
        coherent = [h for h in alive if self.coherent(h)]
        for hypotheses in minimal_sets(coherent):
            for evidence in minimal_sets(alive[hypotheses]):
                yield GroundAnswer(atom, hypotheses, evidence)

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

    def coherent(self, hypotheses: PremiseSet) -> bool:
        """No hypothesis set proves an atom that it denies."""
        return not any(
            answer.hypotheses <= hypotheses
            for premise in hypotheses
            if premise.negative
            for answer in self.of(premise.literal)
        )


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
