"""The pipeline demo: generated data, embedded Spark, result tables, a picture, and where everything lies."""

from __future__ import annotations

import argparse
import json
import shutil
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession
from rich.console import Console
from rich.table import Table

from larspark.cli.demonstrations.demo_data import write_transport, write_turbines
from larspark.cli.display.picture import Axis, Bar, draw_svg
from larspark.cli.display.waiting import waiting
from larspark.cli.options.example_files import EXAMPLES
from larspark.cli.pages.run_page import write_run_page
from larspark.runtime.prepared import prepare
from larspark.spark.bounded.start import RunOptions
from larspark.spark.bounded.to_folder import WrittenRun, run_to_folder
from larspark.spark.interface import plan_of
from larspark.spark.plan.plan import SparkPlan
from larspark.spark.session.early_workers import start_workers
from larspark.spark.session.session import LOCAL
from larspark.spark.session.watching import watched

INPUT = "input"
MOST_ROWS, MOST_BARS = 6, 12
NEXT = (
    "larspark demo cooling      a small program over a small stream, drawn in the terminal, without Spark",
    "larspark check PROGRAM     what is wrong with a program, and what it will cost",
    "larspark run --explain …   how a program is split for Spark",
    "larspark --help            everything else",
)


class Scene(NamedTuple):
    name: str
    title: str
    generate: Callable[[Path], int]


SCENES = (
    Scene("transport", "A tram network over twelve hours", write_transport),
    Scene("turbines", "A wind farm over twelve hours", write_turbines),
)


class PreparedScene(NamedTuple):
    """A scene with its data written and its program planned."""

    scene: Scene
    folder: Path
    program: Path
    atoms: int
    plan: SparkPlan

    @property
    def inputs(self) -> Path:
        return self.folder / INPUT


def run_pipeline(arguments: argparse.Namespace, starting: Future[SparkSession]) -> int:
    as_json = arguments.format == "json"
    console = Console(highlight=False, quiet=as_json)
    folder = Path(arguments.output)
    with waiting(told=not as_json) as tell, ThreadPoolExecutor(1) as pool:
        tell("Starting Spark inside this process, and making data…")
        making = [pool.submit(_prepared, scene, folder / scene.name) for scene in SCENES]
        session = starting.result()
        start_workers(session)
        scenes = [one.result() for one in making]
    console.print(f"Spark {session.version} on {arguments.master or LOCAL}\n", markup=False)
    reports = [_play(scene, session, console, as_json=as_json) for scene in scenes]
    _say_what_next(console, folder, reports)
    return 0


def _prepared(scene: Scene, folder: Path) -> PreparedScene:
    inputs = folder / INPUT
    inputs.mkdir(parents=True, exist_ok=True)
    program = folder / f"{scene.name}.lars"
    shutil.copyfile(EXAMPLES / "pipeline" / program.name, program)
    atoms = scene.generate(inputs)
    for file in inputs.glob("*.csv"):
        file.replace(folder / file.name)  # background lies beside the program that names it
    return PreparedScene(scene, folder, program, atoms, plan_of(program))


def _play(made: PreparedScene, session: SparkSession, console: Console, *, as_json: bool) -> Path:
    console.rule(f"{made.scene.title}: {made.atoms} atoms")
    began = time.monotonic()
    results = made.folder / "results"
    with waiting(told=not as_json) as tell, watched(session, results, tell):
        done = run_to_folder(session, made.plan, [str(made.inputs)], results, RunOptions())
    seconds = time.monotonic() - began
    tables = {name: pq.read_table(place) for name, place in done.places.items()}
    for name, table in tables.items():
        more = f", the first {MOST_ROWS}" if done.rows[name] > MOST_ROWS else ""
        console.print(f"[bold]{name}[/bold]: {done.rows[name]} intervals{more}", _excerpt(table), "", sep="\n")
    console.print(f"{made.atoms} atoms in {seconds:.1f} s; tables in {results}\n")
    picture, report = made.folder / "timeline.svg", made.folder / "report.html"
    picture.write_text(_picture(made.scene.title, tables, done), encoding="utf-8")
    with waiting(told=not as_json) as tell:
        tell("Writing the report, with the first proofs…")
        places = {name: Path(place) for name, place in done.places.items() if name in tables}
        write_run_page(prepare(made.program), made.program, [str(made.inputs)], places, report)
    if as_json:
        found = {name: {"rows": done.rows[name], "path": str(done.places[name])} for name in tables}
        scene = {"scene": made.scene.name, "atoms": made.atoms, "tables": found}
        print(json.dumps({**scene, "picture": str(picture), "report": str(report)}))
    return report


def _say_what_next(console: Console, folder: Path, reports: list[Path]) -> None:
    console.rule("what to look at")
    for report in reports:
        console.print(f"  {report}   in a browser: the stream, what follows, and why", soft_wrap=True, markup=False)
    program = folder / "turbines" / "turbines.lars"
    console.print(f"  {program}   the rules; change one and run it again:", soft_wrap=True, markup=False)
    command = f"larspark run {program} --input {folder / 'turbines' / INPUT} --output {folder / 'again'}"
    console.print(f"    {command}", soft_wrap=True, markup=False)
    console.rule("what to try next")
    for line in NEXT:
        console.print(f"  {line}", soft_wrap=True)


def _excerpt(table: pa.Table) -> Table:
    shown = Table(*table.column_names, box=None, pad_edge=False)
    keys = [(name, "ascending") for name in ("from", *table.column_names[:1])]
    for row in table.sort_by(keys)[:MOST_ROWS].to_pylist():
        shown.add_row(*("" if cell is None else str(cell) for cell in row.values()))
    return shown


def _picture(title: str, tables: dict[str, pa.Table], done: WrittenRun) -> str:
    groups = {}
    for name, table in tables.items():
        *arguments, _, _, _ = table.column_names
        rows = [row for row in table.to_pylist() if row["at"] is None]
        bars = [Bar(f"{name}({','.join(str(row[one]) for one in arguments)})", row["from"], row["to"]) for row in rows]
        longest = sorted({bar.label for bar in bars}, key=lambda label: -_total(bars, label))[:MOST_BARS]
        groups[name] = sorted(bar for bar in bars if bar.label in longest)
    return draw_svg(title, groups, Axis(done.start, done.end))


def _total(bars: list[Bar], label: str) -> int:
    return sum(bar.last - bar.first + 1 for bar in bars if bar.label == label)
