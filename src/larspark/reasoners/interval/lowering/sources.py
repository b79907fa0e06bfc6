"""What each source of a predicate contributes to a reading: the table of the interval calculus.

A fact pinned to a time point, one that lasts over a stretch, and one about the evaluation time itself are seen by
windows in different ways; what is given stands in `given_facts.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

from larspark.analysis.structure.window_chains import Chain, CountedWindow
from larspark.language.extended_atoms import ExtendedAtom, Quantifier
from larspark.language.facts import Signature
from larspark.language.tree import PartitionWindow, TupleWindow
from larspark.reasoners.interval.lowering.given_facts import GivenFacts
from larspark.reasoners.interval.lowering.shared_relations import SharedRelations
from larspark.reasoners.interval.network import Body, Clip, Match, Operand


class Sources:
    """The bodies of readings; conclusions about the `revocable` predicates may be taken back."""

    def __init__(self, shared: SharedRelations, given: GivenFacts, revocable: frozenset[Signature]) -> None:
        self._shared = shared
        self._network = shared.network
        self._conditions = shared.conditions
        self._given = given
        self._revocable = revocable

    def bodies(self, reading: ExtendedAtom, selected: Chain, columns: tuple[Operand, ...]) -> list[Body]:
        """The bodies whose union is the reading."""
        signature = reading.signature
        arguments = columns[: signature.arity]
        time = columns[-1] if reading.quantifier is Quantifier.AT else "$time"
        bodies = list(self.pinned(signature, selected, arguments, time))
        bodies += self._lasting(reading, selected, arguments, time)
        bodies += self._now(reading, selected, arguments, time)
        bodies += self._given.bodies(reading, selected, arguments, time)
        return bodies

    def pinned(
        self, signature: Signature, selected: Chain, arguments: tuple[Operand, ...], time: Operand
    ) -> Iterator[Body]:
        """Arrivals and derived facts with a time of their own."""
        arrival, derived = self._network.inputs.get(signature), self._network.pinned.get(signature)
        if signature in self._network.lasting and not self._network.lasting[signature].lag and not selected.sizes:
            arrival = None  # what is held begins with its arrival
        notes = self._network.noted.get(signature)
        for conditions in self._conditions.at(signature, selected, arguments, time):
            if arrival and selected.sizes:
                yield *self._among(signature, selected, arguments, time), *conditions
                continue  # a tuple window selects arrivals only
            if arrival and signature in self._revocable:
                yield Match(self._shared.arrived(signature, selected), (*arguments, time)), *conditions
            elif arrival:
                yield Match(arrival, (*arguments, time)), *conditions
            if notes:  # those ahead join when their time comes
                yield Match(notes.recorded, (*arguments, time)), Clip(time, None, 0), *conditions
            if derived:
                yield Match(derived, (*arguments, time)), *conditions

    def _among(
        self, signature: Signature, selected: Chain, arguments: tuple[Operand, ...], time: Operand
    ) -> Iterator[Match]:
        """The arrivals that counting windows contain: several of them know an arrival by its number."""
        timed = time != "$time" or bool(selected.times or selected.spans)
        match selected.sizes:
            case (CountedWindow(TupleWindow() | PartitionWindow()) as size,):
                columns = (*arguments, time) if timed else arguments
                yield Match(self._shared.counted(signature, size, int(timed)), columns)
            case sizes:
                for size in sizes:
                    yield Match(self._shared.counted(signature, size, 2), (*arguments, "$number", time))

    def _lasting(
        self, reading: ExtendedAtom, selected: Chain, arguments: tuple[Operand, ...], time: Operand
    ) -> Iterator[Body]:
        """What holds over stretches: a window sees each of them over an interval, if nobody asks for the time."""
        lasting = self._network.lasting.get(reading.signature)
        if lasting is None or selected.sizes or selected.empty:
            return
        extent = selected.extent
        if extent is not None and extent[0] is not None and extent[0] < lasting.lag:
            if extent[2] == 1:
                return
            extent = None  # at its pivot it sees nothing recorded yet: what is concluded there is no reason for itself
        if reading.quantifier is not Quantifier.AT and extent is not None:
            for conditions in self._conditions.filters(reading.signature, selected, arguments):
                yield Match(self._shared.stretched(lasting, extent), arguments), *conditions
        else:
            for conditions in self._conditions.at(reading.signature, selected, arguments, time):
                yield Match(self._shared.pointed(lasting, selected), (*arguments, time)), *conditions

    def _now(
        self, reading: ExtendedAtom, selected: Chain, arguments: tuple[Operand, ...], time: Operand
    ) -> Iterator[Body]:
        """Facts about the evaluation time itself, which every sliding window contains."""
        derived = self._network.now.get(reading.signature)
        if derived is None or selected.sizes or selected.elsewhere:
            return
        if reading.quantifier is not Quantifier.AT and selected.sliding:
            for conditions in self._conditions.filters(reading.signature, selected, arguments):
                yield Match(derived, arguments), *conditions
        else:
            unrolled = self._shared.unrolled(derived)
            for conditions in self._conditions.at(reading.signature, selected, arguments, time):
                yield Match(unrolled, (*arguments, time)), *conditions
