"""The pipeline demo: generated data, embedded Spark, result tables, a picture, and where everything lies."""

from __future__ import annotations

import argparse
import json
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from pyspark.sql import DataFrame, SparkSession
from rich.console import Console
from rich.table import Table

from larspark.cli.demo_data import write_transport, write_turbines
from larspark.cli.picture import Bar, draw_svg
from larspark.cli.run_page import write_run_page
from larspark.cli.waiting import waiting
from larspark.runtime.prepared import prepare
from larspark.spark.bounded.start import RunOptions
from larspark.spark.bounded.to_folder import Outcome, run_to_folder
from larspark.spark.interface import plan_of
from larspark.spark.plan.describe import describe
from larspark.spark.session.session import spark_session, told
from larspark.spark.session.watching import watched

PROGRAMS = Path(__file__).parents[3] / "examples" / "pipeline"
MOST_ROWS, MOST_BARS = 6, 12


class Scene(NamedTuple):
    name: str
    title: str
    generate: Callable[[Path], int]


SCENES = (
    Scene("transport", "A tram network over twelve hours", write_transport),
    Scene("turbines", "A wind farm over twelve hours", write_turbines),
)


def run_pipeline(arguments: argparse.Namespace) -> int:
    console = Console(highlight=False, quiet=arguments.format == "json")
    folder = Path(arguments.output)
    console.print("Starting Spark inside this process…")
    session = spark_session(arguments.master)
    console.print(f"{told(session)}\n")
    reports = [
        _play(scene, folder / scene.name, session, console, as_json=arguments.format == "json") for scene in SCENES
    ]
    console.print(f"Everything is in {folder}/. Next: larspark run --help, larspark demo cooling")
    console.print("Look at it in a browser:", *reports, sep="\n  ", soft_wrap=True)
    return 0


def _play(scene: Scene, folder: Path, session: SparkSession, console: Console, *, as_json: bool) -> Path:
    inputs = folder / "input"
    inputs.mkdir(parents=True, exist_ok=True)
    program = folder / f"{scene.name}.lars"
    shutil.copyfile(PROGRAMS / program.name, program)
    atoms = scene.generate(inputs)
    for file in inputs.glob("*.csv"):
        file.replace(folder / file.name)  # background lies beside the program that names it
    plan = plan_of(program)
    console.rule(f"{scene.title}: {atoms} atoms")
    for line in describe(plan):
        console.print(line, style="dim", markup=False)
    began = time.monotonic()
    results = folder / "results"
    with waiting() as tell, watched(session, results, tell):
        done = run_to_folder(session, plan, [str(inputs)], results, RunOptions())
    seconds = time.monotonic() - began
    tables = {name: session.read.parquet(str(place)) for name, place in done.places.items()}
    picture = folder / "timeline.svg"
    picture.write_text(_picture(scene.title, tables, done), encoding="utf-8")
    for name, table in tables.items():
        more = f", the first {MOST_ROWS}" if done.rows[name] > MOST_ROWS else ""
        console.print(f"[bold]{name}[/bold]: {done.rows[name]} intervals{more}", _excerpt(table), "", sep="\n")
    console.print(f"{atoms} atoms in {seconds:.1f} s; tables in {results}, picture in {picture}\n")
    report = folder / "report.html"
    places = {name: place for name, place in done.places.items() if name in tables}
    write_run_page(prepare(program), program, [str(inputs)], places, report)
    if as_json:
        found = {name: {"rows": done.rows[name], "path": str(done.places[name])} for name in tables}
        print(
            json.dumps(
                {"scene": scene.name, "atoms": atoms, "tables": found, "picture": str(picture), "report": str(report)}
            )
        )
    return report


def _excerpt(table: DataFrame) -> Table:
    shown = Table(*table.columns, box=None, pad_edge=False)
    for row in table.orderBy("from", *table.columns[:1]).take(MOST_ROWS):
        shown.add_row(*("" if cell is None else str(cell) for cell in row))
    return shown


def _picture(title: str, tables: dict[str, DataFrame], done: Outcome) -> str:
    groups = {}
    for name, table in tables.items():
        rows = table.where("at is null").collect()
        bars = [Bar(f"{name}({','.join(map(str, tuple(row)[:-3]))})", row["from"], row["to"]) for row in rows]
        longest = sorted({bar.label for bar in bars}, key=lambda label: -_total(bars, label))[:MOST_BARS]
        groups[name] = sorted(bar for bar in bars if bar.label in longest)
    return draw_svg(title, groups, done.start, done.end)


def _total(bars: list[Bar], label: str) -> int:
    return sum(bar.last - bar.first + 1 for bar in bars if bar.label == label)
