"""Measure the reasoners beside peers: hand-written Python, clingo on a literal encoding, polars recomputing.

All contestants compute the same answers over the same stream, which is checked before anything is timed; they run in
turns, and CPU time counts. A ratio below 1 means faster than the peer. Without a name all workloads are run.
Experiments measure what is not a race: memory and start-up among others.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Collection, Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from larspark.bench.catalogue import WORKLOADS
from larspark.bench.contestants import NAMES
from larspark.bench.experiments import EXPERIMENTS
from larspark.bench.figures import Experiment
from larspark.bench.for_optimiser import MADE
from larspark.bench.measure import Disagreement, Measurement, measure
from larspark.bench.memory import EXPERIMENTS as MEMORY
from larspark.bench.optimiser import as_text as gain_as_text
from larspark.bench.optimiser import gains
from larspark.bench.report import as_text, figure_as_text, write
from larspark.bench.suite import grow, single
from larspark.diagnostics import Diagnostic, Rejected

EXAMPLE = """\
  larspark bench diamond join-random
  larspark bench --quick
  larspark bench diamond --window 80 --rate 800 --only live,hand --json
  larspark bench --grow --memory --report benchmarks
  larspark bench --optimiser three-windows unused-join
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
    parser.add_argument(
        "--optimiser", action="store_true", help="programs as written beside programs as `check --plan` rewrites them"
    )
    parser.add_argument("--repetitions", type=_positive, metavar="N", help="passes per contestant (default: 3)")
    parser.add_argument("--only", type=_contestants, default=frozenset(), metavar="A,B", help="these contestants only")
    parser.add_argument("--report", type=Path, metavar="FOLDER", help="write JSON, table and plots there")
    for name, meaning in PARAMETERS.items():
        parser.add_argument(f"--{name}", type=_positive, metavar="N", help=f"{meaning} (default: the workload's)")


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError("a positive number")
    return int(text)


def _contestants(text: str) -> frozenset[str]:
    names = frozenset(text.split(","))
    if not names <= set(NAMES):
        raise argparse.ArgumentTypeError(f"some of {', '.join(NAMES)}")
    return names


def run(arguments: argparse.Namespace) -> int:
    if arguments.list:
        _show_list()
        return 0
    known = MADE | WORKLOADS if arguments.optimiser else WORKLOADS
    _check_names(arguments.name, known if arguments.optimiser else known | EXPERIMENTS)
    workloads = [known[name] for name in arguments.name or known if name in known]
    experiments = [EXPERIMENTS[name] for name in arguments.name if name in EXPERIMENTS]
    if arguments.memory:
        experiments += [one for one in MEMORY if one not in experiments]
    given = {name: value for name in PARAMETERS if (value := getattr(arguments, name)) is not None}
    repetitions = arguments.repetitions or (1 if arguments.quick else 3)
    as_asked = _as_json if arguments.format == "json" else as_text

    def only(name: str) -> bool:
        return not arguments.only or name in arguments.only

    measurements: list[Measurement] = []
    grown: list[tuple[str, Measurement]] = []
    figures: list[dict[str, Any]] = []
    try:
        for workload in workloads if arguments.optimiser else ():
            for gained in gains(single(workload, given, arguments.quick), repetitions):
                print(json.dumps(gained.as_json()) if arguments.format == "json" else gain_as_text(gained), flush=True)
        for workload in () if arguments.optimiser else workloads:
            found = measure(single(workload, given, arguments.quick), repetitions, only)
            print(as_asked(found), flush=True)
            measurements += found
        for workload in workloads if arguments.grow and not arguments.optimiser else ():
            for axis, found in grow(workload, given, repetitions, only):
                print(as_asked(found), flush=True)
                grown += [(axis, one) for one in found]
        for experiment in experiments:
            figures += _experiment(experiment, arguments.quick, arguments.format == "json")
    except Disagreement as disagreement:
        hint = "Compare the reasoners with `larspark eval --reasoner`, and report the difference."
        raise Rejected([Diagnostic("E704", f"{disagreement}.", hint)]) from disagreement
    if arguments.report:
        paths = write(arguments.report, measurements, grown, figures)
        print(f"larspark: wrote {', '.join(map(str, paths))}", file=sys.stderr)
    return 0


def _experiment(experiment: Experiment, quick: bool, as_json: bool) -> Iterator[dict[str, Any]]:
    if experiment.missing:
        print(f"larspark: {experiment.name} needs {', '.join(experiment.missing)}: left out", file=sys.stderr)
        return
    for figure in experiment.run(quick):
        found = {"experiment": experiment.name, **figure.as_json()}
        print(json.dumps(found) if as_json else figure_as_text(experiment, figure), flush=True)
        yield found


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
    Console(highlight=False).print(table)


def _as_json(found: list[Measurement]) -> str:
    return "\n".join(json.dumps(one.as_json()) for one in found)
