"""A live page: see time, rules and proofs, send atoms, step, go back, try other rules.

The recorded input is evaluated at once (with --paused it is still to come, to be stepped through or played). The page
is at the address that is printed; it needs nothing but a browser. It listens on this machine only unless --host says
otherwise, and then it wants the token that is printed. Ends with Ctrl-C.
"""

from __future__ import annotations

import argparse
import json
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from larspark.cli.options.arguments import add_clock_arguments, add_program_arguments, prepared_of, read_time
from larspark.extras import require
from larspark.reasoners.registry import REASONERS
from larspark.runtime.atoms import time_of
from larspark.runtime.prepared import Prepared

if TYPE_CHECKING:
    from larspark.web.live import PlayedInput

EXAMPLE = """\
  larspark serve examples/machines.lars --input examples/machines.jsonl
  larspark serve examples/transport.lars --input examples/transport.jsonl --paused --allow-edit
  larspark serve rules.lars --host 0.0.0.0 --port 8080 --token "$TOKEN"
"""
HISTORY = 100_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_program_arguments(parser)
    add = parser.add_argument
    add("--input", action="append", default=[], metavar="S", help="JSON lines, CSV or Parquet; repeatable")
    add("--paused", action="store_true", help="begin at the start: the input is still to come")
    add("--on-error", choices=("stop", "skip"), default="skip", help="what to do at a bad record (default: skip)")
    add("--background", action="append", default=[], metavar="B", help="facts that always hold, beside the program's")
    add("--start", type=read_time, metavar="T0", help="first time point (default: that of the input, or 0)")
    add("--reasoner", choices=tuple(REASONERS), metavar="R", help="who evaluates (default: the first that can)")
    add("--allow-edit", action="store_true", help="let the page change the rules (and name files in them)")
    add("--history", type=_positive, default=HISTORY, metavar="N", help=f"arrivals to keep (default: {HISTORY})")
    add_clock_arguments(parser)
    add_page_arguments(parser)


def add_page_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the page is."""
    add = parser.add_argument
    add("--host", default="127.0.0.1", metavar="H", help="the address to listen on (default: this machine only)")
    add("--port", type=_port, default=8787, metavar="P", help="default: 8787; 0 takes any free one")
    add("--token", metavar="T", help="what a browser must know (default: none on this machine, else a new one)")


def require_server() -> None:
    """`Rejected` where the libraries of the page are not installed."""
    require("starlette")
    require("uvicorn")


def run(arguments: argparse.Namespace) -> int:
    require_server()
    from larspark.web.live import Live  # noqa: PLC0415 - only who serves pays for it
    from larspark.web.server import Permissions  # noqa: PLC0415
    from larspark.web.serving import address, door_at, serve  # noqa: PLC0415

    prepared = prepared_of(arguments)
    if arguments.start is not None:
        arguments.start = time_of(arguments.start, prepared.calendar)
    reasoner = arguments.reasoner or next(
        one for one in ("interval", "clingo", "reference") if one in prepared.analysis.reasoners
    )
    prepared.require(reasoner)
    live = Live(
        prepared,
        Path(arguments.program),
        reasoner,
        _input(arguments, prepared),
        history=arguments.history,
        start=None if arguments.start is None else time_of(arguments.start, prepared.calendar),
    )
    if not arguments.paused:
        live.load()
    door, listening = door_at(arguments.host, arguments.port, arguments.token)
    if arguments.format == "json":
        print(json.dumps({"address": address(door)}), flush=True)
    else:
        print(f"{arguments.program} is at {address(door)}   (Ctrl-C ends it)", flush=True)
    serve(live, door, listening, Permissions(edit=arguments.allow_edit))
    return 0


def _input(arguments: argparse.Namespace, prepared: Prepared) -> PlayedInput:
    from larspark.runtime.sourced import read_sourced  # noqa: PLC0415
    from larspark.web.live import PlayedInput  # noqa: PLC0415

    streams = [read_sourced(one, prepared, arguments.on_error) for one in arguments.input]
    arrivals = sorted((one for stream in streams for one in stream.arrivals), key=attrgetter("time"))
    return PlayedInput(tuple(arrivals), tuple(one for stream in streams for one in stream.refused))


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError("a positive number")
    return int(text)


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) >= 1 << 16:
        raise argparse.ArgumentTypeError("a port, or 0 for any")
    return int(text)
