"""A realistic pipeline on embedded Spark, end to end; or an example program over its recorded stream.

Without a name: generated data of a tram network and a wind farm runs through Spark inside this process; the result
tables, a picture of them and the place of everything are shown. With the name of an example in `examples/`: the
program, its stream and what follows are drawn here, without Spark.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from rich.console import Console
from rich.syntax import Syntax
from rich.table import Table

from larspark.cli.commands.eval import as_json
from larspark.cli.display.timeline import ARRIVES, HOLDS, LEGEND, PINNED, draw, rows_of
from larspark.cli.options.example_files import EXAMPLES
from larspark.cli.options.html import add_html_argument, write_page
from larspark.diagnostics import Diagnostic, Rejected
from larspark.editor.pygments_lexer import LarsLexer
from larspark.language.facts import Fact, fact_order
from larspark.read import CheckedChunks, read_chunks
from larspark.reasoners.protocol import Answer
from larspark.runtime.pointwise import Wanted, evaluate
from larspark.runtime.prepared import Prepared, prepare
from larspark.runtime.recording import Recording
from larspark.write.times import POINTS

EXAMPLE = """\
  larspark demo
  larspark demo --output somewhere
  larspark demo cooling
  larspark demo machines --format json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    names = ", ".join(_names()) or "none found"
    parser.add_argument("example", nargs="?", help=f"one of the examples (default: the pipeline on Spark): {names}")
    parser.add_argument(
        "--output",
        default="larspark-demo",
        metavar="O",
        help="where the pipeline puts its data (default: larspark-demo)",
    )
    add_html_argument(parser)
    parser.add_argument("--master", metavar="M", help="the Spark master (default: all cores of this machine)")


def _names() -> list[str]:
    return sorted(path.stem for path in EXAMPLES.glob("*.lars") if path.with_suffix(".jsonl").exists())


def run(arguments: argparse.Namespace) -> int:
    if arguments.example is None:
        from larspark.cli.demonstrations.demo_session import starting_session  # noqa: PLC0415 - examples do without Spark

        starting = starting_session(arguments.master)
        from larspark.cli.demonstrations.demo_pipeline import run_pipeline  # noqa: PLC0415 - while Spark starts

        return run_pipeline(arguments, starting)
    names = _names()
    if arguments.example not in names:
        message = f"There is no example {arguments.example!r}."
        raise Rejected([Diagnostic("E702", message, f"Choose one of {', '.join(names)}.")])
    path = EXAMPLES / f"{arguments.example}.lars"
    prepared = prepare(path).require()
    analysis = prepared.analysis
    reasoner = "interval" if "interval" in analysis.reasoners else "clingo"
    recording = Recording.on_timeline(CheckedChunks(read_chunks(path.with_suffix(".jsonl"), prepared.rules)))
    answers = list(evaluate(prepared.reasoner(reasoner, recording.start), recording, Wanted(analysis.shown)))
    if arguments.format == "json":
        print("\n".join(as_json(answer, POINTS) for answer in answers))
    else:
        _show(path, recording, answers, reasoner)
    if arguments.html:
        _write_page(arguments, path, recording, prepared, reasoner)
    return 0


def _write_page(
    arguments: argparse.Namespace, path: Path, recording: Recording, prepared: Prepared, reasoner: str
) -> None:
    from larspark.explain.evaluations.history import Sourced  # noqa: PLC0415 - only reports pay for the page
    from larspark.questions.explaining import Case  # noqa: PLC0415
    from larspark.web.picture import Extras, first_proofs  # noqa: PLC0415

    arrivals = tuple(Sourced(time, fact) for time, fact in recording.arrivals)
    case = Case(prepared, arrivals, recording.start, recording.end, reasoner)
    history = case.side.history
    ask = f"{path} --stream {path.with_suffix('.jsonl')}"
    named = argparse.Namespace(**{**vars(arguments), "program": str(path)})
    write_page(named, case, Extras("demo", tuple(first_proofs(case, history)), ask=ask), history)


def _show(path: Path, recording: Recording, answers: list[Answer], reasoner: str) -> None:
    console = Console(highlight=False)
    console.rule(f"the program, {path.name}")
    console.print(Syntax(path.read_text(), LarsLexer(), theme="ansi_dark", background_color="default"))
    console.rule(f"the stream and what follows, by the {reasoner} reasoner")
    arriving: dict[int, list[Fact]] = {}
    for time, fact in recording.arrivals:
        arriving.setdefault(time, []).append(fact)
    holding, pinned = _conclusions(answers)
    rows = [*rows_of(arriving, ARRIVES), *rows_of(holding, HOLDS), *rows_of(pinned, PINNED)]
    end = max([recording.end, *pinned])
    for line in draw(rows, recording.start, end, shutil.get_terminal_size().columns):
        console.print(line, soft_wrap=True)
    console.print(f"\n{LEGEND}\n")
    console.rule("derived atoms, when they change")
    console.print(_changes(answers))
    console.print(f"Next: larspark check {path}, larspark eval {path} --stream {path.with_suffix('.jsonl')}")


def _conclusions(answers: list[Answer]) -> tuple[dict[int, list[Fact]], dict[int, list[Fact]]]:
    """What holds when, and what was pinned to which time point by some evaluation."""
    holding: dict[int, list[Fact]] = {}
    pinned: dict[int, list[Fact]] = {}
    for answer in answers:
        for stream in answer.answer_streams:
            holding[answer.time] = list(stream.now)
            for time, facts in stream.at.items():
                pinned.setdefault(time, []).extend(facts)
    return holding, pinned


def _changes(answers: list[Answer]) -> Table:
    """One line per time point at which something appears or disappears."""
    table = Table("time", "appears", "disappears", box=None, pad_edge=False)
    before: frozenset[Fact] = frozenset()
    for answer in answers:
        now = frozenset(fact for stream in answer.answer_streams for fact in stream.now)
        if now != before:
            table.add_row(str(answer.time), _listed(now - before), _listed(before - now))
        before = now
    return table


def _listed(facts: frozenset[Fact]) -> str:
    return ", ".join(str(fact) for fact in sorted(facts, key=fact_order))
