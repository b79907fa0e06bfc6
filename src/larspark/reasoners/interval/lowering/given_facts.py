"""Given facts under windows: they hold at every time point, so the windows say when they are seen, and where."""

from __future__ import annotations

from collections.abc import Iterator

from larspark.analysis.structure.window_chains import Chain
from larspark.diagnostics import Rejected
from larspark.language.extended_atoms import ExtendedAtom, Quantifier
from larspark.language.facts import Signature
from larspark.reasoners.interval.lowering.readings import chain_of, unusual
from larspark.reasoners.interval.lowering.shared_relations import SharedRelations
from larspark.reasoners.interval.lowering.window_conditions import bounds
from larspark.reasoners.interval.network import Body, Clip, Match, OnTimeline, Operand

MOST_AHEAD = 1 << 20
"""Time points of an interval at which given facts are listed one by one."""


class GivenFacts:
    """The background of a network, as readings see it."""

    def __init__(self, shared: SharedRelations) -> None:
        self._shared = shared
        self._network = shared.network

    def endless(self, reading: ExtendedAtom) -> bool:
        """`@T` without a last time point over a predicate with given facts: they hold at infinitely many T."""
        return reading.quantifier is Quantifier.AT and reading.signature in self._network.background and reading.endless

    def alone(self, signature: Signature) -> bool:
        """Nothing of the predicate arrives or is derived: what holds at some time holds always."""
        network = self._network
        kinds = (network.inputs, network.now, network.pinned)
        return signature in network.background and not any(signature in kind for kind in kinds)

    def pasts(self, reading: ExtendedAtom) -> list[tuple[int, int]]:
        """How far back the time windows of an endless reading reach, and from the multiple of what."""
        return [(past, hop) for past, _, hop in _intersection(reading).times if past is not None]

    def at(self, reading: ExtendedAtom, columns: tuple[Operand, ...]) -> Body:
        """The given facts of an endless reading at a time that is known."""
        *arguments, time = columns
        times = _intersection(reading).times
        clips = (Clip(time, past, future, hop) for past, future, hop in times if past is not None)
        return Match(self._network.background[reading.signature], tuple(arguments)), OnTimeline(time), *clips

    def bodies(
        self, reading: ExtendedAtom, selected: Chain, arguments: tuple[Operand, ...], time: Operand
    ) -> Iterator[Body]:
        """Given facts hold at every time point of the window, if it has any."""
        given = self._network.background.get(reading.signature)
        if given is None or self.endless(reading):
            return
        if reading.quantifier is Quantifier.AT and selected.sizes:  # where the window begins hangs on what has arrived
            yield Match(given, arguments), Match(self._shared.points(reading), (time,))
        elif reading.quantifier is Quantifier.AT:
            ticking = tuple(Match(self._shared.ticking(*clip), (time,)) for clip in self._ended(reading, selected))
            yield Match(given, arguments), *ticking, *self._shared.conditions.spans(selected, time)
        else:
            yield Match(given, arguments), *self._nonempty(reading, selected)

    def _ended(self, reading: ExtendedAtom, selected: Chain) -> Iterator[tuple[int | None, int, int]]:
        """The time windows, those without end as far ahead as any time point that all of them select."""
        ends = [future for _, future, _ in selected.times if future is not None]
        ahead = max(ends) if ends else self._ahead(reading, selected)
        for past, future, hop in selected.times or ((None, None, 1),):
            yield past, ahead + hop - 1 if future is None else future, hop

    def _ahead(self, reading: ExtendedAtom, selected: Chain) -> int:
        """How far after the evaluation time the last point of an interval can lie."""
        last = max((bounds(span)[1] for span in selected.spans), default=self._network.start)
        ahead = max(0, last - self._network.start)
        if ahead > MOST_AHEAD:
            raise Rejected([unusual(reading)])
        return ahead

    def _nonempty(self, reading: ExtendedAtom, selected: Chain) -> Body:
        """The condition under which windows select any time point."""
        parts = len(selected.times) + len(selected.spans)
        if selected.sliding or (selected.sizes and not parts):
            return ()
        if selected.sizes or parts > 1:
            return (Match(self._shared.points(reading), (None,)),)
        return self._shared.conditions.nonempty(selected)


def _intersection(reading: ExtendedAtom) -> Chain:
    """The windows of an endless reading, none of which counts."""
    selected = chain_of(reading)
    if selected is None or selected.sizes:
        raise Rejected([unusual(reading)])
    return selected
