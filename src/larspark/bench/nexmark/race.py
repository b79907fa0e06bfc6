"""All engines one after the other on one stream, and the table that compares them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from larspark.bench.nexmark.catalogue import SIDE, NexmarkQuery
from larspark.bench.nexmark.engines import ENGINES, Cost, EngineSetting
from larspark.bench.nexmark.environment import python_of_peers
from larspark.bench.nexmark.generator import GeneratedEvents, write

QUICK = 5_000
WARM = 20_000


def race(queries: Sequence[NexmarkQuery], stream: GeneratedEvents, peers: Path | None) -> Iterator[Cost]:
    """What every query costs larspark, and the peers if they have a folder."""
    python = python_of_peers(peers) if peers else None
    with TemporaryDirectory() as place:
        data, warm = Path(place) / "data", Path(place) / "warm"
        for folder, events in ((data, stream.events), (warm, min(WARM, stream.events))):
            write(replace(stream, events=events), folder, as_text=python is not None)
            side = "".join(f"{key},{key}\n" for key in range(SIDE))
            (folder / "side.csv").write_text(side, "utf-8")
        setting = EngineSetting(stream, data, warm, python)
        for name, run in ENGINES.items():
            if python or name.startswith("larspark"):
                yield from run(queries, setting)


def cost_line(cost: Cost, stream: GeneratedEvents) -> str:
    told = cost.error or f"{_rate(cost, stream)} thousand events/s per core, {cost.resident >> 20} MB"
    return f"{cost.engine} {cost.query}: {told}"


def race_table(costs: Sequence[Cost], stream: GeneratedEvents) -> str:
    """Queries by engines, as Markdown: thousand events per second of CPU, megabytes, and the ratio to each peer."""
    found = {(cost.engine, cost.query): cost for cost in costs}
    engines = [name for name in ENGINES if any(cost.engine == name for cost in costs)]
    peers = engines[1:]
    heads = [
        "query",
        *(f"{name} k/s" for name in engines),
        *(f"/ {name}" for name in peers),
        *(f"{n} MB" for n in engines),
    ]
    lines = [f"| {' | '.join(heads)} |", f"|---|{'--:|' * (len(heads) - 1)}"]
    for query in dict.fromkeys(cost.query for cost in costs):
        own = [found.get((name, query)) for name in engines]
        rates = [_rate(cost, stream) for cost in own]
        memory = [f"{cost.resident >> 20:,}" if cost and not cost.error else "–" for cost in own]
        lines.append(f"| {' | '.join([query, *rates, *_ratios(own), *memory])} |")
    return "\n".join(lines)


def _rate(cost: Cost | None, stream: GeneratedEvents) -> str:
    return "–" if cost is None or cost.error else f"{stream.events / cost.cpu / 1000:,.0f}"


def _ratios(costs: Sequence[Cost | None]) -> list[str]:
    first, *others = costs
    usable = first is not None and not first.error
    return [
        f"{other.cpu / first.cpu:.1f}" if first and usable and other and not other.error else "–" for other in others
    ]
