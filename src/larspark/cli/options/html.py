"""The option `--html`: the answer as a page in one file."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from larspark.explain.evaluations.history import AnswerHistory
    from larspark.questions.explaining import Case
    from larspark.web.picture import Extras


def add_html_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--html", metavar="FILE", help="write a page to look at: one file that opens without network or server"
    )


def write_page(arguments: argparse.Namespace, case: Case, extras: Extras, history: AnswerHistory | None = None) -> None:
    """The report of a case; its name is told on standard error, where it is in nobody's way."""
    from larspark.web.counts import rule_counts  # noqa: PLC0415 - only reports pay for the page
    from larspark.web.picture import picture_of  # noqa: PLC0415
    from larspark.web.report import write_report  # noqa: PLC0415

    program = Path(getattr(arguments, "program", None) or arguments.new)
    picture = picture_of(case, program, extras, history) | {"counts": rule_counts(case)}
    write_report(picture, Path(arguments.html))
    _tell(arguments, case, picture)


def _tell(arguments: argparse.Namespace, case: Case, picture: dict[str, Any]) -> None:
    atoms = len(picture["lanes"]["atoms"])
    if arguments.format == "json":
        print(json.dumps({"report": arguments.html, "atoms": atoms}), file=sys.stderr)
    else:
        start, end = map(case.words.time, (picture["start"], picture["end"]))
        print(f"wrote {arguments.html}: {atoms} atoms from {start} to {end}", file=sys.stderr)


def asking(arguments: argparse.Namespace) -> str:
    """The rest of a command line that asks about the same program and stream."""
    program = getattr(arguments, "program", None) or arguments.new
    words = [program, "--stream", arguments.stream]
    if arguments.on_error != "stop":
        words += ["--on-error", arguments.on_error]
    for file in arguments.background:
        words += ["--background", file]
    if arguments.timeline:
        words += ["--timeline", *map(str, arguments.timeline)]
    return shlex.join(words)
