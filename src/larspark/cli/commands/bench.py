"""Measure the reasoners beside peers: hand-written Python, clingo on a literal encoding, polars recomputing.

All contestants compute the same answers over the same stream, which is checked before anything is timed; they run in
turns, and CPU time counts. A ratio below 1 means faster than the peer. Without a name all workloads are run.
Experiments measure what is not a race: memory and start-up among others. With --report measurements are kept in a
folder: a run that was interrupted goes on where it stopped, and later runs replace what they measure again.

`larspark bench nexmark` runs the queries of NEXMark (all, or those named behind it) over generated events; with --peers
also by other engines, some of which live in a folder of their own that is made when it is not there.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Collection, Iterable
from difflib import get_close_matches
from pathlib import Path

from rich.console import Console
from rich.table import Table

from larspark.bench.experiments.index import EXPERIMENTS
from larspark.bench.experiments.memory import EXPERIMENTS as MEMORY
from larspark.bench.experiments.optimiser import as_text as gain_as_text
from larspark.bench.experiments.optimiser import gains
from larspark.bench.measuring.children import ended_by_signals
from larspark.bench.measuring.contestants import NAMES
from larspark.bench.measuring.measure import AnswersDiffer, Measurement
from larspark.bench.measuring.run import do
from larspark.bench.measuring.store import Store
from larspark.bench.measuring.suite import Job, Record, RunRequest, experiment_job, growing, single, single_task
from larspark.bench.nexmark.catalogue import QUERIES
from larspark.bench.nexmark.costs import Cost, cost_line
from larspark.bench.nexmark.engines import ENGINES, USUAL, NexmarkEngine
from larspark.bench.nexmark.environment import make_environment
from larspark.bench.nexmark.generator import GeneratedEvents
from larspark.bench.nexmark.kept import KeptCosts
from larspark.bench.nexmark.race import QUICK, Race
from larspark.bench.nexmark.tables import as_text, fill_page
from larspark.bench.reporting.page import write
from larspark.bench.reporting.report import as_figure, figure_line, heading, line
from larspark.bench.workloads.catalogue import WORKLOADS
from larspark.bench.workloads.for_optimiser import MADE
from larspark.bench.workloads.task import Workload
from larspark.diagnostics import Diagnostic, Rejected

EXAMPLE = """\
  larspark bench diamond join-random
  larspark bench --quick
  larspark bench diamond --window 80 --rate 800 --only live,hand --json
  larspark bench --full --report benchmarks --page docs/benchmarks.md
  larspark bench memory start
  larspark bench --optimiser three-windows unused-join
  larspark bench nexmark --events 1000000 --peers ~/peers
  larspark bench nexmark q5 q7 --rate 100000 --events 1000000,10000000
"""

PARAMETERS = {
    "rate": "atoms per time point",
    "window": "size of the windows",
    "points": "time points",
    "seed": "seed of the generator",
    "size": "size of the program or its background",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="*", help="workloads or experiments, see --list")
    parser.add_argument("--list", action="store_true", help="what the workloads and experiments are")
    parser.add_argument("--json", dest="format", action="store_const", const="json", help="the same as --format json")
    parser.add_argument("--quick", action="store_true", help="tiny streams, one repetition: does everything work?")
    parser.add_argument("--grow", action="store_true", help="also with growing windows and rates")
    parser.add_argument("--memory", action="store_true", help="also bytes per live atom, and a soak")
    parser.add_argument("--full", action="store_true", help="also with growing windows and rates, and all experiments")
    parser.add_argument(
        "--optimiser", action="store_true", help="programs as written beside programs as `check --plan` rewrites them"
    )
    parser.add_argument("--repetitions", type=_positive, metavar="N", help="passes per contestant (default: 3)")
    parser.add_argument("--only", type=_contestants, default=frozenset(), metavar="A,B", help="these contestants only")
    parser.add_argument("--report", type=Path, metavar="FOLDER", help="keep measurements and plots there")
    parser.add_argument("--page", type=Path, metavar="FILE", help="fill the tables of this page (with --report)")
    parser.add_argument(
        "--events", type=_sizes, default=(1_000_000,), metavar="N,…", help="events of nexmark, one size after the other"
    )
    parser.add_argument(
        "--peers", type=Path, metavar="FOLDER", help="run nexmark by all engines; Flink, Siddhi and DuckDB live there"
    )
    parser.add_argument("--engines", type=_engines, metavar="A,B", help=f"run nexmark by these: {', '.join(ENGINES)}")
    parser.add_argument("--limit", type=_positive, metavar="SECONDS", help="what an engine may take for one query")
    parser.add_argument("--again", action="store_true", help="measure also what the report has already")
    for name, meaning in PARAMETERS.items():
        parser.add_argument(f"--{name}", type=_positive, metavar="N", help=f"{meaning} (default: the workload's)")


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError("a positive number")
    return int(text)


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(sorted({_positive(one) for one in text.split(",")}))


def _engines(text: str) -> list[str]:
    names = [name for name in ENGINES if name in text.split(",")]
    if len(names) < len(text.split(",")):
        raise argparse.ArgumentTypeError(f"some of {', '.join(ENGINES)}")
    return names


def _contestants(text: str) -> frozenset[str]:
    names = frozenset(text.split(","))
    if not names <= set(NAMES):
        raise argparse.ArgumentTypeError(f"some of {', '.join(NAMES)}")
    return names


def run(arguments: argparse.Namespace) -> int:
    if arguments.list:
        _show_list()
        return 0
    if arguments.name[:1] == ["nexmark"]:
        _nexmark(arguments)
        return 0
    known = MADE | WORKLOADS if arguments.optimiser else WORKLOADS
    _check_names(arguments.name, known if arguments.optimiser else known | EXPERIMENTS)
    given = {name: value for name in PARAMETERS if (value := getattr(arguments, name)) is not None}
    asked = RunRequest(given, arguments.repetitions or (1 if arguments.quick else 3), arguments.quick, arguments.only)
    as_json = arguments.format == "json"
    try:
        if arguments.optimiser:
            _optimiser([known[name] for name in arguments.name or known], asked, as_json)
        else:
            _measure(_jobs(arguments, asked), asked, arguments, as_json)
    except AnswersDiffer as disagreement:
        hint = "Compare the reasoners with `larspark eval --reasoner`, and report the difference."
        raise Rejected([Diagnostic("E704", f"{disagreement}.", hint)]) from disagreement
    return 0


def _nexmark(arguments: argparse.Namespace) -> None:
    _check_names(arguments.name[1:], QUERIES)
    rate, seed = arguments.rate or GeneratedEvents.rate, arguments.seed or GeneratedEvents.seed
    asked = Race(
        [QUERIES[name] for name in arguments.name[1:] or QUERIES],
        [GeneratedEvents(events, rate, seed) for events in ((QUICK,) if arguments.quick else arguments.events)],
        _chosen_engines(arguments),
        make_environment(arguments.peers) if arguments.peers else None,
        arguments.limit,
        arguments.again,
    )
    kept = KeptCosts(arguments.report)
    costs: list[Cost] = []
    with ended_by_signals():
        for cost in asked.run(kept, _tell):
            costs.append(cost)
            if arguments.format == "json":
                print(json.dumps(cost.as_json()), flush=True)
            else:
                _tell(cost_line(cost))
    if arguments.format != "json":
        print(as_text(costs))
    if arguments.page:
        fill_page(arguments.page, kept)


def _chosen_engines(arguments: argparse.Namespace) -> list[NexmarkEngine]:
    """Those that are named, or all when the peers have a folder."""
    chosen = [ENGINES[name] for name in arguments.engines or (ENGINES if arguments.peers else USUAL)]
    homeless = [one.name for one in chosen if one.of_peers and not arguments.peers]
    if homeless:
        message = f"{', '.join(homeless)} needs an environment of its own."
        raise Rejected([Diagnostic("E703", message, "Give a folder for it: `--peers FOLDER`; it is made there.")])
    return chosen


def _jobs(arguments: argparse.Namespace, asked: RunRequest) -> list[Job]:
    """Workloads, their growth, then experiments."""
    workloads = [WORKLOADS[name] for name in arguments.name or WORKLOADS if name in WORKLOADS]
    experiments = {name: EXPERIMENTS[name] for name in arguments.name if name in EXPERIMENTS}
    if arguments.memory:
        experiments |= {one.name: one for one in MEMORY}
    if arguments.full and not arguments.name:
        experiments |= EXPERIMENTS
    for experiment in experiments.values():
        if experiment.missing:
            _tell(f"{experiment.name} needs {', '.join(experiment.missing)}: left out")
    return [
        *(single(workload, asked) for workload in workloads),
        *(job for workload in workloads if arguments.grow or arguments.full for job in growing(workload, asked)),
        *(experiment_job(one, asked) for one in experiments.values() if not one.missing),
    ]


def _measure(jobs: list[Job], asked: RunRequest, arguments: argparse.Namespace, as_json: bool) -> None:
    store = Store(arguments.report)
    tell = _tell if arguments.report or arguments.full else _silent
    shown = ""
    for job, record in do(jobs, asked, store, again=arguments.again, tell=tell):
        print(json.dumps(record) if as_json else _as_text(job, record, first=job.name != shown), flush=True)
        shown = job.name
    if arguments.report:
        paths = write(arguments.report, list(store), arguments.page)
        _tell(f"wrote {', '.join(map(str, paths))}")


def _as_text(job: Job, record: Record, first: bool) -> str:
    if "experiment" in record:
        return figure_line(job.name, as_figure(record))
    measurement = Measurement.from_json(record)
    return f"{heading(measurement)}\n{line(measurement)}" if first else line(measurement)


def _tell(message: str) -> None:
    print(f"larspark: {message}", file=sys.stderr, flush=True)


def _silent(_: str) -> None:
    pass


def _optimiser(workloads: Iterable[Workload], asked: RunRequest, as_json: bool) -> None:
    for workload in workloads:
        for gained in gains(single_task(workload, asked), asked.repetitions):
            print(json.dumps(gained.as_json()) if as_json else gain_as_text(gained), flush=True)


def _check_names(names: Iterable[str], known: Collection[str]) -> None:
    objections = [_unknown(name, known) for name in names if name not in known]
    if objections:
        raise Rejected(objections)


def _unknown(name: str, known: Collection[str]) -> Diagnostic:
    near = get_close_matches(name, known, 1)
    hint = f"Did you mean {near[0]}?" if near else "`larspark bench --list` shows them."
    return Diagnostic("E703", f"There is no workload or experiment {name!r}.", hint)


def _show_list() -> None:
    table = Table("workload", "what it is", "parameters", box=None, pad_edge=False)
    for workload in (*WORKLOADS.values(), *MADE.values()):
        parameters = workload.defaults.as_json()
        table.add_row(workload.name, workload.summary, " ".join(f"{name}={parameters[name]}" for name in PARAMETERS))
    for experiment in EXPERIMENTS.values():
        table.add_row(experiment.name, experiment.summary, "experiment")
    table.add_row(
        "nexmark", "the queries of NEXMark beside Flink, Siddhi, Spark SQL, DuckDB and polars", "events rate seed"
    )
    for query in QUERIES.values():
        table.add_row(f"nexmark {query}", query.summary, "")
    Console(highlight=False).print(table)
