"""A pipeline over data that ends: evaluated in partitions, a table per derived predicate."""

from __future__ import annotations

import argparse
import json
import time
from functools import partial
from pathlib import Path

from larspark.cli.display.waiting import waiting
from larspark.cli.options.arguments import tell_findings
from larspark.cli.options.profiling import print_profile
from larspark.cli.options.refused import refused_file
from larspark.cli.pages.run_page import require_page, write_run_page
from larspark.cli.pipeline.session import manifest_of, say, session_of
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.calendar import Calendar, TimeForm
from larspark.read.values.times import time_point
from larspark.runtime.prepared import Prepared
from larspark.spark.bounded.start import RunOptions
from larspark.spark.bounded.to_folder import WrittenRun, run_to_folder
from larspark.spark.bounded.to_tables import run_to_tables
from larspark.spark.interface import plan_of
from larspark.spark.read.tables import is_table
from larspark.spark.session.watching import watched
from larspark.spark.write.dead_letters import DEAD_LETTERS
from larspark.web.describe import form_on_page
from larspark.write.places import check_output


def run_bounded(arguments: argparse.Namespace, prepared: Prepared) -> int:
    if arguments.html:
        require_page(arguments.input, arguments.table_format, arguments.changes)
    began = time.monotonic()
    with refused_file(arguments, prepared.rules) as file:
        done = _to_tables(arguments, prepared) if is_table(arguments.output) else _to_folder(arguments, prepared)
        for letter in done.letters:
            file.take_letter(*letter)
    seconds = round(time.monotonic() - began, 2)
    refused = sum(done.refused.values())
    span = f"from {done.times.text(done.start)} to {done.times.text(done.end)}"
    say(arguments, f"{done.arrivals} atoms {span}, {refused} bad records")
    tell_findings(done.findings, arguments)
    empty = [name for name, count in done.rows.items() if not count]
    if empty and not done.findings:
        say(arguments, f"no rule ever fired for {', '.join(empty)} (`larspark why-not ATOM --run FOLDER` tells why)")
    for note in done.notes:
        say(arguments, note)
    if arguments.format == "json":
        result = {"atoms": done.arrivals, "refused": refused, "from": done.start, "to": done.end}
        found = {name: {"rows": count, "path": str(done.places[name])} for name, count in done.rows.items()}
        print(json.dumps({**result, "reasons": done.refused, "seconds": seconds, "tables": found}))
    else:
        for name, count in done.rows.items():
            print(f"{count:>9}  {name}  {done.places[name]}")
        if refused:
            why = ", ".join(f"{code} {count}" for code, count in done.refused.items())
            print(f"{refused:>9}  {DEAD_LETTERS}  {done.places[DEAD_LETTERS]}  ({why})")
        print(f"done in {seconds} s")
    if arguments.html:
        tables = {name: Path(place) for name, place in done.places.items() if name in done.rows}
        write_run_page(prepared, Path(arguments.program), arguments.input, tables, Path(arguments.html), done.profile)
        say(arguments, f"wrote {arguments.html}")
    if done.profile is not None:
        print_profile(done.profile, arguments.format)
    return 0


def _to_folder(arguments: argparse.Namespace, prepared: Prepared) -> WrittenRun:
    folder = Path(arguments.output)
    check_output(folder)
    plan, options = plan_of(prepared), _options(arguments, prepared)
    session = session_of(arguments)
    shown = partial(time_shown, arguments.times == "points", prepared.calendar)
    with waiting(told=arguments.format == "text") as tell, watched(session, folder, tell, shown):
        done = run_to_folder(session, plan, arguments.input, folder, options)
    manifest_of(arguments, prepared, (done.start, done.end)).write(folder)
    return done


def time_shown(points: bool, calendar: Calendar, time: int) -> str:
    """How a time is told before it is known how times came: as a moment where it lies in our days."""
    form = TimeForm.POINTS if points else max(calendar.form, form_on_page(calendar, time))
    return f"{time:,}" if form is TimeForm.POINTS else calendar.text(time, form)


def _to_tables(arguments: argparse.Namespace, prepared: Prepared) -> WrittenRun:
    if arguments.html or arguments.profile:
        message = "Pages and profiles are made of the tables of a folder."
        raise Rejected([Diagnostic("E604", message, "Leave out --html and --profile, or name a folder.")])
    plan, options = plan_of(prepared), _options(arguments, prepared)
    return run_to_tables(session_of(arguments), plan, arguments.input, arguments.output, options)


def _options(arguments: argparse.Namespace, prepared: Prepared) -> RunOptions:
    return RunOptions(
        tuple(arguments.timeline) if arguments.timeline else None,
        arguments.partitions,
        arguments.on_error or "stop",
        arguments.table_format,
        arguments.changes,
        _evaluations(arguments, prepared),
        arguments.profile,
        arguments.times == "points",
        bool(arguments.refused),
        arguments.strict,
    )


def _evaluations(arguments: argparse.Namespace, prepared: Prepared) -> tuple[int, int] | None:
    """What --from and --until say."""
    said = (arguments.from_, arguments.until_)
    if said == (None, None):
        return None
    if None in said or arguments.timeline:
        message = "A part of the time has a beginning and an end."
        raise Rejected([Diagnostic("E615", message, "Give both --from and --until, and no --timeline.")])
    found = [time_point(one, prepared.calendar) for one in said]
    if wrong := [one for one in found if isinstance(one, Diagnostic)]:
        raise Rejected(wrong)
    begin, end = (one for one in found if isinstance(one, int))
    return begin, end - 1
