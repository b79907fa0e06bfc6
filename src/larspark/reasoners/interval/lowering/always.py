"""□: every point of the window is covered by a fact that is valid then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from larspark.analysis.structure.window_chains import Chain, chain
from larspark.language.extended_atoms import ExtendedAtom, Quantifier
from larspark.language.facts import Signature
from larspark.language.tree import Variable
from larspark.reasoners.interval.lowering.given_facts import GivenFacts
from larspark.reasoners.interval.lowering.looked_up import looked_up
from larspark.reasoners.interval.lowering.readings import told
from larspark.reasoners.interval.lowering.shared_relations import SharedRelations
from larspark.reasoners.interval.lowering.window_conditions import bounds
from larspark.reasoners.interval.network import Body, Boxed, CoreRule, Lasting, Match, Operand, Relation, Run


class AlwaysLowering:
    """Makes the relations of readings with `always`; `read` gives those of other readings."""

    def __init__(self, shared: SharedRelations, given: GivenFacts, read: Callable[[ExtendedAtom], Relation]) -> None:
        self._shared = shared
        self._network = shared.network
        self._given = given
        self._read = read

    def relation(self, reading: ExtendedAtom) -> Relation:
        selected, signature = chain(reading.windows), reading.signature
        extent = None if selected is None else self._extent(selected)
        if selected is None or extent is None:
            return looked_up(self._shared, self._given, reading)
        fixed = bool(selected.spans)
        if extent == (0, 0, 1) and not fixed:
            return self._read(replace(reading, quantifier=Quantifier.SOME))
        columns: tuple[Operand, ...] = tuple(f"A{place}" for place in range(signature.arity))
        given = [] if selected.empty else list(self._given.bodies(reading, selected, columns, "$time"))
        target = self._shared.defined(told(reading), columns, given)
        past, future, hop = extent
        if selected.empty or future is None:  # nothing covers an endless future
            return target
        lasting = self._network.lasting.get(signature)
        if lasting and hop == 1 and not fixed and (not lasting.lag or self._only_concluded_now(signature)):
            self._covered(reading, selected, lasting, (past, future, hop), target)
            return target
        # Input that is pinned by rules as well has a relation of what holds now, too.
        arrival = None if signature in self._network.now else self._network.inputs.get(signature)
        # Later arrivals of a chunk are not there yet at its earlier evaluations; only `Boxed` sees to that.
        if arrival and hop == 1 and future == 0 and not (fixed or selected.filters):
            self._network.operators.append(Run(arrival, target, past))
        else:
            source = self._read(replace(reading, quantifier=Quantifier.AT, time=Variable("T")))
            self._network.operators.append(Boxed(source, target, *extent, fixed=fixed))
        return target

    def _covered(
        self,
        reading: ExtendedAtom,
        selected: Chain,
        lasting: Lasting,
        extent: tuple[int | None, int, int],
        target: Relation,
    ) -> None:
        """Windows inside a stretch; nothing is known about the time points ahead."""
        past, future, hop = extent
        if future > 0:
            return
        columns: tuple[Operand, ...] = tuple(f"A{place}" for place in range(target.width))
        present: Body = ()
        if lasting.lag and not future:  # the record reaches to the time point before
            present, future = (Match(self._network.now[reading.signature], columns),), -1
        full = self._shared.stretched(lasting, (past, future, hop), always=True)
        bodies: list[Body] = [(*present, Match(full, columns))]
        if present:  # there is none before the first
            bodies.append((*present, self._shared.conditions.at_start()))
        for conditions in self._shared.conditions.filters(reading.signature, selected, columns):
            self._network.rules += [CoreRule(target, columns, (*body, *conditions)) for body in bodies]

    def _only_concluded_now(self, signature: Signature) -> bool:
        return signature not in self._network.inputs and signature not in self._network.pinned

    def _extent(self, selected: Chain) -> tuple[int | None, int | None, int] | None:
        """Past, future and hop of the timeline; an interval window has a fixed one, of past + 1 points."""
        if not selected.spans:
            return selected.extent
        if selected.sizes or selected.times:
            return None
        first, last = bounds(selected.spans[0])
        return last - max(first, self._network.start), 0, 1
