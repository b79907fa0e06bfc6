"""The page of a code that an error or a warning carries: what it means, and how the text looks when it is right.

Without a code all of them are listed.
"""

from __future__ import annotations

import argparse
import difflib
import json

from larspark.diagnostics import Diagnostic, Rejected
from larspark.diagnostics.catalogue import CATALOGUE, Entry

EXAMPLE = """\
  larspark explain E404
  larspark explain
"""

SUBJECTS = {
    "1": "syntax",
    "2": "meaning of the program",
    "3": "clock, constants and sizes",
    "4": "stream and background data",
    "5": "reasoners",
    "6": "pipeline",
    "7": "usage",
    "8": "translation from other languages",
}
"""By the first digit of a code."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("code", nargs="?", help="such as E404 or W201 (default: the list of all)")


def run(arguments: argparse.Namespace) -> int:
    entries = [_entry(arguments.code)] if arguments.code else list(CATALOGUE.values())
    if arguments.format == "json":
        found = [entry._asdict() for entry in entries]
        print(json.dumps(found[0] if arguments.code else found, ensure_ascii=False))
    elif arguments.code:
        print(page(entries[0]))
    else:
        print("\n".join(f"{entry.code}  {entry.title}" for entry in sorted(entries)))
    return 0


def _entry(code: str) -> Entry:
    found = CATALOGUE.get(code.upper())
    if found is not None:
        return found
    near = difflib.get_close_matches(code.upper(), CATALOGUE, 3)
    hint = f"Did you mean {', '.join(near)}?" if near else "`larspark explain` lists all of them."
    raise Rejected([Diagnostic("E707", f"There is no code {code}.", hint)])


def page(entry: Entry) -> str:
    """What is known of a code, as text."""
    kind = "A warning" if entry.code.startswith("W") else "An error"
    return (
        f"{entry.code}: {entry.title}\n\n"
        f"{kind} about {SUBJECTS[entry.code[1]]}. {entry.meaning}\n\n"
        f"How it looks right, or what to do:\n\n    {entry.fix}\n"
    )
