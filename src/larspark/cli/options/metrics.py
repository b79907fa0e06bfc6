"""`--metrics PORT`: figures about the run on a local port."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from larspark.monitoring.metrics import Metrics


def add_metrics_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--metrics",
        type=int,
        metavar="PORT",
        help="figures in the text format of Prometheus on http://127.0.0.1:PORT/metrics, and why there is no output "
        "yet on /status; 0 takes a free port",
    )


@contextmanager
def served_metrics(arguments: argparse.Namespace) -> Iterator[Metrics | None]:
    """The figures that somebody may ask for while a run goes on; None: nobody asks."""
    if arguments.metrics is None:
        yield None
        return
    from larspark.monitoring.metrics import Metrics  # noqa: PLC0415 - only who wants figures pays for them
    from larspark.monitoring.server import served  # noqa: PLC0415

    metrics = Metrics()
    with served(metrics, arguments.metrics) as port:
        print(f"metrics are at http://127.0.0.1:{port}/metrics", file=sys.stderr, flush=True)
        yield metrics
