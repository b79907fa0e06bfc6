"""The figures as tables: queries by engines, growth, and what could not be run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from larspark.bench.nexmark.catalogue import QUERIES
from larspark.bench.nexmark.costs import Cost
from larspark.bench.nexmark.engines import ENGINES, LARSPARK
from larspark.bench.nexmark.kept import KeptCosts
from larspark.bench.reporting.page import BLOCK
from larspark.bench.reporting.report import table

NOTHING = "–"


def main_costs(costs: Iterable[Cost]) -> list[Cost]:
    """Those of the stream of which most is known, the longest if there are several, by queries and engines."""
    everything = list(costs)
    counted = Counter((cost.events, cost.rate, cost.seed) for cost in everything)
    if not counted:
        return []
    chosen = max(counted, key=lambda one: (counted[one], one))
    return sorted((cost for cost in everything if cost.key[2:] == chosen), key=_place)


def _place(cost: Cost) -> tuple[int, int, int]:
    return list(QUERIES).index(cost.query), list(ENGINES).index(cost.engine), cost.events


def stream_line(costs: Sequence[Cost]) -> str:
    """What the tables are about."""
    if not costs:
        return "Nothing has been measured.\n"
    one = costs[0]
    return f"{one.events:,} events, {one.rate:,} in a second of event time, seed {one.seed}.\n"


def throughput(costs: Sequence[Cost]) -> str:
    """Thousand events per second of CPU."""
    aims = {name: f"{query.aims[0]:,}" for name, query in QUERIES.items()}
    return _by_engine(costs, lambda cost, _: f"{cost.thousands:,.0f}", more=("aim of larspark", aims))


def ratios(costs: Sequence[Cost]) -> str:
    """The CPU of others for each second of larspark's."""
    aims = {name: f"{query.aims[1]:g}" for name, query in QUERIES.items()}
    return _by_engine(costs, _ratio, without=LARSPARK, more=("aim for Flink", aims))


def _ratio(cost: Cost, own: Cost | None) -> str:
    return NOTHING if own is None or own.error else f"{cost.cpu / max(own.cpu, 0.01):.1f}"


def memory(costs: Sequence[Cost]) -> str:
    """Megabytes."""
    return _by_engine(costs, lambda cost, _: f"{cost.megabytes:,}")


def answers(costs: Sequence[Cost]) -> str:
    """Rows over a little data."""
    told = [cost for cost in costs if cost.compared is not None]
    return _by_engine(told, lambda cost, _: f"{cost.compared:,}")


def _by_engine(
    costs: Sequence[Cost],
    cell: Callable[[Cost, Cost | None], str],
    without: str = "",
    more: tuple[str, Mapping[str, str]] | None = None,
) -> str:
    """A row for each query and a column for each engine that has run one; `more` is a last column with its head."""
    found = {(cost.query, cost.engine): cost for cost in costs}
    seen = {cost.engine for cost in costs if not cost.error} - {without}
    engines = [one for one in ENGINES.values() if one.name in seen]
    rows = []
    for query in dict.fromkeys(cost.query for cost in costs):
        own = found.get((query, LARSPARK))
        told = (found.get((query, engine.name)) for engine in engines)
        cells = [cell(one, own) if one and not one.error else NOTHING for one in told]
        rows.append([query, *cells, *([more[1][query]] if more else [])])
    head = ["query", *(engine.title for engine in engines), *([more[0]] if more else [])]
    return table(head, rows, texts=1)


def obstacles(costs: Iterable[Cost]) -> str:
    """What could not be run and why, alike ones together."""
    queries: dict[tuple[str, str], list[str]] = {}
    for cost in costs:
        if cost.error:
            queries.setdefault((ENGINES[cost.engine].title, cost.error), []).append(cost.query)
    rows = [[who, ", ".join(dict.fromkeys(names)), why] for (who, why), names in queries.items()]
    return table(("who", "queries", "why"), rows, texts=3)


def growth(costs: Iterable[Cost]) -> str:
    """Throughput and memory of everything that was measured in several sizes."""
    found: dict[tuple[str, str], dict[int, Cost]] = {}
    for cost in sorted(costs, key=_place):
        found.setdefault((cost.query, cost.engine), {})[cost.events] = cost
    grown = {key: sizes for key, sizes in found.items() if len(sizes) > 1}
    events = sorted({size for sizes in grown.values() for size in sizes})
    rows = [
        [query, ENGINES[engine].title, *(_at(sizes.get(size)) for size in events)]
        for (query, engine), sizes in grown.items()
        if any(not cost.error for cost in sizes.values())
    ]
    return table(("query", "who", *(f"{size:,} events" for size in events)), rows)


def _at(cost: Cost | None) -> str:
    return NOTHING if cost is None or cost.error else f"{cost.thousands:,.0f} k/s, {cost.megabytes:,} MB"


def as_text(costs: Sequence[Cost]) -> str:
    """For the terminal: the tables of what was asked for."""
    main = main_costs(costs)
    named = {"Thousand events per second of CPU": throughput(main), "Megabytes": memory(main)}
    if len({one.engine for one in main}) > 1:
        named["CPU / larspark's"] = ratios(main)
    if len({one.events for one in costs}) > 1:
        named["Growth"] = growth(costs)
    if any(one.error for one in costs):
        named["What could not be run"] = obstacles(costs)
    return stream_line(main) + "".join(f"\n{name}:\n\n{text}" for name, text in named.items())


def fill_page(page: Path, kept: KeptCosts) -> None:
    """Write the tables between the marks of a page."""
    everything = list(kept)
    main = main_costs(everything)
    made: dict[str, Callable[[], str]] = {
        "conditions": lambda: "".join(f"- {count} figures: {told}\n" for told, count in kept.conditions().items()),
        "stream": lambda: stream_line(main),
        "throughput": lambda: throughput(main),
        "ratios": lambda: ratios(main),
        "memory": lambda: memory(main),
        "answers": lambda: answers(main),
        "obstacles": lambda: obstacles(everything),
        "growth": lambda: growth(everything),
    }
    text = page.read_text("utf-8")
    page.write_text(BLOCK.sub(lambda block: f"{block[1]}\n{made[block['name']]()}\n{block[3]}", text), "utf-8")
