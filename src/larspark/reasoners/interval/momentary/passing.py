"""What an engine need not see: arrivals that only momentary rules look at, and their conclusions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from larspark.blocks import Block, merge
from larspark.language.facts import Signature
from larspark.reasoners.interval.answers.conclusions import END
from larspark.reasoners.interval.engine.engine import IntervalEngine
from larspark.reasoners.interval.momentary.distinct import DistinctRows
from larspark.reasoners.interval.momentary.evaluating import MomentaryRules
from larspark.reasoners.interval.momentary.finding import MomentaryPart, momentary_part
from larspark.reasoners.interval.state.coding import Coder


class PassingArrivals:
    """Takes arrivals past an engine, which then knows neither them nor what follows from them."""

    def __init__(self, engine: IntervalEngine, part: MomentaryPart, shown: Iterable[Signature]) -> None:
        self.inputs = part.inputs.keys()
        """The predicates that are taken past."""
        self._engine, self._rules = engine, MomentaryRules(engine, part)
        coder = Coder(engine.dictionary)
        self._found = {one: DistinctRows(one, coder) for one in shown if one in part.heads}

    @classmethod
    def of(cls, engine: IntervalEngine, shown: Iterable[Signature]) -> PassingArrivals | None:
        """None: every arrival must be seen."""
        part = momentary_part(engine)
        return None if part is None else cls(engine, part, shown)

    def conclusions(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """What follows from the arrivals of some time points, as far as it is final."""
        concluded: dict[Signature, list[Block]] = {}
        for block in blocks:
            for found in self._rules.concluded(block):
                concluded.setdefault(found.signature, []).append(found)
        self._engine.fired_elsewhere(self._rules.fired)
        for signature, parts in concluded.items():
            if signature in self._found:
                yield from self._found[signature].add(merge(parts))

    def ended(self, until: int = END) -> Iterator[Block]:
        """What has ended before `until`; by default all that is left."""
        for rows in self._found.values():
            yield from rows.ended(until)
