"""The workloads by name."""

from __future__ import annotations

from larspark.bench.peers.by_hand.applications import AggregateByHand, Cooling, DecimalsByHand, NegationByHand, Strategy
from larspark.bench.peers.by_hand.groups import CrowdedStops, GroupReport, Ranks
from larspark.bench.peers.by_hand.joins import Closure, Join
from larspark.bench.peers.by_hand.windows import Box, Diamond, LastArrivals
from larspark.bench.workloads import programs, streams
from larspark.bench.workloads.task import GROWTH, ByHand, Parameters, Workload
from larspark.language.facts import Fact

THESIS_GROWTH = {"window": (1, 5, 10, 50, 100, 500), "probability": (0.1, 0.5, 1.0)}
"""The rate of these streams is the probability with which each signal arrives."""

WINDOWS = {"window": GROWTH["window"]}
MAINTAINING = ("interval", "clingo", "jtms", "answer-update")


def _several_joins(parameters: Parameters) -> ByHand:
    return Join(parameters, tuple(f"q{number}" for number in range(1, parameters.size + 1)))


def _reach(parameters: Parameters) -> ByHand:
    return Closure(parameters, "sig", "reach", frozenset(map(_pair, programs.path(parameters))))


def _pair(fact: Fact) -> tuple[int, int]:
    first, second = fact.args
    return int(first), int(second)


def _basic(form: str) -> Workload:
    def by_hand(parameters: Parameters) -> ByHand:
        match form:
            case "ta" | "td":
                return Diamond(parameters, "sig", "a")
            case "tb":
                return Box(parameters, "sig", "a")
        return LastArrivals(parameters, "sig", "a", always=form == "cb")

    return Workload(
        f"basic-{form}",
        f"thesis Fig. 7.2: {programs.windowed(form, 'sig(X)', 50)} for guarded X",
        programs.basic(form),
        streams.signals,
        Parameters(window=50, size=32, points=200),
        background=programs.guards,
        by_hand=by_hand,
        recompute={"ta": "basic", "td": "basic", "tb": "basic_box"}.get(form),
        reasoners=MAINTAINING,
        axes=THESIS_GROWTH,
    )


_ALL = (
    Workload(
        "diamond",
        "atoms that came within the window; all are new",
        programs.diamond,
        streams.unique,
        Parameters(),
        by_hand=Diamond,
        recompute="diamond",
    ),
    Workload(
        "long-window",
        "diamond with few atoms per time point and up to ten thousand time points in the window",
        programs.diamond,
        streams.unique,
        Parameters(rate=20, window=10_000, points=12_000),
        by_hand=Diamond,
        axes={"window": (1, 100, 10_000)},
        one_shot=False,
    ),
    Workload(
        "box",
        "atoms that came at every point of the window; each fills it and stays for as long again",
        programs.box,
        streams.repeated,
        Parameters(),
        by_hand=Box,
        recompute="box",
    ),
    Workload(
        "box-unique",
        "the same rule where no atom comes twice: nothing can follow",
        programs.box,
        streams.unique,
        Parameters(),
        by_hand=Box,
        recompute="box",
    ),
    Workload(
        "join-chain",
        "a self-join in which every atom finds one partner",
        programs.join,
        streams.chain,
        Parameters(),
        by_hand=Join,
        recompute="join",
    ),
    Workload(
        "join-random",
        "a self-join on random keys in which every atom finds about eight partners",
        programs.join,
        streams.random_keys,
        Parameters(),
        by_hand=Join,
        recompute="join",
    ),
    Workload(
        "several-rules",
        "the same self-join as several standing rules",
        programs.several_joins,
        streams.chain,
        Parameters(size=5, points=100),
        by_hand=_several_joins,
        recompute="several_joins",
    ),
    Workload(
        "cooling",
        "Laser's use case: pinned conclusions, always, negation",
        programs.cooling,
        streams.readings,
        Parameters(),
        by_hand=Cooling,
    ),
    *map(_basic, programs.FORMS),
    Workload(
        "reach",
        "thesis Fig. 7.3: transitive closure over the edges with a signal in the window",
        programs.reach,
        streams.edge_signals,
        Parameters(window=50, size=8, points=200),
        background=programs.path,
        by_hand=_reach,
        recompute="reach",
        reasoners=MAINTAINING,
        axes=THESIS_GROWTH,
    ),
    Workload(
        "strategy",
        "thesis Fig. 7.4: a caching strategy from the recent values of a parameter",
        programs.strategy,
        streams.walking_value,
        Parameters(window=50, size=30, points=200),
        background=programs.values,
        by_hand=Strategy,
        reasoners=MAINTAINING,
        axes=THESIS_GROWTH,
    ),
    Workload(
        "content",
        "thesis Fig. 7.5: sources in a content network, with several models; the rate is the number of items",
        programs.content,
        streams.content_requests,
        Parameters(window=50, size=10, rate=16, points=100),
        background=programs.network,
        reasoners=("clingo", "jtms"),
        axes=THESIS_GROWTH,
        several_models=True,
    ),
    Workload(
        "sparse",
        "diamond with one atom per time point",
        programs.diamond,
        streams.unique,
        Parameters(rate=1, points=2000),
        by_hand=Diamond,
        recompute="diamond",
        axes=WINDOWS,
    ),
    Workload(
        "idle",
        "diamond with a thousand empty time points after every busy one",
        programs.diamond,
        streams.unique,
        Parameters(gap=1001),
        by_hand=Diamond,
        recompute="diamond",
        axes=WINDOWS,
    ),
    Workload(
        "negation",
        "silent, excused, broken and odd machines: absence in a window, and negation upon negation",
        programs.negation,
        streams.heartbeats,
        Parameters(size=4000),
        background=programs.machines,
        by_hand=NegationByHand,
        recompute="negation",
    ),
    Workload(
        "aggregate",
        "count, sum and maximum per stop over a window",
        programs.aggregate,
        streams.sightings,
        Parameters(size=50),
        background=programs.stops,
        by_hand=AggregateByHand,
        recompute="aggregate",
    ),
    Workload(
        "aggregate-decimals",
        "count, sum and maximum per stop over a window, of amounts with two digits behind the point",
        programs.aggregate,
        streams.amounts,
        Parameters(size=50),
        background=programs.stops,
        by_hand=DecimalsByHand,
        one_shot=False,
    ),
    Workload(
        "report",
        "two counts, sum, smallest and largest per stop over a window, all in one rule",
        programs.report,
        streams.sightings,
        Parameters(size=50),
        background=programs.stops,
        by_hand=GroupReport,
    ),
    Workload(
        "ranks",
        "the five largest per stop over a window, with their ranks",
        programs.ranks,
        streams.sightings,
        Parameters(size=50),
        background=programs.stops,
        by_hand=Ranks,
    ),
    Workload(
        "lasting-crowds",
        "stops that have more vehicles than usual at every point of a while: always over a count",
        programs.lasting_crowds,
        streams.sightings,
        Parameters(size=50, points=1000),  # of 200, a fifth of the replay is memory that is touched first
        background=programs.stops,
        by_hand=CrowdedStops,
        one_shot=False,  # what is recorded hangs on every evaluation before
    ),
    Workload(
        "closure",
        "paths over the edges in a window, a sparse random graph",
        programs.closure,
        streams.random_edges,
        Parameters(rate=20),
        by_hand=Closure,
        recompute="closure",
        axes=WINDOWS | {"rate": (5, 20, 80)},
    ),
)

WORKLOADS = {workload.name: workload for workload in _ALL}
