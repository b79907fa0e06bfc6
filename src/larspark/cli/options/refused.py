"""`--refused FILE`: everything that was refused, as lines that can be corrected and read again."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from larspark.diagnostics import Diagnostic, Rejected

if TYPE_CHECKING:
    from larspark.read.rules import Rules


def add_refused_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--refused",
        metavar="FILE.jsonl",
        help="write every record that is refused there, with the reason, to be corrected and read again; none stops",
    )


class RefusedFile:
    """Takes what is refused; without a file, nothing happens."""

    def __init__(self, file: TextIO | None, rules: Rules) -> None:
        self._file, self._rules = file, rules

    def take(self, finding: Diagnostic, record: str) -> None:
        """A record, and what is wrong with it."""
        if self._file is not None:
            from larspark.read.again import fed_again, reason_of  # noqa: PLC0415 - seldom anything is refused

            source = finding.origin.file if finding.origin else None
            print(fed_again(record, reason_of(finding), source, self._rules), file=self._file, flush=True)

    def take_letter(self, objection: str, record: str, source: str | None) -> None:
        """The same, of the table of dead letters."""
        if self._file is not None:
            from larspark.read.again import fed_again  # noqa: PLC0415

            print(fed_again(record, objection, source, self._rules), file=self._file)


@contextmanager
def refused_file(arguments: argparse.Namespace, rules: Rules) -> Iterator[RefusedFile]:
    """The file that the command line names; bad records do not stop a run that has one."""
    name = getattr(arguments, "refused", None)
    if name is None:
        yield RefusedFile(None, rules)
        return
    arguments.on_error = "skip"
    try:
        Path(name).write_text("")
    except OSError as error:
        message = f"`{name}` cannot be written: {error.strerror}."
        raise Rejected([Diagnostic("E603", message, "Name another file.")]) from error
    with Path(name).open("w", encoding="utf-8") as file:
        yield RefusedFile(file, rules)
