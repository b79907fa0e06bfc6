"""Run case files: what arrives, what must follow, and which rules the cases have tried.

A case file names a program (and perhaps a recorded stream), and has cases with lines such as `send 36..46 hot(press)`,
`marble technician(ann) ...x`, `expect 46 alarm(press), not siren`, `expect within 40..50 siren` and `expect never
crowd(_)`. `--record` prints a case file that expects what a program concludes from a stream now. The exit status is 1
when a case fails.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

from larspark.cases.case_file import read_case_file
from larspark.cases.run import Outcome, recorded_case, remarks, run_cases
from larspark.cli.options.questions import print_json
from larspark.diagnostics import Diagnostic, Rejected
from larspark.questions.explaining import Case
from larspark.runtime.prepared import prepare
from larspark.runtime.sourced import read_sourced

EXAMPLE = """\
  larspark test examples/explanations/alarms.case
  larspark test examples
  larspark test --record examples/machines.lars examples/machines.jsonl > machines.case
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="case files, or folders of them")
    parser.add_argument(
        "--record", nargs=2, type=Path, metavar=("PROGRAM", "STREAM"), help="print a case file made from a run"
    )


def run(arguments: argparse.Namespace) -> int:
    if arguments.record:
        record(*arguments.record)
        return 0
    if not arguments.files:
        raise Rejected([Diagnostic("E567", "There is no case file to run.", "larspark test alarms.case")])
    good = True
    for path in case_files(arguments.files):
        outcomes = []
        for outcome in run_cases(read_case_file(path)):
            outcomes.append(outcome)
            tell(outcome, arguments.format)
        good = good and all(outcome.ok for outcome in outcomes)
        if arguments.format == "text":
            for remark in remarks(outcomes):
                print(f"       {remark}")
    return 0 if good else 1


def case_files(given: Iterable[Path]) -> Iterator[Path]:
    """Files as they are named, and those that folders hold."""
    for path in given:
        if not path.is_dir():
            yield path
            continue
        found = sorted(path.rglob("*.case"))
        if not found:
            message = f"There is no case file in `{path}`."
            raise Rejected([Diagnostic("E567", message, "Case files end in `.case`.")])
        yield from found


def tell(outcome: Outcome, style: str) -> None:
    if style == "json":
        print_json(outcome.as_json())
        return
    print(f"{'ok    ' if outcome.ok else 'FAILED'} {outcome.file}: {outcome.case}")
    for failure in outcome.failures:
        print(f"       {failure}")


def record(program: Path, stream: Path) -> None:
    prepared = prepare(program).require()
    asked = Case.of(prepared, read_sourced(stream, prepared).arrivals)
    lines = [f"program {program.as_posix()}", f"stream {stream.as_posix()}"]  # as they are called from here
    lines += recorded_case(prepared, asked.side.history, "as recorded")
    print("\n".join(lines))
