"""The nearest thing to what was looked for and not found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from larspark.explain.evaluations.history import RecordPlace
from larspark.explain.evaluations.matching import matched
from larspark.explain.evaluations.world import World, occurrences
from larspark.explain.proofs.evidence import Seen
from larspark.explain.proofs.sight import left
from larspark.language.facts import Fact, fact_order
from larspark.language.traversal import atoms
from larspark.language.tree import Atom, Constant, Formula, Term, Variable
from larspark.language.values import NotANumber
from larspark.semantics.interpretations import TimedFact
from larspark.semantics.structures import Binding


@dataclass(frozen=True)
class Nearest:
    """An atom of the stream, with what keeps it from being the one that was looked for."""

    fact: Fact
    time: int
    place: RecordPlace | None = None
    left: int | None = None
    """The first evaluation at which it was outside the window."""
    differs: tuple[int, ...] = ()
    """The arguments that are others, counted from 1."""

    def as_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {"atom": str(self.fact), "at": self.time}
        if self.left is not None:
            found["left"] = self.left
        if self.differs:
            found["differs"] = list(self.differs)
        if self.place is not None:
            found |= {"source": self.place.file, "line": self.place.line}
        return found


def nearest(world: World, formula: Formula, binding: Binding, seen: Seen) -> Nearest | None:
    """The last such atom before the window; otherwise one in the window with the fewest other arguments."""
    found = list(atoms(formula))
    if len(found) != 1:
        return None
    wanted = pattern(world, found[0], binding)
    outside = [timed for timed in world.matching(wanted) if timed[0] < seen.first]
    if outside:
        time, fact = max(outside, key=lambda timed: timed[0])
        return Nearest(fact, time, _place(world, (time, fact)), left(world, seen.windows, (time, fact), binding))
    anything = Atom(wanted.predicate, (Variable("_"),) * len(wanted.args))
    arrived = (one[:2] for one in world.arrivals_like(anything, seen.first, world.time))
    known = {*occurrences(world.place.stream, wanted.signature), *arrived}
    inside = [timed for timed in known if _within(timed[0], seen) and matched(wanted, timed[1], {}) is None]
    if not inside:
        return None
    time, fact = fewest_differing(wanted, inside)
    return Nearest(fact, time, _place(world, (time, fact)), differs=differing(wanted, fact))


def pattern(world: World, atom: Atom, binding: Binding) -> Atom:
    """The atom with all values that are known; computed arguments without a value stay open."""
    args: list[Term] = []
    for place, arg in enumerate(atom.args):
        try:
            args.append(Constant(world.place.m.value(arg, binding)))
        except (KeyError, NotANumber):
            args.append(arg if isinstance(arg, Variable) else Variable(f"_{place}"))
    return Atom(atom.predicate, tuple(args))


def differing(wanted: Atom, fact: Fact) -> tuple[int, ...]:
    """The places of the arguments that are others."""
    pairs = enumerate(zip(wanted.args, fact.args, strict=True), 1)
    return tuple(place for place, (arg, value) in pairs if isinstance(arg, Constant) and arg.value != value)


def fewest_differing(wanted: Atom, found: Sequence[TimedFact]) -> TimedFact:
    """The atom with the fewest other arguments; of those the latest, of those the first in their order."""
    agreeing: dict[TimedFact, int] = {}
    for place, arg in enumerate(wanted.args):
        if isinstance(arg, Constant):
            value = arg.value
            for timed in [one for one in found if one[1].args[place] == value]:
                agreeing[timed] = agreeing.get(timed, 0) + 1
    most = max(agreeing.values(), default=0)
    nearest = [timed for timed, number in agreeing.items() if number == most] if most else found
    latest = max(time for time, _ in nearest)
    return min((one for one in nearest if one[0] == latest), key=lambda timed: fact_order(timed[1]))


def _within(time: int, seen: Seen) -> bool:
    return seen.first <= time and (seen.last is None or time <= seen.last)


def _place(world: World, timed: TimedFact) -> RecordPlace | None:
    found = world.first_arrival(timed)
    return found.place if found else None
