"""Translate a query or rules of another language to LARS: LTL, CQL, SQL, ETALIS, C-SPARQL, CQELS, Prometheus, Sigma.

What cannot be translated exactly is refused, with its place and what to write instead. What is changed is said.
The other commands take files of these languages as they are, by their endings.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from larspark.cli.display.report import report
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.parser import parse_duration, parse_formula
from larspark.language.printing.printer import show
from larspark.language.resolve import resolve_formula
from larspark.language.tree import Program
from larspark.read import CheckedChunks, Rules, read_chunks
from larspark.translations.languages import LANGUAGES, Options, translate_file
from larspark.translations.reading import UNSUPPORTED

if TYPE_CHECKING:
    from larspark.translations.rdf.execution import Execution

EXAMPLE = """\
  larspark translate cql examples/translations/trams.cql
  larspark translate etalis examples/translations/factory.etalis --intervals windows
  larspark translate csparql examples/translations/jams.csparql --execution push
  larspark translate csparql examples/translations/jams.csparql --agreement examples/translations/jams.jsonl
  larspark translate prometheus examples/translations/alerts.prometheus.yml
  larspark translate ltl formula.txt --reverse --timeline 0 9 --at 7
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("language", choices=tuple(LANGUAGES), help="the language of the file")
    parser.add_argument("file", metavar="FILE", help="the query or the rules")
    parser.add_argument("--clock", metavar="D", help="the length of a time point, for windows with units (default: 1s)")
    parser.add_argument(
        "--execution",
        type=_execution,
        metavar="HOW",
        help="csparql, cqels: `push` at every arrival, `pull:5` at the multiples of 5 (default: the language's own)",
    )
    parser.add_argument(
        "--intervals",
        choices=("arguments", "windows"),
        default="arguments",
        help="etalis: intervals as arguments (all rules) or as interval windows (no NOT, separable intervals)",
    )
    parser.add_argument(
        "--guard", action="store_true", help="etalis: also derive `inseparable(p)` when windows would not be exact"
    )
    parser.add_argument(
        "--arrivals",
        action="store_true",
        help="cql, sql, prometheus, sigma: rows have the number of their arrival as last argument",
    )
    parser.add_argument(
        "--prometheus",
        choices=("2", "3"),
        default="3",
        help="prometheus: the version; ranges have their left end in 2 and do not have it in 3 (default: 3)",
    )
    parser.add_argument(
        "--agreement",
        metavar="S",
        help="csparql, cqels: tell where push and pull differ on a recorded stream, instead of translating",
    )
    parser.add_argument("--start", type=int, default=0, metavar="T", help="ltl: the first position (default: 0)")
    parser.add_argument("--reverse", action="store_true", help="ltl: FILE holds a LARS formula, print it in LTL")
    parser.add_argument("--timeline", nargs=2, type=int, metavar=("T0", "T1"), help="with --reverse: for this stream")
    parser.add_argument("--at", type=int, metavar="T", help="with --reverse and --timeline: for this time point")


def run(arguments: argparse.Namespace) -> int:
    if arguments.agreement:
        return _agreement(arguments)
    if arguments.reverse:
        return _print("formula", _reversed(arguments), arguments.format)
    translated = translate_file(arguments.language, arguments.file, _options(arguments))
    report(translated.changes, arguments.format)
    return _print("program", show(translated.program), arguments.format)


def _options(arguments: argparse.Namespace) -> Options:
    clock = parse_duration(arguments.clock) if arguments.clock else Options().clock
    return Options(
        clock,
        arguments.start,
        arguments.intervals,
        arguments.guard,
        arguments.arrivals,
        arguments.prometheus == "2",
        arguments.execution,
    )


def _execution(text: str) -> Execution:
    from larspark.translations.rdf.execution import Pull, Push  # noqa: PLC0415 - only RDF queries need it

    kind, _, interval = text.partition(":")
    if kind == "push" and not interval:
        return Push()
    if kind == "pull" and interval.isdecimal() and int(interval) > 0:
        return Pull(int(interval))
    raise argparse.ArgumentTypeError(f"{text!r} is neither `push` nor, for every fifth time point, `pull:5`")


def _agreement(arguments: argparse.Namespace) -> int:
    from larspark.translations.rdf.agreement import agreement, merged_patterns  # noqa: PLC0415 - only RDF queries need it
    from larspark.translations.rdf.execution import Pull  # noqa: PLC0415
    from larspark.translations.rdf.parser import parse  # noqa: PLC0415
    from larspark.translations.rdf.translate import pull_interval  # noqa: PLC0415

    translate_file(arguments.language, arguments.file, _options(arguments))
    query = parse(Path(arguments.file).read_text(encoding="utf-8"), arguments.file, _options(arguments).clock)
    chunks = CheckedChunks(read_chunks(arguments.agreement, Rules()))
    arrivals = [arrival for chunk in chunks for arrival in chunk.arrivals()]
    interval = arguments.execution.interval if isinstance(arguments.execution, Pull) else pull_interval(query)
    found = agreement(query, arrivals, interval, arrivals[-1][0] if arrivals else 0)
    merged = merged_patterns(query, [(str(fact.args[-1]), fact.args[:3]) for _, fact in arrivals])
    if arguments.format == "json":
        summary = {"agree": found.holds, "pushed_only": found.pushed_only, "pulled_only": found.pulled_only}
        print(json.dumps({**summary, "interval": interval, "merged_patterns": len(merged)}))
        return 0
    verdict = "the same answers in total" if found.holds else "answers may differ"
    print(f"Evaluation at every arrival, or at every multiple of {interval}: {verdict}.")
    for times, only, never in (
        (found.pushed_only, "an arrival", "interval"),
        (found.pulled_only, "an interval", "arrival"),
    ):
        if times:
            print(f"Window contents that only {only} meets, and no {never}: at {', '.join(map(str, times))}.")
    for pattern in merged:
        print(f"{pattern.origin}: C-SPARQL would match this pattern in other streams too.")
    return 0


def _reversed(arguments: argparse.Namespace) -> str:
    from larspark.translations.ltl.from_lars import at_time_point, for_any_stream  # noqa: PLC0415 - rarely asked for
    from larspark.translations.ltl.printer import show as show_ltl  # noqa: PLC0415

    formula = resolve_formula(parse_formula(Path(arguments.file).read_text(encoding="utf-8")), Program())
    if arguments.timeline is None and arguments.at is None:
        return show_ltl(for_any_stream(formula))
    start, end = arguments.timeline or (0, arguments.at)
    time = end if arguments.at is None else arguments.at
    if not 0 <= start <= time <= end:
        message = f"The time point {time} is not on the timeline from {start} to {end}."
        raise Rejected([Diagnostic(UNSUPPORTED, message, "Choose --at between the ends of --timeline.")])
    return show_ltl(at_time_point(formula, (start, end), time))


def _print(field: str, text: str, style: str) -> int:
    print(json.dumps({field: text}, ensure_ascii=False) if style == "json" else text.rstrip())
    return 0
