"""All engines on the same streams: each query by one after the other, in processes that may fail or take too long."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory

from larspark.bench.measuring.children import said_by
from larspark.bench.nexmark.catalogue import SIDE, NexmarkQuery
from larspark.bench.nexmark.costs import Cost
from larspark.bench.nexmark.engines import EngineSetting, NexmarkEngine
from larspark.bench.nexmark.generator import GeneratedEvents, write
from larspark.bench.nexmark.kept import KeptCosts

QUICK = 5_000
LIMIT, LEAST_RATE = 120.0, 5_000
"""Seconds for one query, and what an engine must do in a further second, unless a limit is given."""
LONGEST_REASON = 200
GIVEN_UP = "given up after"


@dataclass(frozen=True)
class Race:
    """What is to be measured."""

    queries: Sequence[NexmarkQuery]
    streams: Sequence[GeneratedEvents]
    """From the smallest to the largest."""
    engines: Sequence[NexmarkEngine]
    peers: Path | None = None
    limit: float | None = None
    again: bool = False

    def run(self, kept: KeptCosts, tell: Callable[[str], None]) -> Iterator[Cost]:
        """Every cost, those that are kept as well; what an engine gave up is not asked of it in a larger size."""
        given_up: dict[tuple[str, str], str] = {}
        for stream in self.streams:
            for cost in self._on(stream, kept, given_up, tell):
                if cost.error.startswith(GIVEN_UP):
                    given_up[cost.engine, cost.query] = cost.error
                yield cost

    def _on(
        self,
        stream: GeneratedEvents,
        kept: KeptCosts,
        given_up: Mapping[tuple[str, str], str],
        tell: Callable[[str], None],
    ) -> Iterator[Cost]:
        data: EngineSetting | None = None
        with TemporaryDirectory() as place:
            for query in self.queries:
                for engine in self.engines:
                    blank = Cost(engine.name, query.name, stream.events, stream.rate, stream.seed)
                    mark = engine.mark(query)
                    known = None if self.again else kept.found(blank.key, mark)
                    if known is not None:
                        yield known
                        continue
                    reason = engine.obstacle(query) or given_up.get((engine.name, query.name), "")
                    if reason:
                        cost = replace(blank, error=reason)
                    else:
                        if data is None:
                            tell(f"{stream.events:,} events are made")
                            data = self._made(stream, Path(place))
                        data.output.mkdir()
                        cost = measured_cost(blank, engine.command(query, data), self._limit(stream))
                        rmtree(data.output)
                    kept.put(cost, mark)
                    yield cost

    def _made(self, stream: GeneratedEvents, place: Path) -> EngineSetting:
        as_text = any(engine.as_text for engine in self.engines)
        data, warm = place / "data", place / "warm"
        for folder, events in ((data, stream), (warm, stream.little)):
            write(events, folder, as_text=as_text)
            (folder / "side.csv").write_text("".join(f"{key},{key}\n" for key in range(SIDE)), "utf-8")
        return EngineSetting(stream, data, warm, self.peers)

    def _limit(self, stream: GeneratedEvents) -> float:
        return self.limit or LIMIT + stream.events / LEAST_RATE


def measured_cost(blank: Cost, command: Sequence[str], limit: float) -> Cost:
    """What a process tells in its last line, or why it does not."""
    try:
        said, objected = said_by(command, limit)
    except subprocess.TimeoutExpired:
        return replace(blank, error=f"{GIVEN_UP} {limit:.0f} s with {blank.events:,} events")
    try:
        told = json.loads(said.strip().splitlines()[-1])
    except (IndexError, ValueError):
        return replace(blank, error=_reason(objected.splitlines()))
    return Cost.from_json({**blank.as_json(), **told, "query": blank.query, "error": told.get("error", "")})


def _reason(lines: Iterable[str]) -> str:
    told = [line.strip() for line in lines if line.strip()]
    return (told or ["no answer"])[-1][:LONGEST_REASON]
