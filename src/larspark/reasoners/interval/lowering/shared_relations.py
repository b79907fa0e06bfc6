"""Relations beside the readings: each is made once, however many readings ask for it."""

from __future__ import annotations

from collections.abc import Callable

from larspark.analysis.structure.window_chains import Chain, CountedWindow
from larspark.intervals.sets import bounded
from larspark.language.extended_atoms import ExtendedAtom
from larspark.language.facts import Signature
from larspark.language.tree import SessionWindow, TupleWindow, points
from larspark.reasoners.interval.lowering.readings import require_clock
from larspark.reasoners.interval.lowering.window_conditions import WindowConditions
from larspark.reasoners.interval.network import (
    Body,
    CoreRule,
    Counted,
    InSession,
    Kind,
    Lasting,
    Match,
    Network,
    Operand,
    Operator,
    Pointed,
    Relation,
    Spanned,
    Stretched,
    Ticking,
    Unrolled,
)


class SharedRelations:
    """Makes relations of a network on demand, by rules or by an operator."""

    def __init__(self, network: Network, conditions: WindowConditions) -> None:
        self.network = network
        self.conditions = conditions
        self._made: dict[object, Relation] = {}

    def defined(self, name: str, columns: tuple[Operand, ...], bodies: list[Body]) -> Relation:
        """A new relation: the union of what these bodies find."""
        view = self.network.relation(name, len(columns), Kind.VIEW)
        self.network.rules += [CoreRule(view, columns, body) for body in bodies]
        return view

    def projected(self, relation: Relation, places: tuple[int, ...]) -> Relation:
        """The relation with some of its columns."""
        key = "projected", relation, places
        if key not in self._made:
            columns: tuple[Operand, ...] = tuple(f"A{place}" for place in range(relation.width))
            kept = tuple(columns[place] for place in places)
            name = f"{relation.name} by {', '.join(str(place + 1) for place in places)}"
            self._made[key] = self.defined(name, kept, [(Match(relation, columns),)])
        return self._made[key]

    def arrived(self, signature: Signature, selected: Chain) -> Relation:
        """The arrivals that a window contains, stored: what may be taken back must be found again."""
        key = "arrived", signature, selected
        if key not in self._made:
            columns = (*(f"A{place}" for place in range(signature.arity)), "T")
            bodies: list[Body] = [
                (Match(self.network.inputs[signature], columns), *conditions)
                for conditions in self.conditions.at(signature, selected, columns[:-1], "T")
            ]
            self._made[key] = self.defined(f"arrived {signature}", columns, bodies)
        return self._made[key]

    def unrolled(self, source: Relation) -> Relation:
        """source(columns) with the evaluation time as one more column."""
        name = f"{source.name} at its times"
        return self._operated(("unrolled", source), name, source.width + 1, lambda target: Unrolled(source, target))

    def stretched(
        self, lasting: Lasting, extent: tuple[int | None, int | None, int], *, always: bool = False
    ) -> Relation:
        """The evaluation times at which a window sees what lasts at some time point, or at every one."""
        past, future, hop = extent
        source, lag = lasting.relation, lasting.lag
        if extent == (0, 0, 1) and lag == 0:
            return source
        lasting.keep(past, hop)
        return self._operated(
            ("stretched", lasting, extent, always),
            f"{source.name} seen",
            source.width,
            lambda target: Stretched(source, target, past, future, hop, lag, always),
        )

    def pointed(self, lasting: Lasting, selected: Chain) -> Relation:
        """The time points of what lasts, as long as windows can see them."""
        source = lasting.relation
        reaches = [None if past is None else past + hop - 1 for past, _, hop in selected.times]
        past = min((reach for reach in reaches if reach is not None), default=None)
        lasting.keep(past)
        return self._operated(
            ("pointed", lasting, past),
            f"{source.name} at its times",
            source.width + 1,
            lambda target: Pointed(source, target, past, lasting.lag),
        )

    def ticking(self, past: int | None, future: int, hop: int) -> Relation:
        key = "ticking", past, future, hop
        return self._operated(key, "time points", 1, lambda target: Ticking(target, past, future, hop))

    def points(self, reading: ExtendedAtom) -> Relation:
        """The time points of windows whatever they are, looked up at every time point."""
        require_clock(reading)
        key = "points", reading.windows
        return self._operated(key, "time points of windows", 1, lambda target: Spanned(target, reading.windows))

    def counted(self, signature: Signature, size: CountedWindow, behind: int) -> Relation:
        """`behind` is what stands behind the arguments; see `Counted`."""
        return self._operated(
            ("counted", signature, size, behind),
            f"counted {signature}",
            signature.arity + behind,
            lambda target: self._count(signature, size, target, behind),
        )

    def _count(self, signature: Signature, size: CountedWindow, target: Relation, behind: int) -> Counted | InSession:
        filters, window = self.conditions.sieve(size), size.window
        if isinstance(window, TupleWindow):
            return Counted(signature, target, points(window.past), filters, None, window.whole, behind)
        keys = {one.signature: one.keys for one in window.predicates}
        filters = (*filters, tuple((one, (None,) * one.arity) for one in keys))
        if isinstance(window, SessionWindow):
            return InSession(signature, target, bounded(points(window.gap)), filters, keys)
        return Counted(signature, target, points(window.past), filters, keys, window.whole, behind)

    def _operated(self, key: object, name: str, width: int, operator: Callable[[Relation], Operator]) -> Relation:
        """What an operator finds, by what tells it from others."""
        if key not in self._made:
            self._made[key] = self.network.relation(name, width, Kind.VIEW)
            self.network.operators.append(operator(self._made[key]))
        return self._made[key]
